import { keyOf, type Piece, type PieceOf } from './pieces.js';
import { isMeasure, MULTIPLIERS } from './units.js';

/** Letters that are a unit only when they touch the number. */
const MUST_TOUCH = new Set(['c', 'v', 's', 'k']);
const MONEY_SIGNS = new Set(['$', '€', '£']);

/** Joins numbers with what they are numbers of: `4 GB`, `50%`, `$100`, `1.5 million`. */
export function readNumbers(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece === undefined) break;
    const joined = piece.kind === 'number' ? joinedNumber(pieces, at) : moneyNumber(pieces, at);
    out.push(joined?.piece ?? piece);
    at += joined?.extra ?? 0;
  }
  return out;
}

/** The number that begins here with its unit and factor, and how many pieces it takes beyond the first. */
export function joinedAt(pieces: readonly Piece[], at: number): Joined | null {
  const piece = pieces[at];
  if (piece?.kind !== 'number') return moneyNumber(pieces, at);
  return joinedNumber(pieces, at) ?? { piece, extra: 0 };
}

interface Joined {
  readonly piece: PieceOf<'number'>;
  readonly extra: number;
}

function joinedNumber(pieces: readonly Piece[], at: number): Joined | null {
  const number = pieces[at];
  if (number?.kind !== 'number') return null;
  const factor = multiplierOf(pieces[at + 1]);
  const scaled = factor === null ? number : { ...number, value: number.value * factor };
  const unitAt = at + (factor === null ? 1 : 2);
  const unit = unitOf(pieces[unitAt], pieces[at - 1]);
  const end = unit === null ? unitAt : unitAt + 1;
  if (end === at + 1) return null;
  const text = pieces
    .slice(at, end)
    .map((piece) => piece.text)
    .join(' ');
  return { piece: { ...scaled, unit, text }, extra: end - at - 1 };
}

function multiplierOf(next: Piece | undefined): number | null {
  const key = keyOf(next);
  if (next?.kind !== 'word' || key === null || !Object.hasOwn(MULTIPLIERS, key)) return null;
  return MUST_TOUCH.has(key) && !next.glued ? null : (MULTIPLIERS[key] ?? null);
}

function unitOf(next: Piece | undefined, before: Piece | undefined): string | null {
  if (next?.kind === 'word') return isUnit(next) ? next.key : null;
  return isYears(next) && before?.kind === 'operator' ? 'years' : null;
}

function isYears(piece: Piece | undefined): boolean {
  return piece?.kind === 'bucket' && piece.bucket === 'year';
}

function isUnit({ key, glued }: PieceOf<'word'>): boolean {
  return isMeasure(key) && (glued || !MUST_TOUCH.has(key));
}

function moneyNumber(pieces: readonly Piece[], at: number): Joined | null {
  const sign = keyOf(pieces[at]) ?? '';
  const number = pieces[at + 1];
  if (!MONEY_SIGNS.has(sign) || number?.kind !== 'number') return null;
  const joined = joinedNumber(pieces, at + 1) ?? { piece: number, extra: 0 };
  return { piece: { ...joined.piece, unit: sign, text: `${sign}${joined.piece.text}` }, extra: joined.extra + 1 };
}
