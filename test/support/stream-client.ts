import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket, type ClientOptions } from 'ws';
import { isRecord } from '../../src/shared/json.js';
import { anInstanceOf } from './way.js';

export interface ReceivedFrame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
}

export interface Closing {
  readonly code: number;
  readonly reason: string;
}

/** Where to go on: the message, and the `seq` of the last frame of it that has arrived. */
export interface Resume {
  readonly message_id?: string;
  readonly after?: number | string;
}

const PATIENCE_MS = 10_000;

/** The address of a room on the server at `base` (http://127.0.0.1:1234). */
export function streamUrl(base: string, room: string, token: string, resume: Resume = {}): string {
  const url = new URL(`/api/v1/stream/${room}`, anInstanceOf(base).replace(/^http/, 'ws'));
  for (const [name, value] of Object.entries({ token, ...resume })) url.searchParams.set(name, String(value));
  return url.href;
}

/** An upgrade that was answered like a request. */
export class StreamRefused extends Error {
  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    readonly body: unknown,
  ) {
    super(`the stream was refused with ${status}: ${JSON.stringify(body)}`);
  }
}

/** A client of the stream that remembers what it was told. */
export class StreamClient implements AsyncDisposable {
  readonly frames: ReceivedFrame[] = [];
  /** Headers of the 101. */
  upgradeHeaders: IncomingHttpHeaders = {};
  private readonly waiting = new Set<() => void>();
  private closing: Closing | null = null;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (bytes: Buffer) => {
      this.frames.push(JSON.parse(bytes.toString()) as ReceivedFrame);
      this.wake();
    });
    socket.on('upgrade', ({ headers }) => (this.upgradeHeaders = headers));
    socket.on('close', (code, reason) => {
      this.closing = { code, reason: reason.toString() };
      this.wake();
    });
    // A broken connection is told by its close.
    socket.on('error', () => undefined);
  }

  /** @throws StreamRefused when the answer is not a 101. */
  static async open(url: string, options: ClientOptions = {}): Promise<StreamClient> {
    const socket = new WebSocket(url, { handshakeTimeout: PATIENCE_MS, ...options });
    const client = new StreamClient(socket);
    const refused = new Promise<never>((_, reject) => {
      socket.once('unexpected-response', (_request, response: IncomingMessage) => {
        void text(response).then((body) => {
          reject(new StreamRefused(response.statusCode ?? 0, response.headers, parsed(body)));
        }, reject);
      });
    });
    await Promise.race([once(socket, 'open'), refused]);
    return client;
  }

  /** How the server refuses to open the stream. */
  static async refused(url: string, options: ClientOptions = {}): Promise<StreamRefused> {
    const outcome: unknown = await StreamClient.open(url, options).catch((error: unknown) => error);
    if (outcome instanceof StreamRefused) return outcome;
    if (!(outcome instanceof StreamClient)) throw outcome;
    outcome.drop();
    throw new Error('the stream was opened');
  }

  /** The first frame, come or to come, that has at least this in it. */
  hears(expected: object): Promise<ReceivedFrame> {
    const wanted = `a frame like ${JSON.stringify(expected)}`;
    return this.waitFor(wanted, () => this.frames.find((frame) => fits(frame, expected)) ?? null);
  }

  /** How the socket closes. */
  get closed(): Promise<Closing> {
    return this.waitFor('the socket to close', () => this.closing);
  }

  /** Leaves as one should. */
  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }

  /** Cuts the connection without a word. */
  drop(): void {
    this.socket.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drop();
    await this.closed;
  }

  private waitFor<T>(what: string, look: () => T | null): Promise<T> {
    return new Promise((resolve, reject) => {
      const finish = (): boolean => {
        const found = look();
        if (found !== null) resolve(found);
        return found !== null;
      };
      if (finish()) return;
      const stop = (): void => {
        clearTimeout(timer);
        this.waiting.delete(check);
      };
      const check = (): void => {
        if (finish()) stop();
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`waited in vain for ${what}; told so far: ${JSON.stringify(this.frames.slice(-5))}`));
      }, PATIENCE_MS);
      this.waiting.add(check);
    });
  }

  private wake(): void {
    this.waiting.forEach((check) => {
      check();
    });
  }
}

/** Whether all that is expected is there; there may be more. */
function fits(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) && actual.length === expected.length && expected.every((one, n) => fits(actual[n], one))
    );
  }
  if (!isRecord(expected)) return Object.is(actual, expected);
  return isRecord(actual) && Object.entries(expected).every(([key, value]) => fits(actual[key], value));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not the envelope: the test that expects one shows what came instead.
    return body;
  }
}
