import type { DocumentBlock, DocumentType } from '../../ports/document-reader.js';
import { BlockSender, type SendBlocks } from './block-sender.js';
import type { ReadingLimits } from './reading-limits.js';
import { HOLDS_NO_TEXT, Refusal } from './refusal.js';
import { readText } from './text-document.js';

/** Reads a document and sends its blocks on, cleaned and counted, in pieces. @throws Refusal */
export async function readDocument({ path, type, limits }: DocumentToRead, send: SendBlocks): Promise<void> {
  const read = await readerOf(type);
  const sender = new BlockSender(limits, send);
  for await (const block of read(path, limits)) await sender.add(block);
  await sender.flush();
  if (sender.isEmpty) throw new Refusal(HOLDS_NO_TEXT[type]);
}

export interface DocumentToRead {
  readonly path: string;
  readonly type: DocumentType;
  readonly limits: ReadingLimits;
}

type Read = (path: string, limits: ReadingLimits) => AsyncGenerator<DocumentBlock>;

/** Only the library that this document needs is loaded. */
async function readerOf(type: DocumentType): Promise<Read> {
  switch (type) {
    case 'text/plain':
      return readText;
    case 'application/pdf':
      return (await import('./pdf-document.js')).readPdf;
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return (await import('./docx-document.js')).readDocx;
  }
}
