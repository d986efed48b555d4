import { availableParallelism } from 'node:os';
import { ChartRenderer, type ChartRequest } from '../../ports/chart-renderer.js';
import type { QueryResult } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import type { JsonObject } from '../../shared/json.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { childEntry } from '../processes/child-entry.js';
import { expendable } from '../processes/expendable.js';
import { forked } from '../processes/one-order.js';
import { chartSpecification } from './chart-specification.js';

export const CHART_LIMITS = {
  /** For one chart, a cold start included. */
  timeoutMs: 10_000,
  /** After this long without a chart the process ends and gives its memory back. */
  idleMs: 5 * 60_000,
  maxWaiting: 100,
};
export type ChartLimits = Readonly<typeof CHART_LIMITS>;

/** As many as Node paints and compresses at once, beside the one that is laid out. */
const AT_ONCE = Math.min(availableParallelism(), 4) + 1;

/** Draws with Vega-Lite and resvg, in a process of its own that is started when the first chart is asked for. */
export class VegaChartRenderer extends ChartRenderer {
  private drawer: ChartProcess | null = null;
  private readonly turns = new KeyedSemaphore(AT_ONCE);
  private waiting = 0;
  private idleTimer: NodeJS.Timeout | undefined;
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
    return this.drawer?.isAlive ? (this.drawer.child.pid ?? null) : null;
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
    clearTimeout(this.idleTimer);
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
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      this.endDrawer();
    }, this.limits.idleMs).unref();
  }

  private endDrawer(): void {
    clearTimeout(this.idleTimer);
    this.drawer?.end();
    this.drawer = null;
  }
}

export interface DrawingOrder {
  readonly id: number;
  readonly specification: JsonObject;
}

export type DrawingReply = { readonly id: number } & (
  { readonly kind: 'drawn'; readonly png: Uint8Array } | { readonly kind: 'failed'; readonly reason: string }
);

const MAX_HEAP_MEGABYTES = 256;

/** The process ended because of a chart that it had been given before this one. */
class DrawingInterrupted extends Error {}

/** One child that draws specifications in the order in which it gets them: it lays one out while the one before is painted. */
class ChartProcess {
  readonly child = forked(childEntry(import.meta.url, './chart.process'), {
    heapMb: MAX_HEAP_MEGABYTES,
    serialization: 'advanced',
  });
  private readonly drawings = new Map<number, { resolve: (png: Buffer) => void; reject: (error: Error) => void }>();
  private orders = 0;
  private isOver = false;

  constructor() {
    expendable(this.child, 'work');
    this.child.on('message', (reply: DrawingReply) => {
      this.take(reply);
    });
    // A failed start is reported as an error without an exit.
    this.child.once('error', (error) => {
      this.end();
      this.fail(error.message);
    });
    this.child.once('exit', (code, signal) => {
      this.fail(`the process ended (${signal ?? code ?? 'unknown'})`);
    });
    // A process that has nothing to draw does not keep this one alive; one that draws does by the time that it may take.
    this.child.unref();
    this.child.channel?.unref();
  }

  get isAlive(): boolean {
    return !this.isOver && this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * @throws AppError `unavailable` when the drawing fails, takes too long or takes the process with it.
   * @throws DrawingInterrupted when another drawing took the process with it.
   */
  async draw(specification: JsonObject, timeoutMs: number): Promise<Buffer> {
    const id = ++this.orders;
    const timer = setTimeout(() => {
      this.end();
      this.fail(`no reply within ${timeoutMs} ms`);
    }, timeoutMs);
    try {
      return await new Promise((resolve, reject) => {
        this.drawings.set(id, { resolve, reject });
        this.child.send({ id, specification } satisfies DrawingOrder, (error) => {
          if (error) this.fail(error.message);
        });
      });
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  private take(reply: DrawingReply): void {
    const drawing = this.drawings.get(reply.id);
    if (drawing === undefined) return;
    this.drawings.delete(reply.id);
    if (reply.kind === 'failed') drawing.reject(undrawn(reply.reason));
    else drawing.resolve(Buffer.from(reply.png.buffer, reply.png.byteOffset, reply.png.byteLength));
  }

  /** The first was at work, and ended the process as far as can be told. */
  private fail(reason: string): void {
    this.isOver = true;
    const [first, ...others] = this.drawings.values();
    this.drawings.clear();
    first?.reject(undrawn(reason));
    for (const drawing of others) drawing.reject(new DrawingInterrupted(reason));
  }
}

function undrawn(reason: string): AppError {
  return new AppError('unavailable', 'the chart could not be drawn', { cause: new Error(reason) });
}
