import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { Cell, QueryResult } from '../../../ports/table.js';

const TOLERANCE = 1e-9;
/** Ways to lay columns over columns that are tried, and steps that are taken to find them. */
const MOST_WAYS = 20;
const MOST_STEPS = 2000;
/** Digits by which rows are put beside each other; those that a rounding keeps apart are looked at one by one. */
const DIGITS = 9;
const MOST_APART = 50;

type Rows = readonly (readonly Cell[])[];
export type Table = Pick<QueryResult, 'columns' | 'rows'>;

/**
 * Whether a result says what is expected, whatever its columns are called and in whichever order they stand; columns beyond those are no
 * harm. Rows may come in any order, unless `ordered`.
 */
export function saysTheSame(expected: Table, actual: Table, ordered: boolean): boolean {
  if (expected.rows.length !== actual.rows.length || expected.columns.length > actual.columns.length) return false;
  let tries = 0;
  for (const way of waysOf(expected, actual)) {
    tries += 1;
    const laid = actual.rows.map((row) => way.map((place) => row[place] ?? null));
    if (ordered ? areAlike(expected.rows, laid) : areSameRows(expected.rows, laid)) return true;
    if (tries === MOST_WAYS) return false;
  }
  return false;
}

/** Whether the order of the rows belongs to the answer. */
export function isOrdered(plan: AnalysisPlan | null, sql: string | null): boolean {
  if (plan !== null) return plan.kind !== 'statistic' && plan.order.length > 0 && !('summary' in plan && plan.summary);
  return /\border\s+by\b/i.test(outermost(sql ?? ''));
}

/** Without what stands in brackets: the order of a window or of a subquery is not that of the result. */
function outermost(sql: string): string {
  let text = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, '');
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/\([^()]*\)/g, ' ');
  }
  return text;
}

/** For each expected column one of the actual, of which each is taken once; those of the same name first. */
function* waysOf(expected: Table, actual: Table): Generator<readonly number[]> {
  const fitting = expected.columns.map(({ name }, place) => {
    const wanted = columnOf(expected.rows, place);
    const places = actual.columns.flatMap((_, other) => (areSame(wanted, columnOf(actual.rows, other)) ? [other] : []));
    const isNamed = (other: number): boolean => actual.columns[other]?.name.toLowerCase() === name.toLowerCase();
    return places.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  });
  yield* combined(fitting, [], { steps: 0 });
}

function* combined(
  fitting: readonly (readonly number[])[],
  taken: readonly number[],
  spent: { steps: number },
): Generator<readonly number[]> {
  spent.steps += 1;
  const [first, ...rest] = fitting;
  if (first === undefined) {
    yield taken;
    return;
  }
  for (const place of first)
    if (!taken.includes(place) && spent.steps < MOST_STEPS) yield* combined(rest, [...taken, place], spent);
}

function columnOf(rows: Rows, place: number): readonly Cell[] {
  return rows.map((row) => row[place] ?? null);
}

/** The same cells, in any order. */
function areSame(one: readonly Cell[], other: readonly Cell[]): boolean {
  const [first, second] = [one.toSorted(compared), other.toSorted(compared)];
  return first.every((cell, place) => isSame(cell, second[place] ?? null));
}

function areAlike(one: Rows, other: Rows): boolean {
  return one.every((row, place) => isSameRow(row, other[place] ?? []));
}

function areSameRows(one: Rows, other: Rows): boolean {
  const byKey = new Map<string, (readonly Cell[])[]>();
  for (const row of other) {
    const key = keyOf(row);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [row]);
    else known.push(row);
  }
  const apart = one.filter((row) => byKey.get(keyOf(row))?.pop() === undefined);
  const left = [...byKey.values()].flat();
  if (apart.length > MOST_APART) return false;
  return apart.every((row) => {
    const found = left.findIndex((candidate) => isSameRow(row, candidate));
    if (found >= 0) left.splice(found, 1);
    return found >= 0;
  });
}

function keyOf(row: readonly Cell[]): string {
  return JSON.stringify(row.map((cell) => (typeof cell === 'number' ? cell.toPrecision(DIGITS) : cell)));
}

function isSameRow(one: readonly Cell[], other: readonly Cell[]): boolean {
  return one.every((cell, place) => isSame(cell, other[place] ?? null));
}

function isSame(one: Cell, other: Cell): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
}

function compared(one: Cell, other: Cell): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [first, second] = [`${typeof one}${String(one)}`, `${typeof other}${String(other)}`];
  return first < second ? -1 : Number(first > second);
}
