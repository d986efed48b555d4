import { openFile } from './zip-directory.js';

/** What a file is, as its bytes tell. */
export type Format = 'zip' | 'gzip' | 'zstd' | 'parquet' | 'json' | 'text';

const BEGINNINGS: readonly (readonly [beginning: string, format: Format])[] = [
  // A local file, the end of an empty archive, and the mark of one that was made in parts.
  ['PK\u0003\u0004', 'zip'],
  ['PK\u0005\u0006', 'zip'],
  ['PK\u0007\u0008', 'zip'],
  ['\u001f\u008b\u0008', 'gzip'],
  ['\u0028\u00b5\u002f\u00fd', 'zstd'],
  ['PAR1\u0015', 'parquet'],
];
const LOOKED_AT_BYTES = 4096;
const JSON_BEGINNING = /^(?:\u00ef\u00bb\u00bf)?\s*(?:\[\s*)?\{\s*(?:"[^"\n]*"\s*:|\}\s*[,\]\n\r])/;
/** It may be JSON that is no table, and is no CSV file at all. */
const NESTED_BEGINNING = /^(?:\u00ef\u00bb\u00bf)?\s*(?:\[\s*\[|(?:[[{]\s*){3})/;

export async function formatOf(path: string): Promise<Format> {
  return formatOfBytes(await beginningOf(path));
}

/** At most 4 KiB. */
export async function beginningOf(path: string): Promise<Buffer> {
  await using file = await openFile(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

export function formatOfBytes(head: Buffer): Format {
  const text = head.toString('latin1', 0, LOOKED_AT_BYTES);
  const [, format] = BEGINNINGS.find(([beginning]) => text.startsWith(beginning)) ?? [];
  return format ?? (JSON_BEGINNING.test(text) || NESTED_BEGINNING.test(text) ? 'json' : 'text');
}

/** What is to become of an upload. */
export interface Unpacking {
  /** Exists, is empty, and is on this machine's disk. */
  readonly folder: string;
  /** Of each file only the first lines, up to so many bytes; `null`: the whole. */
  readonly headBytes: number | null;
  /** Only the files of these names; `null`: all. */
  readonly only: readonly string[] | null;
  /** So many bytes of work are to come, and as much time may be taken as writing `atMost` bytes takes. */
  readonly onPlan: (bytes: number, atMost: number) => void;
  /** Told of every piece of work that is done. */
  readonly onBytes: (bytes: number) => void;
}
