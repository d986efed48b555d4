import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { DocumentType, RecognisedDocument } from '../../ports/document-reader.js';

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
  const head = await headOf(path);
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

/** The first bytes of a file, or all of it when it is short. */
export async function headOf(path: string, bytes = HEAD_BYTES): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { bytesRead, buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
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
  const whole = head.length < HEAD_BYTES ? head : withoutCutCharacter(head);
  return isUtf8(whole) && !CONTROLS.test(whole.toString('latin1'));
}

/** Without the character of UTF-8 that the end of the look may have cut. */
export function withoutCutCharacter(head: Buffer): Buffer {
  let end = head.length;
  while (head.length - end < 4 && ((head[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return head.subarray(0, (head[end - 1] ?? 0) >= 0x80 ? end - 1 : end);
}

/** How an OLE container begins: Office documents of before 2007, and encrypted ones of all times. */
const MARK = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const HEADER_BYTES = 512;
const SECTOR_SHIFT_AT = 30;
const DIRECTORY_AT = 48;
const DIRECTORY_BYTES = 4096;
const ENTRY_BYTES = 128;
const NAME_BYTES = 64;

/** A stream's name tells which program wrote the container. */
const KINDS = {
  EncryptedPackage: 'encrypted',
  WordDocument: 'application/msword',
  Workbook: 'application/vnd.ms-excel',
  Book: 'application/vnd.ms-excel',
  'PowerPoint Document': 'application/vnd.ms-powerpoint',
  '__properties_version1.0': 'application/vnd.ms-outlook',
} as const;

/**
 * What is in an OLE container: a media type, or `encrypted` for an Office document with a password.
 *
 * @returns null when it is none
 */
export async function oleKind(path: string): Promise<string | null> {
  await using file = await open(path, 'r');
  const header = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0);
  if (bytesRead < HEADER_BYTES || !header.subarray(0, MARK.length).equals(MARK)) return null;
  const sectorBytes = header.readUInt16LE(SECTOR_SHIFT_AT) === 12 ? 4096 : 512;
  const directory = Buffer.alloc(DIRECTORY_BYTES);
  await file.read(directory, 0, DIRECTORY_BYTES, (header.readUInt32LE(DIRECTORY_AT) + 1) * sectorBytes);
  return kindOf(namesIn(directory));
}

function namesIn(directory: Buffer): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < directory.length; at += ENTRY_BYTES) {
    const [name = ''] = directory.toString('utf16le', at, at + NAME_BYTES).split('\u0000', 1);
    names.add(name);
  }
  return names;
}

function kindOf(names: ReadonlySet<string>): string {
  const [, kind] = Object.entries(KINDS).find(([name]) => names.has(name)) ?? [];
  return kind ?? 'application/x-cfb';
}
