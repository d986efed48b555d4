import { type FileHandle, open } from 'node:fs/promises';

const HEAD_BYTES = 1024 ** 2;
const SAMPLE_BYTES = 256 * 1024;

/** Parts of a file, as bytes. */
export interface FileSamples {
  readonly size: number;
  readonly head: Buffer;
  /** From the middle and the end, each beginning anywhere in a line; none when the head is the whole file. */
  readonly later: readonly FileSample[];
}

export interface FileSample {
  readonly bytes: Buffer;
  /** It reaches to the end of the file. */
  readonly isLast: boolean;
}

/** Reads at most one and a half megabytes, wherever the file ends. */
export async function readSamples(path: string): Promise<FileSamples> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, Math.min(size, HEAD_BYTES));
    const later: FileSample[] = [];
    for (const start of laterStarts(size)) {
      const bytes = await readAt(file, start, Math.min(SAMPLE_BYTES, size - start));
      later.push({ bytes, isLast: start + bytes.length >= size });
    }
    return { size, head, later };
  } finally {
    await file.close();
  }
}

/** Even offsets, so that the bytes of UTF-16 stay together. */
function laterStarts(size: number): readonly number[] {
  const end = Math.max(HEAD_BYTES, size - SAMPLE_BYTES - (size % 2));
  const middle = Math.floor(size / 4) * 2;
  if (size <= HEAD_BYTES) return [];
  return middle >= HEAD_BYTES && middle + SAMPLE_BYTES <= end ? [middle, end] : [end];
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
