import { type AppError, messageOf } from '../../shared/app-error.js';
import type { ChildEntry } from './child-entry.js';
import { expendable } from './expendable.js';
import { forked } from './one-order.js';

export interface ServingRules {
  readonly entry: ChildEntry;
  readonly heapMb: number;
  /** For one order, a cold start included. */
  readonly timeoutMs: number;
  /** After this long without an order the process ends and gives its memory back. */
  readonly idleMs: number;
  /** What whoever gave the order is told. */
  readonly failed: (reason: string) => AppError;
}

/** A process that serves order after order. It is started when the first comes, and again when it has died. */
export class ServingProcess<Order, Outcome> {
  private child: ServingChild<Order, Outcome> | null = null;
  private orders = 0;
  private idleTimer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(private readonly rules: ServingRules) {}

  /** While there is one. */
  get pid(): number | null {
    return this.child?.isAlive ? (this.child.pid ?? null) : null;
  }

  /** @throws AppError as the rules make it, when serving fails, takes too long or takes the process with it, and after `stop`. */
  async serve(order: Order): Promise<Outcome> {
    clearTimeout(this.idleTimer);
    this.orders += 1;
    try {
      return await this.served(order);
    } finally {
      this.orders -= 1;
      if (this.orders === 0) this.restWhenIdle();
    }
  }

  /** Ends the process; what it serves fails. */
  stop(): void {
    this.isStopped = true;
    this.end();
  }

  /** An order with which the process ended is served once more: somebody else may have ended it. */
  private async served(order: Order, isLastTry = false): Promise<Outcome> {
    if (this.isStopped) throw this.rules.failed('the service is stopping');
    if (!this.child?.isAlive) this.child = new ServingChild(this.rules);
    try {
      return await this.child.serve(order);
    } catch (error) {
      if (!(error instanceof ServingInterrupted)) throw error;
      if (error.wasAtWork && isLastTry) throw this.rules.failed(error.message);
      // It ends: each time that this happens one order comes nearer to its last try.
      return this.served(order, isLastTry || error.wasAtWork);
    }
  }

  private restWhenIdle(): void {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => {
      this.end();
    }, this.rules.idleMs).unref();
  }

  private end(): void {
    clearTimeout(this.idleTimer);
    this.child?.end();
    this.child = null;
  }
}

/** An order makes much that it soon needs no more; collecting that took a fifth of the reading of a message with the usual 16. */
const YOUNG_MB = 32;

interface ServedOrder<Order> {
  readonly id: number;
  readonly order: Order;
}

type ServedReply<Outcome> = { readonly id: number } & (
  | { readonly kind: 'done'; readonly outcome: Outcome }
  | { readonly kind: 'failed'; readonly reason: string }
);

interface Waiting<Outcome> {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** The process ended, at work on this order or on one that it had been given before. */
class ServingInterrupted extends Error {
  constructor(
    reason: string,
    readonly wasAtWork: boolean,
  ) {
    super(reason);
  }
}

/** One child, which serves the orders in the order in which it gets them. */
class ServingChild<Order, Outcome> {
  private readonly child;
  private readonly waiting = new Map<number, Waiting<Outcome>>();
  private orders = 0;
  private isOver = false;

  constructor(private readonly rules: ServingRules) {
    const { entry, heapMb } = rules;
    this.child = forked(entry, { heapMb, youngMb: YOUNG_MB, serialization: 'advanced' });
    expendable(this.child, 'work');
    this.child.on('message', (reply: ServedReply<Outcome>) => {
      this.take(reply);
    });
    // A failed start is reported as an error without an exit.
    this.child.once('error', (error) => {
      this.end();
      this.interrupt(error.message);
    });
    this.child.once('exit', (code, signal) => {
      this.interrupt(`the process ended (${signal ?? code ?? 'unknown'})`);
    });
    // A process that has nothing to do does not keep this one alive; one that serves does by the time that it may take.
    this.child.unref();
    this.child.channel?.unref();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isAlive(): boolean {
    return !this.isOver && this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  async serve(order: Order): Promise<Outcome> {
    const id = ++this.orders;
    const { timeoutMs } = this.rules;
    const timer = setTimeout(() => {
      this.end();
      this.fail(this.rules.failed(`no reply within ${timeoutMs} ms`));
    }, timeoutMs);
    try {
      return await new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
        this.child.send({ id, order } satisfies ServedOrder<Order>, (error) => {
          if (error) this.interrupt(error.message);
        });
      });
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  private take(reply: ServedReply<Outcome>): void {
    const waiting = this.waiting.get(reply.id);
    if (waiting === undefined) return;
    this.waiting.delete(reply.id);
    if (reply.kind === 'done') waiting.resolve(reply.outcome);
    else waiting.reject(this.rules.failed(reply.reason));
  }

  private interrupt(reason: string): void {
    this.fail(new ServingInterrupted(reason, true));
  }

  /** The first was at work. */
  private fail(error: Error): void {
    this.isOver = true;
    const [first, ...others] = this.waiting.values();
    this.waiting.clear();
    first?.reject(error);
    for (const one of others) one.reject(new ServingInterrupted(error.message, false));
  }
}

/** The side of the process: serves the orders that it is sent one after another, and ends with whoever started it. */
export function serveOrders<Order, Outcome>(serve: (order: Order) => Outcome | Promise<Outcome>): void {
  let served: Promise<unknown> = Promise.resolve();
  process.on('message', ({ id, order }: ServedOrder<Order>) => {
    served = served
      .then(() => serve(order))
      .then(
        (outcome): ServedReply<Outcome> => ({ id, kind: 'done', outcome }),
        (error: unknown): ServedReply<Outcome> => ({ id, kind: 'failed', reason: messageOf(error) }),
      )
      .then((reply) => process.send?.(reply));
  });
  process.on('disconnect', () => {
    process.exit(0);
  });
}
