import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry } from 'yauzl';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import { wideEncodingOf } from '../../shared/text-bytes.js';
import { codeOf, storageError } from '../storage/storage-error.js';
import { DEFLATED, isConverted, refused, shown } from './entry-rules.js';
import type { Unpacking } from './format.js';
import type { ZipDirectory, ZipEntry } from './zip-directory.js';

const CHUNK = 256 * 1024;
/** Stays free for everybody else who writes. */
const SPARE = 64 * 1024 ** 2;

type EntryUnpacking = Pick<Unpacking, 'folder' | 'headBytes' | 'onBytes'>;

export function plannedBytes({ entries }: ZipDirectory, headBytes: number | null): number {
  return entries.reduce((sum, { size, path }) => sum + Math.min(size, headOf(path, headBytes) ?? size), 0);
}

/** What is no CSV file is looked into as a whole. */
function headOf(path: string, headBytes: number | null): number | null {
  return isConverted(path) ? null : headBytes;
}

/**
 * Unpacks the archive's files one after the other. Sizes and checksums are those of the directory, or the archive is refused.
 *
 * @throws AppError `invalid_input` naming the file, `no_space` when they do not fit on the disk.
 */
export async function unpackAll(
  archive: ZipDirectory,
  unpacking: EntryUnpacking,
  wants: (path: string) => boolean = () => true,
): Promise<readonly UnpackedFile[]> {
  await assertRoom(unpacking.folder, plannedBytes(archive, unpacking.headBytes));
  const files: UnpackedFile[] = [];
  for (const [index, entry] of archive.entries.entries()) {
    // The entry's name is nobody's path: what is written here is called by us.
    const path = join(unpacking.folder, `${index}.csv`);
    if (!wants(entry.path)) continue;
    const headBytes = headOf(entry.path, unpacking.headBytes);
    await unpackOne(archive, entry, { ...unpacking, headBytes, path });
    const isWhole = headBytes === null || entry.size <= headBytes;
    files.push({ name: entry.path, size: entry.size, path, isWhole, isConverted: isConverted(entry.path) });
  }
  return files;
}

/** @throws AppError `no_space` when so many bytes don't fit. */
export async function assertRoom(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= needed + SPARE) return;
  throw new AppError('no_space', 'no room left on the storage to unpack the archive');
}

async function unpackOne(
  archive: ZipDirectory,
  entry: ZipEntry,
  { path, headBytes, onBytes }: Omit<EntryUnpacking, 'folder'> & { readonly path: string },
): Promise<void> {
  const content = entryContent(archive, entry, onBytes);
  try {
    if (headBytes !== null && entry.size > headBytes) await writeHead(path, content, headBytes);
    else await writeFile(path, content, { flag: 'wx' });
  } catch (error) {
    if (isAppError(error)) throw error;
    const known = storageError(error);
    if (isAppError(known) || codeOf(error) !== null) throw known;
    throw refused(`a file of the archive is damaged: ${shown(entry.path)}`, error);
  }
}

async function writeHead(path: string, content: AsyncIterable<Buffer>, headBytes: number): Promise<void> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of content) {
    pieces.push(piece);
    length += piece.length;
    if (length >= headBytes) break;
  }
  await writeFile(path, wholeLines(Buffer.concat(pieces).subarray(0, headBytes)), { flag: 'wx' });
}

/** The entry's bytes as they unpack; ends itself and what it reads when nobody wants the rest. */
async function* contentOf(archive: ZipDirectory, entry: Entry): AsyncGenerator<Buffer> {
  const packed = await archive.zip.openReadStreamPromise(entry, { decodeFileData: false });
  yield* entry.compressionMethod === DEFLATED ? unpackedBy(createInflateRaw({ chunkSize: CHUNK }), packed) : packed;
}

/** What a stream unpacks of another. Ends both when nobody wants the rest. */
export async function* unpackedBy(unpack: Transform, packed: Readable): AsyncGenerator<Buffer> {
  // A failure of either ends the other; it is heard of by who reads below.
  const joined = pipeline(packed, unpack).catch(() => undefined);
  try {
    yield* unpack as AsyncIterable<Buffer>;
  } finally {
    unpack.destroy();
    packed.destroy();
    await joined;
  }
}

/** An entry's bytes: those that the directory declares and not one more, or it throws. */
export async function* entryContent(
  archive: ZipDirectory,
  { path, size, entry }: ZipEntry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let length = 0;
  let checksum = 0;
  for await (const piece of contentOf(archive, entry)) {
    length += piece.length;
    if (length > size) throw refused(`a file of the archive is longer than it declares: ${shown(path)}`);
    checksum = crc32(piece, checksum);
    onBytes(piece.length);
    yield piece;
  }
  if (length < size) throw refused(`a file of the archive is shorter than it declares: ${shown(path)}`);
  if (checksum !== entry.crc32) throw refused(`a file of the archive is damaged: ${shown(path)}`);
}

/**
 * The head of a text file up to the end of its last whole line. A line end between quotes is none, unless the quotes don't add up; a head without any
 * line end is left as it is.
 */
export function wholeLines(head: Buffer): Buffer {
  const encoding = wideEncodingOf(head);
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const text = encoding === 'utf-16be' ? Buffer.from(head.subarray(0, head.length & ~1)).swap16() : head;
  const letters = text.toString(isWide ? 'utf16le' : 'latin1');
  const end = lastEnd(letters, '\n') ?? lastEnd(letters, '\r');
  return end === null ? head : head.subarray(0, isWide ? end * 2 : end);
}

function lastEnd(text: string, lineEnd: string): number | null {
  let outside: number | null = null;
  let any: number | null = null;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== lineEnd) continue;
    any = at + 1;
    if (!isQuoted) outside = any;
  }
  // A single stray quote would otherwise cost nearly all of the head.
  return outside !== null && outside * 2 >= text.length ? outside : any;
}
