import { readdir, readFile } from 'node:fs/promises';
import { cutPassages } from '../../src/features/context-files/passages/passage-cutter.js';
import type { DocumentBlock } from '../../src/ports/document-reader.js';
import type { IndexedPassage } from '../../src/ports/passage-index.js';

export interface Question {
  readonly question: string;
  readonly kind: 'plain' | 'misspelt' | 'unanswerable';
  /** The file that holds the answer; null when none does. */
  readonly text: string | null;
  /** Under which heading of it, where the quotes alone don't tell. */
  readonly heading?: string;
  /** A passage answers the question when one of these stands in it. */
  readonly quotes: readonly string[];
}

const TEXTS = new URL('texts/', import.meta.url);

/** The passages of all texts as the service cuts them. A line that begins with `#` is a heading, an empty line ends a paragraph. */
export async function corpus(): Promise<readonly IndexedPassage[]> {
  const files = (await readdir(TEXTS)).filter((name) => name.endsWith('.txt')).sort();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, TEXTS), 'utf8')));
  return files.flatMap((file, index) => {
    const group = file.replace('.txt', '');
    return cutPassages(blocksOf(texts[index] ?? '')).map(({ text, heading }, place) => {
      return { id: `${group}.${place}`, group, heading, text, vector: null };
    });
  });
}

export function blocksOf(text: string): readonly DocumentBlock[] {
  let heading: string | null = null;
  const blocks: DocumentBlock[] = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    if (paragraph.startsWith('# ')) heading = paragraph.slice(2).trim();
    else if (paragraph.trim() !== '') blocks.push({ text: paragraph.trim(), page: null, heading });
  }
  return blocks;
}

export async function questions(): Promise<readonly Question[]> {
  const text = await readFile(new URL('questions.json', import.meta.url), 'utf8');
  return JSON.parse(text) as readonly Question[];
}

/** The ids of the passages that answer it. @throws when a question that should have an answer has none. */
export function answersTo(question: Question, passages: readonly IndexedPassage[]): ReadonlySet<string> {
  const { text, heading, quotes } = question;
  const found = passages.filter(
    (passage) =>
      passage.group === text &&
      (heading === undefined || passage.heading === heading) &&
      quotes.some((quote) => passage.text.replace(/\s+/g, ' ').includes(quote)),
  );
  if (found.length === 0 && text !== null) throw new Error(`no passage answers: ${question.question}`);
  return new Set(found.map(({ id }) => id));
}

/** The same question with one typing error in its longest word, always the same one. */
export function mistyped(question: string, turn: number): string {
  const words = question.split(' ');
  const longest = words.reduce((best, word, index) => (word.length > (words[best] ?? '').length ? index : best), 0);
  const word = words[longest] ?? '';
  const place = 1 + ((turn * 7) % Math.max(1, word.length - 3));
  const [head, one, two, tail] = [
    word.slice(0, place),
    word[place] ?? '',
    word[place + 1] ?? '',
    word.slice(place + 2),
  ];
  const wrong = [
    `${head}${two}${one}${tail}`,
    `${head}${two}${tail}`,
    `${head}${one}${one}${two}${tail}`,
    `${head}e${two}${tail}`,
  ];
  return words.with(longest, wrong[turn % wrong.length] ?? word).join(' ');
}
