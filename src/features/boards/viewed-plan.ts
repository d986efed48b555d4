import type { AnalysisPlan, Filter, TimeBucket } from '../../ports/analysis-plan.js';
import type { JoinedBriefing } from '../../ports/chat-model.js';
import { profileFor } from '../../plan/joined-profile.js';
import { isNumeric, type ColumnProfile, type TableProfile } from '../../ports/table.js';
import type { BoardFilter, BoardRange, BoardView, Stretch } from './board.schema.js';

/** A plan as a board looks at it, and what of the board's view does not fit its table. */
export interface ViewedPlan {
  readonly plan: AnalysisPlan;
  /** `time range`, or the name of a filter's column. */
  readonly unfiltered: readonly string[];
}

export const TIME_RANGE = 'time range';

export interface ViewedTable {
  readonly profile: TableProfile;
  readonly joined?: readonly JoinedBriefing[];
  readonly isTimeseries: boolean;
}

/** The board's time range on a column of a table. */
export interface TimeCondition {
  readonly column: string;
  readonly stretch: Stretch;
}

/**
 * The plan with the board's conditions beside its own. The board's time range takes the place of conditions on the same column: a figure
 * of May on a board of June would be empty.
 *
 * @throws AppError `invalid_input` when what it joins can't be joined any more.
 */
export function viewedPlan(
  plan: AnalysisPlan,
  { range, filters }: BoardView,
  table: ViewedTable,
  time: TimeCondition | null,
): ViewedPlan {
  const { columns } = profileFor(plan, table);
  const conditions = filters.map((filter) => [filter.column, conditionOf(filter, columns)] as const);
  const own = time === null ? plan.filters : plan.filters.filter((one) => !isTimeOn(one, time.column));
  return {
    plan: {
      ...plan,
      filters: [
        ...own,
        ...(time === null ? [] : [{ kind: 'time', column: time.column, ...time.stretch } as const]),
        ...conditions.flatMap(([, condition]) => condition ?? []),
      ],
    },
    unfiltered: [
      ...(range !== null && time === null ? [TIME_RANGE] : []),
      ...conditions.flatMap(([column, condition]) => (condition === null ? [column] : [])),
    ],
  };
}

/** What of a view would have to be applied. */
export function partsOf({ range, filters }: BoardView): readonly string[] {
  return [...(range === null ? [] : [TIME_RANGE]), ...filters.map(({ column }) => column)];
}

/** Of a time series the one that it goes by; of any other table the first that came with the rows. */
export function timeColumnOf({ profile: { columns, timeField }, isTimeseries }: ViewedTable): string | null {
  if (isTimeseries) return timeField;
  return columns.find(({ name, type }) => type === 'time' && name !== timeField)?.name ?? null;
}

function isTimeOn(filter: Filter, column: string): boolean {
  return filter.kind === 'time' && filter.column.toLowerCase() === column.toLowerCase();
}

/** Null when there is no such column, or its values are of another kind. */
function conditionOf({ column, values }: BoardFilter, columns: readonly ColumnProfile[]): Filter | null {
  const found = columns.find(({ name }) => name.toLowerCase() === column.toLowerCase());
  if (found === undefined || !values.every((value) => fits(value, found))) return null;
  return { kind: 'in', column: found.name, values, negated: false };
}

function fits(value: string | number | boolean, { type }: ColumnProfile): boolean {
  if (typeof value === 'number') return isNumeric(type);
  return type === (typeof value === 'boolean' ? 'boolean' : 'text');
}

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const LENGTHS = { minute: MINUTE, hour: 60 * MINUTE, day: DAY, week: 7 * DAY } as const;
const MONTHS = { month: 1, quarter: 3, year: 12 } as const;

/** A fixed one as it is. Else it ends with the newest row, or with this moment: with its minute, and of days and longer units with its day. */
export function stretchOf(range: BoardRange, newest: Date | null, now: Date): Stretch {
  if (!('last' in range)) return range;
  const last = Math.min(now.getTime(), newest?.getTime() ?? Infinity);
  const step = range.unit === 'minute' || range.unit === 'hour' ? MINUTE : DAY;
  const end = new Date((Math.floor(last / step) + 1) * step);
  return { from: earlier(end, range.last, range.unit).toISOString(), to: end.toISOString() };
}

function earlier(end: Date, count: number, unit: TimeBucket): Date {
  if (unit !== 'month' && unit !== 'quarter' && unit !== 'year') return new Date(end.getTime() - count * LENGTHS[unit]);
  const start = new Date(end);
  const day = start.getUTCDate();
  start.setUTCDate(1);
  start.setUTCMonth(start.getUTCMonth() - count * MONTHS[unit]);
  // The 31st of a month that has none is its last day.
  const last = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate();
  start.setUTCDate(Math.min(day, last));
  return start;
}
