import type { PlanOrder, RowsPlan } from '../../../ports/analysis-plan.js';
import type { PlanColumn, PlanColumns } from '../../../plan/plan-columns.js';
import { assertDirection, tighter, wholeLimit, wholeSkip } from '../../../plan/plan-order.js';
import type { Stage } from './mongo-table.js';
import { firstOfEach, limited, rankedTerm, sorted, type SortKey, sortingOf } from './pipeline-order.js';
import { type Result, resultStages } from './pipeline-results.js';
import { selectionOf } from './pipeline-selection.js';
import type { Term } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

interface Listed {
  readonly plan: RowsPlan;
  readonly writer: PipelineWriter;
  readonly wanted: readonly PlanColumn[];
  readonly order: readonly { readonly column: PlanColumn; readonly direction: PlanOrder['direction'] }[];
  readonly each: readonly PlanColumn[];
  /** Where the rows that are listed have a column; those that only sort or tell apart have fields of their own. */
  readonly fields: ReadonlyMap<PlanColumn, string>;
  /** Where different rows have what they are sorted by and not told apart by. */
  readonly places: readonly Place[];
}

interface Place {
  readonly column: PlanColumn;
  readonly direction: PlanOrder['direction'];
  readonly field: string;
}

/** Single rows, or each different one once. */
export function listingPipeline(
  plan: RowsPlan,
  table: PlanColumns,
  writer: PipelineWriter,
  most: number | null,
): Result {
  const own = wholeLimit(plan.limit);
  const skip = wholeSkip(plan.skip);
  const { steps, columns } = selectionOf(plan, table, writer);
  const listed = listedOf(plan, columns, writer);
  const within = listed.each.length > 0 && own !== null;
  const stages = [
    ...steps.statement(),
    rowsOf(listed),
    ...(within
      ? [...first(listed, own, skip), ...sorted(sortingOf(orderOf(listed, true), writer), most, 0)]
      : sortedRows(listed, tighter(own, most), skip)),
  ].flat();
  const names = listed.wanted.map(({ visible }) => visible);
  return {
    stages: [...stages, ...resultStages(names, writer, isTidy(listed, stages))],
    fields: names.map((name) => writer.label(name)),
    columns: listed.wanted.map(({ visible, type }) => ({ name: visible, type })),
    empty: null,
  };
}

function listedOf(plan: RowsPlan, columns: PlanColumns, writer: PipelineWriter): Listed {
  const wanted = [
    ...new Set(plan.columns.length === 0 ? columns.all : plan.columns.map((name) => columns.named(name))),
  ];
  const order = plan.order.map((one) => {
    assertDirection(one);
    return { column: columns.named(one.by), direction: one.direction };
  });
  const each = (plan.each ?? []).map((name) => columns.named(name));
  const fields = new Map(wanted.map((column) => [column, writer.label(column.visible)]));
  const keys = plan.distinct === true ? each : [...order.map(({ column }) => column), ...each];
  for (const column of keys) if (!fields.has(column)) fields.set(column, writer.fresh('key'));
  const places = order
    .filter(({ column }) => !fields.has(column))
    .map((one) => ({ ...one, field: writer.fresh('key') }));
  return { plan, writer, wanted, order, each, fields, places };
}

function isTidy({ fields, wanted, places }: Listed, stages: readonly Stage[]): boolean {
  return (
    fields.size === wanted.length && places.length === 0 && !stages.some((stage, index) => '$set' in stage && index > 0)
  );
}

function rowsOf(listed: Listed): readonly Stage[] {
  const { plan, fields, writer } = listed;
  if (plan.distinct === true) return differentRows(listed);
  const values = [...fields].map(([column, field]) => [field, presentOrNull(writer.column(column))] as const);
  return [{ $replaceWith: Object.fromEntries(values) }];
}

function presentOrNull(of: Term): Term {
  return { $ifNull: [of, null] };
}

/** Equal rows are one group; so that the limit can be counted within others, these belong to what is equal. */
function differentRows(listed: Listed): readonly Stage[] {
  const { fields, places, writer } = listed;
  const id = [...fields].map(([column, field]) => [field, presentOrNull(writer.column(column))] as const);
  // A column that different rows are not told apart by counts with the value that puts them first.
  const first = places.map(({ column, direction, field }) => {
    return [
      field,
      { [direction === 'desc' ? '$max' : '$min']: rankedTerm(writer.column(column), column.ranked) },
    ] as const;
  });
  const flat = [
    ...id.map(([field]) => [field, `$_id.${field}`] as const),
    ...first.map(([field]) => [field, `$${field}`] as const),
  ];
  return [
    { $group: { _id: Object.fromEntries(id), ...Object.fromEntries(first) } },
    { $replaceWith: Object.fromEntries(flat) },
  ];
}

function sortedRows(listed: Listed, limit: number | null, skip: number): readonly Stage[] {
  const keys = orderOf(listed, false);
  return keys.length === 0 ? limited(limit, skip) : sorted(sortingOf(keys, listed.writer), limit, skip);
}

function first(listed: Listed, limit: number, skip: number): readonly Stage[] {
  const { each, fields, writer } = listed;
  const parts = [...new Set(each)].map((column) => fields.get(column) ?? '');
  return firstOfEach(parts, sortingOf(orderOf(listed, false), writer), { limit, skip, writer });
}

/** As the plan says, then by what is listed, so that the same rows come in the same order always. */
function orderOf(listed: Listed, eachFirst: boolean): readonly SortKey[] {
  const { plan, order, each, wanted } = listed;
  const ordered = order.map(({ column }) => column);
  const before = eachFirst ? each.filter((column) => !ordered.includes(column)) : [];
  // Rows as they are stored come in that order; what is grouped or chosen comes in none.
  const isStored = order.length === 0 && plan.distinct !== true && each.length === 0;
  const rest = isStored ? [] : wanted.filter((column) => !ordered.includes(column));
  return [
    ...before.map((column) => keyOf(column, 'asc', { listed, isPlain: true })),
    ...order.map(({ column, direction }) => keyOf(column, direction, { listed, isPlain: false })),
    ...rest.map((column) => keyOf(column, 'asc', { listed, isPlain: true })),
  ];
}

function keyOf(
  column: PlanColumn,
  direction: PlanOrder['direction'],
  { listed, isPlain }: { readonly listed: Listed; readonly isPlain: boolean },
): SortKey {
  const { fields, places } = listed;
  const field = fields.get(column);
  if (field !== undefined) return { field, direction, ranked: isPlain ? undefined : column.ranked };
  // It is a place already.
  const place = places.find((one) => one.column === column && one.direction === direction);
  return { field: place?.field ?? '', direction };
}
