import { expect, it } from 'vitest';
import type { Layout } from '../import/record-scanner.js';
import { splitText } from './records.js';

// That all records and fields are found is tried in test/contracts/duckdb-prescan.test.ts, against what an import makes of them.

const COMMAS: Layout = { delimiter: ',', quote: '"', escape: '"', trims: false };

it('a quote that is cut off with the text is not called open', () => {
  const found = splitText('a,b\nc,"d', COMMAS, { mostRows: 9, isCut: true });
  expect(found).toMatchObject({ rows: [{ cells: ['a', 'b'] }], faults: [] });
});

it('a hundred thousand quotes that are opened in vain are passed over soon', () => {
  const begin = performance.now();
  splitText(`x,"\n${'""y\n'.repeat(100_000)}`, COMMAS);
  expect(performance.now() - begin).toBeLessThan(10_000);
});
