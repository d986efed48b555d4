import { fileURLToPath } from 'node:url';
import { crc32, deflateSync } from 'node:zlib';
import { type Canvas, GlobalFonts } from 'canvas';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import * as vega from 'vega';

const SCALE = 2;

const MACHINE_FONTS = GlobalFonts.families.map(({ family }) => `"${family}"`);
const FONT = 'Inter';

for (const file of ['400Regular/Inter_400Regular.ttf', '600SemiBold/Inter_600SemiBold.ttf']) {
  GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(`@expo-google-fonts/inter/${file}`)), FONT);
}

/** Ours is looked into first. To look for letters through all of them takes a while, and is of use only for those that ours lacks. */
const ALL_FONTS = [FONT, ...MACHINE_FONTS.filter(isSans), ...MACHINE_FONTS.filter((name) => !isSans(name))].join(', ');
/** Letters that ours lacks. */
const LACKING = /[^\p{ASCII}\u00a0-\u024f\u0374-\u03d7\u0400-\u0479\u1e00-\u1eff\u2010-\u2027\u20a0-\u20bf]/u;

function isSans(name: string): boolean {
  return name.includes('Sans');
}

const refuse = (): Promise<never> => Promise.reject(new Error('a chart loads nothing'));

/**
 * Draws a Vega-Lite specification. Expressions are interpreted, never compiled to code, and nothing is loaded from anywhere. Letters that
 * the chart's font lacks come from the fonts of the machine.
 */
export async function drawPng(specification: TopLevelSpec): Promise<Buffer> {
  const font = LACKING.test(JSON.stringify(specification)) ? ALL_FONTS : FONT;
  const config = { ...specification.config, font };
  const { spec } = compile({ ...specification, config }, { logger: vega.logger(vega.None) });
  const view = new vega.View(vega.parse(spec, { background: '#ffffff' }, { ast: true }), {
    expr: expressionInterpreter,
    loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
    logger: vega.logger(vega.None),
    renderer: 'none',
  });
  try {
    // Vega makes its canvas with the package `canvas`; package.json gives that name to @napi-rs/canvas.
    return encoded((await view.toCanvas(SCALE)) as Canvas);
  } finally {
    view.finalize();
  }
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const NO_MORE = Buffer.alloc(0);
const BYTES_A_PIXEL = 4;
/** Kept for the next picture: what is allocated for each anew costs as much as painting it. */
let scratch = NO_MORE;

/** The picture as PNG. The library's own encoder takes ten times as long as painting does. */
function encoded(canvas: Canvas): Buffer {
  const { width, height } = canvas;
  const pixels = canvas.data();
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8); // 8 bits of each colour and of opacity
  const bytes = width * BYTES_A_PIXEL;
  // Every row begins with its filter, 0 for none.
  const size = height * (bytes + 1);
  if (scratch.length < size) scratch = Buffer.alloc(size);
  const lines = scratch.subarray(0, size);
  for (let row = 0; row < height; row += 1) {
    const start = row * (bytes + 1);
    lines[start] = 0;
    pixels.copy(lines, start + 1, row * bytes, (row + 1) * bytes);
  }
  // Its memory is free at once, and not when it is collected.
  canvas.width = 1;
  canvas.height = 1;
  const body = deflateSync(lines, { level: 1 });
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', NO_MORE)]);
}

function chunk(type: string, body: Buffer): Buffer {
  const [length, sum, typed] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), body])];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}
