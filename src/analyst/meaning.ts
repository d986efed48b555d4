import type { AggregatePlan, AnalysisPlan, Computed, Filter, Measure } from '../ports/analysis-plan.js';
import type { TableBriefing } from '../ports/chat-model.js';
import { columnsOfExpression } from '../ports/plan-expression.js';
import { columnsOfFilter } from '../ports/plan-filters.js';
import type { Metric, TableSemantics } from '../ports/table-semantics.js';
import { isNumeric, type ColumnRole } from '../ports/table.js';
import { isFigure, roleOf } from '../plan/column-roles.js';
import { bareWords, computedWords, filterWords, measureWords } from '../plan/wording.js';
import { joined } from '../shared/number-words.js';
import { CLASSES } from './reading/lexicon.js';
import type { Reading } from './reading/reader.js';
import { fold, isOneTypoApart, tokensOf } from './reading/words.js';

/** A word, right or with one letter wrong, that says whether numbers are added up or averaged. */
function saysFigure(word: string): boolean {
  return CLASSES.sum.has(word) || CLASSES.avg.has(word) || word === 'many' || isOneTypoApart(word, 'average');
}

type Figure = Pick<Measure, 'aggregate' | 'column'>;

/** A figure of the table's own columns, which a question is read with in place of a metric's name. */
interface StandIn {
  readonly metric: Metric;
  readonly figure: Figure;
  readonly words: string;
  /** The name as it stands in the message. */
  readonly written: string;
}

/** A reading, and what was assumed in it, a sentence each. */
export interface MeantReading {
  readonly reading: Reading;
  readonly notes: readonly string[];
}

/** A reading whose first plan lost a metric is offered at most. */
const UNSURE = 0.5;

/** What a table's company says about it, applied to the readings of one message. */
export class Meaning {
  /** The message without the names of metrics, which the reader does not know. */
  readonly message: string;
  private readonly standIns: readonly StandIn[];
  private readonly semantics: TableSemantics | null;
  private readonly roles: ReadonlyMap<string, ColumnRole>;

  /** `before` is the plan of the answer before it. */
  constructor(
    message: string,
    table: TableBriefing,
    private readonly before: AnalysisPlan | null,
  ) {
    this.semantics = table.semantics ?? null;
    const { profile } = table;
    this.roles = new Map(profile.columns.map((column) => [column.name, roleOf(column, profile)]));
    this.standIns = standInsIn(message, table);
    this.message = this.standIns.reduce((text, { written, words }) => text.replaceAll(written, words), message);
  }

  applied(reading: Reading): MeantReading {
    const { semantics } = this;
    if (semantics === null) {
      return {
        reading: { ...reading, plans: reading.plans.map((plan) => this.withRoles(plan, reading.text)) },
        notes: [],
      };
    }
    const used = this.standIns.filter(({ words }) => reading.text.includes(words));
    const text = used.reduce((left, { words, written }) => left.replaceAll(words, written), reading.text);
    const found = reading.plans.map((plan) => this.meant(plan, used, text, semantics));
    const plans = found.filter((plan) => plan !== null);
    const usual = plans.map((plan) => this.missingFilters(plan, reading.goesOn, semantics));
    const notes = [
      ...used.map(({ metric }) => `“${metric.name}” is ${figureWords(metric)}.`),
      ...(usual[0] ?? []).map((filter) => `Only rows where ${filterWords(filter)} count, unless you say otherwise.`),
    ];
    return {
      reading: {
        ...reading,
        text,
        plans: plans.map((plan, place) => ({ ...plan, filters: [...plan.filters, ...(usual[place] ?? [])] })),
        confidence: found[0] === null ? Math.min(reading.confidence, UNSURE) : reading.confidence,
      },
      notes,
    };
  }

  /** Null for a plan that has lost a metric on the way: it means something else. */
  private meant(
    read: AnalysisPlan,
    used: readonly StandIn[],
    text: string,
    semantics: TableSemantics,
  ): AnalysisPlan | null {
    const plan = used.length === 0 ? this.withRoles(read, text) : read;
    const whole = used.reduce<AnalysisPlan | null>((left, one) => (left === null ? null : withMetric(left, one)), plan);
    return whole === null ? null : withNames(whole, semantics);
  }

  /** Where nobody says whether numbers are added up or averaged, the role of their column does; “how many goals” adds them up. */
  private withRoles(plan: AnalysisPlan, text: string): AnalysisPlan {
    const isSaid = tokensOf(text).some(({ word }) => saysFigure(word));
    if (plan.kind !== 'aggregate' || isSaid || plan.computed !== undefined) return plan;
    const known = this.before?.kind === 'aggregate' ? this.before.measures : [];
    return changed(plan, (measure) => {
      const role = this.roles.get(measure.column ?? '');
      const isOpen = (measure.aggregate === 'sum' || measure.aggregate === 'avg') && isFigure(role);
      if (!isOpen || known.some((one) => isSame(one, measure))) return measure;
      const aggregate = role === 'sum' ? 'sum' : 'avg';
      return aggregate === measure.aggregate
        ? measure
        : { ...measure, aggregate, label: measureWords({ ...measure, aggregate }) };
    });
  }

  /** A column that a question speaks of is looked at as the question says; what was taken away once stays away. */
  private missingFilters(plan: AnalysisPlan, goesOn: boolean, { filters }: TableSemantics): readonly Filter[] {
    const spokenOf = filteredColumns(plan);
    const kept = goesOn && this.before !== null ? filteredColumns(this.before) : null;
    return filters.filter((filter) => {
      const columns = columnsOfFilter(filter);
      const isLeft = kept !== null && !columns.some((column) => kept.has(column));
      return !isLeft && !columns.some((column) => spokenOf.has(column));
    });
  }
}

