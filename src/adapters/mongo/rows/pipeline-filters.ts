import type { Filter } from '../../../ports/analysis-plan.js';
import { instantFrom } from '../../../plan/instants.js';
import type { PlanColumn } from '../../../plan/plan-columns.js';
import {
  assertAlternatives,
  assertValues,
  booleanFrom,
  comparedColumns,
  numberFrom,
} from '../../../plan/plan-conditions.js';
import { finite, storable } from '../../../plan/plan-values.js';
import { assertKnown, comparisonFrom } from '../../../plan/plan-words.js';
import { comparedWithFigure, outlying } from './pipeline-comparisons.js';
import { anyCondition, comparedTerms, comparison, type Condition } from './pipeline-conditions.js';
import type { PipelineContext } from './pipeline-scope.js';
import { both, isMissing, isPresent, type Term } from './pipeline-terms.js';
import type { PipelineWriter, Place } from './pipeline-writers.js';

type FilterOf<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

const PLACES: readonly Place[] = ['anywhere', 'start', 'end'];

/** The conditions, all of which must hold. A row without a value in the column fits none but `null`. */
export function conditionsOf(filters: readonly Filter[], context: PipelineContext): readonly Condition[] {
  return filters.flatMap((filter) => conditionOf(filter, context));
}

/** One condition out of several; undefined without any. */
export function testOf(filters: readonly Filter[], context: PipelineContext): Term {
  const tests = conditionsOf(filters, context).map(({ test }) => test);
  return tests.length === 0 ? undefined : both(tests);
}

function conditionOf(filter: Filter, context: PipelineContext): readonly Condition[] {
  switch (filter.kind) {
    case 'in':
      return [membership(filter, context)];
    case 'compare':
    case 'between':
      return ofNumber(filter, context);
    case 'time':
      return timeRange(filter, context);
    case 'contains':
      return [containment(filter, context)];
    case 'null':
      return [ofNull(filter, context)];
    case 'columns':
      return [betweenColumns(filter, context)];
    case 'against':
      return [comparedWithFigure(filter, context)];
    case 'outlier':
      return [outlying(filter, context)];
    case 'any':
      return [anyOf(filter, context)];
  }
}

interface Subject {
  readonly term: Term;
  readonly field: string | null;
}

function subjectOf(column: PlanColumn, writer: PipelineWriter): Subject {
  return { term: writer.column(column), field: writer.field(column) };
}

function ofNull({ column, negated }: FilterOf<'null'>, { columns, writer }: PipelineContext): Condition {
  const { term, field } = subjectOf(columns.named(column), writer);
  const query = field === null ? null : { [field]: negated ? { $ne: null } : null };
  return { test: negated ? isPresent(term) : isMissing(term), query };
}

function ofNumber(filter: FilterOf<'compare' | 'between'>, { columns, writer }: PipelineContext): readonly Condition[] {
  if (filter.kind === 'compare') {
    const column = columns.typed(filter.column, 'numeric', 'a comparison with a number');
    return [comparison(subjectOf(column, writer), comparisonFrom(filter.operator), finite(filter.value))];
  }
  const column = columns.typed(filter.column, 'numeric', 'a range of numbers');
  return [within(subjectOf(column, writer), finite(filter.low), finite(filter.high))];
}

function within(subject: Subject, low: number, high: number): Condition {
  const sides = [comparison(subject, '>=', low), comparison(subject, '<=', high)];
  return {
    test: both(sides.map(({ test }) => test)),
    query: subject.field === null ? null : { [subject.field]: { $gte: low, $lte: high } },
  };
}

function anyOf(filter: FilterOf<'any'>, context: PipelineContext): Condition {
  assertAlternatives(filter);
  return anyCondition(filter.of.map((all) => conditionsOf(all, context)));
}

function membership(filter: FilterOf<'in'>, { columns, writer }: PipelineContext): Condition {
  assertValues(filter);
  const column = columns.named(filter.column);
  const subject = subjectOf(column, writer);
  if (column.type === 'text') {
    const texts = filter.values.map((value) => storable(String(value)));
    return matching(subject, writer.pattern(texts, 'whole'), filter.negated);
  }
  const values = filter.values.map((value) => valueOf(column, value));
  const test = { $in: [subject.term, values] };
  if (!filter.negated) return { test, query: subject.field === null ? null : { [subject.field]: { $in: values } } };
  return {
    test: both([isPresent(subject.term), { $not: [test] }]),
    query: subject.field === null ? null : { [subject.field]: { $nin: [...values, null] } },
  };
}

function valueOf(column: PlanColumn, value: string | number | boolean): Term {
  if (column.type === 'boolean') return booleanFrom(column, value);
  if (column.type === 'time') return instantFrom(String(value));
  return finite(numberFrom(column, value));
}

/** A text that has, or has not, what the pattern says. */
function matching(
  { term, field }: Subject,
  pattern: ReturnType<PipelineWriter['pattern']>,
  negated: boolean,
): Condition {
  const { regex, options } = pattern;
  const found = { $regexMatch: { input: term, regex, ...(options === undefined ? {} : { options }) } };
  const query = { $regex: regex, ...(options === undefined ? {} : { $options: options }) };
  if (!negated) return { test: found, query: field === null ? null : { [field]: query } };
  return {
    test: both([isPresent(term), { $not: [found] }]),
    query: field === null ? null : { [field]: { $ne: null, $not: query } },
  };
}

function timeRange(filter: FilterOf<'time'>, { columns, writer }: PipelineContext): readonly Condition[] {
  const subject = subjectOf(columns.typed(filter.column, 'time', 'a range of time'), writer);
  const { term, field } = subject;
  if (filter.from === null && filter.to === null) {
    return [{ test: isPresent(term), query: field === null ? null : { [field]: { $ne: null } } }];
  }
  const from = filter.from === null ? {} : { $gte: instantFrom(filter.from) };
  const to = filter.to === null ? {} : { $lt: instantFrom(filter.to) };
  const tests = [
    ...Object.entries({ ...from, ...to }).map(([operator, bound]) => ({ [operator]: [term, bound] })),
    ...(filter.from === null ? [isPresent(term)] : []),
  ];
  return [{ test: both(tests), query: field === null ? null : { [field]: { ...from, ...to } } }];
}

function containment(filter: FilterOf<'contains'>, { columns, writer }: PipelineContext): Condition {
  const column = columns.typed(filter.column, 'text', 'a search in text');
  const place = filter.at ?? 'anywhere';
  assertKnown(place, PLACES);
  return matching(subjectOf(column, writer), writer.pattern([storable(filter.text)], place), filter.negated);
}

function betweenColumns(filter: FilterOf<'columns'>, { columns, writer }: PipelineContext): Condition {
  const { left, right, operator, kind } = comparedColumns(filter, columns);
  const sides = [writer.column(left), writer.column(right)] as const;
  if (kind !== 'text') return comparedTerms(sides[0], operator, sides[1]);
  const same = writer.same(...sides);
  const tests = [isPresent(sides[0]), isPresent(sides[1]), operator === '=' ? same : { $not: [same] }];
  return { test: both(tests), query: null };
}
