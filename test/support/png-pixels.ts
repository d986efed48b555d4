import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** How many pixels there are of each colour, as `#rrggbb`. */
  readonly colors: ReadonlyMap<string, number>;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** What a PNG of eight bits a channel holds, `channels` bytes a pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytes: Buffer;
}

/** Decodes a PNG of eight bits a channel, enough to see what is in a picture. */
export function readPng(file: Buffer): Picture {
  const { width, height, channels, bytes } = pixelsOf(file);
  return { width, height, colors: colorsOf(bytes, channels) };
}

export function pixelsOf(file: Buffer): Pixels {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('not a PNG');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const channels = CHANNELS[file.readUInt8(25)];
  if (file.readUInt8(24) !== 8 || channels === undefined) throw new Error('not a PNG of this kind');
  const lines = inflateSync(Buffer.concat(chunksOf(file, 'IDAT')));
  return { width, height, channels, bytes: unfiltered(lines, width * channels, height, channels) };
}

function colorsOf(pixels: Buffer, channels: number): ReadonlyMap<string, number> {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += channels) {
    const color = pixels.readUIntBE(at, 3);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return new Map([...counts].map(([color, count]) => [`#${color.toString(16).padStart(6, '0')}`, count]));
}

function chunksOf(file: Buffer, wanted: string): readonly Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === wanted) chunks.push(file.subarray(at + 8, at + 8 + length));
  }
  return chunks;
}

/** Each line begins with the number of its filter: every byte was written as the difference to what was foretold. */
function unfiltered(raw: Buffer, lineLength: number, height: number, channels: number): Buffer {
  const pixels = Buffer.alloc(lineLength * height);
  let above: Uint8Array = new Uint8Array(lineLength);
  for (let line = 0; line < height; line++) {
    const start = line * (lineLength + 1);
    const current = pixels.subarray(line * lineLength, (line + 1) * lineLength);
    raw.copy(current, 0, start + 1, start + 1 + lineLength);
    unfilter(current, above, raw.readUInt8(start), channels);
    above = current;
  }
  return pixels;
}

function unfilter(line: Uint8Array, above: Uint8Array, filter: number, channels: number): void {
  for (const [column, written] of line.entries()) {
    const [left, corner] = [line[column - channels] ?? 0, above[column - channels] ?? 0];
    line[column] = written + foretold(filter, left, above[column] ?? 0, corner);
  }
}

function foretold(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  return filter === 3 ? (left + above) >> 1 : paeth(left, above, corner);
}

function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