/** The metrics that a message names, the longest names first. */
function standInsIn(message: string, table: TableBriefing): readonly StandIn[] {
  const found: StandIn[] = [];
  const named = (table.semantics?.metrics ?? []).flatMap((metric) =>
    [metric.name, ...metric.synonyms].map((name) => ({ metric, name })),
  );
  let rest = message;
  for (const { metric, name } of named.toSorted((a, b) => b.name.length - a.name.length)) {
    const written = wholeWords(name).exec(rest)?.[0];
    if (written === undefined) continue;
    rest = rest.replaceAll(written, ' ');
    const figure = figureFor(metric, table, (words, column) => {
      const isSaid = fold(rest).includes(fold(column ?? words));
      return !isSaid && !found.some((one) => one.words === words);
    });
    if (figure !== null) found.push({ metric, figure, words: bareWords(figure), written });
  }
  return found;
}

function wholeWords(name: string): RegExp {
  const text = name
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, 'iu');
}

const PLAIN = ['sum', 'avg', 'min', 'max', 'median', 'count_distinct'] as const;

/** A figure that the message does not have already, so that the metric is found in its place. */
function figureFor(
  { plan }: Metric,
  { profile }: TableBriefing,
  isFree: (words: string, column: string | null) => boolean,
): Figure | null {
  const [measure] = plan.measures;
  const expression = plan.derived?.find(({ name }) => name === measure?.column)?.expression;
  const names = expression === undefined ? [measure?.column] : columnsOfExpression(expression);
  const column = profile.columns.find(({ name, type }) => names.includes(name) && isNumeric(type))?.name;
  const own =
    column === undefined ? [] : [{ aggregate: PLAIN.find((one) => one === measure?.aggregate) ?? 'sum', column }];
  const figures: readonly Figure[] = [...own, { aggregate: 'count', column: null }];
  return figures.find((figure) => isFree(bareWords(figure), figure.column)) ?? null;
}

/** The plan with a metric where its stand-in is; null where it is not. */
function withMetric(plan: AnalysisPlan, { metric, figure }: StandIn): AnalysisPlan | null {
  if (plan.kind !== 'aggregate') return null;
  const place = plan.measures.findIndex((one) => isSame(one, figure));
  if (place < 0) return null;
  const { derived = [], computed, filters } = metric.plan;
  const measures = metric.plan.measures.map((one) =>
    withoutEmpty({ ...one, filters: [...(one.filters ?? []), ...filters] }),
  );
  const whole = derived.length === 0 ? plan : { ...plan, derived: [...(plan.derived ?? []), ...derived] };
  if (computed !== undefined) return withComputed(whole, measures, computed);
  return changed(whole, (measure, at) => (at === place ? { ...measure, ...measures[0], label: metric.name } : measure));
}

/** A computed figure comes behind its measures, so no other part of the plan may name the one that it replaces. */
function withComputed(
  plan: AggregatePlan,
  measures: readonly Measure[],
  computed: readonly Computed[],
): AnalysisPlan | null {
  const [old, ...others] = plan.measures;
  if (others.length + plan.having.length > 0 || plan.computed !== undefined || plan.summary !== undefined) return null;
  const order = ordered(plan, new Map([[old?.label ?? '', computed[0]?.label ?? '']]));
  return { ...plan, measures, computed, order };
}

function withoutEmpty({ filters = [], ...measure }: Measure): Measure {
  return filters.length === 0 ? measure : { ...measure, filters };
}

/** Figures of questions that go on with one about a metric are called as the metric is. */
function withNames(plan: AnalysisPlan, { metrics }: TableSemantics): AnalysisPlan {
  if (plan.kind !== 'aggregate') return plan;
  const figureOf = ({ aggregate, column, filters = [] }: Measure): string =>
    JSON.stringify([aggregate, column, filters]);
  const names = new Map(
    metrics.flatMap(({ name, plan: { measures, computed, filters } }) =>
      computed === undefined && filters.length > 0
        ? measures.map((one) => [figureOf({ ...one, filters: [...(one.filters ?? []), ...filters] }), name] as const)
        : [],
    ),
  );
  return changed(plan, (measure) => ({ ...measure, label: names.get(figureOf(measure)) ?? measure.label }));
}

/** With other measures in the same places, and an order that follows their labels. */
function changed(plan: AggregatePlan, change: (measure: Measure, place: number) => Measure): AggregatePlan {
  const measures = plan.measures.map(change);
  const labels = new Map(plan.measures.map(({ label }, place) => [label, measures[place]?.label ?? label]));
  return { ...plan, measures, order: ordered(plan, labels) };
}

function ordered({ order }: AggregatePlan, labels: ReadonlyMap<string, string>): AggregatePlan['order'] {
  return order.map(({ by, direction }) => ({ by: labels.get(by) ?? by, direction }));
}

function isSame(a: Figure, b: Figure): boolean {
  return a.aggregate === b.aggregate && a.column === b.column;
}

/** Columns of conditions and groups. */
function filteredColumns(plan: AnalysisPlan): ReadonlySet<string> {
  const inner = plan.kind === 'aggregate' ? plan.measures.flatMap(({ filters = [] }) => filters) : [];
  const groups = plan.kind === 'aggregate' ? plan.dimensions.map(({ column }) => column) : [];
  return new Set([...[...plan.filters, ...inner].flatMap(columnsOfFilter), ...groups]);
}

function figureWords({ plan }: Metric): string {
  const { measures, computed: [computed] = [], filters } = plan;
  const words = computed === undefined ? joined(measures.map(measureWords)) : computedWords(computed, plan);
  return filters.length === 0 ? words : `${words} where ${joined(filters.map((filter) => filterWords(filter)))}`;
}
