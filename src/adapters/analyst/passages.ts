import type { AnswerSource } from '../../ports/assistant-answer.js';
import { isFiller } from './fillers.js';
import { inline } from './markdown.js';
import { PHRASE_WORDS } from './phrases.js';
import { stem, unique, wordsOf } from './text.js';

const MAX_SENTENCES = 3;
const MAX_SENTENCE = 400;
/** A sentence that has fewer of the question's words is about something else. */
const ENOUGH = 0.5;

const ASKING = new Set(PHRASE_WORDS.filter((word) => word.length < 8));

interface Scored {
  readonly sentence: string;
  readonly number: number;
  readonly source: AnswerSource;
  readonly score: number;
}

/** The sentences of context files that speak of what was asked, quoted with where they stand; `null` when none does. */
export function quotesFor(question: string, passages: readonly AnswerSource[]): readonly string[] | null {
  const asked = unique(
    wordsOf(question.slice(0, 2000))
      .filter((word) => !isFiller(word) && !ASKING.has(word))
      .map(stem),
  );
  if (asked.length === 0) return null;
  const best = passages
    .flatMap((source, index) => sentencesOf(source.quote).map((sentence) => ({ sentence, source, number: index + 1 })))
    .map((one): Scored => ({ ...one, score: share(one.sentence, asked) }))
    .filter(({ score }) => score >= ENOUGH)
    .sort((a, b) => b.score - a.score || a.number - b.number)
    .slice(0, MAX_SENTENCES);
  if (best.length === 0) return null;
  return ['The context files say:', ...best.map(quoteWords)];
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n{2,}/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 0);
}

function share(sentence: string, asked: readonly string[]): number {
  const words = new Set(wordsOf(sentence).map(stem));
  return asked.filter((word) => words.has(word)).length / asked.length;
}

function quoteWords({ sentence, source, number }: Scored): string {
  const page = source.page === null ? '' : `, page ${source.page}`;
  return `> ${inline(sentence, MAX_SENTENCE)}\n>\n> ${inline(source.filename)}${page} [${number}]`;
}
