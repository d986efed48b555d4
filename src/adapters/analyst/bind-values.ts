import type { Filter } from '../../ports/analysis-plan.js';
import type { Piece, PieceOf } from './pieces.js';
import type { ColumnFacts } from './column-facts.js';
import type { Workbench } from './workbench.js';

/** Takes the names of columns that only introduce a value: `status down`, `the Furniture category`. */
export function absorbNames(bench: Workbench): void {
  for (const place of bench.places('column', 'ambiguous')) {
    if (bench.at(bench.before(place), 'group') !== null) continue;
    if (introduces(bench, place, bench.before(place))) bench.take(place);
    else absorbBefore(bench, place);
  }
}

function absorbBefore(bench: Workbench, place: number): void {
  const equals = bench.next(place, 'operator');
  const sign = bench.at(equals, 'operator')?.operator;
  const start = sign === '=' || sign === '!=' ? equals : place;
  const negation = bench.next(start, 'negation');
  const value = start === null ? null : bench.after(negation ?? start);
  if (!introduces(bench, place, value)) return;
  bench.take(place, sign === '=' ? equals : null);
}

function introduces(bench: Workbench, place: number, valuePlace: number | null): boolean {
  const value = bench.at(valuePlace, 'value');
  if (value === null) return false;
  const column = bench.column(place);
  if (column !== null) return column.name === value.column;
  return bench.at(place, 'ambiguous')?.columns.some(({ name }) => name === value.column) ?? false;
}

/** Turns values into filters; several of one column are alternatives, and a `not` holds for all that follow it. */
export function bindValues(bench: Workbench): void {
  const wanted = new Map<string, readonly PieceOf<'value'>[]>();
  const unwanted = new Map<string, readonly PieceOf<'value'>[]>();
  for (const place of bench.places('value')) {
    const piece = bench.at(place, 'value');
    if (piece === null) continue;
    const group = takeNegation(bench, place, piece.column) ? unwanted : wanted;
    group.set(piece.column, [...(group.get(piece.column) ?? []), piece]);
  }
  bench.take(...bench.places('value'));
  for (const pieces of wanted.values()) bench.filters.push(filterOf(bench, pieces, false));
  for (const [column, pieces] of unwanted) {
    bench.filters.push(filterOf(bench, pieces, true));
    if (wanted.has(column)) bench.problem(`You named values of ${column} both as wanted and as not wanted.`);
  }
}

/** A negation right before the value, or before the values that it continues. */
function takeNegation(bench: Workbench, place: number, column: string): boolean {
  for (let at: number | null = place; at !== null; at = precedingValue(bench, at, column)) {
    const before = bench.before(at);
    const negates = bench.at(before, 'negation') !== null || bench.at(before, 'operator')?.operator === '!=';
    if (negates && before !== null) return continued(bench, before, place);
  }
  return false;
}

/** The value of the same column that this one is joined to. */
function precedingValue(bench: Workbench, place: number, column: string): number | null {
  const value = bench.previous(bench.previous(place, 'join'), 'value');
  return bench.at(value, 'value')?.column === column ? value : null;
}

/** The negation stays until its last value has seen it. */
function continued(bench: Workbench, negation: number, place: number): boolean {
  const next = bench.next(bench.next(place, 'join'), 'value');
  const goesOn = next !== null && bench.at(next, 'value')?.column === bench.at(place, 'value')?.column;
  if (!goesOn) bench.take(negation);
  return true;
}

function filterOf(bench: Workbench, pieces: readonly PieceOf<'value'>[], negated: boolean): Filter {
  const [first] = pieces;
  const column = first?.column ?? '';
  if (pieces.length === 1 && first?.part != null) {
    bench.note(`I took “${first.text}” as every ${column} that contains “${first.part}”.`);
    return { kind: 'contains', column, text: first.part, negated };
  }
  const values = [...new Set(pieces.flatMap((piece) => piece.values))];
  const other = pieces.filter(({ text, values: [value] }) => String(value).toLowerCase() !== text.toLowerCase());
  for (const { text, values: named } of other)
    if (!sameLetters(text, named)) bench.note(`I took “${text}” as ${column} ${named.map(String).join(', ')}.`);
  return { kind: 'in', column, values, negated };
}

/** Whether a text names one of the values but for case, signs and an ending. */
export function sameLetters(text: string, values: readonly (string | boolean)[]): boolean {
  const bare = (one: string): string => one.toLowerCase().replace(/[^\p{L}\d]|s$|(?<=\D)0+(?=\d)/gu, '');
  return values.some((value) => bare(String(value)) === bare(text));
}

/** Yes-or-no columns: `paid`, `not paid`. Under a `by` they group, and after a test they are tested. */
export function bindBooleans(bench: Workbench): void {
  for (const place of bench.categories()) {
    const column = bench.column(place);
    if (column?.role !== 'boolean' || bench.isGrouped(place)) continue;
    const before = bench.before(place);
    const negated = bench.at(before, 'negation') !== null;
    if (negated && before !== null) bench.take(before);
    bench.take(place);
    bench.filters.push({ kind: 'in', column: column.name, values: [!negated], negated: false });
  }
}

/** Tests for missing values, and `no discount`, which is none or a zero. */
export function bindEmpty(bench: Workbench): void {
  for (const place of bench.places('empty')) {
    const named = bench.beside(place).find((near) => bench.column(near) !== null) ?? null;
    const column = bench.column(named);
    if (column === null || named === null) continue;
    const negation = bench.previous(Math.min(place, named), 'negation');
    const present = bench.at(place, 'empty')?.negated === true;
    bench.take(place, named, negation);
    bench.filters.push({ kind: 'null', column: column.name, negated: present !== (negation !== null) });
  }
  for (const place of bench.places('negation')) bindNone(bench, place);
}

function bindNone(bench: Workbench, place: number): void {
  const named = bench.after(place);
  const column = bench.column(named);
  const next = named === null ? null : bench.after(named);
  if (column === null || named === null || column.role === 'boolean') return;
  if (['operator', 'number', 'value'].some((kind) => next !== null && bench.items[next]?.kind === kind)) return;
  bench.take(place, named);
  bench.filters.push(noneOf(bench, column));
}

function noneOf(bench: Workbench, column: ColumnFacts): Filter {
  const { profile, name } = column;
  if (column.role !== 'figure' || profile.nulls > 0 || profile.min !== 0)
    return { kind: 'null', column: name, negated: false };
  bench.note(`I took “no ${column.words.join(' ')}” as ${name} being 0.`);
  return { kind: 'compare', column: name, operator: '=', value: 0 };
}

/** `or` stands between alternatives of one column; between different conditions it is beyond a plan. */
export function checkAlternatives(bench: Workbench): void {
  const beyond = bench.places('join').some((place) => {
    const join = bench.at(place, 'join');
    return join?.or === true && !areAlternatives(bench.items[place - 1], bench.items[place + 1]);
  });
  if (beyond) bench.problem(NO_OR, 'cannot');
}

const NO_OR =
  'I can combine conditions with “and”, and values of one column with “or”, but not different conditions with “or”.';

function areAlternatives(left: Piece | undefined, right: Piece | undefined): boolean {
  return alternativeOf(left) !== null && alternativeOf(left) === alternativeOf(right);
}

/** What a piece can be an alternative in. */
function alternativeOf(piece: Piece | undefined): string | null {
  if (piece?.kind === 'value') return `value of ${piece.column}`;
  return piece?.kind === 'time' || piece?.kind === 'number' ? piece.kind : null;
}
