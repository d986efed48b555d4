import { DateTime } from 'luxon';
import type { AnalysisPlan, Filter, Measure } from '../ports/analysis-plan.js';
import type { AnswerKind } from '../ports/assistant-answer.js';
import type { Exchange, ModelRequest, TableBriefing, ToolOutcome } from '../ports/chat-model.js';
import type { QueryResult } from '../ports/table.js';
import { isRecord, parsedJson } from '../shared/json.js';
import { joinCautions, namedJoins } from '../plan/joined-profile.js';
import { momentWords } from '../plan/time-words.js';
import type { AskedTable } from './asked-table.js';
import { answerWords } from './answer-text/answer-words.js';
import { tiesPlanFor } from './answer-text/tie-words.js';
import type { Bounds } from './answer-text/telling.js';
import { DAY_MS } from '../shared/durations.js';
import { bullets, inline, numberedList } from '../shared/markdown.js';
import { capital, joined } from '../shared/number-words.js';
import { answerChart, chartNote, type Ran } from './charts/answer-chart.js';
import { purposeOf } from '../plan/wording.js';
import type { ChartWish } from './charts/chart-wish.js';
import type { ChartCall } from './charts/chart-choice.js';
import { sampleFor, type Sample } from './charts/samples.js';
import { quotesFor } from './passages/passages.js';
import { factsOf, type TableFacts } from './reading/table.js';
import { UNREADABLE } from './understand.js';
import type { Part, Understanding } from './understanding.js';

/** Of one message so many questions are answered. */
export const MAX_PARTS = 6;
const LONG_QUESTION = 160;
const MAX_OFFERS = 3;
/** A purpose is a sentence; the tool takes no longer ones. */
const MAX_PURPOSE = 1900;

type Understood = Understanding & { readonly kind: 'plan' };

/** A query that an answer needs. */
export interface PlannedCall {
  readonly id: string;
  readonly plan: AnalysisPlan;
  readonly purpose: string;
}

/** What a round comes to: calls, or words. */
export type Turn =
  | { readonly kind: 'queries'; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'chart'; readonly chart: ChartCall }
  | { readonly kind: 'words'; readonly paragraphs: readonly string[]; readonly verdict: AnswerKind };

/** One question of a message that was read, and the queries that answer it. */
interface PlannedPart {
  readonly part: Part;
  readonly read: Understood;
  readonly main: PlannedCall;
  /** From where on a value is an outlier. */
  readonly bounds: PlannedCall | null;
  /** What comes behind the last one of a ranking. */
  readonly ties: PlannedCall | null;
  /** The rows behind a figure, for its picture. */
  readonly sample: (PlannedCall & { readonly sample: Sample }) | null;
}

interface Told {
  readonly paragraphs: readonly string[];
  readonly verdict: AnswerKind;
}

/** The answer to the questions of one message, round by round: first their queries, then the picture, then the words. */
export class MessageAnswer {
  private readonly planned: readonly PlannedPart[];
  private readonly answered: readonly Part[];
  private readonly facts: TableFacts;
  private readonly table: TableBriefing;

  constructor(
    private readonly request: ModelRequest,
    private readonly asked: Pick<AskedTable, 'table' | 'told'>,
    private readonly parts: readonly Part[],
  ) {
    this.table = asked.table;
    this.facts = factsOf(this.table);
    this.answered = parts.slice(0, MAX_PARTS);
    this.planned = plannedParts(this.answered, this.facts);
  }

  turn(): Turn {
    const { planned, request } = this;
    if (planned.length > 0 && !this.hasCalled('analyze')) {
      // An answer rests on its last query, so what goes beyond the figures comes first.
      const beside = planned.flatMap(({ sample, bounds, ties }) =>
        [sample, bounds, ties].filter((call) => call !== null),
      );
      const calls = [...beside, ...planned.map(({ main }) => main)];
      return offers(request, 'analyze')
        ? { kind: 'queries', calls }
        : words(['I can’t look at the rows any more in this answer.'], 'cannot');
    }
    const mayDraw = offers(request, 'make_chart') && !this.hasCalled('make_chart');
    const chart = mayDraw ? answerChart(planned, (id) => this.ranOf(id)) : null;
    return chart === null ? this.words() : { kind: 'chart', chart };
  }

