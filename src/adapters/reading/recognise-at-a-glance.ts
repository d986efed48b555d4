import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { DocumentType, RecognisedDocument } from '../../ports/document-reader.js';
import { withoutCutEnd } from '../../shared/text-bytes.js';

const HEAD_BYTES = 64 * 1024;
/** Where a reader of PDF looks for its mark; junk may stand before it. */
const PDF_MARK_WITHIN = 1024;
/** Formats that are written in plain letters, and yet are no text to a reader of it. */
const WRITTEN_IN_LETTERS: readonly (readonly [start: RegExp, mediaType: string])[] = [
  [/^\s*\{\\rtf/, 'application/rtf'],
  [/^\s*%!PS/, 'application/postscript'],
];
/** Below the space, without tab, line breaks, form feed, escape and the 0x1A with which DOS ends a file. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000e-\u0019\u001c-\u001f\u007f]/;

/** Compares the first bytes of a file, and parses nothing. Null: this needs a closer look. */
export async function recogniseAtAGlance(path: string): Promise<RecognisedDocument | null> {
  const head = await bytesOf(path, HEAD_BYTES);
  const letters = head.toString('latin1');
  const isPlain = isPlainText(head);
  if (isPdf(letters, isPlain)) return supported('application/pdf');
  const [, written] = WRITTEN_IN_LETTERS.find(([start]) => start.test(letters.slice(0, PDF_MARK_WITHIN))) ?? [];
  if (written !== undefined) return { supported: false, mediaType: written };
  return isPlain ? supported('text/plain') : null;
}

export function supported(type: DocumentType): RecognisedDocument {
  return { supported: true, type };
}

/** The first bytes of a file, or those from a place on; fewer where it ends. */
export async function bytesOf(path: string, bytes: number, from = 0): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
  return buffer.subarray(0, bytesRead);
}

/** At the very start, or after junk; but a text that only mentions the mark within a line is a text. */
function isPdf(letters: string, isPlain: boolean): boolean {
  const start = letters.slice(0, PDF_MARK_WITHIN);
  if (/^(\u00ef\u00bb\u00bf)?\s*%PDF-/.test(start)) return true;
  return isPlain ? /[\r\n]%PDF-\d\.\d/.test(start) : start.includes('%PDF-');
}

/** Nothing at all is a text too. */
function isPlainText(head: Buffer): boolean {
  const whole = head.length < HEAD_BYTES ? head : withoutCutEnd(head);
  return isUtf8(whole) && !CONTROLS.test(whole.toString('latin1'));
}
