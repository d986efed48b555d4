import type { AggregatePlan, AnalysisPlan, Filter, Measure } from '../../ports/analysis-plan.js';
import { isNumeric, type Cell, type QueryResult } from '../../ports/table.js';
import { momentWords, partWords } from '../../plan/time-words.js';
import { conditionsOf, figureConditionsOf, measureWords } from '../../plan/wording.js';
import { sha256 } from '../../shared/checksum.js';
import { cut } from '../../shared/tame.js';
import type { AskedQuery, FoundFigure } from './findings.js';
import { wordsOf } from './subject-choice.js';
import type { TaskFigure, TaskSubject } from './task-assignment.js';

export const MAX_FIGURES = 100;
const MAX_GROUPS = 10;
const MAX_MEASURES = 12;
const MAX_LABEL = 160;
const RELATIVE =
  /\b(?:last|past|previous|this|current|recent|latest|yesterday|today|so far)\b(?:\s+(?:\d+|few|\p{L}+)){0,2}/iu;

/** The figures of a run, those that stand alone first, at most 100. */
export function figuresOf(queries: readonly AskedQuery[]): readonly FoundFigure[] {
  const all = queries.flatMap(figuresIn);
  const ordered = [...all.filter(({ isSingle }) => isSingle), ...all.filter(({ isSingle }) => !isSingle)];
  const seen = new Set<string>();
  return ordered.filter(({ key }) => !seen.has(key) && seen.add(key)).slice(0, MAX_FIGURES);
}

/** As a run leaves them behind: with several datasources each says whose it is. */
export function keptFigures(figures: readonly FoundFigure[], subjects: readonly TaskSubject[]): readonly TaskFigure[] {
  return figures.map(({ key, label, value, subject }) => {
    return { key, label: subjects.length > 1 ? labelOf([`${subject.name}: ${label}`]) : label, value };
  });
}

export function figuresIn(query: AskedQuery): readonly FoundFigure[] {
  const { plan } = query;
  if (plan?.kind === 'rows') return rankedFigures(query, plan);
  // A statistic, and one figure over groups, tell their figures by the names of their columns.
  if (plan?.kind !== 'aggregate' || plan.summary !== undefined) return writtenFigures(query);
  return plannedFigures(query, plan);
}

function plannedFigures(query: AskedQuery, plan: AggregatePlan): readonly FoundFigure[] {
  const groups = plan.dimensions.length;
  const conditions = [...conditionsOf(plan), ...figureConditionsOf(plan)].join(' and ');
  const rows = groups === 0 ? query.result.rows.slice(0, 1) : groupRows(plan, query.result);
  return rows.flatMap((row) => {
    const group = plan.dimensions.map((_, index) => row[index] ?? null);
    const names = group.map((cell, index) => groupWords(plan, index, cell));
    return plan.measures.slice(0, groups === 0 ? MAX_MEASURES : 2).flatMap((measure, index) => {
      const value = row[groups + index];
      if (typeof value !== 'number') return [];
      const label = labelOf([measureWords(measure), ...names, conditions]);
      const what = [measure.aggregate, measure.column, group, ...detailsOf(measure)];
      return [figure(query, { label, value, what, isSingle: groups === 0 })];
    });
  });
}

/** What makes two figures of one kind and column different ones. */
function detailsOf({ second, parameter, filters = [] }: Measure): readonly unknown[] {
  const details = [second, parameter, ...filters].filter((detail) => detail !== undefined);
  return details.length === 0 ? [] : [details];
}

/** The first groups; of a development its end, which is what changes. */
function groupRows(plan: AggregatePlan, { rows }: QueryResult): QueryResult['rows'] {
  const isDevelopment = plan.limit === null && plan.order.length === 0 && plan.dimensions[0]?.kind === 'bucket';
  return isDevelopment ? rows.slice(-MAX_GROUPS) : rows.slice(0, MAX_GROUPS);
}

