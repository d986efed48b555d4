import { createReadStream, type ReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import { isAppError } from '../../shared/app-error.js';
import { storageError } from '../storage/storage-error.js';
import { refused } from './archive-protocol.js';
import { mostUnpacked } from './entry-rules.js';
import { formatOfBytes, type Unpacking } from './format.js';
import { MadeFile } from './made-file.js';
import { unpackedBy, wholeLines } from './zip-unpacking.js';

const CHUNK = 256 * 1024;
/** Beyond the head so much is unpacked to see how large the rest is, and that it is no bomb. */
const TRIED_BYTES = 64 * 1024 ** 2;

type Packing = 'gzip' | 'zstd';

/** What was written, and whether it is text. Of text the head is enough; everything else can only be opened whole. */
type Decompressed = Pick<UnpackedFile, 'size' | 'isWhole'> & { readonly isText: boolean };

/** @throws AppError `invalid_input` when it is damaged or a bomb, `no_space`. */
export async function decompress(
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
      file.assertNoBomb(unpacked);
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
