import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { DocumentStore } from '../../ports/document-store.js';
import { IdSource } from '../../ports/id-source.js';
import { TenantRepository } from '../../ports/tenant-repository.js';
import { isAppError } from '../../shared/app-error.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import { ALL, MODEL_USAGE, type ModelUsage, type Spending } from './model-usage.schema.js';
import { DAY_MS } from '../../shared/durations.js';

/** Whose spending it is, and when. */
type Place = Pick<ModelUsage, 'period' | 'userId' | 'model'>;

/** Counts what answers take, by days of UTC; of counts at the same time, on whatever instance, none is lost. */
@Injectable()
export class ModelUsageRepository extends TenantRepository<ModelUsage> {
  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    super(store, MODEL_USAGE);
  }

  async tokensToday(companyId: CompanyId): Promise<number> {
    const day = this.today();
    const usage = await this.list(companyId, day, day);
    return usage.reduce((sum, { input, output }) => sum + input + output, 0);
  }

  async costThisMonth(companyId: CompanyId): Promise<number> {
    return (await this.first(companyId, { period: this.month(), userId: ALL, model: ALL }))?.cost ?? 0;
  }

  /** Of these days, both included, for each user and model. */
  list(companyId: CompanyId, from: string, to: string): Promise<readonly ModelUsage[]> {
    return this.allWhere(companyId, { period: { gte: from, lte: to }, userId: { not: ALL } });
  }

  /** Returns what the company's month has cost with it. */
  async add(companyId: CompanyId, by: { userId: UserId; model: string }, spending: Spending): Promise<number> {
    await this.increase(companyId, { ...by, period: this.today() }, spending);
    return this.increase(companyId, { userId: ALL, model: ALL, period: this.month() }, spending);
  }

  today(): string {
    return this.clock.now().toISOString().slice(0, 10);
  }

  /** Until the next day begins. */
  secondsLeftToday(): number {
    return Math.ceil((DAY_MS - (this.clock.now().getTime() % DAY_MS)) / 1000);
  }

  /** Until the next month begins. */
  secondsLeftThisMonth(): number {
    const now = this.clock.now();
    return Math.ceil((Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime()) / 1000);
  }

  private month(): string {
    return this.today().slice(0, 7);
  }

  private async increase(companyId: CompanyId, place: Place, spending: Spending): Promise<number> {
    const add = (): Promise<ModelUsage | null> =>
      this.collection.of(companyId).update({ ...place }, { increment: { ...spending } });
    const changed = await add();
    if (changed !== null) return changed.cost;
    try {
      const id = this.ids.next<never>();
      await this.insert({ id, companyId, ...place, ...spending, createdAt: this.clock.now() });
      return spending.cost;
    } catch (error) {
      // Somebody else began the day at the same moment.
      const again = isAppError(error, 'conflict') ? await add() : null;
      if (again === null) throw error;
      return again.cost;
    }
  }
}
