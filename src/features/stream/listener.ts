import { isChatEvent, type ChatEvent } from '../../ports/stream-event.js';
import type { MessageId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { type ToldEvent, encodeFrame } from './frame.wire.js';
import { belongsIn } from './room.js';
import type { Admission } from './upgrade-authenticator.js';

/** Why the service closes a socket, and whether to come back. */
export const CLOSE = {
  /** The service stops; another instance, or the next start, takes over. */
  restart: { code: 1012, reason: 'service restart' },
  /** The socket reads too slowly, or its past can't be had just now. */
  tryLater: { code: 1013, reason: 'try again later' },
  sessionEnded: { code: 4401, reason: 'session ended' },
} as const;

type CloseReason = (typeof CLOSE)[keyof typeof CLOSE];

/** What a listener needs of a WebSocket. */
export interface ListenerSocket {
  readonly bufferedAmount: number;
  send(frame: Buffer, options: { readonly binary: boolean }, done: (error?: Error | null) => void): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface ListenerEnds {
  readonly replay: (messageId: MessageId, after: number) => Promise<readonly ChatEvent[]>;
  /** Called when a message's past can't be had; the socket closes and can come back. */
  readonly lost: (error: unknown) => void;
}

const MIB = 1024 * 1024;
/** From here on a socket has to make progress. */
const BACKLOG = 4 * MIB;
/** From here on progress does not help any more: this much memory is all that one socket gets. */
const BACKLOG_LIMIT = 32 * MIB;
const PINGS_TO_MISS = 2;

/** Who ended a socket: its client, or the service and why. */
export type EndedBy = 'client' | 'restart' | 'session' | 'slow' | 'lost';

/** One open socket: whose it is, what it hears, and how well it keeps up. */
export class Listener {
  readonly principal: Principal;
  private readonly outbox: Outbox;
  private readonly followers: ReadonlyMap<MessageId, MessageFollower>;
  private cause: EndedBy | null = null;
  private unansweredPings = 0;
  private progressSeen = 0;
  private checksWithoutProgress = 0;

  constructor(
    private readonly socket: ListenerSocket,
    private readonly admission: Admission,
    private readonly ends: ListenerEnds,
  ) {
    this.principal = admission.principal;
    this.outbox = new Outbox(socket);
    this.followers = new Map([...admission.follows].map(([id, after]) => [id, this.followerOf(id, after)]));
  }

  /** Of a socket that has closed. */
  get endedBy(): EndedBy {
    return this.cause ?? 'client';
  }

  /** Tells what happened before the socket opened. What happens meanwhile comes after it. */
  async catchUp(): Promise<void> {
    await Promise.all([...this.followers.values()].map((follower) => this.fetchPast(follower)));
  }

  /** Whether an event of its user or company is one that it asked for. */
  hears(event: ToldEvent): boolean {
    if (this.cause !== null) return false;
    return belongsIn(this.admission.room, event) || this.followerFor(event) !== undefined;
  }

  tell(event: ToldEvent, frame: Buffer): void {
    const follower = this.followerFor(event);
    if (follower === undefined || !isChatEvent(event)) this.push(frame);
    else if (!follower.live(event.seq, frame)) void this.fetchPast(follower); // never rejects: a lost past closes the socket
  }

  /** Called at equal intervals. A socket that has left two pings unanswered is dead. */
  ping(): void {
    if (this.unansweredPings >= PINGS_TO_MISS) {
      this.socket.terminate();
      return;
    }
    this.unansweredPings += 1;
    this.socket.ping();
  }

  pong(): void {
    this.unansweredPings = 0;
  }

  /** Called at equal intervals. Closes a socket that has too much to read and read nothing for so many checks. */
  checkProgress(patience: number): void {
    const { backlog, progress } = this.outbox;
    const stuck = backlog > BACKLOG && progress === this.progressSeen;
    this.progressSeen = progress;
    this.checksWithoutProgress = stuck ? this.checksWithoutProgress + 1 : 0;
    if (this.checksWithoutProgress >= patience) this.end(CLOSE.tryLater, 'slow');
  }

  /** Says goodbye; what was not told yet is dropped. */
  end({ code, reason }: CloseReason, cause: EndedBy): void {
    if (this.cause !== null) return;
    this.cause = cause;
    this.outbox.close();
    this.socket.close(code, reason);
  }

  private followerOf(id: MessageId, after: number): MessageFollower {
    return new MessageFollower(after, {
      replay: (last) => this.ends.replay(id, last),
      send: (frame) => {
        this.push(frame);
      },
    });
  }

  private followerFor(event: ToldEvent): MessageFollower | undefined {
    return isChatEvent(event) ? this.followers.get(event.messageId) : undefined;
  }

  private async fetchPast(follower: MessageFollower): Promise<void> {
    try {
      await follower.catchUp();
    } catch (error) {
      this.end(CLOSE.tryLater, 'lost');
      this.ends.lost(error);
    }
  }

  private push(frame: Buffer): void {
    this.outbox.push(frame);
    if (this.outbox.backlog > BACKLOG_LIMIT) this.end(CLOSE.tryLater, 'slow');
  }
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

  constructor(private readonly wire: Pick<ListenerSocket, 'bufferedAmount' | 'send'>) {}

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

/** What a follower needs: the frames that were, and where to put them. */
interface FollowerEnds {
  /** The events above `after`, in order. */
  readonly replay: (after: number) => Promise<readonly ChatEvent[]>;
  readonly send: (frame: Buffer) => void;
}

/**
 * Tells one message to one socket: each frame once, in order, without a gap, whatever arrives while the past is being told.
 * It holds back what is live from its beginning on, until `catchUp` has told what came before.
 */
export class MessageFollower {
  private readonly held = new Map<number, Buffer>();
  private catchingUp = true;

  /** `last` is the `seq` that the other side has already. */
  constructor(
    private last: number,
    private readonly ends: FollowerEnds,
  ) {}

  /** Takes a frame as it happens. `false`: some before it are missing, and `catchUp` has to fetch them. */
  live(seq: number, frame: Buffer): boolean {
    if (!this.catchingUp && seq <= this.last + 1) {
      this.tell(seq, frame);
      return true;
    }
    this.held.set(seq, frame);
    if (this.catchingUp) return true;
    this.catchingUp = true;
    return false;
  }

  /** Tells what came before, then what was held back meanwhile. Rejects when the past can't be had. */
  async catchUp(): Promise<void> {
    do {
      const { last: before, held } = this;
      const holeKnown = held.size > 0;
      const past = await this.ends.replay(before);
      for (const event of past) this.tell(event.seq, encodeFrame(event));
      this.tellHeld();
      // Asked for by name and still missing: nobody keeps those frames any more, and the rest goes on without them.
      if (holeKnown && this.last === before) this.tellHeld(Math.min(...held.keys()));
    } while (this.held.size > 0);
    this.catchingUp = false;
  }

  /** Tells what is held and comes next, up to the next hole. */
  private tellHeld(next = this.last + 1): void {
    for (const [seq, frame] of [...this.held].sort(([a], [b]) => a - b)) {
      if (seq > Math.max(next, this.last + 1)) return;
      this.held.delete(seq);
      this.tell(seq, frame);
    }
  }

  private tell(seq: number, frame: Buffer): void {
    if (seq <= this.last) return;
    this.last = seq;
    this.ends.send(frame);
  }
}
