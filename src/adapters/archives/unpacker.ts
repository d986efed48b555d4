import { createReadStream, type ReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import { isAppError } from '../../shared/app-error.js';
import { storageError } from '../storage/storage-error.js';
import { assertDifferent, assertNoBomb, mostUnpacked, refused, shown } from './entry-rules.js';
import { formatOf, formatOfBytes, type Unpacking } from './format.js';
import { MadeFile } from './made-file.js';
import { sheetsOf } from './workbook.js';
import { ZipDirectory } from './zip-directory.js';
import { plannedBytes, unpackAll, unpackedBy, wholeLines } from './zip-unpacking.js';

const PACKED = /\.(?:gz|zst)$/i;

/** The tables of a file as CSV files in the folder. @throws AppError `invalid_input` that says what is wrong with it, `no_space`. */
export function unpackFile(path: string, name: string, unpacking: Unpacking): Promise<readonly UnpackedFile[]> {
  return new Unpacker(unpacking).open(path, name, { isAlone: true, isPacked: false });
}

interface Place {
  /** It is the upload itself and lies in no archive. */
  readonly isAlone: boolean;
  /** Something was unpacked to get here, which is done once. */
  readonly isPacked: boolean;
}

class Unpacker {
  private written = 0;

  constructor(private readonly unpacking: Unpacking) {}

  async open(path: string, name: string, place: Place): Promise<readonly UnpackedFile[]> {
    const format = await formatOf(path);
    switch (format) {
      case 'zip':
        return this.openZip(path, name, place);
      case 'gzip':
      case 'zstd':
        return this.openPacked(path, name, { format, ...place });
      case 'parquet':
      case 'json':
        return [await this.openTable(path, name, format)];
      case 'text': {
        const { size } = await stat(path);
        return [{ name, size, path, isWhole: true, isConverted: true }];
      }
    }
  }

  private async openZip(path: string, name: string, place: Place): Promise<readonly UnpackedFile[]> {
    await using archive = await ZipDirectory.open(path);
    if (archive.isWorkbook)
      return await sheetsOf(archive, { ...this.unpacking, name, ...place, newPath: this.newPath });
    if (!place.isAlone || place.isPacked) throw refused(`there is an archive in the archive: ${shown(name)}`);
    const { headBytes, onPlan } = this.unpacking;
    const planned = plannedBytes(archive, headBytes);
    onPlan(planned, planned);
    const files: UnpackedFile[] = [];
    const inside = { isAlone: false, isPacked: false };
    for (const file of await unpackAll(archive, this.unpacking, (entry) => this.wants(entry)))
      files.push(...(file.isConverted === true ? await this.openUnpacked(file.path, file.name, inside) : [file]));
    assertDifferent(files.map((file) => file.name));
    return files;
  }

  /** Opens what was unpacked as it is, and removes it when it was made other files. */
  private async openUnpacked(path: string, name: string, place: Place): Promise<readonly UnpackedFile[]> {
    const opened = await this.open(path, name.replace(PACKED, ''), place);
    if (opened.every((file) => file.path !== path)) await rm(path);
    return opened;
  }

  private async openPacked(
    path: string,
    name: string,
    { format, isPacked, isAlone }: Place & { readonly format: Packing },
  ): Promise<readonly UnpackedFile[]> {
    if (isPacked) throw refused(`the file is packed more than once: ${shown(name)}`);
    const to = this.newPath();
    const unpacked = await decompress(path, format, { ...this.unpacking, to });
    if (unpacked.isText) return [{ name: name.replace(PACKED, ''), path: to, isConverted: true, ...unpacked }];
    return this.openUnpacked(to, name, { isAlone, isPacked: true });
  }

  private async openTable(path: string, name: string, format: 'parquet' | 'json'): Promise<UnpackedFile> {
    // A database is loaded by the few that need one.
    const { readTable } = await import('./typed-tables.js');
    const to = this.newPath();
    const file = await readTable({ ...this.unpacking, path, format, to });
    return { ...file, name, path: to, isConverted: true };
  }

  /** An entry of an archive that is wanted, or has in it what is. */
  private wants(path: string): boolean {
    const { only } = this.unpacking;
    const name = path.replace(PACKED, '');
    return only === null || only.some((one) => one === name || one === path || one.startsWith(`${name}/`));
  }

  private readonly newPath = (): string => join(this.unpacking.folder, `made-${this.written++}.csv`);
}

const CHUNK = 256 * 1024;
/** Beyond the head so much is unpacked to see how large the rest is, and that it is no bomb. */
const TRIED_BYTES = 64 * 1024 ** 2;

type Packing = 'gzip' | 'zstd';

/** What was written, and whether it is text. Of text the head is enough; everything else can only be opened whole. */
type Decompressed = Pick<UnpackedFile, 'size' | 'isWhole'> & { readonly isText: boolean };

/** @throws AppError `invalid_input` when it is damaged or a bomb, `no_space`. */
async function decompress(
  path: string,
  packing: Packing,
  { to, headBytes, onPlan, onBytes }: Unpacking & { readonly to: string },
): Promise<Decompressed> {
  const { size: packed } = await stat(path);
  onPlan(packed, mostUnpacked(packed));
  const source = createReadStream(path, { highWaterMark: CHUNK });
  await using file = await MadeFile.create(to, packed);
  let isText: boolean | null = null;
  let [unpacked, read] = [0, 0];
  try {
    for await (const piece of UNPACK[packing](source)) {
      onBytes(source.bytesRead - read);
      read = source.bytesRead;
      isText ??= formatOfBytes(piece) === 'text';
      unpacked += piece.length;
      const most = isText && headBytes !== null ? headBytes : Infinity;
      assertNoBomb(unpacked, packed);
      if (file.bytes < most) await file.write(piece.subarray(0, most - file.bytes));
      if (unpacked > most + TRIED_BYTES) break;
    }
  } catch (error) {
    const known = storageError(error);
    throw isAppError(known) ? known : refused(`the ${packing} file is damaged or incomplete`, error);
  } finally {
    source.destroy();
  }
  const isWhole = unpacked === file.bytes;
  if (!isWhole) await file.cut(wholeLines);
  // What is left grows as what was seen.
  const size = isWhole ? unpacked : Math.round((unpacked / read) * packed);
  return { size, isWhole, isText: isText ?? true };
}

const UNPACK: Readonly<Record<Packing, (source: ReadStream) => AsyncIterable<Buffer>>> = {
  gzip: (source) => unpackedBy(createGunzip({ chunkSize: CHUNK }), source),
  async *zstd(source) {
    let pieces: Buffer[] = [];
    const unpack = new Decompress((piece) => {
      pieces.push(Buffer.from(piece));
    });
    for await (const packed of source as AsyncIterable<Buffer>) {
      unpack.push(packed);
      yield* pieces;
      pieces = [];
    }
    unpack.push(new Uint8Array(0), true);
    yield* pieces;
  },
};
