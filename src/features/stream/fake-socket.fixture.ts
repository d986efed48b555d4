import type { ListenerSocket } from './listener.js';

/** A WebSocket in memory. The network takes frames when told to. */
export class FakeSocket implements ListenerSocket {
  readonly sent: Buffer[] = [];
  pings = 0;
  closedWith: number | null = null;
  terminated = false;
  private pending: { readonly frame: Buffer; readonly done: () => void }[] = [];

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
    const taken = this.pending;
    this.pending = [];
    taken.forEach(({ done }) => {
      done();
    });
  }

  ping(): void {
    this.pings += 1;
  }

  close(code: number): void {
    this.closedWith = code;
  }

  terminate(): void {
    this.terminated = true;
  }

  /** What the other side was sent, parsed. */
  frames(): readonly { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[] {
    return this.sent.map((frame) => JSON.parse(frame.toString()) as { event: string; data: Record<string, unknown> });
  }

  seqs(): readonly unknown[] {
    return this.frames().map(({ data }) => data['seq']);
  }
}
