import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import * as vega from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { FontWidths } from './font-widths.js';

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
    return pngOf(await view.toSVG());
  } finally {
    view.finalize();
  }
}

function pngOf(svg: string): Buffer {
  const picture = new Resvg(svg, {
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
  return picture.render().asPng();
}
