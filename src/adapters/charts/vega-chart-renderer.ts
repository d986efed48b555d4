import { availableParallelism } from 'node:os';
import { ChartRenderer, type ChartRequest } from '../../ports/chart-renderer.js';
import type { QueryResult } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { JsonObject } from '../../shared/json.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { ChartProcess, DrawingInterrupted } from './chart-process.js';
import { chartSpecification } from './chart-specification.js';

export interface ChartLimits {
  /** For one chart, a cold start included. */
  readonly timeoutMs: number;
  /** After this long without a chart the process ends and gives its memory back. */
  readonly idleMs: number;
  readonly maxWaiting: number;
}

export const CHART_LIMITS: ChartLimits = { timeoutMs: 10_000, idleMs: 5 * 60_000, maxWaiting: 100 };

/** As many as Node paints and compresses at once, beside the one that is laid out. */
const AT_ONCE = Math.min(availableParallelism(), 4) + 1;

/** Draws with Vega-Lite and resvg, in a process of its own that is started when the first chart is asked for. */
export class VegaChartRenderer extends ChartRenderer {
  private drawer: ChartProcess | null = null;
  private readonly turns = new KeyedSemaphore(AT_ONCE);
  private waiting = 0;
  private idleTimer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(private readonly limits: ChartLimits = CHART_LIMITS) {
    super();
  }

  override specify(request: ChartRequest, result: QueryResult): JsonObject {
    return chartSpecification(request, result);
  }

  /** Ends the process; charts that are being drawn or waiting fail. */
  stop(): void {
    this.isStopped = true;
    this.endDrawer();
  }

  /** The process that draws, while there is one. */
  get processId(): number | null {
    return this.drawer?.isAlive ? (this.drawer.pid ?? null) : null;
  }

  override async draw(specification: JsonObject): Promise<Buffer> {
    if (this.waiting >= this.limits.maxWaiting) throw new AppError('unavailable', 'too many charts are waiting');
    this.waiting += 1;
    try {
      return await this.turns.run('charts', () => this.drawNext(specification));
    } finally {
      this.waiting -= 1;
      this.restIfIdle();
    }
  }

  private async drawNext(specification: JsonObject): Promise<Buffer> {
    if (this.isStopped) throw new AppError('unavailable', 'charts are no longer drawn: the service is stopping');
    if (this.idleTimer) clearTimeout(this.idleTimer);
    if (!this.drawer?.isAlive) this.drawer = new ChartProcess();
    try {
      return await this.drawer.draw(specification, this.limits.timeoutMs);
    } catch (error) {
      // It ends: each time that this happens one chart is out of the way.
      if (error instanceof DrawingInterrupted) return this.drawNext(specification);
      throw error;
    }
  }

  private restIfIdle(): void {
    if (this.waiting > 0) return;
    if (this.idleTimer) clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      this.endDrawer();
    }, this.limits.idleMs).unref();
  }

  private endDrawer(): void {
    if (this.idleTimer) clearTimeout(this.idleTimer);
    this.drawer?.end();
    this.drawer = null;
  }
}
