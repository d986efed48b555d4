import type { AggregatePlan, AnalysisPlan, Dimension } from '../../ports/analysis-plan.js';
import type { TableBriefing } from '../../ports/chat-model.js';
import { type Candidate, candidatesOf, foundIn } from './candidates.js';
import { confidenceFeatures, confidenceOf, evidenceOf, graspOf, openOdds } from './confidence.js';
import type { AggregateDraft, RankDraft, Sketch, WithoutLabel } from './draft.js';
import { weighedTogether } from './layer.js';
import { link } from './mentions.js';
import { planOf } from './plan-of.js';
import { Question } from './question.js';
import { factsOf, type TableFacts } from './table.js';
import type { Weights } from './weights.js';
import { sentencesOf, tokensOf } from './words.js';

/** A message is read up to here. */
export const MAX_MESSAGE = 4000;

/** What one question of a message may mean, likeliest first, and how likely the first is right: 0 to 1. */
export interface Reading {
  readonly text: string;
  readonly plans: readonly AnalysisPlan[];
  readonly confidence: number;
  /** How much of what the message says the first reading explains: 0 to 1. */
  readonly grasp: number;
  /** It sounds like going on with a question before, whether there is one or not. */
  readonly goesOn: boolean;
  /** The first reading is a change of the plan before. */
  readonly isEdit: boolean;
  /** Words that the first reading does not explain. */
  readonly unread: readonly string[];
}

const OFFERED = 3;

/** Reads messages about one table. Pure: the same message about the same table is always read alike. */
export class Reader {
  private readonly facts: TableFacts;

  constructor(
    table: TableBriefing,
    private readonly now: Date,
    private readonly weights: Weights,
  ) {
    this.facts = factsOf(table);
  }

  /** The questions of a message; `before` is the plan of the answer before it. */
  read(message: string, before: AnalysisPlan | null): readonly Reading[] {
    const sketch = before === null ? null : sketchOf(before);
    const whole = this.readWhole(message, sketch);
    const parts = this.inParts(message, sketch, whole.confidence);
    // In one piece a message of several questions leaves words unexplained.
    const isBetter = parts.length > 1 ? leastSure(parts) > whole.confidence + MARGIN : parts.length === 1;
    return isBetter ? parts : [whole];
  }

  /** What does not sound like going on with the question before is read by itself, too. */
  private readWhole(text: string, before: Sketch | null): Reading {
    const question = this.questionOf(text, before);
    const found = foundIn(question);
    const reading = this.readOne(text, question, found);
    if (before === null || reading.goesOn) return reading;
    const alone = this.readOne(text, question.alone(), found);
    return alone.confidence > reading.confidence ? alone : reading;
  }

  private questionOf(text: string, before: Sketch | null): Question {
    const { facts, now, weights } = this;
    const linked = link(text.slice(0, MAX_MESSAGE), facts, now.getTime(), weights.ranking);
    return new Question(linked, facts, weights.ranking, before);
  }

  private readOne(text: string, question: Question, found = foundIn(question)): Reading {
    const { weights } = this;
    const candidates = weighedTogether(candidatesOf(question, found), weights.layer);
    const [top] = candidates;
    if (top === undefined)
      return { text, plans: [], confidence: 0, grasp: 0, goesOn: false, isEdit: false, unread: [] };
    const evidence = evidenceOf(question, top, candidates);
    const oddsOf = openOdds(weights.ranking);
    const confidence = confidenceOf(confidenceFeatures(evidence, oddsOf), weights.confidence);
    const unread = evidence.open;
    const grasp = graspOf(top, unread, oddsOf);
    const plans = this.different(candidates);
    const [goesOn, isEdit] = [question.continuing > 0, top.kind === 'edit'];
    return { text, plans, confidence, grasp, goesOn, isEdit, unread };
  }

  /** The first few readings that ask for different things. */
  private different(candidates: readonly Candidate[]): readonly AnalysisPlan[] {
    const plans = new Map<string, AnalysisPlan>();
    for (const { sketch } of candidates) {
      const plan = planOf(sketch, this.facts);
      plans.set(JSON.stringify(plan), plan);
      if (plans.size === OFFERED) break;
    }
    return [...plans.values()];
  }

