import { isDeepStrictEqual } from 'node:util';
import { distance } from 'fastest-levenshtein';
import type { AnalysisPlan, Aggregate } from '../ports/analysis-plan.js';
import type { HistoryTurn, TableBriefing } from '../ports/chat-model.js';
import type { TableProfile } from '../ports/table.js';
import { inline, quotedList } from '../shared/markdown.js';
import { type AnswerFormat, formatOf } from './answer-format.js';
import { purposeOf } from '../plan/wording.js';
import { chartWishOf, chartWords, isOfShowingAlone } from './charts/chart-wish.js';
import { Meaning } from './meaning.js';
import { aggregateDraft } from './reading/heads.js';
import { planOf } from './reading/plan-of.js';
import { Reader, type Reading } from './reading/reader.js';
import { emptiest } from './reading/statistic-heads.js';
import { factsOf } from './reading/table.js';
import { ownWeights } from './reading/weights.js';
import { different, fold, nameWords, sentencesOf, tokensOf } from './reading/words.js';
import { asideOf, asksForGaps } from './small-talk.js';
import { type Proof, suggestQuestions } from './suggestions.js';
import type { Part, PlannedReading, Understanding } from './understanding.js';

/** From here on a reading is answered, as it was found on questions that nothing was learned from. */
export const SURE = 0.62;
/** Below this not even a choice of readings is offered. */
export const POSSIBLE = 0.2;
/** A reading whose first plan is dropped is offered at most. */
const UNSURE = 0.5;
/** Figures of a group of equal values that are that value. */
const OF_ONE_VALUE: ReadonlySet<Aggregate> = new Set(['min', 'max', 'mode', 'median', 'avg']);
/** Whoever has understood less of a message than this has not understood it. */
const HALF = 0.5;
const NOTED = 8;

/** Reads the questions of a message, which are answered one by one. */
export function understandAll(
  message: string,
  table: TableBriefing,
  history: readonly HistoryTurn[],
  now: Date,
): readonly Part[] {
  const aside = asideOf(message, table);
  const { text, format } = formatOf(message);
  if (aside !== null) {
    const understanding = { ...aside, offers: offersFor('', table) };
    return [{ question: message, understanding, wish: chartWishOf(message), format }];
  }
  if (asksForGaps(message, table)) {
    const understanding = { kind: 'plan', ...gapsReading(table), unread: [], confidence: 1 } as const;
    return [{ question: message, understanding, wish: chartWishOf(message), format }];
  }
  const chosen = chosenFrom(message, table, history, now);
  if (chosen !== null) return [chosen];
  const reader = new Reader(table, now, ownWeights());
  const before = planBefore(reader, table, history);
  if (before.plan !== null && isForm(message)) {
    const understanding = asBefore(before.plan, before, table);
    return [
      { question: message, understanding, ...formOf({ text, isEdit: true, plans: [before.plan] }, format, history) },
    ];
  }
  const meaning = new Meaning(text, table, before.plan);
  const readings = trusted(reader.read(meaning.message, before.plan), before).map((reading) =>
    meaning.applied(tidied(reading)),
  );
  const passed = passedOver(
    text,
    readings.map(({ reading }) => reading),
  );
  return readings.map(({ reading, notes }, place) => ({
    question: reading.text,
    understanding: understandingOf(reading, table, [...notes, ...(place === readings.length - 1 ? passed : [])]),
    ...formOf(reading, format, history),
  }));
}

/** A message that asks for nothing but another picture of the answer before, or other decimals. */
function isForm(message: string): boolean {
  const { text, format } = formatOf(message);
  const { kind, unknown } = chartWishOf(text);
  return (kind !== null || unknown !== null || format.decimals !== null) && isOfShowingAlone(text);
}

/** The answer before, or what was offered instead of one, to be drawn otherwise. Behind what was not understood it is offered. */
function asBefore(plan: AnalysisPlan, { offered, trust }: Before, table: TableBriefing): Understanding {
  if (offered !== null) return understandingOf(offered, table, []);
  const planned = { plan, purpose: purposeOf(plan), unread: [] };
  return trust < SURE
    ? { kind: 'choice', readings: [planned], unread: [], unknown: null }
    : { kind: 'plan', ...planned, notes: [], confidence: trust };
}

/** Without plans that say nothing, and without what a plan says twice. */
function tidied(reading: Reading): Reading {
  const plans = reading.plans.filter(saysSomething);
  if (plans.length === 0) return reading;
  const isFirst = plans[0] === reading.plans[0];
  return {
    ...reading,
    plans: plans.map(tidiedPlan),
    confidence: isFirst ? reading.confidence : Math.min(reading.confidence, UNSURE),
  };
}

