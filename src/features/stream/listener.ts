import { isChatEvent, type ChatEvent } from '../../ports/stream-event.js';
import type { MessageId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { CLOSE, type CloseReason } from './close-codes.js';
import type { ToldEvent } from './frame.wire.js';
import { MessageFollower } from './message-follower.js';
import { Outbox, type Wire } from './outbox.js';
import { belongsIn } from './room.js';
import type { Admission } from './upgrade-authenticator.js';

/** What a listener needs of a WebSocket. */
export interface ListenerSocket extends Wire {
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
