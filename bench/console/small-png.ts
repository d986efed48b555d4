import { crc32, deflateSync } from 'node:zlib';
import { pixelsOf } from '../../test/support/png-pixels.js';

const MOST_COLOURS = 256;
const FREQUENT_COLOURS = 192;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const WITH_PALETTE = 3;

/** The same picture of at most 256 colours, for a page has few, and the edges of its letters many that nobody tells apart. */
export function smallPng(file: Buffer): Buffer {
  const { width, height, channels, bytes } = pixelsOf(file);
  const counts = new Map<number, number>();
  for (let at = 0; at < bytes.length; at += channels) {
    const colour = bytes.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(counts);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let at = 0, pixel = 0; at < bytes.length; at += channels, pixel += 1) {
    const line = Math.floor(pixel / width);
    lines[pixel + line + 1] = places.get(bytes.readUIntBE(at, 3)) ?? 0;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, WITH_PALETTE], 8);
  const colours = Buffer.alloc(palette.length * 3);
  for (const [place, colour] of palette.entries()) colours.writeUIntBE(colour, place * 3, 3);
  const drawn = deflateSync(lines, { level: 9 });
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('PLTE', colours), chunk('IDAT', drawn), chunk('IEND')]);
}

/** The most frequent colours, and of the rest those that are least like any of them: a small dot may be all that is red. */
function paletteOf(counts: ReadonlyMap<number, number>): readonly number[] {
  const colours = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = colours.slice(0, FREQUENT_COLOURS);
  const rest = colours.slice(FREQUENT_COLOURS);
  const distances = rest.map((colour) => Math.min(...palette.map((one) => distanceOf(one, colour))));
  while (palette.length < MOST_COLOURS && palette.length < colours.length) {
    const farthest = rest[distances.indexOf(Math.max(...distances))] ?? 0;
    palette.push(farthest);
    for (const [place, colour] of rest.entries())
      distances[place] = Math.min(distances[place] ?? 0, distanceOf(farthest, colour));
  }
  return palette;
}

function chunk(name: string, content = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function nearest(palette: readonly number[], colour: number): number {
  let [best, least] = [0, Infinity];
  for (const [place, one] of palette.entries()) {
    const distance = distanceOf(one, colour);
    if (distance < least) [best, least] = [place, distance];
    if (distance === 0) break;
  }
  return best;
}

function distanceOf(one: number, other: number): number {
  const part = (shift: number): number => ((one >> shift) & 255) - ((other >> shift) & 255);
  return part(16) ** 2 + part(8) ** 2 + part(0) ** 2;
}
