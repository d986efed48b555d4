import { Clock } from '../../src/ports/clock.js';

/** A clock that stands still until a test moves it. */
export class ManualClock extends Clock {
  #now: Date;

  constructor(now: Date = new Date('2026-01-15T12:00:00.000Z')) {
    super();
    this.#now = new Date(now);
  }

  override now(): Date {
    return new Date(this.#now);
  }

  advance(ms: number): void {
    this.#now = new Date(this.#now.getTime() + ms);
  }

  set(date: Date): void {
    this.#now = new Date(date);
  }
}

/** Goes on by itself from now, and further when a test says so. */
export class GoingClock extends ManualClock {
  private readonly began = performance.now();

  constructor() {
    super(new Date());
  }

  override now(): Date {
    return new Date(super.now().getTime() + Math.floor(performance.now() - this.began));
  }
}
