import { readFile } from 'node:fs/promises';
import mammoth from 'mammoth';
import type { DocumentBlock } from '../../ports/document-reader.js';
import type { ReadingLimits } from './reading-limits.js';
import { exhaustionOf, Refusal } from './refusal.js';
import { assertReadableArchive, DAMAGED_WORD_DOCUMENT } from './word-archive.js';
import { wordBlocks } from './word-blocks.js';

/** Reads a Word document: its headings, paragraphs, lists, tables and notes. */
export async function* readDocx(path: string, limits: ReadingLimits): AsyncGenerator<DocumentBlock> {
  await assertReadableArchive(path, limits);
  yield* wordBlocks(await documentIn(path));
}

/** The library's own tree of the document: sturdier than the HTML that it would write. */
async function documentIn(path: string): Promise<unknown> {
  let document: unknown = null;
  const keep = (whole: object): object => {
    document = whole;
    // Nothing is left to be written.
    return { ...whole, children: [] };
  };
  try {
    await mammoth.convertToHtml(
      { buffer: await readFile(path) },
      { transformDocument: keep, externalFileAccess: false },
    );
  } catch (error) {
    throw exhaustionOf(error) ?? new Refusal(DAMAGED_WORD_DOCUMENT, error);
  }
  return document;
}
