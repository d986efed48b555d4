import { createWriteStream, writeFileSync } from 'node:fs';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, type Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import { codeOf, storageError } from '../storage/storage-error.js';
import { refused, shown } from './archive-protocol.js';
import { DEFLATED, isConverted } from './entry-rules.js';
import type { Unpacking } from './format.js';
import type { ZipDirectory, ZipEntry } from './zip-directory.js';

const CHUNK = 256 * 1024;
/** An entry up to this, packed and unpacked, is read and written in one go: a thousand streams take longer than what is in them. */
const SMALL = 1024 ** 2;
/** Stays free for everybody else who writes. */
const SPARE = 64 * 1024 ** 2;

type EntryUnpacking = Pick<Unpacking, 'folder' | 'headBytes' | 'onBytes'>;

/** The bytes that will be written. */
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
    else if (isSmall(entry)) writeFileSync(path, await buffer(content), { flag: 'wx' });
    else await pipeline(Readable.from(content, { objectMode: false }), createWriteStream(path, { flags: 'wx' }));
  } catch (error) {
    if (isAppError(error)) throw error;
    const known = storageError(error);
    if (isAppError(known) || codeOf(error) !== null) throw known;
    throw refused(`a file of the archive is damaged: ${shown(entry.path)}`, error);
  }
}

/** An entry's bytes: those that the directory declares, or it throws. */
export function entryContent(
  archive: ZipDirectory,
  entry: ZipEntry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  return checked(contentOf(archive, entry), entry, onBytes);
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
async function* contentOf(archive: ZipDirectory, file: ZipEntry): AsyncGenerator<Buffer> {
  const { entry } = file;
  const isPacked = entry.compressionMethod === DEFLATED;
  if (isSmall(file)) {
    const bytes = archive.packedBytes(file);
    yield isPacked ? inflatedOf(bytes, file) : bytes;
    return;
  }
  const packed = await archive.zip.openReadStreamPromise(entry, { decodeFileData: false });
  yield* isPacked ? unpackedBy(createInflateRaw({ chunkSize: CHUNK }), packed) : packed;
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

function isSmall({ entry, size }: ZipEntry): boolean {
  return size <= SMALL && entry.compressedSize <= SMALL;
}

function inflatedOf(packed: Buffer, { path, size }: ZipEntry): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: size + 1 });
  } catch (error) {
    // What does not fit into `maxOutputLength` is told by a RangeError.
    throw error instanceof RangeError ? tooLong(path) : error;
  }
}

function tooLong(path: string): AppError {
  return refused(`a file of the archive is longer than it declares: ${shown(path)}`);
}

/** Passes on what the directory declares, and not a byte more. */
async function* checked(
  content: AsyncIterable<Buffer>,
  { path, size, entry }: ZipEntry,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let length = 0;
  let checksum = 0;
  for await (const piece of content) {
    length += piece.length;
    if (length > size) throw tooLong(path);
    checksum = crc32(piece, checksum);
    onBytes(piece.length);
    yield piece;
  }
  if (length < size) throw refused(`a file of the archive is shorter than it declares: ${shown(path)}`);
  if (checksum !== entry.crc32) throw refused(`a file of the archive is damaged: ${shown(path)}`);
}

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/** Bytes of one character, and which of them is the lower one. */
interface Width {
  readonly bytes: 1 | 2;
  readonly low: 0 | 1;
}

/**
 * The head of a text file up to the end of its last whole line. A line end between quotes is none, unless the quotes don't add up; a head without any
 * line end is left as it is.
 */
export function wholeLines(head: Buffer): Buffer {
  const width = widthOf(head);
  const end = lastEnd(head, width, LINE_FEED) ?? lastEnd(head, width, RETURN);
  return end === null ? head : head.subarray(0, end);
}

const NARROW: Width = { bytes: 1, low: 0 };
const LITTLE_ENDIAN: Width = { bytes: 2, low: 0 };
const BIG_ENDIAN: Width = { bytes: 2, low: 1 };
/** Which part of western text in UTF-16 is zeros at the very least. */
const ZEROS = 1 / 8;

/** UTF-16 has a mark, or in western text a zero in every second byte. */
function widthOf(head: Buffer): Width {
  const mark = head.toString('latin1', 0, 2);
  if (mark === '\xff\xfe') return LITTLE_ENDIAN;
  if (mark === '\xfe\xff') return BIG_ENDIAN;
  const looked = head.subarray(0, 1024);
  const zeros = [...looked.keys()].filter((at) => looked[at] === 0);
  if (zeros.length <= looked.length * ZEROS) return NARROW;
  if (zeros.every((at) => at % 2 === 1)) return LITTLE_ENDIAN;
  return zeros.every((at) => at % 2 === 0) ? BIG_ENDIAN : NARROW;
}

function lastEnd(head: Buffer, width: Width, lineEnd: number): number | null {
  let outside: number | null = null;
  let any: number | null = null;
  let isQuoted = false;
  for (let at = 0; at + width.bytes <= head.length; at += width.bytes) {
    const unit = unitAt(head, at, width);
    if (unit === QUOTE) isQuoted = !isQuoted;
    if (unit !== lineEnd) continue;
    any = at + width.bytes;
    if (!isQuoted) outside = any;
  }
  // A single stray quote would otherwise cost nearly all of the head.
  return outside !== null && outside * 2 >= head.length ? outside : any;
}

/** The character, as far as it is one of ASCII. */
function unitAt(head: Buffer, at: number, { bytes, low }: Width): number | undefined {
  return bytes === 2 && head[at + 1 - low] !== 0 ? undefined : head[at + low];
}
