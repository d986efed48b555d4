import type { Dimension, Filter, Measure } from '../../ports/analysis-plan.js';
import type { Cell, QueryResult } from '../../ports/table.js';
import type { Aggregation, AskedQuery } from './finding.js';
import { capital, inline, numberWords } from './markdown-words.js';
import { aggregation } from './plan-findings.js';
import { isPlain } from './plain-plan.js';
import { conditionsOf, measureWords } from './plan-words.js';
import { groupsOf, spanOf } from './subject-measures.js';
import type { TaskSubject } from './task-assignment.js';

const CLOSE = 1e-6;
const PARTS = 'part';

/** A figure and another way to come to it. */
export interface Recheck {
  readonly subject: TaskSubject;
  readonly what: string;
  /** The figure without its groups, so that two checks of the same are known. */
  readonly figure: string;
  readonly plan: Aggregation;
  readonly expected: number;
  /** What the second query's rows come to; null when they can't say. */
  readonly second: (result: QueryResult) => number | null;
  readonly rowsThen: number;
}

/** How the first figure of a query is worked out a second time, by a query of another form; null when there is no other. Pure. */
export function recheckOf(query: AskedQuery): Recheck | null {
  const { plan, result } = query;
  if (!isPlain(plan) || plan.having.length > 0) return null;
  return plan.dimensions.length === 0 ? fromParts(query, plan) : fromWhole(query, plan, result);
}

/** A figure of all rows, from the figures of their groups. */
function fromParts({ subject, result }: AskedQuery, plan: Aggregation): Recheck | null {
  const [figure] = plan.measures;
  const expected = result.rows[0]?.[0];
  const split = splitFor(subject);
  if (figure === undefined || split === null || typeof expected !== 'number') return null;
  const second = combined(figure);
  if (second === null) return null;
  const measures: readonly Measure[] = [
    { ...figure, label: 'figure' },
    { aggregate: 'count', column: figure.column, label: 'values' },
  ];
  return {
    subject,
    what: described(plan),
    figure: described(plan),
    plan: aggregation({ measures, dimensions: [split], filters: plan.filters }),
    expected,
    second: ({ rows, truncated }) =>
      truncated ? null : second(rows.map(([, value = null, count = null]) => ({ value, count }))),
    rowsThen: result.rowsScanned,
  };
}

function splitFor({ profile }: TaskSubject): Dimension | null {
  const [group] = groupsOf(profile);
  if (group !== undefined) return { kind: 'column', column: group.name, label: PARTS };
  return spanOf(profile) === null ? null : { kind: 'bucket', column: profile.timeField, bucket: 'year', label: PARTS };
}

interface Part {
  readonly value: Cell;
  readonly count: Cell;
}

/** Null for a figure that does not follow from those of parts. */
function combined({ aggregate }: Measure): ((parts: readonly Part[]) => number | null) | null {
  if (aggregate === 'avg') return average;
  if (aggregate === 'min') return (parts) => reduced(parts, Math.min);
  if (aggregate === 'max') return (parts) => reduced(parts, Math.max);
  const addsUp = aggregate === 'sum' || aggregate === 'count' || aggregate === 'missing';
  return addsUp ? (parts) => total(parts.map(({ value }) => Number(value))) : null;
}

function average(parts: readonly Part[]): number | null {
  const count = total(parts.map((part) => Number(part.count)));
  return count === 0 ? null : total(parts.map((part) => Number(part.value) * Number(part.count))) / count;
}

function reduced(parts: readonly Part[], pick: (...values: readonly number[]) => number): number | null {
  const values = parts.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  return values.length === 0 ? null : pick(...values);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Groups that add up, from their whole; of any other the first group by itself. */
function fromWhole({ subject }: AskedQuery, plan: Aggregation, result: QueryResult): Recheck | null {
  const [figure] = plan.measures;
  const place = plan.dimensions.length;
  if (figure === undefined || result.rows.length === 0) return null;
  const adds = figure.aggregate === 'sum' || figure.aggregate === 'count';
  if (!adds || plan.limit !== null || result.truncated) return fromGroup(subject, plan, result);
  return {
    subject,
    what: `${described(plan)}, all groups together`,
    figure: described(plan),
    plan: aggregation({ measures: [figure], filters: plan.filters }),
    expected: total(result.rows.map((row) => Number(row[place]))),
    second: firstCell,
    rowsThen: result.rowsScanned,
  };
}

function fromGroup(subject: TaskSubject, plan: Aggregation, result: QueryResult): Recheck | null {
  const [figure] = plan.measures;
  const condition = conditionOf(plan, result);
  const expected = result.rows[0]?.[1];
  if (figure === undefined || condition === null || typeof expected !== 'number') return null;
  const what = `${described(plan)} of ${String(condition.values[0])}`;
  return {
    subject,
    what,
    figure: what,
    plan: aggregation({ measures: [figure], filters: [...plan.filters, condition] }),
    expected,
    second: firstCell,
    rowsThen: result.rowsScanned,
  };
}

/** That a row belongs to the first group. */
function conditionOf({ dimensions }: Aggregation, { rows }: QueryResult): (Filter & { readonly kind: 'in' }) | null {
  const [dimension, second] = dimensions;
  const value = rows[0]?.[0] ?? null;
  if (dimension?.kind !== 'column' || second !== undefined || value === null) return null;
  return { kind: 'in', column: dimension.column, values: [value], negated: false };
}

function firstCell({ rows }: QueryResult): number | null {
  const cell = rows[0]?.[0];
  return typeof cell === 'number' ? cell : null;
}

export type Verdict = 'agrees' | 'differs' | 'moved' | 'unknown';

/** `moved`: rows came or went between the two queries, so that they may differ. */
export function verdictOf(check: Recheck, result: QueryResult): Verdict {
  const value = check.second(result);
  if (value === null) return 'unknown';
  const size = Math.max(Math.abs(value), Math.abs(check.expected), 1e-9);
  if (Math.abs(value - check.expected) <= size * CLOSE) return 'agrees';
  return result.rowsScanned === check.rowsThen ? 'differs' : 'moved';
}

/** What came of it, as a sentence of Markdown. */
export function verdictWords(check: Recheck, result: QueryResult): string {
  const what = capital(inline(check.what, 200));
  const [first, second] = [numberWords(check.expected), numberWords(check.second(result) ?? NaN)];
  switch (verdictOf(check, result)) {
    case 'agrees':
      return `${what}: **${first}**, and the same by a second query of another form.`;
    case 'differs':
      return `${what}: **${first}** by the first query, but **${second}** by a second one. One of them is wrong; take neither for certain.`;
    case 'moved':
      return `${what}: **${first}** at first and **${second}** a moment later, because rows came or went meanwhile.`;
    case 'unknown':
      return `${what}: could not be worked out a second way.`;
  }
}

function described(plan: Aggregation): string {
  const [figure] = plan.measures;
  const conditions = conditionsOf(plan);
  const what = figure === undefined ? 'figure' : measureWords(figure);
  return conditions === '' ? what : `${what} where ${conditions}`;
}
