/** What time it is. Tests move it. */
export abstract class Clock {
  abstract now(): Date;
}