/** The highest form of each form is that form. */
function saysSomething(plan: AnalysisPlan): boolean {
  if (plan.kind !== 'aggregate') return true;
  const groups = plan.dimensions.flatMap(({ kind, column }) => (kind === 'column' ? [column] : []));
  return !plan.measures.some(
    ({ aggregate, column }) => OF_ONE_VALUE.has(aggregate) && column !== null && groups.includes(column),
  );
}

/** Each condition once; groups that have no order of their own come by the figure that was worked out. */
function tidiedPlan(plan: AnalysisPlan): AnalysisPlan {
  const once = { ...plan, filters: different(plan.filters, (filter) => JSON.stringify(filter)) };
  if (once.kind !== 'aggregate') return once;
  const bySize = [{ by: once.measures[0]?.label, direction: 'desc' }];
  const [worked] = once.computed ?? [];
  const isWorkedOut = worked !== undefined && 'left' in worked && worked.left === 0;
  const comesBySize = once.limit === null && isDeepStrictEqual(once.order, bySize);
  return isWorkedOut && comesBySize ? { ...once, order: [{ by: worked.label, direction: 'desc' }] } : once;
}

/** How an answer is to be drawn and its figures are to be written; one that changes the answer before is shown as that was asked to be. */
function formOf(
  { text, isEdit, plans: [plan] }: Pick<Reading, 'text' | 'isEdit' | 'plans'>,
  format: AnswerFormat,
  history: readonly HistoryTurn[],
): Pick<Part, 'wish' | 'format'> {
  const wish = chartWishOf(text);
  if (!isEdit || plan === undefined) return { wish, format };
  const isOpen = wish.kind === null && wish.unknown === null && !wish.distribution;
  const kind = isOpen ? wishedBefore(plan, history, (question) => chartWishOf(question).kind) : null;
  return {
    wish: kind === null ? wish : { ...wish, kind, distribution: kind === 'histogram', isKept: true },
    format: {
      decimals: format.decimals ?? wishedBefore(plan, history, (question) => formatOf(question).format.decimals),
    },
  };
}

/** What was asked for last, for what a plan has been made of step by step. */
function wishedBefore<T>(
  plan: AnalysisPlan,
  history: readonly HistoryTurn[],
  wishOf: (question: string) => T | null,
): T | null {
  let next = plan;
  for (const { question, plan: before } of history.toReversed()) {
    if (before === null || !looksLike(before, next)) return null;
    const wish = wishOf(question);
    if (wish !== null) return wish;
    next = before;
  }
  return null;
}

/** Whether a picture of one plan may be one of the other: groups of the same kind, and the same figures or the same groups. */
function looksLike(one: AnalysisPlan, other: AnalysisPlan): boolean {
  if (one.kind === 'rows' && other.kind === 'rows') return isDeepStrictEqual(one.columns, other.columns);
  if (one.kind !== 'aggregate' || other.kind !== 'aggregate') return false;
  const isGroupedAlike = one.dimensions[0]?.kind === other.dimensions[0]?.kind;
  return (
    isGroupedAlike &&
    (isDeepStrictEqual(one.measures, other.measures) || isDeepStrictEqual(one.dimensions, other.dimensions))
  );
}

/** How many values each column lacks; of many columns those that lack most. */
function gapsReading(table: TableBriefing): PlannedReading & { readonly notes: readonly string[] } {
  const facts = factsOf(table);
  const looked = emptiest(facts);
  const measures = looked.map(({ name }) => ({ aggregate: 'missing', column: name }) as const);
  const all = facts.columns.length;
  const notes = looked.length < all ? [`I looked at the ${looked.length} of ${all} columns that lack most.`] : [];
  const plan = planOf(aggregateDraft(measures, null, [], []), facts);
  return { plan, purpose: 'number of missing values by column', notes };
}

/** What a message may go on with, and how sure that is: 1 for what was answered. */
interface Before {
  readonly plan: AnalysisPlan | null;
  readonly trust: number;
  /** What it is the first plan of, where readings were offered instead of an answer. */
  readonly offered: Reading | null;
}

const NOTHING: Before = { plan: null, trust: 1, offered: null };
/** A question that was not understood says too little to be gone on with: what follows it goes on with the answer before, and is offered. */
const NOT_UNDERSTOOD = 0.5;

/** Who goes on without choosing has seen the first of the readings, which is then a little likelier: its confidence to this power. */
const TRUST_POWER = 0.75;

