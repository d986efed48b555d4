import { Injectable } from '@nestjs/common';
import { Clock } from '../ports/clock.js';
import { Instance } from '../ports/instance.js';
import { Log, warned } from '../ports/log.js';

const LEASE_MS = 30_000;
const RENEW_MS = 5_000;

/** Says who works on something, and until when they are believed to live. */
export interface Leased {
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
}

export interface Lease extends Leased {
  readonly leaseOwner: string;
  readonly leaseUntil: Date;
}

/** Nobody works on it. */
export const NO_LEASE = { leaseOwner: null, leaseUntil: null } as const;

/** A lease that is renewed until it is disposed of. */
export interface KeptLease extends Disposable {
  /** Aborted with the signal that it was kept with, or with `LeaseLost`. */
  readonly signal: AbortSignal;
}

/** What was worked on is deleted, or another instance has taken over: whoever worked on it has nothing to say about its end. */
export class LeaseLost extends Error {}

export interface LeaseWork {
  /** For the log: which work it is. */
  readonly context: object;
  /** Stores the lease; false when it is not ours any more. */
  readonly renew: (lease: Lease) => Promise<boolean>;
}

/** This instance as the owner of leases, which last half a minute and are renewed while somebody works. */
@Injectable()
export class LeaseKeeper {
  constructor(
    private readonly instance: Instance,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  get owner(): string {
    return this.instance.id;
  }

  /** As it is stored when this instance begins to work on something, or goes on. */
  lease(): Lease {
    return { leaseOwner: this.instance.id, leaseUntil: new Date(this.clock.now().getTime() + LEASE_MS) };
  }

  /** Nobody works on it: there is no lease, it has run out, or its owner is dead because only this instance can be alive. */
  isAbandoned({ leaseOwner, leaseUntil }: Leased): boolean {
    if (leaseOwner === null || leaseUntil === null || leaseUntil <= this.clock.now()) return true;
    return this.instance.alone && leaseOwner !== this.instance.id;
  }

  /** It is ours, or nobody's. */
  mayTake(leased: Leased): boolean {
    return leased.leaseOwner === this.instance.id || this.isAbandoned(leased);
  }

  keep(work: LeaseWork, signal: AbortSignal): KeptLease {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      void this.renew(work, lost);
    }, RENEW_MS);
    return {
      signal: AbortSignal.any([signal, lost.signal]),
      [Symbol.dispose]: () => {
        clearInterval(renewal);
      },
    };
  }

  /** While the store is away for the moment, the lease still has time, and the next turn tries again. */
  private async renew({ context, renew }: LeaseWork, lost: AbortController): Promise<void> {
    const isOurs = await renew(this.lease()).catch(warned(this.log, 'a lease could not be renewed', context));
    if (isOurs === false) lost.abort(new LeaseLost('its lease was lost'));
  }
}
