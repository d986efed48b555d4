import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { DocumentStore, type TenantCollection } from '../../ports/document-store.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { PEOPLE_TURNS, type PeopleTurn } from './people-turn.schema.js';

/** Whoever died is believed to be at it for so long. */
const LEASE_MS = 30_000;
const LOOK_MS = 50;
const LOOKS = 100;

/** One change of a company's people at a time, on whatever instance: two managers who take the role from each other at once would leave none. */
@Injectable()
export class PeopleTurns {
  private readonly collection: TenantCollection<PeopleTurn>;

  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    this.collection = store.tenantCollection(PEOPLE_TURNS);
  }

  /** @throws AppError `unavailable` when others are at it for too long. */
  async run<T>(companyId: CompanyId, change: () => Promise<T>): Promise<T> {
    const turn = await this.take(companyId);
    try {
      return await change();
    } finally {
      await this.collection.of(companyId).remove({ holder: turn });
    }
  }

  private async take(companyId: CompanyId): Promise<string> {
    const holder = this.ids.token();
    for (let look = 0; look < LOOKS; look += 1) {
      if (await this.tryTake(companyId, holder)) return holder;
      await new Promise((wake) => setTimeout(wake, LOOK_MS));
    }
    throw new AppError('unavailable', 'somebody else is changing the people of the company', { retryAfter: 1 });
  }

  private async tryTake(companyId: CompanyId, holder: string): Promise<boolean> {
    const own = this.collection.of(companyId);
    const now = this.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    try {
      await own.insert({ id: this.ids.next(), companyId, holder, until });
      return true;
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error;
      return (await own.update({ until: { lte: now } }, { set: { holder, until } })) !== null;
    }
  }
}
