import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHART_KINDS, type ChartKind, type ChartRenderer, type ChartRequest } from '../../src/ports/chart-renderer.js';
import type { QueryResult } from '../../src/ports/table.js';
import { AppError } from '../../src/shared/app-error.js';
import { readPng } from '../support/png-pixels.js';

interface RunningRenderer {
  readonly renderer: ChartRenderer;
  readonly stop: () => void;
  /** Looks closer at how often each colour is in the picture of a kind. */
  readonly look?: (kind: ChartKind, colors: ReadonlyMap<string, number>) => void;
}

const SHOPS = ['Rathaus', 'Łódź Główna', '<b>Bahnhof</b> & "Größe"'];

const SALES: QueryResult = {
  columns: [
    { name: 'month', type: 'time' },
    { name: 'shop', type: 'text' },
    { name: 'sold', type: 'integer' },
    { name: 'price', type: 'number' },
  ],
  rows: Array.from({ length: 36 }, (_, index) => [
    new Date(Date.UTC(2023, Math.floor(index / 3))).toISOString(),
    SHOPS[index % 3] ?? null,
    20 + ((index * 7) % 40),
    5 + ((index * 13) % 17) / 2,
  ]),
  truncated: false,
  dbquery: '',
  rowsScanned: 36,
};

/** One row for each shop, for the kinds that have one mark for each. */
const TOTALS: QueryResult = { ...SALES, rows: SALES.rows.slice(0, 3) };

const REQUESTS: Record<ChartKind, readonly [Partial<ChartRequest>, QueryResult]> = {
  line: [{ x: 'month', y: 'sold', series: 'shop' }, SALES],
  area: [{ x: 'month', y: 'sold', series: 'shop' }, SALES],
  bar: [{ x: 'shop', y: 'sold' }, TOTALS],
  stacked_bar: [{ x: 'month', y: 'sold', series: 'shop' }, SALES],
  grouped_bar: [{ x: 'month', y: 'sold', series: 'shop' }, SALES],
  histogram: [{ x: 'price' }, SALES],
  scatter: [{ x: 'price', y: 'sold', series: 'shop' }, SALES],
  heatmap: [{ x: 'month', y: 'sold', series: 'shop' }, SALES],
  pie: [{ x: 'shop', y: 'sold' }, TOTALS],
};

export function aChartRequest(kind: ChartKind): readonly [ChartRequest, QueryResult] {
  const [wanted, result] = REQUESTS[kind];
  const none = { x: '', y: null, series: null, xTitle: null, yTitle: null };
  return [{ ...none, kind, title: `Sales as a ${kind}`, ...wanted }, result];
}

/** What every adapter of the port has to keep. */
export function describeChartRenderer(name: string, start: () => RunningRenderer): void {
  describe(name, () => {
    let running: RunningRenderer;

    beforeAll(() => {
      running = start();
    });
    afterAll(() => {
      running.stop();
    });

    it.each(CHART_KINDS)('draws a %s of double resolution that has something on it', async (kind) => {
      const specification = running.renderer.specify(...aChartRequest(kind));
      const png = await running.renderer.draw(specification);
      const { width, height, colors } = readPng(png);
      const background = colors.get('#ffffff') ?? 0;

      expect(width).toBeGreaterThan(600);
      expect(height).toBeGreaterThan(300);
      expect(background).toBeGreaterThan(width * height * 0.1);
      expect(background).toBeLessThan(width * height * 0.985);
      expect(colors.size).toBeGreaterThan(20);
      expect(specification['data']).toBeDefined();
      running.look?.(kind, colors);
    });

    it('draws the same picture from the same rows', async () => {
      const [one, other] = [
        await running.renderer.draw(running.renderer.specify(...aChartRequest('bar'))),
        await running.renderer.draw(running.renderer.specify(...aChartRequest('bar'))),
      ];

      expect(one.equals(other)).toBe(true);
    });

    it('refuses what does not fit the result, with a sentence', () => {
      const [request, result] = aChartRequest('bar');
      const { renderer } = running;

      expect(() => renderer.specify({ ...request, y: 'shop' }, result)).toThrow(/numeric column/);
      expect(() => renderer.specify({ ...request, y: 'shop' }, result)).toThrow(AppError);
      expect(() => renderer.specify(request, { ...result, rows: [] })).toThrow(AppError);
    });

    it('draws several charts that are asked for at once', async () => {
      const { renderer } = running;
      const kinds = CHART_KINDS.slice(0, 4);
      const charts = await Promise.all(kinds.map((kind) => renderer.draw(renderer.specify(...aChartRequest(kind)))));

      expect(new Set(charts.map((png) => png.toString('base64'))).size).toBe(kinds.length);
    });
  });
}
