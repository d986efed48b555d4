import type { AnalysisPlan, Filter } from '../ports/analysis-plan.js';
import type { Evidence } from '../ports/assistant-answer.js';
import type { TableProfile } from '../ports/table.js';
import { conditionsOf, figureConditionsOf } from '../plan/wording.js';
import type { QueryLog } from './query-log.js';

type TimeRange = NonNullable<Evidence['timeRange']>;

/** What the figures of an answer rest on: its last query, and the time that the plan, or else the table, spans. */
export function evidenceOf(queries: QueryLog, profile: TableProfile | null): Evidence {
  const { last } = queries;
  if (last === null) return { rowsScanned: 0, rowsReturned: 0, timeRange: null, filters: [], queries: 0 };
  return {
    rowsScanned: last.result.rowsScanned,
    rowsReturned: last.result.rows.length,
    timeRange: profile === null ? null : timeRangeOf(last.plan, profile),
    filters: last.plan === null ? [] : [...conditionsOf(last.plan), ...figureConditionsOf(last.plan)],
    queries: queries.queries.length,
  };
}

function timeRangeOf(plan: AnalysisPlan | null, profile: TableProfile): TimeRange | null {
  const limits = (plan?.filters ?? []).filter(
    (filter): filter is Extract<Filter, { kind: 'time' }> =>
      filter.kind === 'time' && filter.column === profile.timeField,
  );
  const whole = profile.timeRange;
  const from = latest([whole?.from, ...limits.map((limit) => limit.from)]);
  const to = earliest([whole?.to, ...limits.map((limit) => limit.to)]);
  // A plan about a time without rows rests on no time.
  return from === null || to === null || millisecondsOf(from) > millisecondsOf(to) ? null : { from, to };
}

type Instants = readonly (string | null | undefined)[];

function latest(instants: Instants): string | null {
  return sorted(instants).at(-1) ?? null;
}

function earliest(instants: Instants): string | null {
  return sorted(instants).at(0) ?? null;
}

/** By time, not by text: `2024-01-01` and `2024-01-01T00:00:00+02:00` are both allowed. */
function sorted(instants: Instants): readonly string[] {
  return instants
    .filter((instant) => typeof instant === 'string')
    .sort((a, b) => millisecondsOf(a) - millisecondsOf(b));
}

/** A time without a zone is UTC, as it is in the data. */
function millisecondsOf(instant: string): number {
  const zoned = /[zZ]$|[+-]\d\d:?\d\d$/.test(instant) || !instant.includes('T');
  return Date.parse(zoned ? instant : `${instant}Z`);
}
