import type { ListenerSocket } from './listener.js';

/** A WebSocket in memory. The network takes frames when told to. */
export class FakeSocket implements ListenerSocket {
  readonly sent: Buffer[] = [];
  closedWith: number | null = null;
  private readonly pending: { readonly frame: Buffer; readonly done: () => void }[] = [];

  get bufferedAmount(): number {
    return this.pending.reduce((sum, { frame }) => sum + frame.length, 0);
  }

  send(frame: Buffer, _options: { readonly binary: boolean }, done: () => void): void {
    this.sent.push(frame);
    this.pending.push({ frame, done });
  }

  /** The network takes what it was handed so far, and what comes of that. */
  drain(): void {
    while (this.pending.length > 0) this.takeOnce();
  }

  /** The network takes exactly what it was handed so far. */
  takeOnce(): void {
    for (const { done } of this.pending.splice(0)) done();
  }

  close(code: number): void {
    this.closedWith = code;
  }

  ping = (): void => undefined;
  terminate = (): void => undefined;
}
