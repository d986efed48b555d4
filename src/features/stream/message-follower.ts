import type { ChatEvent } from '../../ports/stream-event.js';
import { encodeFrame } from './frame.wire.js';

/** What a follower needs: the frames that were, and where to put them. */
export interface FollowerEnds {
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
