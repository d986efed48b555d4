import type { QueryResult } from '../../ports/table.js';
import { answerTable } from './answer-table.js';
import { FREE_FORMAT } from './figure-format.js';
import { headlineOf } from './headline.js';
import { bullets, inline } from './markdown.js';
import type { AnswerFormat, Understanding } from './message/understanding.js';
import type { TableFacts } from './table-facts.js';
import type { Bounds, Told } from './telling/telling.js';

const LONG = 600;

type Understood = Understanding & { readonly kind: 'plan' };

/** What came of a plan, and how it is to be written. */
export interface Outcome {
  readonly result: QueryResult;
  readonly facts: TableFacts;
  readonly format?: AnswerFormat;
  readonly bounds?: Bounds | null;
  /** Questions to offer where the reading is not certain. */
  readonly offers?: readonly string[];
}

/** An answer in paragraphs: the figure, the rows behind it, what was assumed, what was not read, and what else can be asked. */
export function answerWords(read: Understood, outcome: Outcome): readonly string[] {
  const told = toldOf(read, outcome);
  const table = answerTable(told);
  const notes = read.notes.map((note) => inline(note, LONG));
  const { offers = [] } = outcome;
  return [
    headlineOf(told),
    ...(table === null ? [] : [table]),
    ...(notes.length > 0
      ? [`What I assumed, reading your question as “${inline(read.purpose, LONG)}”:\n\n${bullets(notes)}`]
      : []),
    ...(read.unread.length > 0 ? [`I did not read ${quotedList(read.unread)}.`] : []),
    ...(read.confidence < 1 && offers.length > 0 ? [offersWords('I am certain of these questions', offers)] : []),
  ];
}

function toldOf({ plan, verdict, focus, grades }: Understood, { result, facts, format, bounds }: Outcome): Told {
  return { plan, result, facts, format: format ?? FREE_FORMAT, verdict, focus, grades, bounds: bounds ?? null };
}

export function quotedList(words: readonly string[]): string {
  const quoted = words.slice(0, 8).map((word) => `“${inline(word)}”`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1) ?? ''}`;
}

export function offersWords(opening: string, offers: readonly string[]): string {
  return `${opening}:\n\n${bullets(offers.map((offer) => inline(offer, 300)))}`;
}
