import { existsSync } from 'node:fs';
import type { TopLevelSpec } from 'vega-lite';
import { expect, it } from 'vitest';
import { drawPng } from './vega-drawing.js';

/** Fonts with Hebrew letters, which the service's own has not. */
const HEBREW = ['dejavu/DejaVuSans.ttf', 'liberation/LiberationSans-Regular.ttf', 'noto/NotoSansHebrew-Regular.ttf'];
const isHebrewThere = HEBREW.some((file) => existsSync(`/usr/share/fonts/truetype/${file}`));
if (!isHebrewThere) console.warn('SKIPPED: letters of other fonts. To run it: apt-get install fonts-dejavu-core');

function barsOf(label: string): TopLevelSpec {
  const encoding = { y: { field: 'k', type: 'nominal' }, x: { field: 'n', type: 'quantitative' } } as const;
  return { mark: 'bar', data: { values: [{ k: label, n: 1 }] }, encoding, config: { font: 'Inter' } };
}

// Where no font has a letter its box looks like that of every other.
it.runIf(isHebrewThere)('takes letters that its own font lacks from the fonts of the machine', async () => {
  const [first, second] = [await drawPng(barsOf('א')), await drawPng(barsOf('ש'))];
  expect(second.equals(first)).toBe(false);
});
