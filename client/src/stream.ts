import type { Authority } from './authority.js';
import { isRecord, SignedOutError } from './api-error.js';
import { endsMessage, placeOf, type StreamEventName, type StreamEvents, type StreamFrame } from './stream-events.js';

/** What is used of a WebSocket: the browser's, Node's own (from 22 on) and that of the package `ws` all fit. */
export interface Socket {
  readonly readyState: number;
  onopen: unknown;
  onmessage: unknown;
  onclose: unknown;
  onerror: unknown;
  close(code?: number): void;
  send(text: string): void;
}
export type SocketClass = new (url: string) => Socket;

/** `connecting` the first time, `waiting` between two attempts, `closed` for good. */
export type StreamState = 'connecting' | 'open' | 'waiting' | 'closed';

export interface StreamOptions {
  /** A message, and the `seq` of its last frame that is there already. */
  readonly resume?: { readonly messageId: string; readonly after: number };
  /** Close by itself when this message has ended. */
  readonly until?: string;
}

export interface StreamSurroundings {
  readonly baseUrl: string;
  readonly authority: Authority;
  readonly socket: SocketClass;
  /** Calls back when the network is there again. Returns how to stop. */
  readonly whenOnline: (callback: () => void) => () => void;
}

/** `readyState` of a socket that is not open yet. */
const CONNECTING = 0;
const SESSION_ENDED = 4401;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Keeps proxies from closing what looks idle; the service answers pings of its own and ignores this. */
const KEEP_ALIVE_MS = 25_000;
/** The place of a message of which nothing more can come. */
const ENDED = Infinity;

/**
 * The frames of a room, as long as somebody wants them: comes back by itself after a broken connection, each time a little later, and
 * goes on behind the last frame of the answer that was under way. No frame of an answer is told twice.
 */
export class Stream {
  private socket: Socket | null = null;
  private current: StreamState = 'connecting';
  private failures = 0;
  /** Counts the calls: only the last one may still open a socket. */
  private call = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private keepAlive: ReturnType<typeof setInterval> | undefined;
  private readonly seen = new Map<string, number>();
  private readonly frameListeners = new Set<(frame: StreamFrame) => void>();
  private readonly stateListeners = new Set<(state: StreamState) => void>();
  private readonly stopOnline: () => void;
  private readonly stopSession: () => void;

  constructor(
    private readonly room: string,
    private readonly surroundings: StreamSurroundings,
    private readonly options: StreamOptions = {},
  ) {
    if (options.resume !== undefined) this.seen.set(options.resume.messageId, options.resume.after);
    this.stopOnline = surroundings.whenOnline(() => {
      if (this.current === 'waiting') this.connect();
    });
    this.stopSession = surroundings.authority.onChange((state) => {
      if (state === 'signed-out') this.close();
      if (state === 'signed-in' && this.current === 'waiting') this.connect();
    });
    this.connect();
  }

  get state(): StreamState {
    return this.current;
  }

  /** Frames of one event. Returns how to stop. */
  on<Name extends StreamEventName>(event: Name, listener: (told: StreamEvents[Name], at: string) => void): () => void {
    return this.onFrame((frame) => {
      if (frame.event === event) listener(frame.data as StreamEvents[Name], frame.at);
    });
  }

  /** All frames. Returns how to stop. */
  onFrame(listener: (frame: StreamFrame) => void): () => void {
    this.frameListeners.add(listener);
    return () => this.frameListeners.delete(listener);
  }

  /** After `waiting`, `open` means that what is no answer may have been missed: ask for it again. */
  onState(listener: (state: StreamState) => void): () => void {
    this.stateListeners.add(listener);
    return () => this.stateListeners.delete(listener);
  }

  close(): void {
    if (this.current === 'closed') return;
    this.stopOnline();
    this.stopSession();
    this.drop();
    this.become('closed');
    this.frameListeners.clear();
    this.stateListeners.clear();
  }

  private connect(): void {
    clearTimeout(this.timer);
    this.drop();
    void this.open().catch((error: unknown) => {
      // Signed out: the next sign-in calls again. Everything else is tried again.
      if (error instanceof SignedOutError) this.become('waiting');
      else this.retry();
    });
  }

