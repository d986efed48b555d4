import { Clock } from '../../ports/clock.js';

/** The clock of the machine. */
export class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }
}
