import type { ColumnFacts } from '../column-facts.js';
import type { Piece } from '../pieces.js';
import { nameOf } from './arithmetic.js';
import type { Clause } from './clause.js';
import type { MarkOf } from './marks.js';
import type { Script } from './script.js';

type Method = 'zscore' | 'minmax';

/**
 * `the maximum z-score of a`, `a z-score below -1`: the scaled column stands in for the one that is named, or that was spoken of before.
 * A distance that tells outliers stays what it is.
 */
export function withScales(clause: Clause, script: Script): readonly Piece[] {
  const isDistance = clause.has('outliers', 'removing', 'both ways', 'bounds', 'bins');
  return isDistance ? clause.pieces : new Scaling(clause, script).read();
}

/** Goes through a clause from left to right: after a word of scaling, columns are meant scaled. */
class Scaling {
  private readonly out: Piece[] = [];
  private method: Method | null = null;

  constructor(
    private readonly clause: Clause,
    private readonly script: Script,
  ) {}

  read(): readonly Piece[] {
    this.clause.pieces.forEach((piece, place) => {
      this.take(piece, place);
    });
    return this.out;
  }

  private take(piece: Piece, place: number): void {
    const mark = this.clause.markOf(piece);
    if (mark?.kind === 'scale') this.scale(mark.method, place);
    else if (mark?.kind === 'method' && isOneSided(mark, piece)) this.compare(mark.threshold ?? 0);
    else this.keep(piece);
  }

  private scale(said: Method | null, place: number): void {
    this.method = said ?? this.method ?? saidLater(this.clause) ?? 'minmax';
    if (!isCompared(this.clause.pieces, place)) return;
    const stand = standIn(this.clause, this.method, this.script);
    this.stand(stand);
  }

  private compare(threshold: number): void {
    this.method = 'zscore';
    const above: Piece = { kind: 'operator', operator: '>', hints: null, text: 'above' };
    this.stand(standIn(this.clause, this.method, this.script));
    this.out.push(above, numberPiece(threshold));
  }

  /** `an a value with a z-score below 2`: the column before it is the one that is scaled. */
  private stand(pieces: readonly Piece[]): void {
    const last = this.out.findLastIndex((piece) => piece.kind !== 'filler' || this.clause.markOf(piece) !== null);
    const named = this.out[last];
    if (pieces.length > 0 && named?.kind === 'column' && named.column.role === 'figure') this.out.splice(last, 1);
    this.out.push(...pieces);
  }

  private keep(piece: Piece): void {
    if (this.method === null || piece.kind !== 'column' || piece.column.role !== 'figure') this.out.push(piece);
    else if (!isStandIn(this.out, piece.column, this.script))
      this.out.push(scaledPiece(piece.column, this.method, this.clause, this.script));
  }
}

/** `normalise a with the z-score`. */
function saidLater(clause: Clause): Method | null {
  return clause.all('scale').find(({ method }) => method !== null)?.method ?? null;
}

/** `a z-score below -1`. */
function isCompared(pieces: readonly Piece[], place: number): boolean {
  const next = pieces.slice(place + 1).find(({ kind }) => kind !== 'filler');
  return next?.kind === 'operator';
}

/** `a z-score above 2` without a word of outliers or of its size looks one way only. */
function isOneSided({ method, threshold }: MarkOf<'method'>, { text }: Piece): boolean {
  return (
    method === 'zscore' &&
    threshold !== null &&
    /score/iu.test(text) &&
    /\b(?:above|over|greater|exceed\w*|more|higher|larger)\b|>/iu.test(text) &&
    !/absolute/iu.test(text)
  );
}

function standIn(clause: Clause, method: Method, script: Script): readonly Piece[] {
  const column =
    clause.columns.find(({ role }) => role === 'figure') ?? script.focus.find(({ role }) => role === 'figure');
  return column === undefined ? [] : [scaledPiece(column, method, clause, script)];
}

/** The column was named for the scaled one that stands already. */
function isStandIn(out: readonly Piece[], column: ColumnFacts, script: Script): boolean {
  return out.some((piece) => {
    if (piece.kind !== 'column' || piece.column.name === column.name) return false;
    const made = script.neededFor([piece.column.name]).at(-1)?.expression;
    return made?.kind === 'scaled' && made.of.kind === 'column' && made.of.column === script.meantBy(column).name;
  });
}

function isOfPopulation(clause: Clause): boolean {
  const isSaid = clause.first('population')?.population === true;
  return isSaid || clause.all('figure').some(({ aggregate }) => aggregate === 'stddev_pop');
}

function numberPiece(value: number): Piece {
  return { kind: 'number', key: String(value), glued: false, value, unit: null, text: String(value) };
}

function scaledPiece(column: ColumnFacts, method: Method, clause: Clause, script: Script): Piece {
  const meant = script.meantBy(column);
  // It may be scaled already, by a sentence before.
  const known = script.neededFor([meant.name]).at(-1)?.expression.kind === 'scaled';
  if (known) return { kind: 'column', column: meant, implied: null, text: meant.name };
  const population = method === 'zscore' && (isOfPopulation(clause) || script.population === true);
  const expression = { kind: 'scaled', method, of: { kind: 'column', column: meant.name }, population } as const;
  return { kind: 'column', column: script.make(nameOf(expression), expression), implied: null, text: meant.name };
}
