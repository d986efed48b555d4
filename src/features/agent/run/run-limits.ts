import { Injectable } from '@nestjs/common';

/** How long work on a run may take. */
@Injectable()
export class RunLimits {
  /** Of one attempt; whoever does the work knows more, and normally ends it sooner. */
  readonly wholeMs: number = 10 * 60_000;
}
