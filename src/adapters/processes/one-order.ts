import { type ChildProcess, fork, type SerializationType } from 'node:child_process';
import { AppError, type ErrorKind, isAppError, messageOf } from '../../shared/app-error.js';
import type { ChildEntry } from './child-entry.js';
import { expendable, type EXPENDABLE } from './expendable.js';
import { MemoryWatch } from './memory-watch.js';

interface ForkOptions {
  readonly heapMb?: number;
  /** Of the heap, each half of what was made lately. */
  readonly youngMb?: number;
  readonly cwd?: string;
  /** What becomes of its output, and of what it says of errors. */
  readonly output?: 'ignore' | 'pipe';
  readonly errors?: 'ignore' | 'inherit';
  readonly serialization?: SerializationType;
}

/** Starts a process with nothing of the service's environment, which has secrets. */
export function forked(
  { path, execArgv }: ChildEntry,
  { heapMb, youngMb, cwd, output = 'ignore', errors = 'ignore', serialization = 'json' }: ForkOptions,
): ChildProcess {
  return fork(path, [], {
    cwd,
    execArgv: [...execArgv, ...limit('old-space', heapMb), ...limit('semi-space', youngMb)],
    env: { TZ: 'UTC' },
    stdio: ['ignore', output, errors, 'ipc'],
    serialization,
  });
}

function limit(space: string, megabytes: number | undefined): readonly string[] {
  return megabytes === undefined ? [] : [`--max-${space}-size=${megabytes}`];
}

/** What a process says that has one order. The last of them is how it ended; without one, the process has died. */
export type OrderMessage<Told, Outcome> =
  | { readonly kind: 'told'; readonly told: Told }
  | { readonly kind: 'done'; readonly outcome: Outcome }
  /** `error` is null when nobody foresaw it. */
  | { readonly kind: 'failed'; readonly error: ErrorKind | null; readonly message: string };

interface ChildLimits {
  /** Without one it is not looked at. */
  readonly memoryBytes?: number;
  /** Why it ends when it takes more. */
  readonly tooMuchMemory?: AppError;
  /** Its reason is why the child ends when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

interface OrderListener<Told, Outcome> {
  readonly onTold: (told: Told) => void;
  /** Why it ended without a last message. */
  readonly died: (end: ChildEnd) => Error;
  /** Of a process that is not to be trusted: what it sent, built anew; null when it is no message, which ends it. */
  readonly messageFrom?: (sent: unknown) => OrderMessage<Told, Outcome> | null;
}

/** How a process ended; both are null when it never began. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly peakBytes: number;
}

/** A child that works on one order, mostly on what a stranger wrote. It is watched from outside, and killed when it breaks a limit. */
export class WatchedChild {
  /** Resolves when nothing more will be heard: the process is gone, and what it had sent has arrived. */
  readonly gone: Promise<ChildEnd>;
  /** Why it was ended from here: the first reason counts. */
  private ended: { readonly reason: unknown } | null = null;
  private deadline: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcess,
    limits: ChildLimits,
    rank: keyof typeof EXPENDABLE = 'stranger',
  ) {
    expendable(child, rank);
    this.gone = this.untilGone(limits);
  }

  /** Whatever it is doing. */
  end(reason: unknown): void {
    this.ended ??= { reason };
    this.child.kill('SIGKILL');
  }

  /** In place of a time that was set before. */
  endAfter(ms: number, reason: AppError): void {
    clearTimeout(this.deadline);
    this.deadline = setTimeout(() => {
      this.end(reason);
    }, ms);
  }

  /**
   * Gives the order to a process that serves it by `serveOrder`, and settles when that is gone, so that nobody works on.
   *
   * @throws why it was ended, what the work has thrown, or why it has died.
   */
  async work<Told, Outcome>(
    order: object,
    { onTold, died, messageFrom }: OrderListener<Told, Outcome>,
  ): Promise<Outcome> {
    const heard: { last: Exclude<OrderMessage<Told, Outcome>, { kind: 'told' }> | null } = { last: null };
    this.child.on('message', (sent: OrderMessage<Told, Outcome>) => {
      // The first end counts.
      if (heard.last !== null || this.ended !== null) return;
      const message = messageFrom === undefined ? sent : messageFrom(sent);
      if (message === null) this.end(new Error('the process sent what is no message'));
      else if (message.kind === 'told') onTold(message.told);
      else heard.last = message;
    });
    // A child that is gone is noticed by its end.
    this.child.send(order, () => undefined);
    const end = await this.gone;
    const { last } = heard;
    if (last?.kind === 'done') return last.outcome;
    if (last !== null) throw last.error === null ? new Error(last.message) : new AppError(last.error, last.message);
    if (this.ended !== null) throw this.ended.reason;
    throw died(end);
  }

  private async untilGone({ memoryBytes, tooMuchMemory, signal: stop }: ChildLimits): Promise<ChildEnd> {
    const { child } = this;
    const tooMuch = (): void => {
      this.end(tooMuchMemory);
    };
    const memory = memoryBytes === undefined ? null : new MemoryWatch(child.pid ?? 0, memoryBytes, tooMuch);
    const abort = (): void => {
      this.end(stop?.reason);
    };
    stop?.addEventListener('abort', abort, { once: true });
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      // Of a process that could not be started there is no `close`.
      child.once('error', () => {
        if (child.pid === undefined) resolve([null, null]);
      });
      child.once('close', (...end) => {
        resolve(end);
      });
    });
    clearTimeout(this.deadline);
    memory?.stop();
    stop?.removeEventListener('abort', abort);
    return { code, signal, peakBytes: memory?.peakBytes ?? 0 };
  }
}

/** The side of the process: works on the one order that it is sent, says how that ended, and ends. */
export function serveOrder<Order, Told, Outcome>(
  work: (order: Order, tell: (told: Told) => Promise<void>) => Promise<Outcome>,
): void {
  // Resolves when the message is on its way, so that the next is not made before.
  const send = (message: OrderMessage<Told, Outcome>): Promise<void> =>
    new Promise((resolve) => {
      process.send?.(message, undefined, {}, () => {
        resolve();
      });
    });
  process.once('message', (order: Order) => {
    void work(order, (told) => send({ kind: 'told', told }))
      .then(
        (outcome) => send({ kind: 'done', outcome }),
        (error: unknown) =>
          send({ kind: 'failed', error: isAppError(error) ? error.kind : null, message: messageOf(error) }),
      )
      .then(() => process.exit(0));
  });
  // Whoever gave the order is gone, and looks after what is left of the work when it comes back.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
