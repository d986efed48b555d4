import { readFile } from 'node:fs/promises';
import type { DocumentBlock } from '../../ports/document-reader.js';
import type { ReadingLimits } from './reading-limits.js';
import { IS_EMPTY, Refusal, tooMuchText } from './refusal.js';
import { textBlocks } from './text-blocks.js';
import { decodedText, textEncodingOf } from './text-encoding.js';

/** Bounded: to find the end of a run of millions, an expression may need more stack than there is. */
const LONG_BLANKS = /\s{3,1000}/g;

/** Reads a text in whatever common encoding it is written. */
export async function* readText(path: string, limits: ReadingLimits): AsyncGenerator<DocumentBlock> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw new Refusal(IS_EMPTY);
  const encoding = textEncodingOf(bytes);
  if (encoding === null) throw new Refusal('not a text file');
  yield* textBlocks(fitted(decodedText(bytes, encoding), limits));
}

/** A text that is too long is not even cut into lines; one that is only long because of its blanks loses them. */
function fitted(text: string, limits: ReadingLimits): string {
  if (text.length <= limits.characters) return text;
  if (lettersIn(text) > limits.characters) throw tooMuchText(limits);
  return text.replace(LONG_BLANKS, '\n\n');
}

function lettersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x20) count++;
  return count;
}
