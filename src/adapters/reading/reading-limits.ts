import type { DocumentType } from '../../ports/document-reader.js';
import { AppError, messageOf } from '../../shared/app-error.js';

/** What is wrong with a document, in a sentence for its owner. */
export function refused(reason: string, cause?: unknown): AppError {
  return new AppError('invalid_input', reason, { cause });
}

export const IS_EMPTY = 'the file is empty';
export const NEEDS_TOO_MUCH_MEMORY = 'the document needs too much memory to be read';
const NESTED_TOO_DEEPLY = 'the document is nested too deeply to be read';
export const COULD_NOT_BE_READ = 'the document could not be read';

/** For a document that was read to its end and had nothing to read. */
export const HOLDS_NO_TEXT: Readonly<Record<DocumentType, string>> = {
  'text/plain': IS_EMPTY,
  'application/pdf': 'no text in this PDF (scanned?)',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'no text in this Word document',
};

/** What the engine says when memory or the depth of calls has run out, wherever in a library that was. */
export function exhaustionOf(error: unknown): AppError | null {
  const message = messageOf(error);
  if (/allocation failed|invalid array (buffer )?length|invalid string length|cannot create a string/i.test(message)) {
    return refused(NEEDS_TOO_MUCH_MEMORY, error);
  }
  return /maximum call stack/i.test(message) ? refused(NESTED_TOO_DEEPLY, error) : null;
}

export function tooMuchText(most: number, of: 'characters' | 'paragraphs'): AppError {
  return refused(`the document holds too much text (more than ${withCommas(most)} ${of})`);
}

export function withCommas(count: number): string {
  return count.toLocaleString('en-US');
}

/** What one document may cost, and how many are read at once. */
export const READING_LIMITS = {
  documentsAtOnce: 2,
  /** Looks at files are short, and somebody waits for them: they have a line of their own. */
  looksAtOnce: 1,
  /** Of the whole process, as its system counts it. */
  memoryBytes: 600 * 1024 ** 2,
  /** From the start of the process to its last word. */
  readMs: 60_000,
  lookMs: 10_000,
  pages: 2000,
  characters: 5_000_000,
  /** Paragraphs, items of lists and rows of tables. */
  blocks: 250_000,
  /** Of an archive: how many files it may have, and how long its texts may be unpacked, in bytes. */
  entries: 1000,
  unpackedBytes: 50 * 1024 ** 2,
};
export type ReadingLimits = Readonly<typeof READING_LIMITS>;
