import { describe, expect, it } from 'vitest';
import { fittingColumns, isCut, plainNumber, tableText } from './table-text.js';
import type { TableBriefing } from './chat-model.js';
import type { ColumnProfile } from './table.js';

function aColumn(name: string, parts: Partial<ColumnProfile> = {}): ColumnProfile {
  const none = { nulls: 0, distinct: 2, min: null, max: null, mean: null, topValues: [] };
  return { name, type: 'text', ...none, ...parts };
}

function aTable(columns: readonly ColumnProfile[], context = ''): TableBriefing {
  const fields = { timeField: '', metaField: '', values: [] };
  return { name: 'Sales', context, profile: { rowCount: 10, timeRange: null, columns, ...fields } };
}

function many(count: number): readonly ColumnProfile[] {
  const topValues = Array.from({ length: 15 }, (_, at) => ({ value: `value ${at}`, count: 1 }));
  return Array.from({ length: count }, (_, at) => aColumn(`measurement_${at}`, { distinct: 15, topValues }));
}

describe('what is told of a table', () => {
  it('has no time where there is none', () => {
    expect(tableText(aTable([aColumn('region')]))).toBe(
      'Table: data (datasource "Sales", 10 rows)\nColumns:\n- "region": text, 2 distinct',
    );
  });

  it('is whole where there is room, else has fewer values, and names every column of a wide table', () => {
    const [narrow, wider, wide] = [7, 60, 500].map((count) => aTable(many(count)));

    expect([narrow, wider, wide].map((table) => isCut(table!))).toEqual([false, true, true]);
    expect(tableText(narrow!)).toContain('"value 14"');
    expect(tableText(wider!)).toMatch(/- "measurement_59": text, 15 distinct, most frequent "value 0" .*"value 3"$/m);
    const told = tableText(wide!);
    for (const { name } of wide!.profile.columns) expect(told).toContain(JSON.stringify(name));
  });

  it('says how many columns are left out where even their names are too many', () => {
    const columns = Array.from({ length: 2000 }, (_, at) => aColumn(`${'long '.repeat(10)}${at}`));

    expect(tableText(aTable(columns, 'x'.repeat(9000)))).toMatch(/ and \d{4} more, which `describe` finds/);
    expect(tableText(aTable(columns, 'x'.repeat(9000))).length).toBeLessThan(12_000);
  });

  it('is followed by the columns of a wide table that fit the question, by names and by values', () => {
    const street = aColumn('unitPrice', { type: 'number' });
    const city = aColumn('place', { topValues: [{ value: 'Berlin', count: 3 }] });
    const table = aTable([...many(500), city, street]);

    expect(fittingColumns('What are the unit prices in Berlin?', table)).toEqual([
      expect.stringContaining('"unitPrice"'),
      expect.stringContaining('"place"'),
    ]);
    expect(fittingColumns('What are the unit prices?', aTable([street]))).toEqual([]);
  });
});

describe('plainNumber', () => {
  it.each([
    [12.299999999999999, '12.3'],
    [0.1 + 0.2, '0.3'],
    [-4.5, '-4.5'],
    [9007199254740991, '9007199254740991'],
    [1 / 3, '0.333333333333'],
  ])('is written as people do: %d', (value, told) => {
    expect(String(plainNumber(value))).toBe(told);
  });
});
