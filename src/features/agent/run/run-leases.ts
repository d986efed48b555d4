import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import { isAbandoned, type Leased } from '../../../shared/lease.js';

const LEASE_MS = 30_000;

/** Whoever takes up the job takes the lease: it may be another instance than the one that asked for it. */
export const NOBODYS = { leaseOwner: null, leaseUntil: null } as const;

/** This instance as the owner of leases on runs, which last half a minute. */
@Injectable()
export class RunLeases {
  constructor(
    private readonly instance: Instance,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  get owner(): string {
    return this.instance.id;
  }

  lease(): { readonly leaseOwner: string; readonly leaseUntil: Date } {
    return { leaseOwner: this.instance.id, leaseUntil: new Date(this.clock.now().getTime() + LEASE_MS) };
  }

  /** Nobody works on it. */
  isAbandoned(leased: Leased): boolean {
    return isAbandoned(leased, this.instance, this.clock.now());
  }

  /** It is ours, or nobody's. */
  mayTake(leased: Leased): boolean {
    return leased.leaseOwner === this.instance.id || this.isAbandoned(leased);
  }
}