  private async open(): Promise<void> {
    this.call += 1;
    const { call } = this;
    const token = await this.surroundings.authority.token();
    if (this.isClosed || call !== this.call) return;
    const socket = new this.surroundings.socket(this.address(token));
    this.socket = socket;
    socket.onopen = (): void => {
      this.failures = 0;
      this.keepAlive = setInterval(() => {
        socket.send('ping');
      }, KEEP_ALIVE_MS);
      this.become('open');
    };
    socket.onmessage = ({ data }: { readonly data: unknown }): void => {
      if (this.socket === socket) this.hear(data);
    };
    socket.onerror = (): void => undefined; // a close follows
    socket.onclose = ({ code }: { readonly code: number }): void => {
      if (this.socket === socket) this.lost(code, token);
    };
  }

  private lost(code: number, token: string): void {
    this.drop();
    this.become('waiting');
    if (code !== SESSION_ENDED && this.failures === 0) {
      this.retry();
      return;
    }
    // Browsers don't say why an upgrade failed: if it was the token, it is replaced, or everybody hears that the session is over.
    const again = (): void => {
      this.retry();
    };
    void this.surroundings.authority.verify(token).then(again, again);
  }

  private retry(): void {
    if (this.isClosed) return;
    const longest = Math.min(FIRST_WAIT_MS * 2 ** this.failures, LONGEST_WAIT_MS);
    this.failures += 1;
    this.become('waiting');
    clearTimeout(this.timer);
    // Not all at once when the service is back.
    this.timer = setTimeout(
      () => {
        this.connect();
      },
      longest * (0.5 + Math.random() / 2),
    );
  }

  private get isClosed(): boolean {
    return this.current === 'closed';
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearInterval(this.keepAlive);
    const { socket } = this;
    this.socket = null;
    if (socket === null) return;
    socket.onmessage = null;
    socket.onclose = null;
    // A browser reports an error when a socket is closed while it opens.
    if (socket.readyState !== CONNECTING) {
      socket.close();
      return;
    }
    socket.onopen = (): void => {
      socket.close();
    };
  }

  private address(token: string): string {
    const url = new URL(`${this.surroundings.baseUrl}/api/v1/stream/${encodeURIComponent(this.room)}`);
    url.protocol = url.protocol.replace('http', 'ws');
    url.searchParams.set('token', token);
    const [messageId, after] = [...this.seen].filter(([, seq]) => seq !== ENDED).at(-1) ?? [];
    if (messageId !== undefined) {
      url.searchParams.set('message_id', messageId);
      url.searchParams.set('after', String(after));
    }
    return url.href;
  }

  private hear(text: unknown): void {
    const frame = frameFrom(text);
    if (frame === null || this.isKnown(frame)) return;
    for (const listener of [...this.frameListeners]) listener(frame);
    if (endsMessage(frame) && placeOf(frame)?.messageId === this.options.until) this.close();
  }

  /** Notes the place of a frame in its answer. */
  private isKnown(frame: StreamFrame): boolean {
    const place = placeOf(frame);
    if (place === null) return false;
    if (place.seq <= (this.seen.get(place.messageId) ?? 0)) return true;
    // The one told of last stands last, and is the one that is resumed.
    this.seen.delete(place.messageId);
    this.seen.set(place.messageId, endsMessage(frame) ? ENDED : place.seq);
    return false;
  }

  private become(state: StreamState): void {
    if (this.current === state) return;
    this.current = state;
    for (const listener of [...this.stateListeners]) listener(state);
  }
}

/** Nothing but a frame is told; an event that this version does not know is left out. */
function frameFrom(text: unknown): StreamFrame | null {
  try {
    const frame: unknown = typeof text === 'string' ? JSON.parse(text) : null;
    return isRecord(frame) && typeof frame['event'] === 'string' && isRecord(frame['data'])
      ? (frame as unknown as StreamFrame)
      : null;
  } catch {
    return null;
  }
}
