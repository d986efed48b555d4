import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { HistoryTurn, TableBriefing } from '../../ports/chat-model.js';
import { readColumns, readRowNouns } from './columns.js';
import type { Draft } from './draft.js';
import { readFillers } from './fillers.js';
import { isFollowUp, merged } from './follow-up.js';
import { leftoversOf } from './leftovers.js';
import { readNames } from './names.js';
import { readNumbers } from './numbers.js';
import { AGGREGATE_PHRASES, GROUPINGS, INTENTS, OPERATORS, readPhrases } from './phrases.js';
import type { Piece } from './pieces.js';
import { draftFrom, planFrom } from './plan-builder.js';
import { purposeOf } from './plan-words.js';
import { readingOf, type Reading } from './reading.js';
import { correctSpelling } from './spelling.js';
import { readSuperlatives } from './superlatives.js';
import { factsOf, type TableFacts } from './table-facts.js';
import { readTimes } from './times.js';
import { MAX_QUESTION, MAX_TOKENS, tokenize } from './tokens.js';
import { readLongValues, readPhrasesOfValues, readSingleValues } from './values.js';

/** What a question was understood to ask, or why it was not. */
export type Understanding =
  | {
      readonly kind: 'plan';
      readonly plan: AnalysisPlan;
      /** The question as it was understood, in words. */
      readonly purpose: string;
      /** What was assumed, a sentence each. */
      readonly notes: readonly string[];
      /** Words that were not read and change nothing. */
      readonly unread: readonly string[];
      /** 1: every word was read. */
      readonly confidence: number;
    }
  | {
      readonly kind: 'unclear';
      readonly verdict: 'clarify' | 'cannot';
      readonly reasons: readonly string[];
      /** Words that stand in the way. */
      readonly unread: readonly string[];
    };

const NOT_CERTAIN = 0.6;
const TOO_LONG: Understanding = {
  kind: 'unclear',
  verdict: 'clarify',
  reasons: ['That is too long for me to read as one question. Ask it in a sentence or two.'],
  unread: [],
};

/** Reads a question about a table. Pure: the same question about the same table is always understood alike. */
export function understand(
  question: string,
  table: TableBriefing,
  history: readonly HistoryTurn[],
  now: Date,
): Understanding {
  const facts = factsOf(table);
  const written = tokenize(question);
  if (question.length > MAX_QUESTION || written.length > MAX_TOKENS) return TOO_LONG;
  const { pieces: tokens, notes } = correctSpelling(written, facts);
  const reading = readingOf(meaningsOf(tokens, facts, now), facts);
  const before = history.at(-1)?.plan ?? null;
  const draft = before === null || !fits(before, facts) ? reading.draft : continued(before, reading, tokens, facts);
  return outcomeOf(draft, reading, notes, facts);
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

function continued(before: AnalysisPlan, reading: Reading, tokens: readonly Piece[], facts: TableFacts): Draft | null {
  return isFollowUp(tokens, reading) ? merged(draftFrom(before), reading, tokens, facts) : reading.draft;
}

/** An earlier plan may be about another table. */
function fits(plan: AnalysisPlan, facts: TableFacts): boolean {
  const names = new Set(facts.columns.map(({ name }) => name));
  const used =
    plan.kind === 'rows'
      ? [...plan.columns, ...plan.filters.map(({ column }) => column)]
      : [...plan.measures, ...plan.dimensions, ...plan.filters].map(({ column }) => column);
  return used.every((column) => column === null || names.has(column));
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
  const plan = planFrom(draft, facts);
  return {
    kind: 'plan',
    plan,
    purpose: purposeOf(plan),
    notes: [...spelling, ...bench.notes],
    unread: harmless,
    confidence: harmless.length > 0 ? NOT_CERTAIN : 1,
  };
}