/** The plan of the answer before, or what the question before most likely means, where readings of it were offered. */
function planBefore(reader: Reader, table: TableBriefing, history: readonly HistoryTurn[]): Before {
  const asked = history.filter(({ plan, question }) => plan !== null || !addsNothing(question, table));
  const last = asked.at(-1);
  if (last === undefined) return NOTHING;
  if (last.plan !== null) return { plan: last.plan, trust: 1, offered: null };
  const earlier = asked.at(-2)?.plan ?? null;
  const meaning = new Meaning(formatOf(last.question).text, table, earlier);
  const read = reader.read(meaning.message, earlier).at(-1);
  if (read === undefined || !isPossible(read)) {
    const answered = asked.findLast((turn) => turn.plan !== null)?.plan ?? null;
    return { plan: answered, trust: NOT_UNDERSTOOD, offered: null };
  }
  const offered = meaning.applied(tidied(read)).reading;
  return { plan: offered.plans[0] ?? null, trust: read.confidence ** TRUST_POWER, offered };
}

/** A question that nothing can go on with. */
function addsNothing(question: string, table: TableBriefing): boolean {
  return asideOf(question, table) !== null || isForm(question);
}

/** What goes on with an unsure reading is hardly surer; a later part of a message goes on with its first. */
function trusted(readings: readonly Reading[], { trust }: Before): readonly Reading[] {
  const rests = ({ goesOn, isEdit }: Reading): boolean => goesOn || isEdit;
  if (readings[0] === undefined || !rests(readings[0])) return readings;
  return readings.map((one) => (rests(one) ? { ...one, confidence: one.confidence * trust } : one));
}

function isPossible({ confidence, grasp }: Reading): boolean {
  return confidence >= POSSIBLE && grasp >= HALF;
}

const ASKS =
  /\?$|^(?:and |also |then |please )*(?:what|which|how|who|when|where|show|list|give|count|average|total|top|number|compare|plot|highest|lowest|median|share)\b/i;

/** What is told of the questions of a message that the readings of it leave out. */
function passedOver(message: string, readings: readonly Reading[]): readonly string[] {
  return sentencesOf(message)
    .filter((one) => ASKS.test(one) && !readings.some(({ text }) => text.includes(one) || one.includes(text)))
    .map((question) => `I did not answer “${question}”`);
}

const PLACES = ['1|first|1st', '2|second|2nd', '3|third|3rd'].map(
  (names) => new RegExp(`^\\W*(?:the |number )?(?:${names})(?: one)?(?:,? please)?\\W*$`, 'i'),
);

/** The reading that a message names by its place or its words, where the answer before offered some to choose from. */
function chosenFrom(message: string, table: TableBriefing, history: readonly HistoryTurn[], now: Date): Part | null {
  const last = history.at(-1);
  const place = PLACES.findIndex((words) => words.test(message));
  const named = fold(message).trim();
  // Most messages are no choice, and the question before need not be read again.
  const mayChoose = last?.plan === null && (place >= 0 || fold(last.answer).includes(named));
  if (!mayChoose) return null;
  const [part, another] = understandAll(last.question, table, history.slice(0, -1), now);
  if (part?.understanding.kind !== 'choice' || another !== undefined) return null;
  const chosen = part.understanding.readings.find(({ purpose }, index) => index === place || fold(purpose) === named);
  return chosen === undefined
    ? null
    : { ...part, understanding: { kind: 'plan', ...chosen, unread: [], notes: [], confidence: 1 } };
}

function understandingOf(reading: Reading, table: TableBriefing, notes: readonly string[]): Understanding {
  const { text, plans, confidence, grasp, unread: stems } = reading;
  const [first] = plans;
  const unread = asWritten(stems, text);
  const unknown = unknownWords(unread, table);
  if (first === undefined || !isPossible(reading)) {
    const says = unknown.length === 0 ? UNREADABLE : unknownSentence(unknown, table);
    return { kind: 'unclear', verdict: 'clarify', unread, isAside: false, says, offers: offersFor(text, table) };
  }
  if (grasp > HALF && (confidence >= SURE || (confidence >= STEP_SURE && differInStep(plans)))) {
    return {
      kind: 'plan',
      plan: first,
      purpose: purposeOf(first),
      unread,
      notes: [...unusedNotes(unread), ...notes],
      confidence,
    };
  }
  const readings = plans.map((plan) => ({ plan, purpose: purposeOf(plan) }));
  // Plans that differ in nothing that can be said are no choice.
  const offered = different(readings, ({ purpose }) => purpose);
  return {
    kind: 'choice',
    readings: offered,
    unread,
    unknown: unknown.length === 0 ? null : unknownSentence(unknown, table),
  };
}

export const UNREADABLE = 'I can’t read that as a question about this table.';

/** From here on the first of readings is answered that differ in the step of time alone, as of `temperature over time`. */
const STEP_SURE = 0.4;

