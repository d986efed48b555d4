import type { Entry } from 'yauzl';
import { AppError } from '../../shared/app-error.js';
import { cut } from '../../shared/tame.js';

/** Entries of any kind: the end record tells their number, so that no more have to be read. */
export const MOST_ENTRIES = 1000;
const GIB = 1024 ** 3;
const MOST_GIB = 40;
const HIGHEST_RATIO = 200;
/** Up to here unpacked it is harmless, whatever the ratio: a small file of few values packs as tightly as a bomb does. */
const RATIO_COUNTS_FROM = 10 * 1024 ** 2;
const LONGEST_NAME = 500;

const STORED = 0;
export const DEFLATED = 8;
const KIND_OF_FILE = 0o170000;
const REGULAR = 0o100000;

/**
 * The entry's path without empty and `.` parts.
 *
 * @throws AppError `invalid_input` when it leads out of the archive or can't be a path.
 */
export function safePath(name: string): string {
  if (name.length > LONGEST_NAME) throw refused(`the archive has a path longer than ${LONGEST_NAME}: ${shown(name)}`);
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name)) {
    throw refused(`the archive has a path with control characters: ${shown(name)}`);
  }
  if (/^\/|^[A-Za-z]:|\\/.test(name)) throw refused(`the archive has a path that leaves it: ${shown(name)}`);
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw refused(`the archive has a path that leaves it: ${shown(name)}`);
  return parts.join('/');
}

/** Folders, and what systems put beside a person's files without being asked. */
export function isIgnored(name: string, path: string): boolean {
  return name.endsWith('/') || path.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}

/** The part that every Excel workbook has. */
export const WORKBOOK = 'xl/workbook.xml';
const CSV = /\.(?:csv|tsv)$/i;
const CONVERTED = /\.(?:xlsx|xlsm|parquet|json|ndjson|jsonl|(?:csv|tsv|txt|json|ndjson|jsonl)\.(?:gz|zst))$/i;

/** Whether the entry has to be opened, once it is unpacked, before it can be read as CSV. */
export function isConverted(path: string): boolean {
  return CONVERTED.test(path);
}

/** @throws AppError `invalid_input` when the entry is anything but a file with tables that can be unpacked. */
export function assertTableEntry(entry: Entry, path: string): void {
  if (path === '[Content_Types].xml') {
    throw refused('this is an Office document without tables that can be read: save its table as XLSX or CSV');
  }
  // Of the system that packed it; 0 when it has none.
  const kind = (entry.externalFileAttributes >>> 16) & KIND_OF_FILE;
  if (kind !== 0 && kind !== REGULAR) throw refused(`the archive holds something that is no file: ${shown(path)}`);
  if (!CSV.test(path) && !CONVERTED.test(path)) {
    throw refused(
      `the archive holds something else than tables (.csv, .tsv, .xlsx, .parquet, .json …): ${shown(path)}`,
    );
  }
  assertReadable(entry, path);
}

/** @throws AppError `invalid_input` when the entry can't be unpacked. */
export function assertReadable(entry: Entry, path: string): void {
  const { compressionMethod: method, uncompressedSize, compressedSize } = entry;
  if (entry.isEncrypted()) throw refused(`the archive holds an encrypted file: ${shown(path)}`);
  if (method !== STORED && method !== DEFLATED) {
    throw refused(`the archive holds a file packed in a way that can't be read (method ${method}): ${shown(path)}`);
  }
  if (method !== STORED || uncompressedSize === compressedSize) return;
  throw refused(`the archive holds a file with sizes that contradict each other: ${shown(path)}`);
}

/** @throws AppError `invalid_input` when there is no file, one twice, or too much in them. */
export function assertWhole(files: readonly { readonly path: string; readonly size: number }[], packed: number): void {
  if (files.length === 0) throw refused('the archive holds no .csv file, nor another one with a table');
  assertDifferent(files.map(({ path }) => path));
  const unpacked = files.reduce((sum, { size }) => sum + size, 0);
  assertNoBomb(unpacked, packed);
}

/** @throws AppError `invalid_input` when a name is there twice. */
export function assertDifferent(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw refused(`the archive holds two files of one name: ${shown(name)}`);
    seen.add(name);
  }
}

export const MOST_BYTES = MOST_GIB * GIB;

/** @throws AppError `invalid_input` when so much is in a file of so many bytes that it was made to fill disks. */
export function assertNoBomb(unpacked: number, packed: number): void {
  if (unpacked > MOST_BYTES) throw refused(`the archive unpacks to more than ${MOST_GIB} GiB`);
  if (unpacked > RATIO_COUNTS_FROM && unpacked > packed * HIGHEST_RATIO) {
    throw refused(`the archive unpacks to more than ${HIGHEST_RATIO} times its size`);
  }
}

/** The most that so many packed bytes may become. */
export function mostUnpacked(packed: number): number {
  return Math.min(Math.max(packed * HIGHEST_RATIO, RATIO_COUNTS_FROM), MOST_BYTES);
}

const LONGEST_SHOWN = 120;

/** An archive that is not taken, with a sentence that says why. */
export function refused(sentence: string, cause?: unknown): AppError {
  return new AppError('invalid_input', sentence, { cause });
}

/** The directory can't be read or contradicts itself. */
export function damaged(cause?: unknown): AppError {
  return refused('the ZIP archive is damaged or incomplete', cause);
}

/** An entry's name in a sentence: in quotes, on one line, without what can't be seen or turns the reading direction. */
export function shown(name: string): string {
  const visible = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return `"${cut(visible, LONGEST_SHOWN)}"`;
}
