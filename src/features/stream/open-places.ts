import type { SharedLimits } from '../../ports/shared-limits.js';
import { AppError } from '../../shared/app-error.js';
import type { UserId } from '../../shared/ids.js';

/** What holds a place until it closes: the raw connection, the one thing that is sure to. */
export interface PlaceHolder {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

const RETRY_SECONDS = 30;

/** Counts each user's open sockets, on whatever instance. */
export class OpenPlaces {
  constructor(
    private readonly limits: SharedLimits,
    private readonly perUser: number,
  ) {}

  /** @throws AppError `rate_limited` when the user has as many as one may have. */
  async take(user: UserId, holder: PlaceHolder): Promise<void> {
    // A connection that is gone already would never give its place back.
    if (isGone(holder)) return;
    const leave = await this.limits.takePlace(`sockets:${user}`, this.perUser);
    if (leave === null) throw new AppError('rate_limited', 'too many open streams', { retryAfter: RETRY_SECONDS });
    // It may have gone meanwhile.
    if (isGone(holder)) leave();
    else holder.once('close', leave);
  }
}

function isGone({ destroyed }: PlaceHolder): boolean {
  return destroyed;
}