  private words(): Turn {
    const told = this.answered.map((part) => this.partWords(part));
    const [only] = told;
    if (only === undefined) return words([UNREADABLE], 'clarify');
    if (this.parts.length === 1) return words([...only.paragraphs, ...this.offerWords()], only.verdict);
    const numbered = told.flatMap(({ paragraphs }, index) => [
      `**${index + 1}. ${capital(inline(this.answered[index]?.question ?? '', LONG_QUESTION))}**`,
      ...paragraphs,
    ]);
    const verdicts = told.map(({ verdict }) => verdict);
    const verdict = verdicts.find((one) => one === 'answer') ?? verdicts.find((one) => one === 'clarify') ?? 'cannot';
    return words([...stateOf(verdicts), ...numbered, ...this.offerWords(), ...this.restWords()], verdict);
  }

  private partWords(part: Part): Told {
    const planned = this.planned.find((one) => one.part === part);
    if (planned !== undefined) return this.answerOf(planned);
    const quotes = this.quotesOf(part);
    if (quotes !== null) return { paragraphs: quotes, verdict: 'answer' };
    const { understanding } = part;
    switch (understanding.kind) {
      case 'choice':
        return { paragraphs: choiceWords(understanding), verdict: 'clarify' };
      case 'unclear':
        return { paragraphs: [understanding.says], verdict: understanding.verdict };
      case 'plan':
        return { paragraphs: [], verdict: 'cannot' };
    }
  }

  /** What context files say to it; to small talk they say nothing. */
  private quotesOf({ question, understanding: read }: Part): readonly string[] | null {
    const isTalk = read.kind === 'unclear' && read.verdict === 'clarify' && read.isAside;
    return isTalk ? null : quotesFor(question, this.request.briefing.passages);
  }

  /** Once for all questions that were not read, those that can be answered. */
  private offerWords(): readonly string[] {
    const all = this.answered.flatMap((part) =>
      part.understanding.kind === 'unclear' && this.quotesOf(part) === null ? part.understanding.offers : [],
    );
    const offers = [...new Set(all)].slice(0, MAX_OFFERS);
    return offers.length === 0
      ? []
      : [`You can ask, for example:\n\n${bullets(offers.map((one) => inline(one, 300)))}`];
  }

  private answerOf(planned: PlannedPart): Told {
    const { read, main, bounds, ties } = planned;
    const result = this.ranOf(main.id)?.result ?? null;
    if (result === null) {
      const problem = problemOf(outcomeOf(this.request.exchanges, main.id));
      const sentence = `I understood the question (${inline(read.purpose, 600)}), but could not calculate it: ${inline(problem, 400)}.`;
      return { paragraphs: [sentence], verdict: 'cannot' };
    }
    const resultOf = (call: PlannedCall | null): QueryResult | null =>
      call === null ? null : (this.ranOf(call.id)?.result ?? null);
    const limits = resultOf(bounds);
    const told = {
      plan: read.plan,
      result,
      facts: this.facts,
      bounds: limits === null ? null : boundsFrom(read.plan, limits),
      ties: resultOf(ties),
      decimals: planned.part.format.decimals,
    };
    const note = chartNote(planned, (id) => this.ranOf(id));
    const period = periodNote(read.plan, this.facts) ?? cutNote(read.plan, result, this.facts);
    const about = this.asked.told === null ? [] : [`The figures are of ${inline(this.asked.told, LONG_QUESTION)}.`];
    const cautions = joinCautions(namedJoins(result.joins, this.table)).map((one) => inline(one, 400));
    const notes = [
      ...(period === null ? [] : [period]),
      ...(note === null ? [] : [note]),
      ...[[...about, ...cautions].join(' ')].filter((text) => text !== ''),
    ];
    return { paragraphs: [...answerWords(read, told), ...notes], verdict: 'answer' };
  }

  private restWords(): readonly string[] {
    const rest = this.parts.slice(MAX_PARTS).map(({ question }) => `“${inline(question, LONG_QUESTION)}”`);
    if (rest.length === 0) return [];
    return [`I answer at most ${MAX_PARTS} questions at a time. Ask me again: ${rest.slice(0, MAX_PARTS).join(', ')}.`];
  }

  private hasCalled(tool: string): boolean {
    return this.request.exchanges.some(({ calls }) => calls.some(({ name }) => name === tool));
  }

  private ranOf(callId: string): Ran | null {
    const outcome = outcomeOf(this.request.exchanges, callId);
    return outcome?.ok === true && outcome.result !== null ? { id: resultIdOf(outcome), result: outcome.result } : null;
  }
}

