import { STRFTIME, writtenToken } from '../../shared/time-format/layout-languages.js';
import type { TimeLayout, TimeToken } from '../../shared/time-format/time-layout.js';
import { quotedText } from '../sql-text.js';

const OFFSETS = { colon: '+00:00', compact: '+0000', hours: '+00' } as const;
/** Digits of a fraction that a timestamp has. */
const MICROS = 6;

/** A part of a time: directives of `strftime`, which may be joined, or an expression of its own. */
type Piece = { readonly format: string } | { readonly sql: string };

/** SQL that writes a TIMESTAMP as the layout says, in UTC; the layout reads it back. */
export function timeText(time: string, layout: TimeLayout): string {
  if (layout.kind === 'epoch') return epochText(time, layout.unit);
  const pieces = layout.tokens.map((token) => pieceOf(time, token)).reduce<readonly Piece[]>(joined, []);
  const parts = pieces.map((piece) => ('sql' in piece ? piece.sql : `strftime(${time}, ${quotedText(piece.format)})`));
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' || ')})`;
}

/** SQL that writes a TIMESTAMP as ISO 8601, with as much of a fraction as it has. */
export function isoText(time: string): string {
  const fraction = `CASE WHEN ${micros(time)} = 0 THEN '' ELSE '.' || rtrim(strftime(${time}, '%f'), '0') END`;
  return `(strftime(${time}, '%Y-%m-%dT%H:%M:%S') || ${fraction} || 'Z')`;
}

/** Exactly, however far away the time is. */
function epochText(time: string, unit: 's' | 'ms'): string {
  if (unit === 'ms') return `CAST(epoch_ms(${time}) AS VARCHAR)`;
  const exact = `CAST(epoch_us(${time}) AS DECIMAL(19, 0)) * CAST(0.000001 AS DECIMAL(6, 6))`;
  return `CASE WHEN ${micros(time)} = 0 THEN CAST(epoch_us(${time}) // 1000000 AS VARCHAR)
    ELSE rtrim(CAST(${exact} AS VARCHAR), '0') END`;
}

function micros(time: string): string {
  return `(epoch_us(${time}) % 1000000)`;
}

function joined(pieces: readonly Piece[], piece: Piece): readonly Piece[] {
  const last = pieces.at(-1);
  if (last === undefined || 'sql' in last || 'sql' in piece) return [...pieces, piece];
  return [...pieces.slice(0, -1), { format: last.format + piece.format }];
}

function pieceOf(time: string, token: TimeToken): Piece {
  switch (token.kind) {
    case 'literal':
    case 'name':
      return { format: writtenToken(token, STRFTIME) };
    case 'number':
      return numberPiece(time, token);
    case 'meridiem':
      return token.lower ? { sql: `lower(strftime(${time}, '%p'))` } : { format: '%p' };
    case 'fraction':
      return { sql: fraction(time, token.max) };
    case 'optionalFraction':
      return {
        sql: `CASE WHEN ${micros(time)} = 0 THEN '' ELSE ${quotedText(token.point)} || ${fraction(time, token.max)} END`,
      };
    case 'offset':
      return { format: token.zulu ? 'Z' : OFFSETS[token.style] };
    case 'zoneName':
      return { format: 'UTC' };
  }
}

function numberPiece(time: string, token: Extract<TimeToken, { kind: 'number' }>): Piece {
  // Years have four digits, which the database's own does not see to.
  if (token.field === 'year') return { sql: `lpad(CAST(year(${time}) AS VARCHAR), 4, '0')` };
  if (token.pad !== 'blank') return { format: writtenToken(token, STRFTIME) };
  const plain = writtenToken({ ...token, pad: 'none' }, STRFTIME);
  return { sql: `lpad(strftime(${time}, ${quotedText(plain)}), 2, ' ')` };
}

function fraction(time: string, digits: number): string {
  const known = `left(strftime(${time}, '%f'), ${Math.min(digits, MICROS)})`;
  return digits <= MICROS ? known : `(${known} || '${'0'.repeat(digits - MICROS)}')`;
}
