import type { OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type { Log } from '../ports/log.js';
import { messageOf } from '../shared/app-error.js';

/** Base of what looks, at the start and every half minute, for work that a queue or a process lost. */
export abstract class Reconciler implements OnApplicationBootstrap {
  /** What could not be done when a turn fails: `interrupted imports could not be looked up`. */
  protected abstract readonly failure: string;
  protected abstract readonly log: Log;

  /** Puts back to work, or ends, what nobody works on. */
  abstract reconcile(): Promise<void>;

  onApplicationBootstrap(): Promise<void> {
    return this.tick();
  }

  @Interval(30_000)
  tick(): Promise<void> {
    return this.tried(() => this.reconcile());
  }

  /** A turn that fails ends nothing: the next one does what is left. */
  protected async tried(turn: () => Promise<void>): Promise<void> {
    await turn().catch((error: unknown) => {
      this.log.warn(`${this.failure}; the next turn tries again`, { reason: messageOf(error) });
    });
  }
}

/** Base of what looks, besides, every second for what has its turn. */
export abstract class TurnReconciler extends Reconciler {
  private isLooking = false;

  @Interval(1_000)
  async everySecond(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    await this.tried(() => this.look()).finally(() => (this.isLooking = false));
  }

  /** Asks for jobs for all that is due. */
  abstract look(): Promise<void>;
}
