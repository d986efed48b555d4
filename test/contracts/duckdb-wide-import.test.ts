import { describe, expect, it } from 'vitest';
import type { LoadSource } from '../../src/ports/row-engine.js';
import { importBench, typed } from './duckdb-import.fixture.js';

const MOST_COLUMNS = 2000;
/** A quarter of the columns in half of the memory take much less than a quarter of the time. */
const [COLUMNS, MEMORY_MB] = process.env['TEST_LONG'] === '1' ? [MOST_COLUMNS, 1024] : [MOST_COLUMNS / 4, 512];

/** The names of the columns that are numbers. */
function numbers(columns: number): readonly string[] {
  return Array.from({ length: columns - 2 }, (_, index) => `n${index}`);
}

function wide(columns: number): Partial<LoadSource> {
  const names = numbers(columns);
  return {
    ...typed(['time', 'time'], ['device', 'text'], ...names.map((name) => [name, 'integer'] as const)),
    values: names,
  };
}

/** A row for each minute; all numbers of a row are its number, but for one. */
function lines(columns: number, rows: number, odd: Readonly<Record<number, string>> = {}): string {
  const names = numbers(columns);
  const written = Array.from({ length: rows }, (_, row) => {
    const cells = names.map((_name, index) => (index === 300 ? (odd[row] ?? String(row)) : String(row)));
    return ['2024-01-01 00:0' + String(row % 10) + ':00', 'a', ...cells].join(',');
  });
  return [['time', 'device', ...names].join(','), ...written, ''].join('\n');
}

describe(`a table of ${COLUMNS} columns of numbers`, () => {
  const { imported } = importBench(MEMORY_MB);

  it('is imported, and what does not fit is found in its column', { timeout: 60_000 }, async () => {
    const { report } = await imported([{ text: lines(COLUMNS, 8, { 5: 'oops' }) }], wide(COLUMNS));
    expect(report).toMatchObject({ rows: 7, rejected: 1, profile: { rowCount: 7 } });
    expect(report.rejectedSample).toMatchObject([{ line: 7, reason: expect.stringContaining('n300') as string }]);
    const last = `n${COLUMNS - 3}`;
    expect(report.profile.columns.find(({ name }) => name === last)).toMatchObject({ type: 'integer' });
  });
});

describe('a table with more columns than there is memory for', () => {
  const { imported } = importBench(256);

  it('is refused, and the reason says who can help', { timeout: 60_000 }, async () => {
    await expect(imported([{ text: lines(MOST_COLUMNS, 3) }], wide(MOST_COLUMNS))).rejects.toThrow(
      'not enough memory to import 2000 columns; an operator can allow imports more (IMPORT_MEMORY_MB)',
    );
  });
});
