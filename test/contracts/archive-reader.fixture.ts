import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { unpackFile } from '../../src/adapters/archives/unpacker.js';
import { type ArchiveLimits, ZipArchiveReader } from '../../src/adapters/archives/zip-archive-reader.js';
import type { UnpackedFile } from '../../src/ports/archive-reader.js';

/** One entry of an archive that is written byte by byte, so that it can lie. What is left out is told truly. */
export interface RawEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** 0 or 8; any other stores the bytes as they are. */
  readonly method?: number;
  readonly flags?: number;
  /** What the directory says. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
  /** Where the directory says that it begins. */
  readonly offset?: number;
  readonly mode?: number;
  /** What lies behind the local header in place of the packed content. */
  readonly packed?: Buffer;
  /** Sizes in the larger fields of zip64. */
  readonly isZip64?: boolean;
}

export interface RawArchive {
  /** What the end record says. */
  readonly count?: number;
  /** The end record says it in the larger fields of zip64. */
  readonly zip64Count?: number;
  readonly between?: Buffer;
}

const DEFLATED = 8;

/** Numbers of two, four and eight bytes. */
const two = (...numbers: readonly number[]): Buffer => Buffer.from(Uint16Array.from(numbers).buffer);
const four = (...numbers: readonly number[]): Buffer => Buffer.from(Uint32Array.from(numbers).buffer);
const eight = (...numbers: readonly number[]): Buffer => Buffer.from(BigUint64Array.from(numbers.map(BigInt)).buffer);
const mark = (sign: string): Buffer => Buffer.from(`PK${sign}`);

/** Writes an archive as told, right or wrong. */
export function rawZip(entries: readonly RawEntry[], { count, zip64Count, between }: RawArchive = {}): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const entry of entries) {
    const { fields, name, packed, extra } = partsOf(entry);
    const attributes = ((entry.mode ?? 0o100644) << 16) >>> 0;
    const offset = entry.offset ?? local.reduce((sum, { length }) => sum + length, 0);
    const rest = Buffer.concat([two(0, 0, 0), four(attributes, offset), name, extra]);
    directory.push(mark('\u0001\u0002'), Buffer.from([20, 3]), fields, two(extra.length), rest);
    local.push(mark('\u0003\u0004'), fields, two(0), name, packed);
  }
  const [files, names] = [Buffer.concat([...local, between ?? Buffer.alloc(0)]), Buffer.concat(directory)];
  const told = zip64Count === undefined ? (count ?? entries.length) : 0xffff;
  const end = [mark('\u0005\u0006'), two(0, 0, told, told), four(names.length, files.length), two(0)];
  const large = zip64Count === undefined ? [] : largeEnd(zip64Count, names.length, files.length);
  return Buffer.concat([files, names, ...large, ...end]);
}

function partsOf(entry: RawEntry): Readonly<Record<'fields' | 'name' | 'packed' | 'extra', Buffer>> {
  const name = Buffer.from(entry.name);
  const content = Buffer.from(entry.content ?? '');
  const packed = entry.packed ?? ((entry.method ?? DEFLATED) === DEFLATED ? deflateRawSync(content) : content);
  const flags = typeof entry.name === 'string' ? 0x800 : 0;
  const truth = { flags, method: DEFLATED, crc: crc32(content), packedSize: packed.length, size: content.length };
  const told = { ...truth, ...entry };
  const isLarge = entry.isZip64 === true;
  const sizes = isLarge ? four(0xffffffff, 0xffffffff) : four(told.packedSize, told.size);
  const fields = [two(45, told.flags, told.method), four(0, told.crc), sizes, two(name.length)];
  const extra = isLarge ? Buffer.concat([two(1, 16), eight(told.size, told.packedSize)]) : Buffer.alloc(0);
  return { fields: Buffer.concat(fields), name, packed, extra };
}

/** The end record of zip64 and the record that tells where it is. */
function largeEnd(count: number, size: number, start: number): readonly Buffer[] {
  const end = [mark('\u0006\u0006'), eight(44), four(0, 0, 0), eight(count, count, size, start)];
  return [...end, mark('\u0006\u0007'), four(0), eight(start + size), four(1)];
}

/** A reader with folders of its own. */
export class ArchiveBench implements AsyncDisposable {
  readonly reader: ZipArchiveReader;
  private archives = 0;

  private constructor(
    readonly folder: string,
    limits?: ArchiveLimits,
  ) {
    this.reader = new ZipArchiveReader(join(folder, 'unpacked'), limits);
  }

  static async open(limits?: ArchiveLimits): Promise<ArchiveBench> {
    const bench = new ArchiveBench(await mkdtemp(join(tmpdir(), 'archives-')), limits);
    await bench.reader.open();
    return bench;
  }

  async write(bytes: Uint8Array): Promise<string> {
    const path = join(this.folder, `${(this.archives += 1)}.zip`);
    await writeFile(path, bytes);
    return path;
  }

  /** As the reader's process does it, without starting one each time. */
  async unpackHere(bytes: Uint8Array, headBytes: number | null): Promise<readonly UnpackedFile[]> {
    const folder = await mkdtemp(join(this.folder, 'here-'));
    const watch = { onPlan: () => undefined, onBytes: () => undefined };
    try {
      return await unpackFile(await this.write(bytes), 'the file', { folder, headBytes, only: null, ...watch });
    } catch (error) {
      await rm(folder, { recursive: true });
      throw error;
    }
  }

  /** What lies in the folder for unpacked files. */
  unpacked(): Promise<readonly string[]> {
    return readdir(join(this.folder, 'unpacked'), { recursive: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

export const NO_ABORT = new AbortController().signal;
