import { columnsOfPlan, type AnalysisPlan } from '../../ports/analysis-plan.js';
import type { HistoryTurn, TableBriefing } from '../../ports/chat-model.js';
import { readColumns, readRowNouns } from './columns.js';
import type { Draft } from '../../analyst/reading/draft.js';
import { readFillers } from './fillers.js';
import { continuedBy, isFollowUp, mergedWith } from './follow-up.js';
import { cuesOf } from './follow-up-cues.js';
import { beyondRows, leftoversOf } from './leftovers.js';
import type { Understanding } from './message/understanding.js';
import { readNames } from './names.js';
import { readNumbers } from './numbers.js';
import { AGGREGATE_PHRASES, GROUPINGS, INTENTS, OPERATORS, readPhrases } from './phrases.js';
import { columnOfOtherYear } from './other-years.js';
import { keyOf, type Piece } from './pieces.js';
import { draftFrom, planFrom } from './plan-builder.js';
import { purposeOf } from './plan-words.js';
import { withoutQuotedNames } from './quoted-names.js';
import { readingOf, type Reading } from './reading.js';
import { areApart } from './sentence/contradictions.js';
import { withoutIdleSigns } from './sentence/formula-signs.js';
import { readSentence, type SentenceReading } from './sentence/read-sentence.js';
import { correctSpelling } from './spelling.js';
import { readSuperlatives } from './superlatives.js';
import { factsOf, type TableFacts } from './table-facts.js';
import { readTimes } from './times.js';
import { MAX_QUESTION, MAX_TOKENS, tokenizeFormulas } from './tokens.js';
import { readLongValues, readPhrasesOfValues, readSingleValues } from './values.js';

const NOT_CERTAIN = 0.6;
const TOO_LONG: Understanding = {
  kind: 'unclear',
  verdict: 'clarify',
  reasons: ['That is too long for me to read as one question. Ask it in a sentence or two.'],
  unread: [],
};

const UNFIT: Understanding = {
  kind: 'unclear',
  verdict: 'clarify',
  reasons: ['I can’t tell how that changes the question before it. Ask it again as a whole question.'],
  unread: [],
};
const APART: Understanding = {
  kind: 'unclear',
  verdict: 'clarify',
  reasons: ['No row can fit all of these conditions at once.'],
  unread: [],
};

/** Reads a single question about a table, or a short one that goes on from the question before it. */
export function understandTable(
  question: string,
  table: TableBriefing,
  history: readonly HistoryTurn[],
  now: Date,
): Understanding {
  const facts = factsOf(table);
  const written = tokenizeFormulas(withPlainWords(question));
  if (isTooLong(question, written)) return TOO_LONG;
  const beyond = beyondRows(question, facts);
  if (beyond !== null) return { kind: 'unclear', verdict: 'cannot', reasons: [beyond], unread: [] };
  const { pieces, notes } = correctSpelling(written, facts);
  const tokens = withoutIdleSigns(pieces, facts, now);
  const before = history.at(-1)?.plan ?? null;
  const asked: Asked = { tokens, facts, now, notes };
  return before !== null && fits(before, facts) ? afterPlan(before, asked) : byItself(asked);
}

/**
 * A complete question of which every word has its place in a sentence; `null` otherwise. What came before makes no difference.
 * `mayLink`: words that only link a condition to its noun may be left, and are named.
 */
export function readWholly(
  question: string,
  table: TableBriefing,
  now: Date,
  mayLink = false,
): (Understanding & { kind: 'plan' }) | null {
  const facts = factsOf(table);
  const written = tokenizeFormulas(withPlainWords(question));
  if (isTooLong(question, written) || beyondRows(question, facts) !== null) return null;
  const { pieces, notes } = correctSpelling(written, facts);
  const tokens = withoutQuotedNames(withoutIdleSigns(pieces, facts, now), facts);
  const sentence = readSentence(tokens, facts, now);
  if (sentence === null || !isWhole(sentence, mayLink) || isFollowUp(cuesOf(tokens), sentence.draft)) return null;
  const read = ofItsYear(sentenceOutcome(sentence, notes, facts), tokens);
  return read.kind === 'plan' ? read : null;
}

function isWhole({ harmless }: SentenceReading, mayLink: boolean): boolean {
  return mayLink || harmless.length === 0;
}

function isTooLong(question: string, written: readonly Piece[]): boolean {
  return question.length > MAX_QUESTION || written.length > MAX_TOKENS;
}

const ORDINALS = ['first', 'second', 'third', 'fourth'] as const;

/** With other words for the same: `3rd quarter` is the third one, `later than 2015` is after it. */
function withPlainWords(question: string): string {
  return question
    .replace(/\b(?:half an|a half) hour\b/giu, '30 minutes')
    .replace(/\bhalf a day\b/giu, '12 hours')
    .replace(
      /\b(?<=than |least |most |over |under |about |within )an? (?=(?:hour|minute|second|day|week|month|year|kilo|kilometre|kilometer|mile|ton|tonne|litre|metre|meter|million|thousand)\b)/giu,
      '1 ',
    )
    .replace(
      /\b([1-4])(?:st|nd|rd|th)(?= (?:quarter|half)\b)/giu,
      (_, digit: string) => ORDINALS[Number(digit) - 1] ?? digit,
    )
    .replace(/(?<!\bno |\bnot )\blater than(?= (?:the year )?\d)/giu, 'after')
    .replace(/(?<!\bno |\bnot )\b(?:earlier than|prior to)(?= (?:the year )?\d)/giu, 'before');
}

