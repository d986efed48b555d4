import { ChartRenderer, type ChartRequest } from '../../ports/chart-renderer.js';
import type { QueryResult } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { JsonObject } from '../../shared/json.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { childEntry } from '../processes/child-entry.js';
import { ServingProcess } from '../processes/serving-process.js';
import { chartSpecification } from './chart-specification.js';

export const CHART_LIMITS = {
  /** For one chart, a cold start included. */
  timeoutMs: 10_000,
  /** After this long without a chart the process ends and gives its memory back. */
  idleMs: 5 * 60_000,
  maxWaiting: 100,
};
export type ChartLimits = Readonly<typeof CHART_LIMITS>;

const MAX_HEAP_MEGABYTES = 256;

/** One is drawn, and the next is there when it is done. */
const AT_ONCE = 2;

/** Draws with Vega-Lite and Skia, in a process of its own. */
export class VegaChartRenderer extends ChartRenderer {
  private readonly drawer: ServingProcess<JsonObject, Uint8Array>;
  private readonly turns = new KeyedSemaphore(AT_ONCE);
  private waiting = 0;

  constructor(private readonly limits: ChartLimits = CHART_LIMITS) {
    super();
    const { timeoutMs, idleMs } = limits;
    const entry = childEntry(import.meta.url, './chart.process');
    this.drawer = new ServingProcess({ entry, heapMb: MAX_HEAP_MEGABYTES, timeoutMs, idleMs, failed: undrawn });
  }

  override specify(request: ChartRequest, result: QueryResult): JsonObject {
    return chartSpecification(request, result);
  }

  /** Ends the process; charts that are being drawn or waiting fail. */
  stop(): void {
    this.drawer.stop();
  }

  /** The process that draws, while there is one. */
  get processId(): number | null {
    return this.drawer.pid;
  }

  override async draw(specification: JsonObject): Promise<Buffer> {
    if (this.waiting >= this.limits.maxWaiting) throw new AppError('unavailable', 'too many charts are waiting');
    this.waiting += 1;
    try {
      const png = await this.turns.run('charts', () => this.drawer.serve(specification));
      return Buffer.from(png.buffer, png.byteOffset, png.byteLength);
    } finally {
      this.waiting -= 1;
    }
  }
}

function undrawn(reason: string): AppError {
  return new AppError('unavailable', 'the chart could not be drawn', { cause: new Error(reason) });
}