  /** Each sentence, and each side of an `and`, by itself, where each is surer than the whole; one goes on with the one before. */
  private inParts(message: string, before: Sketch | null, least: number): readonly Reading[] {
    let best: readonly Reading[] = [];
    for (const texts of cuts(message)) {
      const needed = best.length === 0 ? least : leastSure(best);
      const readings = this.surer(texts, before, needed);
      if (readings !== null) best = readings;
    }
    return best;
  }

  /** `null`: one of them is no surer than is needed. */
  private surer(texts: readonly string[], before: Sketch | null, needed: number): readonly Reading[] | null {
    const readings: Reading[] = [];
    let last = before;
    for (const text of texts) {
      const reading = this.readOne(text, this.questionOf(text, last));
      if (reading.confidence <= needed) return null;
      readings.push(reading);
      last = reading.plans[0] === undefined ? last : sketchOf(reading.plans[0]);
    }
    return readings;
  }
}

function leastSure(readings: readonly Reading[]): number {
  return Math.min(...readings.map(({ confidence }) => confidence));
}

/** A message in parts is read so only where each part is surer by that much. */
const MARGIN = 0.1;
const MAX_PARTS = 6;
const QUESTION_WORD =
  /^(?:what|whats|which|how|who|whose|when|where|show|list|give|count|compare|plot|draw|also|then|is|are|was|were|did|does|do)$/;

function asksSomething(sentence: string): boolean {
  return sentence.endsWith('?') || QUESTION_WORD.test(tokensOf(sentence)[0]?.word ?? '');
}

/** Ways to cut a message into questions. Sentences that mention nothing of the kind of a question are left out. */
function cuts(message: string): readonly (readonly string[])[] {
  const sentences = sentencesOf(message)
    .filter((text) => tokensOf(text).length > 1)
    .slice(0, MAX_PARTS);
  const found: (readonly string[])[] = [];
  if (sentences.length > 1) {
    found.push(sentences);
    // A paragraph with one question in it.
    const asking = sentences.filter(asksSomething);
    if (asking.length === 1) found.push(asking);
  }
  const [only] = sentences;
  if (sentences.length !== 1 || only === undefined) return found;
  for (const match of only.matchAll(/,?\s+(?:and also|and then|and|as well as|plus|und|&|\+)\s+|,\s+|\s+\+\s+/g)) {
    const [left, right] = [only.slice(0, match.index), only.slice(match.index + match[0].length)];
    const opening = tokensOf(right)[0]?.word ?? '';
    if (tokensOf(left).length > 1 && QUESTION_WORD.test(opening)) found.push([left, right]);
  }
  return found.slice(0, 8);
}

/** A plan without its labels, so that it can be changed. */
export function sketchOf(plan: AnalysisPlan): Sketch {
  if (plan.kind !== 'aggregate') return plan;
  const {
    measures,
    dimensions,
    computed = [],
    order: _order,
    limit: _limit,
    skip: _skip,
    each,
    summary,
    ...rest
  } = plan;
  return {
    ...rest,
    measures: measures.map(withoutLabel),
    dimensions: dimensions.map(withoutLabel),
    computed: computed.map(withoutLabel),
    rank: rankOf(plan),
    ...orderOf(plan),
    ...eachOf(dimensions, each ?? []),
    ...(summary === undefined ? {} : { summary: withoutLabel(summary) }),
  };
}

/** The figure that a plan is ordered by, where that is not just the usual order. */
function rankOf({ measures, computed = [], order: [first], limit, skip }: AggregatePlan): RankDraft | null {
  if (first === undefined) return null;
  const figure = [...measures, ...computed].findIndex(({ label }) => label === first.by);
  if (figure < 0 || (limit === null && first.direction !== 'asc' && figure === 0)) return null;
  return { direction: first.direction, limit, figure, ...(skip === undefined ? {} : { skip }) };
}

function orderOf({ dimensions, order: [first] }: AggregatePlan): Pick<AggregateDraft, 'order'> {
  const dimension = dimensions.findIndex(({ label }) => label === first?.by);
  return first === undefined || dimension < 0 ? {} : { order: [{ dimension, direction: first.direction }] };
}

function eachOf(dimensions: readonly Dimension[], each: readonly string[]): Pick<AggregateDraft, 'each'> {
  if (each.length === 0) return {};
  const places = each.map((label) => dimensions.findIndex((one) => one.label === label));
  return { each: places.filter((place) => place >= 0) };
}

function withoutLabel<T extends { readonly label: string }>(part: T): WithoutLabel<T> {
  const { label: _label, ...rest } = part;
  return rest as unknown as WithoutLabel<T>;
}
