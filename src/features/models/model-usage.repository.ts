import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { DocumentStore, type TenantCollection } from '../../ports/document-store.js';
import { IdSource } from '../../ports/id-source.js';
import { isAppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { MODEL_USAGE, type ModelUsage } from './model-usage.schema.js';

const DAY = 86_400_000;

/** Counts the tokens of each company by days of UTC; of counts at the same time none is lost. */
@Injectable()
export class ModelUsageRepository {
  private readonly collection: TenantCollection<ModelUsage>;

  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    this.collection = store.tenantCollection(MODEL_USAGE);
  }

  async today(companyId: CompanyId): Promise<number> {
    const [usage] = await this.collection.of(companyId).find({ day: this.day() }, { limit: 1 });
    return usage?.tokens ?? 0;
  }

  async add(companyId: CompanyId, tokens: number): Promise<void> {
    if (await this.increase(companyId, tokens)) return;
    const usage = { id: this.ids.next<never>(), companyId, day: this.day(), tokens, createdAt: this.clock.now() };
    await this.collection
      .of(companyId)
      .insert(usage)
      .catch(async (error: unknown) => {
        // Somebody else began the day at the same moment.
        if (!isAppError(error, 'conflict') || !(await this.increase(companyId, tokens))) throw error;
      });
  }

  /** Until the next day begins. */
  secondsLeft(): number {
    return Math.ceil((DAY - (this.clock.now().getTime() % DAY)) / 1000);
  }

  private async increase(companyId: CompanyId, tokens: number): Promise<boolean> {
    const changed = await this.collection.of(companyId).update({ day: this.day() }, { increment: { tokens } });
    return changed !== null;
  }

  private day(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }
}