function groupWords(plan: AggregatePlan, index: number, cell: Cell): string {
  const dimension = plan.dimensions[index];
  if (cell === null || dimension === undefined) return 'no value';
  if (dimension.kind === 'part') return partWords(dimension.part, Number(cell));
  return dimension.kind === 'bucket' ? momentWords(String(cell), dimension.bucket) : String(cell);
}

/** `the highest temp_max`: of a ranking of rows what it is ranked by. */
function rankedFigures(query: AskedQuery, plan: AnalysisPlan & { kind: 'rows' }): readonly FoundFigure[] {
  const [order] = plan.order;
  const place = query.result.columns.findIndex(({ name }) => name === order?.by);
  const value = query.result.rows[0]?.[place];
  if (order === undefined || typeof value !== 'number') return [];
  const end = order.direction === 'desc' ? 'highest' : 'lowest';
  const label = labelOf([`${end} ${order.by}`, conditionsOf(plan).join(' and ')]);
  return [figure(query, { label, value, what: [end, order.by], isSingle: true })];
}

/** Of a query that a model wrote: numbers by column, and by whatever else stands in their row. */
function writtenFigures(query: AskedQuery): readonly FoundFigure[] {
  const { columns, rows } = query.result;
  const isSingle = rows.length === 1;
  return rows.slice(0, MAX_GROUPS).flatMap((row) => {
    const group = row.filter((_, index) => !isNumeric(columns[index]?.type ?? 'text')).map(String);
    return columns.flatMap(({ name, type }, index) => {
      const value = row[index];
      if (!isNumeric(type) || typeof value !== 'number') return [];
      return [figure(query, { label: labelOf([name, ...group]), value, what: [name, group], isSingle })];
    });
  });
}

type Found = Pick<FoundFigure, 'label' | 'value' | 'isSingle'> & { readonly what: readonly unknown[] };

function figure(query: AskedQuery, { label, value, what, isSingle }: Found): FoundFigure {
  const base =
    query.plan === null ? query.result.dbquery.replace(/\s+/g, ' ').trim() : planKey(query.plan, query.question);
  return {
    key: `${query.subject.datasourceId}:${hashed([base, what])}`,
    label,
    value,
    subject: query.subject,
    shared: hashed(alike([base, what])),
    isSingle,
    isMoment: query.plan?.kind === 'aggregate' && query.plan.dimensions.some(({ kind }) => kind !== 'column'),
  };
}

function labelOf(parts: readonly string[]): string {
  return cut(parts.filter((part) => part !== '').join(', '), MAX_LABEL);
}

/** What a plan asks, whatever its labels, its order and the length of its list. */
function planKey(plan: AnalysisPlan, question: string): unknown {
  const filters = plan.filters.map((filter) => JSON.stringify(filterKey(filter, question))).sort();
  const derived = plan.derived === undefined || plan.derived.length === 0 ? [] : [plan.derived];
  if (plan.kind === 'rows') return ['rows', filters, ...derived];
  if (plan.kind === 'statistic') return ['statistic', plan.method, plan.columns, plan.by, filters, ...derived];
  const dimensions = plan.dimensions.map(({ label: _, ...rest }) => rest);
  const summary = plan.summary === undefined ? [] : [plan.measures, plan.summary];
  return ['aggregate', dimensions, filters, plan.having, ...derived, ...summary];
}

/** A time that is said relative to today, or moves with it, is the same next week, when its dates are others. */
function filterKey(filter: Filter, question: string): unknown {
  if (filter.kind === 'in') {
    return { ...filter, values: filter.values.map((value) => String(value).toLowerCase()).sort() };
  }
  if (filter.kind !== 'time') return filter;
  const relative = RELATIVE.exec(question)?.[0].toLowerCase() ?? filter.moving;
  return relative === undefined ? filter : { kind: 'time', column: filter.column, relative };
}

function hashed(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 20);
}

/** Texts by their words alone: `Temp Max` of one datasource is `temp_max` of another. */
function alike(value: unknown): unknown {
  if (typeof value === 'string') return wordsOf(value).join(' ');
  if (Array.isArray(value)) return value.map(alike);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, alike(one)]));
}
