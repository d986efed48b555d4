import type { Comparison, Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Piece } from '../pieces.js';

/** `women (sex = F)`: where the value already stands before, its column and sign say nothing more. */
export function withoutEquals(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.filter((_, place) => !isSaidAgain(pieces, place) && !isSaidAgain(pieces, place + 1));
}

/** The `=` between a column and its value, after a value of the same column. */
function isSaidAgain(pieces: readonly Piece[], place: number): boolean {
  const sign = pieces[place];
  if (place < 2 || sign?.kind !== 'operator' || sign.operator !== '=') return false;
  const [first, column, value] = [pieces[place - 2], pieces[place - 1], pieces[place + 1]].map(columnOf);
  return column !== null && first === column && value === column;
}

/** The column that a piece names or is a value of. */
function columnOf(piece: Piece | undefined): string | null {
  if (piece?.kind === 'column') return piece.column.name;
  return piece?.kind === 'value' ? piece.column : null;
}

interface Sides {
  readonly pieces: readonly Piece[];
  readonly filters: readonly Filter[];
}

/** `a below 3 or above 7`: both sides of one column, of which one must hold. */
export function withoutSides(pieces: readonly Piece[]): Sides {
  for (let at = 0; at < pieces.length; at += 1) {
    const sides = sidesAt(pieces, at);
    if (sides === null) continue;
    const rest = withoutSides([...pieces.slice(0, at), ...pieces.slice(at + sides.length)]);
    return { pieces: rest.pieces, filters: [sides.filter, ...rest.filters] };
  }
  return { pieces, filters: [] };
}

interface SidesAt {
  readonly filter: Filter;
  readonly length: number;
}

const ONE_SIDE = 2;

function sidesAt(pieces: readonly Piece[], at: number): SidesAt | null {
  const column = figureAt(pieces, at);
  if (column === null || !isOr(pieces[at + ONE_SIDE + 1])) return null;
  const begin = at + ONE_SIDE + 2;
  const again = figureAt(pieces, begin)?.name === column.name ? begin + 1 : begin;
  const [one, other] = [comparedAt(pieces, at + 1, column), comparedAt(pieces, again, column)];
  if (one === null || other === null) return null;
  return { filter: { kind: 'any', of: [[one], [other]] }, length: again + ONE_SIDE - at };
}

function isOr(piece: Piece | undefined): boolean {
  return piece?.kind === 'join' && piece.or;
}

function figureAt(pieces: readonly Piece[], at: number): ColumnFacts | null {
  const piece = pieces[at];
  return piece?.kind === 'column' && piece.column.role === 'figure' ? piece.column : null;
}

function comparedAt(
  pieces: readonly Piece[],
  at: number,
  { name }: ColumnFacts,
): Extract<Filter, { kind: 'compare' }> | null {
  const [sign, number] = pieces.slice(at, at + 2);
  if (sign?.kind !== 'operator' || number?.kind !== 'number' || sign.operator === 'between') return null;
  const operator: Comparison = sign.operator;
  return { kind: 'compare', column: name, operator, value: number.value };
}

/** `a above b` of two columns of numbers: a condition on each row. */
export function withoutColumns(pieces: readonly Piece[]): Sides {
  const at = pieces.findIndex((_, place) => columnsAt(pieces, place) !== null);
  const filter = at < 0 ? null : columnsAt(pieces, at);
  if (filter === null) return { pieces, filters: [] };
  const rest = withoutColumns([...pieces.slice(0, at), ...pieces.slice(at + COMPARED)]);
  return { pieces: rest.pieces, filters: [filter, ...rest.filters] };
}

const COMPARED = 3;

function columnsAt(pieces: readonly Piece[], at: number): Filter | null {
  const [left, right] = [figureAt(pieces, at), figureAt(pieces, at + 2)];
  if (left === null || right === null || left.name === right.name) return null;
  // `above b minus c` compares with more than the column.
  const operator = pieces[at + COMPARED]?.kind === 'filler' ? null : comparisonAt(pieces, at + 1);
  return operator === null ? null : { kind: 'columns', left: left.name, operator, right: right.name };
}

function comparisonAt(pieces: readonly Piece[], at: number): Comparison | null {
  const sign = pieces[at];
  return sign?.kind !== 'operator' || sign.operator === 'between' ? null : sign.operator;
}
