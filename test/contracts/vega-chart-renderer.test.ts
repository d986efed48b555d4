import { afterEach, describe, expect, it, vi } from 'vitest';
import { chartSpecification } from '../../src/adapters/charts/chart-specification.js';
import { CHART_LIMITS, type ChartLimits, VegaChartRenderer } from '../../src/adapters/charts/vega-chart-renderer.js';
import type { ChartKind } from '../../src/ports/chart-renderer.js';
import { readPng } from '../support/png-pixels.js';
import { aChartRequest, describeChartRenderer } from './chart-renderer.contract.js';

const BLUE = '#2f6fde';
/** Pixels of marks; the other kinds have more. */
const MARKS: Partial<Record<ChartKind, number>> = { line: 2000, scatter: 800 };
/** For what happens at once on a machine that has nothing else to do. */
const PATIENCE = 10_000;

// The service itself must get by without the drawing libraries: only the process that draws has them.
vi.mock('vega', () => {
  throw new Error('vega was loaded');
});
vi.mock('vega-lite', () => {
  throw new Error('vega-lite was loaded');
});
vi.mock('@resvg/resvg-js', () => {
  throw new Error('resvg was loaded');
});

describeChartRenderer('charts drawn by vega', () => {
  const renderer = new VegaChartRenderer();
  return {
    renderer,
    stop: () => {
      renderer.stop();
    },
    look: (kind, colors) => {
      // The marks, not only the axes.
      const blue = [...colors].filter(([color]) => isBlue(color));
      expect(blue.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(MARKS[kind] ?? 10_000);
    },
  };
});

const bar = chartSpecification(...aChartRequest('bar'));
const line = chartSpecification(...aChartRequest('line'));

describe('the process that draws', () => {
  const started: VegaChartRenderer[] = [];

  function aRenderer(limits: Partial<ChartLimits> = {}): VegaChartRenderer {
    const renderer = new VegaChartRenderer({ ...CHART_LIMITS, ...limits });
    started.push(renderer);
    return renderer;
  }

  async function processOf(renderer: VegaChartRenderer): Promise<number> {
    return vi.waitUntil(() => renderer.processId, PATIENCE);
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

  it('takes only the chart with it that it was drawing when it dies', async () => {
    const renderer = aRenderer();
    const charts = Promise.allSettled([renderer.draw(bar), renderer.draw(line)]);
    process.kill(await processOf(renderer), 'SIGKILL');

    const [drawn, waiting] = await charts;

    expect(drawn).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
    expect(waiting).toMatchObject({ status: 'fulfilled' });
  });

  it('is ended when a chart takes too long', async () => {
    const renderer = aRenderer({ timeoutMs: 1 });

    await expect(renderer.draw(bar)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'the chart could not be drawn',
    });
    await vi.waitUntil(() => renderer.processId === null, PATIENCE);
  });

  it('gives its memory back after a while without charts, and comes again', async () => {
    const renderer = aRenderer({ idleMs: 1 });
    await renderer.draw(bar);
    await vi.waitUntil(() => renderer.processId === null, PATIENCE);

    await expect(renderer.draw(bar)).resolves.toBeDefined();
  });

  it('refuses more charts than can wait', async () => {
    const renderer = aRenderer({ maxWaiting: 1 });
    const first = renderer.draw(bar);

    await expect(renderer.draw(bar)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'too many charts are waiting',
    });
    await first;
  });

  it('ends with the renderer, and what it was drawing fails', async () => {
    const renderer = aRenderer();
    const charts = Promise.allSettled([renderer.draw(bar), renderer.draw(line)]);
    await processOf(renderer);
    renderer.stop();

    for (const chart of await charts) {
      expect(chart).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
    }
    expect(renderer.processId).toBeNull();
    await expect(renderer.draw(bar)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

function isBlue(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
  return blue > 200 && blue > red + 60 && blue > green + 40;
}
