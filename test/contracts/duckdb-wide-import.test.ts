import { describe, expect, it } from 'vitest';
import type { LoadSource } from '../../src/ports/row-engine.js';
import { importBench, typed } from './duckdb-import.fixture.js';

const COLUMNS = 2000;
const NUMBERS = Array.from({ length: COLUMNS - 2 }, (_, index) => `n${index}`);
const WIDE: Partial<LoadSource> = {
  ...typed(['time', 'time'], ['device', 'text'], ...NUMBERS.map((name) => [name, 'integer'] as const)),
  values: NUMBERS,
};

/** A row for each minute; all numbers of a row are its number, but for one. */
function lines(rows: number, odd: Readonly<Record<number, string>> = {}): string {
  const written = Array.from({ length: rows }, (_, row) => {
    const cells = NUMBERS.map((_name, index) => (index === 700 ? (odd[row] ?? String(row)) : String(row)));
    return ['2024-01-01 00:0' + String(row % 10) + ':00', 'a', ...cells].join(',');
  });
  return [['time', 'device', ...NUMBERS].join(','), ...written, ''].join('\n');
}

describe('a table of 2,000 columns of numbers', () => {
  const { imported } = importBench(1024);

  it('is imported, and what does not fit is found in its column', { timeout: 60_000 }, async () => {
    const { report } = await imported([{ text: lines(8, { 5: 'oops' }) }], WIDE);
    expect(report).toMatchObject({ rows: 7, rejected: 1, profile: { rowCount: 7 } });
    expect(report.rejectedSample).toMatchObject([{ line: 7, reason: expect.stringContaining('n700') as string }]);
    expect(report.profile.columns.find(({ name }) => name === 'n1997')).toMatchObject({ type: 'integer' });
  });
});

describe('a table with more columns than there is memory for', () => {
  const { imported } = importBench(256);

  it('is refused, and the reason says who can help', { timeout: 60_000 }, async () => {
    await expect(imported([{ text: lines(3) }], WIDE)).rejects.toThrow(
      'not enough memory to import 2000 columns; an operator can allow imports more (IMPORT_MEMORY_MB)',
    );
  });
});
