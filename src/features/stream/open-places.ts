import { AppError } from '../../shared/app-error.js';
import type { UserId } from '../../shared/ids.js';

/** What holds a place until it closes: the raw connection, the one thing that is sure to. */
export interface PlaceHolder {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** Counts each user's open sockets. */
export class OpenPlaces {
  private readonly taken = new Map<UserId, number>();

  constructor(private readonly perUser: number) {}

  /** @throws AppError `rate_limited` when the user has as many as one may have. */
  take(user: UserId, holder: PlaceHolder): void {
    // A connection that is gone already would never give its place back.
    if (holder.destroyed) return;
    const open = this.taken.get(user) ?? 0;
    if (open >= this.perUser) {
      throw new AppError('rate_limited', 'too many open streams', { retryAfter: RETRY_SECONDS });
    }
    this.taken.set(user, open + 1);
    holder.once('close', () => {
      this.giveBack(user);
    });
  }

  private giveBack(user: UserId): void {
    const open = (this.taken.get(user) ?? 0) - 1;
    if (open > 0) this.taken.set(user, open);
    else this.taken.delete(user);
  }
}

const RETRY_SECONDS = 30;
