import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Log, warned } from '../ports/log.js';
import { HOUR_MS } from '../shared/durations.js';

/** Base of what is done again and again, beside all requests. A turn that fails ends nothing: the next one does what is left. */
abstract class Recurring {
  /** What could not be done when a turn fails: `interrupted imports could not be looked up`. */
  protected abstract readonly failure: string;
  /** Given by Nest, so that nobody has to hand it on. */
  @Inject(Log) protected readonly log!: Log;

  protected tried(turn: () => Promise<void>): Promise<void> {
    return turn().catch(warned(this.log, `${this.failure}; the next turn tries again`));
  }
}

/** Base of what removes, at the start and every hour, what has had its time. */
export abstract class Sweeper extends Recurring implements OnApplicationBootstrap {
  abstract sweep(): Promise<void>;

  /** The service need not wait for it. */
  onApplicationBootstrap(): void | Promise<void> {
    void this.tick();
  }

  @Interval(HOUR_MS)
  tick(): Promise<void> {
    return this.tried(() => this.sweep());
  }
}

/** Base of what looks, at the start and every half minute, for work that a queue or a process lost. */
export abstract class Reconciler extends Recurring implements OnApplicationBootstrap {
  /** Puts back to work, or ends, what nobody works on. */
  abstract reconcile(): Promise<void>;

  onApplicationBootstrap(): Promise<void> {
    return this.tick();
  }

  @Interval(30_000)
  tick(): Promise<void> {
    return this.tried(() => this.reconcile());
  }
}

/** Base of what looks, besides, every second for what has its turn. */
export abstract class TurnReconciler extends Reconciler {
  private looking: Promise<void> | null = null;
  private isAway = false;

  @Interval(1_000)
  async everySecond(): Promise<void> {
    if (this.looking === null) await this.lookNow();
  }

  /** Resolves when all that is due by now has been looked at. */
  async lookNow(): Promise<void> {
    while (this.looking !== null) await this.looking;
    this.looking = this.lookOnce().finally(() => (this.looking = null));
    await this.looking;
  }

  /** Asks for jobs for all that is due. */
  abstract look(): Promise<void>;

  /** Every second again: a failure is told once until it is over. */
  private async lookOnce(): Promise<void> {
    try {
      await this.look();
      this.isAway = false;
    } catch (error) {
      if (!this.isAway) warned(this.log, `${this.failure}; the next turn tries again`)(error);
      this.isAway = true;
    }
  }
}
