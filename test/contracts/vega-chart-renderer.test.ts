import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { chartSpecification } from '../../src/adapters/charts/chart-specification.js';
import { CHART_LIMITS, type ChartLimits, VegaChartRenderer } from '../../src/adapters/charts/vega-chart-renderer.js';
import { CHART_KINDS, type ChartKind, type ChartRequest } from '../../src/ports/chart-renderer.js';
import type { QueryResult } from '../../src/ports/table.js';
import { readPng } from '../support/png-pixels.js';

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

function aChartRequest(kind: ChartKind): readonly [ChartRequest, QueryResult] {
  const [wanted, result] = REQUESTS[kind];
  const none = { x: '', y: null, series: null, xTitle: null, yTitle: null };
  return [{ ...none, kind, title: `Sales as a ${kind}`, ...wanted }, result];
}

const BLUE = '#2f6fde';
/** Pixels of marks; the other kinds have more. */
const MARKS: Partial<Record<ChartKind, number>> = { line: 2000, scatter: 800 };
/** For what happens at once on a machine that has nothing else to do. */
const PATIENCE = 60_000;
const PATIENT_LIMITS = { ...CHART_LIMITS, timeoutMs: PATIENCE };

// The service itself must get by without the drawing libraries: only the process that draws has them.
vi.mock('vega', () => {
  throw new Error('vega was loaded');
});
vi.mock('vega-lite', () => {
  throw new Error('vega-lite was loaded');
});
vi.mock('canvas', () => {
  throw new Error('canvas was loaded');
});

describe('charts drawn by vega', () => {
  const renderer = new VegaChartRenderer(PATIENT_LIMITS);
  afterAll(() => {
    renderer.stop();
  });

  it.each(CHART_KINDS)('draws a %s of double resolution that has something on it', async (kind) => {
    const png = await renderer.draw(renderer.specify(...aChartRequest(kind)));
    const { width, height, colors } = readPng(png);
    const background = colors.get('#ffffff') ?? 0;

    expect(width).toBeGreaterThan(600);
    expect(height).toBeGreaterThan(300);
    expect(background).toBeGreaterThan(width * height * 0.1);
    expect(background).toBeLessThan(width * height * 0.985);
    expect(colors.size).toBeGreaterThan(20);
    // The marks, not only the axes.
    const blue = [...colors].filter(([color]) => isBlue(color));
    expect(blue.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(MARKS[kind] ?? 10_000);
    // The same rows give the same picture.
    if (kind === 'bar') expect((await renderer.draw(renderer.specify(...aChartRequest(kind)))).equals(png)).toBe(true);
  });
});

const bar = chartSpecification(...aChartRequest('bar'));
const line = chartSpecification(...aChartRequest('line'));

describe('the process that draws', () => {
  const started: VegaChartRenderer[] = [];

  function aRenderer(limits: Partial<ChartLimits> = {}): VegaChartRenderer {
    const renderer = new VegaChartRenderer({ ...PATIENT_LIMITS, ...limits });
    started.push(renderer);
    return renderer;
  }

  afterEach(() => {
    for (const renderer of started.splice(0)) renderer.stop();
  });

  it('is started by the first chart and stays for the next', async () => {
    const renderer = aRenderer();
    expect(renderer.processId).toBeNull();

    await renderer.draw(bar);
    const first = renderer.processId;
    const [request, result] = aChartRequest('line');
    const png = await renderer.draw(renderer.specify(request, { ...result, rows: result.rows.slice(0, 1) }));

    expect(first).not.toBeNull();
    expect(renderer.processId).toBe(first);
    expect(readPng(png).colors.get(BLUE), 'of a single value').toBeGreaterThan(50);
  });

  it('is started again when somebody ends it, and takes only the chart with it at which it ends twice', async () => {
    const renderer = aRenderer();
    const charts = Promise.allSettled([renderer.draw(bar), renderer.draw(line)]);
    const first = await vi.waitUntil(() => renderer.processId, PATIENCE);
    process.kill(first, 'SIGKILL');
    const second = await vi.waitUntil(() => renderer.processId !== first && renderer.processId, PATIENCE);
    process.kill(second, 'SIGKILL');

    const [drawn, waiting] = await charts;
    expect(drawn).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
    expect(waiting).toMatchObject({ status: 'fulfilled' });
  });

  it('is ended when a chart takes too long', async () => {
    const renderer = aRenderer({ timeoutMs: 1 });
    const refusal = { kind: 'unavailable', message: 'the chart could not be drawn' };

    await expect(renderer.draw(bar)).rejects.toMatchObject(refusal);
    await vi.waitUntil(() => renderer.processId === null, PATIENCE);
  });

  it('gives its memory back after a while without charts, comes again, and refuses more than can wait', async () => {
    const renderer = aRenderer({ idleMs: 1, maxWaiting: 1 });
    await renderer.draw(bar);
    await vi.waitUntil(() => renderer.processId === null, PATIENCE);

    const again = renderer.draw(bar);
    const refusal = { kind: 'unavailable', message: 'too many charts are waiting' };
    await expect(renderer.draw(bar)).rejects.toMatchObject(refusal);
    await expect(again).resolves.toBeInstanceOf(Buffer);
  });

  it('ends with the renderer, and what it was drawing fails', async () => {
    const renderer = aRenderer();
    const charts = Promise.allSettled([renderer.draw(bar), renderer.draw(line)]);
    await vi.waitUntil(() => renderer.processId, PATIENCE);
    renderer.stop();

    const failed = { status: 'rejected', reason: { kind: 'unavailable' } };
    expect(await charts).toMatchObject([failed, failed]);
    expect(renderer.processId).toBeNull();
    await expect(renderer.draw(bar)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

function isBlue(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return blue > 200 && blue > red + 60 && blue > green + 40;
}
