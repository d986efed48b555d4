import type { AnswerSource } from '../../ports/assistant-answer.js';
import { wordsOf } from '../../shared/words/words.js';
import { inline } from '../../shared/markdown.js';
import { documentQuestion } from './passage-question.js';
import { scoredUnits, type ScoredUnit } from './passage-scores.js';
import { unitsOf, type Unit } from './passage-units.js';

const MAX_QUOTES = 3;
const MAX_QUOTE = 600;
const MAX_ITEMS = 8;
const MAX_QUESTION = 2000;
/** A unit that has less of the question is about something else. */
const ENOUGH = 0.5;
/** One that has less than this has nothing to do with it. */
const NEAR_ENOUGH = 0.3;
/** A further quote that is so much worse than the best would only stand in its way. */
const NEARLY_AS_GOOD = 0.8;
/** What can't be understood without what stands before it. */
const REFERS_BACK =
  /^(?:it|its|they|their|them|this|that|these|those|he|she|such|however|then|there|thereafter|afterwards|after that|above that|also|both|otherwise|er|sie|es|dies\p{L}*|diese)\b/iu;

/** The sentences of context files that answer what was asked, quoted with where they stand; `null` when none does. */
export function quotesFor(question: string, passages: readonly AnswerSource[]): readonly string[] | null {
  const { about, units } = readFor(question, passages);
  const enough = about.filter(({ share }) => share >= ENOUGH);
  const [best] = enough;
  if (best === undefined) return null;
  const good = enough.filter(({ score }) => score >= best.score * NEARLY_AS_GOOD);
  return ['The context files say:', ...different(good, units).map(quoteWords)];
}

/** What comes nearest to an answer where there is none that is one; `null` when nothing comes near. */
export function nearestQuote(question: string, passages: readonly AnswerSource[]): string | null {
  const { about, units } = readFor(question, passages);
  const near = about.filter(({ share }) => share >= NEAR_ENOUGH).slice(0, 1);
  return different(near, units).map(quoteWords)[0] ?? null;
}

/** Whether no word of the question says what it is about. */
export function isAboutNothing(question: string): boolean {
  return documentQuestion(question.slice(0, MAX_QUESTION), []).asked.length === 0;
}

function readFor(
  question: string,
  passages: readonly AnswerSource[],
): { readonly about: readonly ScoredUnit[]; readonly units: readonly Unit[] } {
  const units = unitsOf(passages);
  const read = documentQuestion(question.slice(0, MAX_QUESTION), wordsOf(units.map(({ text }) => text).join(' ')));
  return { about: read.asked.length === 0 ? [] : scoredUnits(units, read), units };
}

interface Quote {
  readonly text: string;
  readonly unit: Unit;
}

/** Passages overlap, and what was quoted with its neighbour is not quoted again. */
function different(scored: readonly ScoredUnit[], units: readonly Unit[]): readonly Quote[] {
  const quotes: Quote[] = [];
  for (const { unit } of scored) {
    if (quotes.length >= MAX_QUOTES) break;
    if (quotes.some(({ text }) => text.includes(unit.text))) continue;
    quotes.push({ text: withNeighbours(unit, units), unit });
  }
  return quotes;
}

/** The unit with what it can't be understood without: the sentence it refers to, the one that goes on, the items that it leads in. */
function withNeighbours(unit: Unit, all: readonly Unit[]): string {
  const units = all.filter(({ number }) => number === unit.number);
  const before = units[unit.place - 1];
  const after = units[unit.place + 1];
  if (unit.text.endsWith(':')) {
    const items = units.slice(unit.place + 1).filter(({ under }) => under.includes(unit.text));
    return [unit.text, ...items.slice(0, MAX_ITEMS).map(({ text }) => text)].join(' ');
  }
  const parts = [
    ...(before !== undefined && REFERS_BACK.test(unit.text) ? [before.text] : []),
    unit.text,
    ...(after !== undefined && REFERS_BACK.test(after.text) ? [after.text] : []),
  ];
  return parts.join(' ');
}

function quoteWords({ text, unit: { source, number } }: Quote): string {
  const page = source.page === null ? '' : `, page ${source.page}`;
  return `> ${inline(text, MAX_QUOTE)}\n>\n> ${inline(source.filename)}${page} [${number}]`;
}
