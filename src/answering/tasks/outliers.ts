import type { Aggregate } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import type { TaskStep } from '../../ports/task-step.js';
import type { Finding } from './finding.js';
import { resultTable } from './group-words.js';
import { countOf, inline, numberWords, paragraphs, shareWords } from './markdown-words.js';
import { aggregation, measure } from './plan-findings.js';
import type { SubjectMeasure } from './subject-measures.js';
import type { TaskRun } from './task-run.js';
import type { TaskSubject } from './task-assignment.js';

const DEVIATIONS = 3;
const MAX_LISTED = 5;

/** A figure and the query that told its average, ends and deviation. */
export interface MeasuredSpread {
  readonly main: SubjectMeasure;
  readonly spread: QueryResult;
}

/**
 * Rows whose figure lies further from the average than three standard deviations. The finding names no query, since a count beyond a
 * limit that moves with the data can be compared with no other run.
 */
export async function* outliersOf(
  run: TaskRun,
  subject: TaskSubject,
  measured: MeasuredSpread,
): AsyncGenerator<TaskStep, readonly Finding[]> {
  const limits = boundsOf(measured);
  if (limits === null) return [];
  const { column } = measured.main;
  const parts: Outliers[] = [];
  if (limits.max > limits.high)
    parts.push(...(yield* beyond(run, subject, { column, operator: '>', value: limits.high })));
  if (limits.min < limits.low)
    parts.push(...(yield* beyond(run, subject, { column, operator: '<', value: limits.low })));
  const text = outlierWords(parts, { column, limits, rows: subject.profile.rowCount });
  const question = `Unusual values of ${column}`;
  return [
    { subject, question, origin: 'overview', kind: 'answer', text, queries: [], picture: null, sources: [], basis: '' },
  ];
}

function outlierWords(
  parts: readonly Outliers[],
  { column, limits, rows }: { readonly column: string; readonly limits: Bounds; readonly rows: number },
): string {
  const name = inline(column);
  const bounds = `between ${numberWords(limits.low)} and ${numberWords(limits.high)}`;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (count === 0) {
    return `**No unusual values** of ${name}: every row lies ${bounds}, within ${DEVIATIONS} standard deviations of the average.`;
  }
  const share = rows > 0 ? `, ${shareWords(count / rows)} of all` : '';
  const rule = `more than ${DEVIATIONS} standard deviations from the average, that is not ${bounds}`;
  const head = `**${countOf(count, 'row')}**${share}, ${count === 1 ? 'has' : 'have'} an unusual ${name}: ${rule}.`;
  return paragraphs([head, 'The most extreme:', ...parts.map((part) => resultTable(null, part.rows, MAX_LISTED))]);
}

interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly min: number;
  readonly max: number;
}

function boundsOf({ main, spread }: MeasuredSpread): Bounds | null {
  const figure = (aggregate: Aggregate): number => {
    const { label } = measure(aggregate, main.column);
    const value = spread.rows[0]?.[spread.columns.findIndex(({ name }) => name === label)];
    return typeof value === 'number' ? value : NaN;
  };
  const [average, reach] = [figure('avg'), DEVIATIONS * figure('stddev')];
  const bounds = { low: average - reach, high: average + reach, min: figure('min'), max: figure('max') };
  return reach > 0 && Object.values(bounds).every(Number.isFinite) ? bounds : null;
}

interface Outliers {
  readonly count: number;
  readonly rows: QueryResult;
}

async function* beyond(
  run: TaskRun,
  subject: TaskSubject,
  limit: { readonly column: string; readonly operator: '>' | '<'; readonly value: number },
): AsyncGenerator<TaskStep, readonly Outliers[]> {
  const { column, operator, value } = limit;
  const filters = [{ kind: 'compare', ...limit } as const];
  const purpose = `how many rows have a ${column} ${operator === '>' ? 'above' : 'below'} ${numberWords(value)}`;
  const counted = yield* run.ask({
    subject,
    plan: aggregation({ measures: [measure('count', null)], filters }),
    purpose,
  });
  const count = Number(counted?.rows[0]?.[0] ?? 0);
  if (count === 0) return [];
  const order = [{ by: column, direction: operator === '>' ? 'desc' : 'asc' } as const];
  const plan = { kind: 'rows', columns: namingColumns(subject, column), filters, order, limit: MAX_LISTED } as const;
  const rows = yield* run.ask({ subject, plan, purpose: `the rows with the most extreme ${column}` });
  return rows === null ? [] : [{ count, rows }];
}

/** Which row it is, and its figure. */
function namingColumns({ profile: { timeField, metaField, timeRange } }: TaskSubject, column: string): string[] {
  return [...new Set([...(timeRange === null ? [] : [timeField]), metaField, column])];
}
