import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Instance } from '../../../ports/instance.js';
import type { Lease } from '../conversations/conversation.repository.js';

const LEASE_MS = 30_000;

/** This instance as the owner of leases that run half a minute. */
@Injectable()
export class LeaseHolder {
  constructor(
    private readonly instance: Instance,
    private readonly clock: Clock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  lease(): Lease {
    return { owner: this.instance.id, until: new Date(this.clock.now().getTime() + LEASE_MS) };
  }
}
