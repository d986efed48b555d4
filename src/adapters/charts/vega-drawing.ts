import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { renderAsync, type RenderedImage } from '@resvg/resvg-js';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import * as vega from 'vega';

/** Widths of a font's letters: what the drawing library has to know to place text, and can't find out without a browser. */
class FontWidths {
  private readonly widths = new Map<number, number>();
  private readonly file: DataView;
  private readonly tables: ReadonlyMap<string, number>;

  constructor(path: string) {
    const bytes = readFileSync(path);
    this.file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.tables = this.readTables();
    this.readLetters();
  }

  /** The width of a text in pixels. Letters that the font does not have count as wide ones. */
  widthOf(text: string, fontSize: number): number {
    return (
      Array.from(text).reduce((sum, letter) => sum + (this.widths.get(letter.codePointAt(0) ?? 0) ?? 1), 0) * fontSize
    );
  }

  /** Whether the font has every letter of a text; signs of control need none. */
  covers(text: string): boolean {
    // Every font has those of ASCII.
    const letters = new Set(text.match(/[^\p{ASCII}\p{Cc}\p{Cf}]/gu));
    return [...letters].every((letter) => this.widths.has(letter.codePointAt(0) ?? 0));
  }

  private readTables(): ReadonlyMap<string, number> {
    const tag = (at: number): string =>
      String.fromCharCode(...[0, 1, 2, 3].map((index) => this.file.getUint8(at + index)));
    const records = Array.from({ length: this.file.getUint16(4) }, (_, index) => 12 + index * 16);
    return new Map(records.map((at) => [tag(at), this.file.getUint32(at + 8)]));
  }

  private table(name: string): number {
    const at = this.tables.get(name);
    if (at === undefined) throw new Error(`the font has no table ${name}`);
    return at;
  }

  /** The character map in format 4, which every TrueType font has for the letters of the basic plane. */
  private readLetters(): void {
    const map = this.segmentedMap();
    const count = this.file.getUint16(map + 6) / 2;
    for (let segment = 0; segment < count; segment++) this.readSegment(map + 14, count, segment);
  }

  private segmentedMap(): number {
    const cmap = this.table('cmap');
    const records = Array.from({ length: this.file.getUint16(cmap + 2) }, (_, index) => cmap + 4 + index * 8);
    const found = records.map((at) => cmap + this.file.getUint32(at + 4)).find((at) => this.file.getUint16(at) === 4);
    if (found === undefined) throw new Error('the font has no character map of format 4');
    return found;
  }

  private readSegment(ends: number, count: number, segment: number): void {
    const at = (list: number): number => ends + (list * count + segment) * 2 + (list > 0 ? 2 : 0);
    const [end, start] = [this.file.getUint16(at(0)), this.file.getUint16(at(1))];
    const [delta, offset] = [this.file.getUint16(at(2)), this.file.getUint16(at(3))];
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const glyph = offset === 0 ? code : this.file.getUint16(at(3) + offset + (code - start) * 2);
      if (glyph !== 0) this.widths.set(code, this.advanceOf((glyph + delta) & 0xffff));
    }
  }

  private advanceOf(glyph: number): number {
    const last = this.file.getUint16(this.table('hhea') + 34) - 1;
    return (
      this.file.getUint16(this.table('hmtx') + Math.min(glyph, last) * 4) / this.file.getUint16(this.table('head') + 18)
    );
  }
}

const SCALE = 2;

const FONTS = {
  regular: fontFile('400Regular/Inter_400Regular.ttf'),
  semibold: fontFile('600SemiBold/Inter_600SemiBold.ttf'),
};

const WIDTHS = { regular: new FontWidths(FONTS.regular), semibold: new FontWidths(FONTS.semibold) };

function fontFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${name}`));
}

interface TextItem {
  readonly fontSize?: number;
  readonly fontWeight?: string | number;
}

/** vega's typings leave out what it measures text with. */
interface TextMetrics {
  width: (item: TextItem, text: string | number | null | undefined) => number;
}

// Without a browser vega takes every letter for a wide one, and leaves room for what isn't there.
const { textMetrics } = vega as unknown as { readonly textMetrics: TextMetrics };
textMetrics.width = (item, text) => {
  const font = item.fontWeight === 600 || item.fontWeight === 'bold' ? WIDTHS.semibold : WIDTHS.regular;
  return font.widthOf(String(text ?? ''), item.fontSize ?? 11);
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
      loadSystemFonts: !WIDTHS.regular.covers(svg),
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
