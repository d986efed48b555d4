import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { renderAsync, type RenderedImage } from '@resvg/resvg-js';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import * as vega from 'vega';

/** The widths of a font's letters in parts of its size: what the drawing library has to know to place text, and can't find out without a browser. */
function widthsIn(path: string): ReadonlyMap<number, number> {
  const file = readFileSync(path);
  const records = Array.from({ length: file.readUInt16BE(4) }, (_, index) => 12 + index * 16);
  const tables = new Map(records.map((at) => [file.toString('latin1', at, at + 4), file.readUInt32BE(at + 8)]));
  const [cmap = 0, hhea = 0, hmtx = 0, head = 0] = ['cmap', 'hhea', 'hmtx', 'head'].map((name) => tables.get(name));
  const last = file.readUInt16BE(hhea + 34) - 1;
  const unit = file.readUInt16BE(head + 18);
  const widths = new Map<number, number>();
  for (const [code, glyph] of glyphsIn(file, cmap)) {
    widths.set(code, file.readUInt16BE(hmtx + Math.min(glyph, last) * 4) / unit);
  }
  return widths;
}

/** By the character map in format 4, which every TrueType font has for the letters of the basic plane. */
function* glyphsIn(file: Buffer, cmap: number): Generator<readonly [code: number, glyph: number]> {
  const records = Array.from({ length: file.readUInt16BE(cmap + 2) }, (_, index) => cmap + 4 + index * 8);
  const map = records.map((at) => cmap + file.readUInt32BE(at + 4)).find((at) => file.readUInt16BE(at) === 4);
  if (map === undefined) throw new Error('the font has no character map of format 4');
  const count = file.readUInt16BE(map + 6) / 2;
  for (let segment = 0; segment < count; segment++) {
    const at = (list: number): number => map + 14 + (list * count + segment) * 2 + (list > 0 ? 2 : 0);
    const read = (list: number): number => file.readUInt16BE(at(list));
    const [end, start, delta, offset] = [read(0), read(1), read(2), read(3)];
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const glyph = offset === 0 ? code : file.readUInt16BE(at(3) + offset + (code - start) * 2);
      if (glyph !== 0) yield [code, (glyph + delta) & 0xffff];
    }
  }
}

/** The width of a text in parts of its size. Letters that the font does not have count as wide ones. */
function widthOf(text: string, widths: ReadonlyMap<number, number>): number {
  return Array.from(text).reduce((sum, letter) => sum + (widths.get(letter.codePointAt(0) ?? 0) ?? 1), 0);
}

/** Whether our font has every letter of a text; signs of control need none, and it has those of ASCII. */
function covers(text: string): boolean {
  const letters = new Set(text.match(/[^\p{ASCII}\p{Cc}\p{Cf}]/gu));
  return [...letters].every((letter) => WIDTHS.regular.has(letter.codePointAt(0) ?? 0));
}

const SCALE = 2;

const FONTS = {
  regular: fontFile('400Regular/Inter_400Regular.ttf'),
  semibold: fontFile('600SemiBold/Inter_600SemiBold.ttf'),
};

const WIDTHS = { regular: widthsIn(FONTS.regular), semibold: widthsIn(FONTS.semibold) };

function fontFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${name}`));
}

/** vega's typings leave out what it measures text with. */
interface TextMetrics {
  width: (
    item: { fontSize?: number; fontWeight?: string | number },
    text: string | number | null | undefined,
  ) => number;
}

// Without a browser vega takes every letter for a wide one, and leaves room for what isn't there.
const { textMetrics } = vega as unknown as { readonly textMetrics: TextMetrics };
textMetrics.width = (item, text) => {
  const widths = item.fontWeight === 600 || item.fontWeight === 'bold' ? WIDTHS.semibold : WIDTHS.regular;
  return widthOf(String(text ?? ''), widths) * (item.fontSize ?? 11);
};

const refuse = (): Promise<never> => Promise.reject(new Error('a chart loads nothing'));

/** Draws a Vega-Lite specification. Expressions are interpreted, never compiled to code, and nothing is loaded from anywhere. */
export async function drawPng(specification: TopLevelSpec): Promise<Buffer> {
  const { spec } = compile(specification, { logger: vega.logger(vega.None) });
  const view = new vega.View(vega.parse(spec, {}, { ast: true }), {
    expr: expressionInterpreter,
    loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
    logger: vega.logger(vega.None),
    renderer: 'none',
  });
  try {
    return await pngOf(await view.toSVG());
  } finally {
    view.finalize();
  }
}

/** Beside the thread that lays charts out: as one is painted and compressed, the next is laid out. */
async function pngOf(svg: string): Promise<Buffer> {
  const picture = await renderAsync(svg, {
    background: '#ffffff',
    fitTo: { mode: 'zoom', value: SCALE },
    font: {
      fontFiles: [FONTS.regular, FONTS.semibold],
      // Looking through them takes a while, and is of use for letters only that ours does not have.
      loadSystemFonts: !covers(svg),
      defaultFontFamily: 'Inter',
      sansSerifFamily: 'Inter',
    },
  });
  return encoded(picture);
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const NO_MORE = Buffer.alloc(0);
const BYTES_A_PIXEL = 4;
const compressed = promisify<Buffer, { level: number }, Buffer>(deflate);

/** The picture as PNG. The encoder of the library takes longer than painting does, and makes larger files. */
async function encoded({ pixels, width, height }: RenderedImage): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8); // 8 bits of each colour and of opacity
  const bytes = width * BYTES_A_PIXEL;
  // Every row begins with its filter, 0 for none.
  const lines = Buffer.alloc(height * (bytes + 1));
  for (let row = 0; row < height; row += 1) pixels.copy(lines, row * (bytes + 1) + 1, row * bytes, (row + 1) * bytes);
  const body = await compressed(lines, { level: 1 });
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', NO_MORE)]);
}

function chunk(type: string, body: Buffer): Buffer {
  const [length, sum, typed] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), body])];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
