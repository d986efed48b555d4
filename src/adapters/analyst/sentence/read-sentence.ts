import type { Draft } from '../../../analyst/reading/draft.js';
import type { Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';
import { draftOf } from './assemble.js';
import { Line } from './line.js';
import { saysWhatRowsAre } from './nouns.js';
import { Sentence } from './sentence.js';
import { step } from './steps.js';

/** A question of which every word has its place. */
export interface SentenceReading {
  readonly draft: Draft;
  readonly notes: readonly string[];
  /** Words that only link a condition to its noun. */
  readonly harmless: readonly string[];
}

/** Reads a question as a sentence, from left to right; `null` when a word has no place in it. */
export function readSentence(tokens: readonly Piece[], facts: TableFacts, now: Date): SentenceReading | null {
  const sentence = readParts(tokens, facts, now);
  const draft = sentence === null ? null : draftOf(sentence);
  if (sentence === null || draft === null || !areRows(sentence, draft)) return null;
  return { draft, notes: sentence.notes, harmless: sentence.harmless };
}

/** The parts of a sentence, which need not make a question; `null` when a word has no place in it. */
export function readParts(tokens: readonly Piece[], facts: TableFacts, now: Date): Sentence | null {
  const sentence = new Sentence(new Line(tokens, facts, now));
  let at = 0;
  while (at < tokens.length) {
    const next = step(sentence, at);
    if (next === null) return null;
    at = next;
  }
  return sentence.problems.length > 0 ? null : sentence;
}

/** A strange noun is the rows where the rest of the question fits this table, or where the table does not say what its rows are. */
function areRows(sentence: Sentence, draft: Draft): boolean {
  const [stranger] = sentence.strangers;
  if (stranger === undefined) return true;
  const own = saysWhatRowsAre(sentence);
  const fits = sentence.columns.length > 0 || draft.filters.length > 0 || sentence.groups.length > 0;
  sentence.note(`I took “${stranger}” as the rows of this table.`);
  if (own) sentence.harmless.push(stranger);
  return !own || fits;
}
