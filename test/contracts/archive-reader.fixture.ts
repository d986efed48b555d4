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
const NOTHING = Buffer.alloc(0);

/** Writes an archive as told, right or wrong. */
export function rawZip(
  entries: readonly RawEntry[],
  { count, zip64Count, between = NOTHING }: RawArchive = {},
): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const packed = packedOf(entry);
    const header = localHeader(entry, packed);
    local.push(header, packed);
    directory.push(directoryEntry(entry, packed, at));
    at += header.length + packed.length;
  }
  const names = Buffer.concat(directory);
  const start = at + between.length;
  const end =
    zip64Count === undefined
      ? endRecord(count ?? entries.length, names.length, start)
      : Buffer.concat([largeEnd(zip64Count, names.length, start), endRecord(0xffff, names.length, start)]);
  return Buffer.concat([...local, between, names, end]);
}

function bytesOf(content: string | Buffer): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : content;
}

function packedOf({ content = '', method = DEFLATED, packed }: RawEntry): Buffer {
  if (packed !== undefined) return packed;
  return method === DEFLATED ? deflateRawSync(bytesOf(content)) : bytesOf(content);
}

function fixedFields(entry: RawEntry, packed: Buffer): Buffer {
  const content = bytesOf(entry.content ?? '');
  const flags = typeof entry.name === 'string' ? 0x800 : 0;
  const truth = { flags, method: DEFLATED, crc: crc32(content), packedSize: packed.length, size: content.length };
  const told = { ...truth, ...entry };
  const inExtra = entry.isZip64 === true ? 0xffffffff : null;
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(45, 0);
  fields.writeUInt16LE(told.flags, 2);
  fields.writeUInt16LE(told.method, 4);
  fields.writeUInt32LE(told.crc, 10);
  fields.writeUInt32LE(inExtra ?? told.packedSize, 14);
  fields.writeUInt32LE(inExtra ?? told.size, 18);
  fields.writeUInt16LE(bytesOf(entry.name).length, 22);
  return fields;
}

function localHeader(entry: RawEntry, packed: Buffer): Buffer {
  return Buffer.concat([Buffer.from('PK\u0003\u0004'), fixedFields(entry, packed), bytesOf(entry.name)]);
}

function directoryEntry(entry: RawEntry, packed: Buffer, at: number): Buffer {
  const extra = entry.isZip64 === true ? largeSizes(entry, packed) : Buffer.alloc(0);
  const fields = fixedFields(entry, packed);
  fields.writeUInt16LE(extra.length, 24);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6);
  rest.writeUInt32LE(entry.offset ?? at, 10);
  const madeBy = Buffer.from([20, 3]);
  return Buffer.concat([Buffer.from('PK\u0001\u0002'), madeBy, fields, rest, bytesOf(entry.name), extra]);
}

function largeSizes(entry: RawEntry, packed: Buffer): Buffer {
  const extra = Buffer.alloc(20);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(entry.size ?? bytesOf(entry.content ?? '').length), 4);
  extra.writeBigUInt64LE(BigInt(entry.packedSize ?? packed.length), 12);
  return extra;
}

function endRecord(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}

/** The end record of zip64 and the record that tells where it is. */
function largeEnd(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(56);
  end.write('PK\u0006\u0006', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007', 'latin1');
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}

/** A reader with folders of its own. */
export interface ArchiveBench extends AsyncDisposable {
  readonly reader: ZipArchiveReader;
  readonly write: (bytes: Uint8Array) => Promise<string>;
  /** As the reader's process does it, without starting one each time. */
  readonly unpackHere: (bytes: Uint8Array, headBytes: number | null) => Promise<readonly UnpackedFile[]>;
  /** What lies in the folder for unpacked files. */
  readonly unpacked: () => Promise<readonly string[]>;
  readonly folder: string;
}

export async function anArchiveBench(limits?: ArchiveLimits): Promise<ArchiveBench> {
  const folder = await mkdtemp(join(tmpdir(), 'archives-'));
  const tempDir = join(folder, 'unpacked');
  const reader = new ZipArchiveReader(tempDir, limits);
  await reader.open();
  let archives = 0;
  const write = async (bytes: Uint8Array): Promise<string> => {
    archives += 1;
    const path = join(folder, `${archives}.zip`);
    await writeFile(path, bytes);
    return path;
  };
  return {
    reader,
    folder,
    write,
    unpackHere: async (bytes, headBytes) => {
      const own = await mkdtemp(join(folder, 'here-'));
      const watch = { onPlan: () => undefined, onBytes: () => undefined };
      try {
        return await unpackFile(await write(bytes), 'the file', { folder: own, headBytes, only: null, ...watch });
      } catch (error) {
        await rm(own, { recursive: true });
        throw error;
      }
    },
    unpacked: () => readdir(tempDir, { recursive: true }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export const NO_ABORT = new AbortController().signal;
