/** What the outbox needs of a WebSocket. */
export interface Wire {
  readonly bufferedAmount: number;
  send(frame: Buffer, options: { readonly binary: boolean }, done: (error?: Error | null) => void): void;
}

/** Bytes handed to the network at a time: small enough that a slow reader is seen to make progress. */
const WINDOW = 64 * 1024;

/** Frames on their way to one socket, in order. What the network does not take yet waits here, where it can be thrown away. */
export class Outbox {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private handedBytes = 0;
  private takenBytes = 0;
  private closed = false;

  constructor(private readonly wire: Wire) {}

  /** Bytes that the other side has not been given yet. */
  get backlog(): number {
    return this.waitingBytes + Math.max(this.handedBytes, this.wire.bufferedAmount);
  }

  /** Bytes that the network has taken since the socket opened. */
  get progress(): number {
    return this.takenBytes;
  }

  push(frame: Buffer): void {
    if (this.closed) return;
    this.waiting.push(frame);
    this.waitingBytes += frame.length;
    this.hand();
  }

  /** Drops what waits and takes nothing more. */
  close(): void {
    this.closed = true;
    this.waiting = [];
    this.waitingBytes = 0;
  }

  private hand(): void {
    while (this.handedBytes < WINDOW) {
      const frame = this.waiting.shift();
      if (frame === undefined) return;
      this.waitingBytes -= frame.length;
      this.handedBytes += frame.length;
      this.wire.send(frame, { binary: false }, (error) => {
        this.handedBytes -= frame.length;
        // A socket that failed is about to close; nothing more can be sent on it.
        if (error instanceof Error) return;
        this.takenBytes += frame.length;
        this.hand();
      });
    }
  }
}
