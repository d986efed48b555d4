import type { PlanOrder } from '../../ports/analysis-plan.js';
import type { Draft, MeasureDraft, RowsDraft } from '../../analyst/reading/draft.js';
import type { Change } from './follow-up-change.js';
import type { TableFacts } from './table-facts.js';

const COUNT: MeasureDraft = { aggregate: 'count', column: null };

/** Rows as they were asked for before, changed, or figures of them; `null` where the change could mean more than one thing. */
export function changedRows(before: RowsDraft, change: Change, facts: TableFacts): Draft | null {
  const { groups, measures, aggregates } = change;
  if (aggregates.length > 0) return null;
  if (measures.length > 0) return figuresOf(before, change, measures);
  if (groups.length > 0) return isChosen(before) ? chosenInEach(before, change) : figuresOf(before, change, [COUNT]);
  return changedList(before, change, facts);
}

/** Only some of the rows that fit, such as the highest. */
function isChosen({ order, limit }: RowsDraft): boolean {
  return order.length > 0 && limit !== null;
}

function figuresOf(before: RowsDraft, change: Change, measures: readonly MeasureDraft[]): Draft | null {
  const isMore = change.columns.length > 0 || change.order.length > 0 || change.limit !== null;
  // A figure of some of the rows would be another than that of all of them.
  if (isChosen(before) || isMore) return null;
  const { filters } = before;
  return { kind: 'aggregate', measures, dimensions: change.groups, filters, having: [], rank: null };
}

/** `and by region?`, after the highest row: the highest of each. */
function chosenInEach(before: RowsDraft, { groups, limit }: Change): Draft | null {
  const each = groups.flatMap((group) => (group.kind === 'column' ? [group.column] : []));
  if (each.length < groups.length) return null;
  const columns = before.columns.length === 0 ? [] : [...new Set([...before.columns, ...each])];
  return { ...before, columns, each, limit: limit ?? before.limit };
}

function changedList(before: RowsDraft, change: Change, facts: TableFacts): Draft | null {
  const order = changedOrder(before, change, facts);
  if (order === null) return null;
  return { ...before, columns: shownColumns(before, change), order, limit: change.limit ?? before.limit };
}

/** `show their names too` adds to the columns; whole rows have them all. */
function shownColumns({ columns }: RowsDraft, change: Change): readonly string[] {
  return columns.length === 0 ? [] : [...new Set([...columns, ...change.columns])];
}

function changedOrder(before: RowsDraft, { order, direction }: Change, facts: TableFacts): readonly PlanOrder[] | null {
  const [first, ...others] = before.order;
  if (order.length === 0) return direction === null ? before.order : turned(first, others, direction);
  // The first rows of another order would be other rows.
  if (isChosen(before)) return null;
  const sorted = order.flatMap(({ by, direction: way }) => {
    if (by.kind === 'column') return [{ by: by.column, direction: way }];
    return by.kind === 'open' ? openOrder(before, facts).map((column) => ({ by: column, direction: way })) : [];
  });
  return sorted.length === order.length ? sorted : null;
}

function turned(
  first: PlanOrder | undefined,
  others: readonly PlanOrder[],
  direction: PlanOrder['direction'],
): readonly PlanOrder[] | null {
  return first === undefined ? null : [{ ...first, direction }, ...others];
}

/** `in descending order`: of what they are sorted by, or else of what the rows are called. */
function openOrder({ order: [first], columns }: RowsDraft, { identity }: TableFacts): readonly string[] {
  const column = first?.by ?? identity?.name ?? columns[0];
  return column === undefined ? [] : [column];
}
