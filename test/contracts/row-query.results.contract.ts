import { describe, expect, it } from 'vitest';
import type { QueryResult } from '../../src/ports/table.js';
import { type QueryFixture, ROWS } from './row-query.fixture.js';

type Ask = (statement: string, options?: Parameters<QueryFixture['query']>[1]) => Promise<QueryResult>;

/** What a result looks like, and the table that it is about. */
export function resultContract(query: Ask): void {
  describe('a result', () => {
    it('has the header’s names, their types and plain values', async () => {
      const { columns, rows } = await query('SELECT * FROM data ORDER BY "Order Date" LIMIT 2');
      expect(columns).toEqual([
        { name: 'Order Date', type: 'time' },
        { name: 'Region', type: 'text' },
        { name: 'product', type: 'text' },
        { name: 'units', type: 'integer' },
        { name: 'Revenue (€)', type: 'number' },
        { name: 'returned', type: 'boolean' },
      ]);
      expect(rows).toEqual([
        ['2024-01-01T00:00:00.000Z', 'North', null, 0, 0, true],
        ['2024-01-01T01:00:00.000Z', 'South', 'Product 1', 1, 1.5, false],
      ]);
    });

    it('tells the statement and how many rows the table had', async () => {
      const result = await query('  SELECT max(units) FROM data  ');
      expect(result).toMatchObject({ dbquery: 'SELECT max(units) FROM data', rowsScanned: ROWS, truncated: false });
    });

    it('is cut at the most rows that were asked for, and says so', async () => {
      const result = await query('SELECT units FROM data', { maxRows: 7 });
      expect(result.rows).toHaveLength(7);
      expect(result.truncated).toBe(true);
    });

    it('is not called cut when it is exactly as long', async () => {
      const result = await query('SELECT units FROM data LIMIT 7', { maxRows: 7 });
      expect(result.rows).toHaveLength(7);
      expect(result.truncated).toBe(false);
    });

    it('has texts of at most 2,000 characters', async () => {
      const { rows } = await query(`SELECT repeat(repeat('x', 1000), 3)`);
      expect(rows).toEqual([[`${'x'.repeat(2000)}…`]]);
    });

    it('is cut when its lists are longer than can be read in time', async () => {
      const result = await query(`SELECT repeat([repeat('x', 200)], 1000) FROM data LIMIT 500`);
      expect(result.truncated).toBe(true);
      expect(result.rows.length).toBeLessThan(300);
      expect(result.rows[0]?.[0]).toMatch(/^\['x{200}', 'x.*…$/);
    });

    it('has at most a megabyte', async () => {
      const result = await query(`SELECT repeat('x', 1000) || "Region" FROM data`, { maxRows: 100_000 });
      expect(JSON.stringify(result).length).toBeLessThan(1_001_000);
      expect(result.truncated).toBe(true);
    });

    it('has numbers, days and lists in a form that JSON holds', async () => {
      const { columns, rows } = await query(
        `SELECT DATE '2024-02-29' AS d, 'nan'::DOUBLE AS nan, 1.25::DECIMAL(9, 2) AS dec, [1, 2] AS l, NULL AS n, sum(units) AS s,
           TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS ns, INTERVAL 3 DAY AS i FROM data`,
      );
      expect(columns.map(({ type }) => type).join(' ')).toBe('time number number text integer integer time text');
      expect(rows).toEqual([
        ['2024-02-29T00:00:00.000Z', null, 1.25, '[1, 2]', null, 5995, '2024-01-01T00:00:00.123Z', '3 days'],
      ]);
    });

    it('names every column differently', async () => {
      const { columns } = await query('SELECT units, units, 1 AS units FROM data');
      expect(new Set(columns.map(({ name }) => name)).size).toBe(3);
    });
  });

  describe('the table', () => {
    it('shows later inserts together with the base', async () => {
      const result = await query('SELECT max("Order Date") FROM data', { withDelta: true });
      expect(result).toMatchObject({ rows: [['2025-01-01T00:00:00.000Z']], rowsScanned: ROWS + 1 });
    });

    it('hides rows that have outlived their lifespan', async () => {
      const visibleFrom = new Date(Date.UTC(2024, 0, 1) + (ROWS - 5) * 3_600_000);
      const result = await query('SELECT count(*) FROM data', { visibleFrom });
      expect(result).toMatchObject({ rows: [[5]], rowsScanned: 5 });
    });

    it('takes names in any case, as SQL does', async () => {
      expect((await query('SELECT max(UNITS) FROM Data')).rows).toEqual([[6]]);
    });
  });
}