/** Whether readings ask for the same in the same order, in other steps of time. */
export function differInStep(plans: readonly AnalysisPlan[]): boolean {
  return plans.length > 1 && new Set(plans.map(withoutStep)).size === 1;
}

/** What a plan asks for, but for the step of time of its groups. */
function withoutStep(plan: AnalysisPlan): string {
  if (plan.kind !== 'aggregate') return JSON.stringify(plan);
  const { dimensions, order, each, ...rest } = plan;
  const groups = dimensions.map((one) => (one.kind === 'part' ? [one.part, one.column] : [one.column]));
  // A group has a step in its label.
  const place = (label: string): number | string => {
    const at = dimensions.findIndex((one) => one.label === label);
    return at < 0 ? label : at;
  };
  return JSON.stringify([rest, groups, order.map(({ by, direction }) => [place(by), direction]), each?.map(place)]);
}

const SAYS_LITTLE = /^(?:\d+(?:st|nd|rd|th)|values?|valu)$/;

/** Words as they stand in the question, not as they are compared; those that name a chart are used for it. */
function asWritten(stems: readonly string[], text: string): readonly string[] {
  const tokens = tokensOf(text);
  const drawn = tokensOf(chartWords(text)).map(({ stem }) => stem);
  return [...new Set(stems)]
    .filter((stem) => !SAYS_LITTLE.test(stem) && !drawn.includes(stem))
    .map((stem) => tokens.find((token) => token.stem === stem)?.text ?? stem);
}

/** What was left out of a message is told. */
function unusedNotes(unread: readonly string[]): readonly string[] {
  return unread.length === 0 ? [] : [`I did not use ${quotedList(unread.slice(0, NOTED))}.`];
}

const NAMED = 3;

/** Those of the words that a message leaves open that no column has in its name. */
function unknownWords(unread: readonly string[], { profile }: TableBriefing): readonly string[] {
  const named = new Set(
    profile.columns.flatMap(({ name }) => [...nameWords(name), ...fold(name).split(/[^\p{L}\d]+/u)]),
  );
  return unread.filter((word) => !named.has(fold(word)));
}

/** Which words nobody knows here, and what is spelled much like them. */
function unknownSentence(unknown: readonly string[], { profile }: TableBriefing): string {
  const opening = `I don’t know what ${quotedList(unknown.slice(0, NAMED))} ${unknown.length === 1 ? 'means' : 'mean'} in this table.`;
  const near = nearestNames(unknown.slice(0, NOTED), profile).map((name) => `“${inline(name)}”`);
  return near.length === 0 ? opening : `${opening} Did you mean ${near.join(' or ')}?`;
}

const SHOWN = 2;
const SHORTEST = 4;
const MAX_NAME = 60;

/** Columns and values that are spelled much like a word that nobody knows. */
function nearestNames(unknown: readonly string[], { columns }: TableProfile): readonly string[] {
  const names = [
    ...columns.map(({ name }) => name),
    ...columns.flatMap(({ topValues }) => topValues.slice(0, 200).map(({ value }) => value)),
  ];
  const words = unknown.filter(({ length }) => length >= SHORTEST).map(fold);
  const rated = names
    .filter(({ length }) => length <= MAX_NAME)
    .flatMap((name) => {
      const folded = fold(name);
      const least = Math.min(...words.map((word) => distance(folded, word) / Math.max(folded.length, word.length)));
      return least <= 0.45 ? [{ name, least }] : [];
    });
  return [...new Set(rated.sort((a, b) => a.least - b.least).map(({ name }) => name))].slice(0, SHOWN);
}

/** Questions about the table that the reader is sure of. */
export function provenBy(profile: TableProfile): Proof {
  const reader = new Reader({ name: '', context: '', profile }, new Date(0), ownWeights());
  return (question, columns) => {
    const [reading, another] = reader.read(question, null);
    const plan = reading?.plans[0];
    if (reading === undefined || another !== undefined || plan === undefined) return false;
    if (reading.confidence < SURE || reading.unread.length > 0) return false;
    const text = JSON.stringify(plan);
    return columns.every((name) => text.includes(JSON.stringify(name)));
  };
}

/** Questions that can be answered, those first that share most words with what was asked. */
function offersFor(question: string, { profile }: TableBriefing): readonly string[] {
  const wordsOf = (text: string): readonly string[] => fold(text).match(/[\p{L}\d]+/gu) ?? [];
  const asked = new Set(wordsOf(question));
  return suggestQuestions(profile, 12, provenBy(profile))
    .map((offer, place) => ({ offer, place, score: wordsOf(offer).filter((word) => asked.has(word)).length }))
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, 3)
    .map(({ offer }) => offer);
}