interface Asked {
  readonly tokens: readonly Piece[];
  readonly facts: TableFacts;
  readonly now: Date;
  /** How the spelling was put right. */
  readonly notes: readonly string[];
}

function byItself(asked: Asked): Understanding {
  return ofItsYear(readAlone(asked), asked.tokens);
}

function readAlone(asked: Asked): Understanding {
  const { tokens, facts, now, notes } = asked;
  const sentence = readSentence(withoutQuotedNames(tokens, facts), facts, now);
  if (sentence !== null) return sentenceOutcome(sentence, notes, facts);
  const reading = readingOf(meaningsOf(tokens, facts, now), facts);
  const draft = tokens.some((piece) => NARROWS.has(keyOf(piece) ?? '')) ? null : reading.draft;
  return outcomeOf(draft, reading, notes, facts);
}

/** Words that choose rows by how they stand to others, which only a sentence that is read in its order can tell. */
const NARROWS: ReadonlySet<string> = new Set(
  'never without except excluding exclude ignoring only both neither nor where whose positive negative zero second third fourth fifth'.split(
    ' ',
  ),
);

/** A complete question stands on its own; only what says that it goes on, or says too little, changes the plan before. */
function afterPlan(before: AnalysisPlan, asked: Asked): Understanding {
  const { tokens, facts, now, notes } = asked;
  const cues = cuesOf(withoutQuotedNames(tokens, facts));
  const sentence = readSentence(withoutQuotedNames(tokens, facts), facts, now);
  const reading = readingOf(meaningsOf(tokens, facts, now), facts);
  if (!isFollowUp(cues, sentence?.draft ?? reading.draft)) return byItself(asked);
  const next = continuedBy(before, cues, facts, now);
  if (next !== null) return next.plan === null ? UNFIT : planned(next.plan, notes, []);
  const draft = before.kind === 'statistic' ? null : draftFrom(before);
  return outcomeOf(draft === null ? reading.draft : mergedWith(draft, reading, cues, facts), reading, notes, facts);
}

function sentenceOutcome(
  { draft, notes, harmless }: SentenceReading,
  spelling: readonly string[],
  facts: TableFacts,
): Understanding {
  return planned(planFrom(draft, facts), [...spelling, ...notes], harmless);
}

/** A figure of one year is not told as that of another. */
function ofItsYear(read: Understanding, tokens: readonly Piece[]): Understanding {
  const column = read.kind === 'plan' ? columnOfOtherYear(read.plan, tokens) : null;
  if (column === null) return read;
  return { kind: 'unclear', verdict: 'cannot', reasons: [`${column} is not of the year you ask about.`], unread: [] };
}

function planned(plan: AnalysisPlan, notes: readonly string[], unread: readonly string[]): Understanding {
  const confidence = unread.length > 0 ? NOT_CERTAIN : 1;
  return { kind: 'plan', plan, purpose: purposeOf(plan), notes, unread, confidence };
}

/** The passes, in the order in which words may be taken. */
function meaningsOf(tokens: readonly Piece[], facts: TableFacts, now: Date): readonly Piece[] {
  const named = readNames(readLongValues(tokens, facts), facts);
  const timed = readTimes(readPhrasesOfValues(named, facts), facts, now);
  const intents = readPhrases(readPhrases(timed, INTENTS), OPERATORS);
  const phrased = readPhrases(readPhrases(readSuperlatives(intents, facts), AGGREGATE_PHRASES), GROUPINGS);
  const counted = readRowNouns(readNumbers(phrased), facts);
  const valued = readSingleValues(readColumns(counted, facts, 'name'), facts);
  return readFillers(readColumns(valued, facts, 'synonym'));
}

/** An earlier plan may be about another table. */
function fits(plan: AnalysisPlan, facts: TableFacts): boolean {
  const names = new Set(facts.columns.map(({ name }) => name));
  return columnsOfPlan(plan).every((column) => names.has(column));
}

function outcomeOf(
  draft: Draft | null,
  { bench }: Reading,
  spelling: readonly string[],
  facts: TableFacts,
): Understanding {
  const { unread, blocks, harmless, reasons } = leftoversOf(bench);
  if (draft === null || blocks || bench.problems.length > 0) {
    const told = [...new Set([...bench.problems.map(({ text }) => text), ...reasons])];
    const cannot =
      bench.problems.some(({ verdict }) => verdict === 'cannot') || reasons.some((reason) => reason.startsWith('I '));
    return { kind: 'unclear', verdict: cannot ? 'cannot' : 'clarify', reasons: told, unread };
  }
  if (areApart(draft.filters)) return APART;
  return planned(planFrom(draft, facts), [...spelling, ...bench.notes], harmless);
}
