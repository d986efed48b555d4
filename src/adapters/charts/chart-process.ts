import { type ChildProcess, fork } from 'node:child_process';
import type { JsonObject } from '../../shared/json.js';
import { AppError } from '../../shared/app-error.js';
import { childEntry } from '../processes/child-entry.js';
import { expendable } from '../processes/expendable.js';

export type DrawingReply =
  { readonly kind: 'drawn'; readonly png: Uint8Array } | { readonly kind: 'failed'; readonly reason: string };

const MAX_HEAP_MEGABYTES = 256;

/** One child that draws one specification at a time. */
export class ChartProcess {
  private readonly child: ChildProcess;

  constructor() {
    const entry = childEntry(import.meta.url, './chart.process');
    this.child = fork(entry.path, {
      execArgv: [...entry.execArgv, `--max-old-space-size=${MAX_HEAP_MEGABYTES}`],
      // It needs nothing of the environment, which has secrets.
      env: { TZ: 'UTC' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    expendable(this.child, 'work');
    // A failed start is reported as an error without an exit.
    this.child.once('error', () => this.child.kill('SIGKILL'));
    this.rest();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isAlive(): boolean {
    return this.child.connected && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @throws AppError `unavailable` when the drawing fails, takes too long or takes the process with it. */
  async draw(specification: JsonObject, timeoutMs: number): Promise<Buffer> {
    this.work();
    try {
      const reply = await this.replyTo(specification, timeoutMs);
      if (reply.kind === 'failed') throw undrawn(reply.reason);
      return Buffer.from(reply.png.buffer, reply.png.byteOffset, reply.png.byteLength);
    } finally {
      this.rest();
    }
  }

  end(): void {
    this.child.kill('SIGKILL');
  }

  private replyTo(specification: JsonObject, timeoutMs: number): Promise<DrawingReply> {
    return new Promise((resolve, reject) => {
      const { child } = this;
      const settle = (): void => {
        clearTimeout(timer);
        child.off('message', onReply).off('exit', onExit).off('error', onError);
      };
      const onReply = (reply: DrawingReply): void => {
        settle();
        resolve(reply);
      };
      const onError = (error: Error): void => {
        settle();
        reject(undrawn(error.message));
      };
      const onExit = (code: number | null, signal: string | null): void => {
        onError(new Error(`the process ended (${signal ?? code ?? 'unknown'})`));
      };
      const timer = setTimeout(() => {
        onError(new Error(`no reply within ${timeoutMs} ms`));
        this.end();
      }, timeoutMs);
      child.on('message', onReply).on('exit', onExit).on('error', onError);
      child.send(specification, (error) => {
        if (error) onError(error);
      });
    });
  }

  /** A waiting process does not keep this one alive. */
  private rest(): void {
    this.child.unref();
    this.child.channel?.unref();
  }

  private work(): void {
    this.child.ref();
    this.child.channel?.ref();
  }
}

function undrawn(reason: string): AppError {
  return new AppError('unavailable', 'the chart could not be drawn', { cause: new Error(reason) });
}