/** The query of each question; of the first two also what else has to be looked at, and points for one picture. */
function plannedParts(parts: readonly Part[], facts: TableFacts): readonly PlannedPart[] {
  let hasSample = false;
  return parts.flatMap((part, index) => {
    const { understanding, wish } = part;
    if (understanding.kind !== 'plan') return [];
    const read = spreadOf(understanding, wish, facts);
    const ending = index === 0 ? '' : `_${index + 1}`;
    const points = hasSample ? null : sampleFor(read.plan, part.wish, facts);
    hasSample ||= points !== null;
    const limits = index < 2 ? boundsPlanFor(read.plan) : null;
    const behind = index < 2 ? tiesPlanFor(read.plan, facts) : null;
    return [
      {
        part,
        read,
        main: callOf(`analyze${ending}`, read.plan, read.purpose),
        bounds: limits === null ? null : callOf(`bounds${ending}`, limits, `the limits of ${read.purpose}`),
        ties: behind === null ? null : callOf(`ties${ending}`, behind, `what comes behind ${read.purpose}`),
        sample:
          points === null
            ? null
            : { ...callOf(`sample${ending}`, points.plan, `the rows behind ${read.purpose}`), sample: points },
      },
    ];
  });
}

/** A spread is told by its extremes, mean and quartiles, not by all of its values. */
function spreadOf(read: Understood, { distribution }: ChartWish, { columns }: TableFacts): Understood {
  const { plan } = read;
  if (!distribution || plan.kind !== 'rows' || plan.order.length > 0 || plan.limit !== null) return read;
  const [name, another] = plan.columns;
  const isSpread = another === undefined && columns.some((one) => one.name === name && one.isNumber && !one.identifies);
  if (name === undefined || !isSpread) return read;
  const { filters, derived } = plan;
  const told: AnalysisPlan = {
    ...{ kind: 'statistic', method: 'describe', columns: [name], by: null, filters },
    ...(derived === undefined ? {} : { derived }),
  };
  return { ...read, plan: told, purpose: purposeOf(told) };
}

/** Which words were not understood, and the readings to choose from. */
function choiceWords({ readings, unknown }: Understanding & { kind: 'choice' }): readonly string[] {
  const names = readings.map(({ purpose }) => capital(inline(purpose, LONG_QUESTION)));
  const open = unknown === null ? [] : [unknown];
  if (names.length === 1) return [...open, `Did you mean this?\n\n${numberedList(names)}`];
  return [...open, `Did you mean one of these? Answer with its number.\n\n${numberedList(names)}`];
}

function callOf(id: string, plan: AnalysisPlan, purpose: string): PlannedCall {
  return { id: `call_${id}`, plan, purpose: purpose.slice(0, MAX_PURPOSE) };
}

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** Before anything else, which questions of several were answered, where not all were. */
function stateOf(verdicts: readonly AnswerKind[]): readonly string[] {
  const places = (isWanted: (verdict: AnswerKind) => boolean): string =>
    joined(verdicts.flatMap((verdict, place) => (isWanted(verdict) ? [PLACES[place] ?? 'last'] : [])));
  const [open, done] = [places((one) => one !== 'answer'), places((one) => one === 'answer')];
  return open === '' || done === '' ? [] : [`I could not answer the ${open} of these questions, but the ${done}.`];
}

export function words(paragraphs: readonly string[], verdict: AnswerKind): Turn {
  return { kind: 'words', paragraphs, verdict };
}

function offers({ tools }: ModelRequest, tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}

/** What came of the call of this id. */
function outcomeOf(exchanges: readonly Exchange[], callId: string): ToolOutcome | null {
  const outcomes = exchanges.toReversed().flatMap((exchange) => exchange.outcomes);
  return outcomes.find((one) => one.callId === callId) ?? null;
}

/** What a query's result is called; `null` where its outcome does not say. */
function resultIdOf({ content }: ToolOutcome): string | null {
  const id = contentOf(content)?.['result'];
  return typeof id === 'string' ? id : null;
}

/** Why a call came to nothing. */
function problemOf(outcome: ToolOutcome | null): string {
  const problem = outcome === null ? undefined : contentOf(outcome.content)?.['error'];
  return typeof problem === 'string' ? problem.replace(/\.$/, '') : 'the query failed';
}

/** Content that was cut is no JSON any more; then there is nothing to tell but that it failed. */
function contentOf(content: string): Readonly<Record<string, unknown>> | null {
  const parsed = parsedJson(content);
  return isRecord(parsed) ? parsed : null;
}

