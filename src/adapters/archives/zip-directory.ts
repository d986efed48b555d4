import { isUtf8 } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { type Entry, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { codeOf, storageError } from '../storage/storage-error.js';
import {
  assertReadable,
  assertTableEntry,
  assertWhole,
  damaged,
  isIgnored,
  MOST_ENTRIES,
  refused,
  safePath,
  shown,
  WORKBOOK,
} from './entry-rules.js';

const UTF_8_NAME = 0x800;
/** What may follow the directory: its signature, the end record, the larger end record. */
const AFTER_DIRECTORY = [0x05054b50, 0x06054b50, 0x06064b50];

/** One file of an archive, as the directory declares it. */
export interface ZipEntry {
  readonly path: string;
  /** Unpacked bytes. */
  readonly size: number;
  /** What the reader of archives needs to find it. */
  readonly entry: Entry;
}

/** An open archive whose directory was read and keeps all the rules. */
export class ZipDirectory implements AsyncDisposable {
  private constructor(
    readonly zip: ZipFile,
    private readonly file: FileHandle,
    readonly entries: readonly ZipEntry[],
  ) {}

  /**
   * Reads the directory, not the files. What is at fault is told as soon as it is found.
   *
   * @throws AppError `invalid_input`, with a sentence that names it.
   */
  static async open(path: string): Promise<ZipDirectory> {
    const file = await openFile(path);
    try {
      // Names are decoded and sizes are watched here, so that what is refused can be named.
      const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false };
      const zip = await fromFdPromise(file.fd, options);
      return new ZipDirectory(zip, file, await checkedEntries(zip, file));
    } catch (error) {
      await file.close();
      throw isAppError(error) ? error : damaged(error);
    }
  }

  /** It is one Excel workbook, and its entries are parts of that. */
  get isWorkbook(): boolean {
    return isWorkbook(this.entries);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.file.close();
  }
}

async function checkedEntries(zip: ZipFile, file: FileHandle): Promise<readonly ZipEntry[]> {
  if (zip.entryCount > MOST_ENTRIES) {
    throw refused(`the archive has ${zip.entryCount} entries; at most ${MOST_ENTRIES} are possible`);
  }
  // Typed as a boolean, which it never is.
  const directoryStart = Number(zip.readEntryCursor);
  const found: ZipEntry[] = [];
  for await (const entry of entriesOf(zip)) {
    const name = nameOf(entry);
    const path = safePath(name);
    if (isIgnored(name, path)) continue;
    found.push({ path, size: entry.uncompressedSize, entry });
  }
  const assertEntry = isWorkbook(found) ? assertReadable : assertTableEntry;
  for (const { path, entry } of found) assertEntry(entry, path);
  await assertDirectoryEnds(file, Number(zip.readEntryCursor));
  assertWhole(found, zip.fileSize);
  await assertApart(zip, found, directoryStart);
  return found;
}

function isWorkbook(entries: readonly Pick<ZipEntry, 'path'>[]): boolean {
  return entries.some(({ path }) => path === WORKBOOK);
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry();
  } catch (error) {
    if (!messageOf(error).includes('encryption')) throw error;
    throw refused(`the archive holds an encrypted file: entry ${zip.entriesRead + 1}`, error);
  }
}

/** In the directory a flag says which names are UTF-8. Many programs forget it, and hardly a name in code page 437 is UTF-8 by chance. */
function nameOf({ fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(isUtf8(fileNameRaw) ? UTF_8_NAME : 0, fileNameRaw, extraFields, true);
}

/** Without this, entries beyond the declared number would be left out without a word. */
async function assertDirectoryEnds(file: FileHandle, at: number): Promise<void> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, at);
  if (bytesRead === 4 && AFTER_DIRECTORY.includes(buffer.readUInt32LE(0))) return;
  throw damaged();
}

/** No two files share bytes, and none lies in the directory: files that do unpack to far more than the archive's size. */
async function assertApart(zip: ZipFile, entries: readonly ZipEntry[], directoryStart: number): Promise<void> {
  const ranges: { readonly start: number; readonly end: number; readonly path: string }[] = [];
  for (const { entry, path } of entries) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    ranges.push({ start: entry.relativeOffsetOfLocalHeader, end: fileDataStart + entry.compressedSize, path });
  }
  ranges.sort((one, other) => one.start - other.start);
  for (const [index, { end, path }] of ranges.entries()) {
    if (end > (ranges[index + 1]?.start ?? directoryStart)) {
      throw refused(`the archive holds files that overlap: ${shown(path)}`);
    }
  }
}

/** Opens an archive for reading. @throws AppError `not_found` when it was removed meanwhile, `unavailable` when the disk does not answer. */
export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      throw new AppError('not_found', 'the archive is not there any more', { cause: error });
    throw storageError(error);
  }
}