/** Of when the rows are, where a period was asked for in which there are none; null: there is nothing to say. */
export function periodNote(plan: AnalysisPlan, { time, profile: { timeRange } }: TableFacts): string | null {
  if (time === null || timeRange === null) return null;
  const [first, last] = [Date.parse(timeRange.from), Date.parse(timeRange.to)];
  const isOutside = plan.filters.some(
    (filter) =>
      filter.kind === 'time' &&
      filter.column === time.name &&
      ((filter.from !== null && Date.parse(filter.from) > last) ||
        (filter.to !== null && Date.parse(filter.to) <= first)),
  );
  const words = [timeRange.from, timeRange.to].map((moment) => `**${momentWords(moment, 'day')}**`);
  return isOutside ? `The rows are of ${words.join(' to ')}.` : null;
}

/** `The first week is not whole.` where conditions, or the rows themselves, begin or end within a step of time that figures are told by; null: they do not. */
function cutNote(plan: AnalysisPlan, { rows, columns }: QueryResult, facts: TableFacts): string | null {
  const step = plan.kind === 'aggregate' ? plan.dimensions.find(({ kind }) => kind === 'bucket') : undefined;
  if (step?.kind !== 'bucket') return null;
  const place = columns.findIndex(({ name }) => name === step.label);
  const starts = rows.flatMap((row) => (typeof row[place] === 'string' ? [Date.parse(row[place])] : []));
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const over = DateTime.fromMillis(last, { zone: 'utc' })
    .plus({ [step.bucket]: 1 })
    .toMillis();
  const asked = plan.filters.flatMap((one) => (one.kind === 'time' && one.column === step.column ? [one] : []));
  const limits = [...asked, ...daysWithRows(facts, step.column)];
  const ends = [
    ...(limits.some(({ from }) => from !== null && first < Date.parse(from)) ? ['first'] : []),
    ...(limits.some(({ to }) => to !== null && over > Date.parse(to)) ? ['last'] : []),
  ];
  if (ends.length === 0) return null;
  const which = first === last ? '' : `${ends.join(' and the ')} `;
  return `The ${which}${step.bucket} ${first !== last && ends.length > 1 ? 'are' : 'is'} not whole.`;
}

/** From the first day to the last, where most days have rows: elsewhere a day without says nothing. */
function daysWithRows({ columns }: TableFacts, name: string): readonly { from: string; to: string }[] {
  const { min, max, distinct } = columns.find((column) => column.name === name)?.profile ?? {};
  if (typeof min !== 'string' || typeof max !== 'string' || distinct === undefined) return [];
  const [first, last] = [min, max].map((moment) => Math.floor(Date.parse(moment) / DAY_MS));
  if (first === undefined || last === undefined || 2 * distinct < last - first) return [];
  const midnight = (day: number): string => new Date(day * DAY_MS).toISOString();
  return [{ from: midnight(first), to: midnight(last + 1) }];
}

type OutlierFilter = Extract<Filter, { kind: 'outlier' }>;

const [LOW, HIGH] = ['first', 'second'];

/** The figures that say from where on a value is an outlier, where one condition of the plan asks for those. */
export function boundsPlanFor(plan: AnalysisPlan): AnalysisPlan | null {
  const outlier = outlierOf(plan);
  if (outlier === null) return null;
  const { column, method, population } = outlier;
  const measures: readonly Measure[] =
    method === 'iqr'
      ? [
          { aggregate: 'percentile', column, parameter: 0.25, label: LOW },
          { aggregate: 'percentile', column, parameter: 0.75, label: HIGH },
        ]
      : [
          { aggregate: 'avg', column, label: LOW },
          { aggregate: population ? 'stddev_pop' : 'stddev', column, label: HIGH },
        ];
  return {
    kind: 'aggregate',
    measures,
    dimensions: [],
    ...(plan.derived === undefined ? {} : { derived: plan.derived }),
    // What is far from the rest is measured by those that fit the other conditions.
    filters: plan.filters.filter(({ kind }) => kind !== 'outlier' && kind !== 'against'),
    having: [],
    order: [],
    limit: null,
  };
}

export function boundsFrom(plan: AnalysisPlan, result: QueryResult): Bounds | null {
  const outlier = outlierOf(plan);
  const [first, second] = result.rows[0] ?? [];
  if (outlier === null || typeof first !== 'number' || typeof second !== 'number') return null;
  const { column, method, threshold } = outlier;
  return method === 'iqr'
    ? { column, low: tidy(first - threshold * (second - first)), high: tidy(second + threshold * (second - first)) }
    : { column, low: tidy(first - threshold * second), high: tidy(first + threshold * second) };
}

function outlierOf(plan: AnalysisPlan): OutlierFilter | null {
  const [only, another] = plan.filters.filter((filter) => filter.kind === 'outlier');
  return plan.kind === 'statistic' || only === undefined || another !== undefined ? null : only;
}

/** Without the dust of subtracting. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}
