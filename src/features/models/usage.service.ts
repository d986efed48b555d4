import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { invalidField } from '../../shared/app-error.js';
import { asId, type CompanyId, type UserId } from '../../shared/ids.js';
import { priceOf } from '../../shared/model-cost.js';
import type { Principal } from '../../shared/principal.js';
import { UsersFacade } from '../users/users.facade.js';
import { CompanyModels, EVALUATIONS, type Budget } from './company-models.facade.js';
import { ModelUsageRepository } from './model-usage.repository.js';
import type { ModelUsage, Spending } from './model-usage.schema.js';
import { DAY_MS } from '../../shared/durations.js';

export const USAGE_GROUPS = ['day', 'user', 'model'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const MOST_DAYS = 400;

/** Which days, both included; left out: from the month's first, to today. */
export interface UsageRequest {
  readonly from?: string;
  readonly to?: string;
  readonly group?: UsageGroup;
}

export interface UsageRow extends Spending {
  /** The day, the user's id or the model. */
  readonly key: string;
  /** For people; of a user who is gone there is none. */
  readonly name: string | null;
}

export interface UsageReport {
  readonly from: string;
  readonly to: string;
  readonly group: UsageGroup;
  readonly rows: readonly UsageRow[];
  readonly total: Spending;
  readonly budget: Budget;
  readonly currency: string;
  /** Models that took tokens and have no price. */
  readonly unpriced: readonly string[];
}

/** What a company's answers took and cost. */
@Injectable()
export class UsageService {
  constructor(
    private readonly usage: ModelUsageRepository,
    private readonly models: CompanyModels,
    private readonly users: UsersFacade,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError `invalid_input` for days that are none, or too many. */
  async report({ companyId }: Principal, { group = 'day', ...days }: UsageRequest): Promise<UsageReport> {
    const to = days.to ?? this.usage.today();
    const from = days.from ?? `${to.slice(0, 7)}-01`;
    assertDays(from, to);
    const found = await this.usage.list(companyId, from, to);
    const [rows, unpriced] = await Promise.all([this.rows(companyId, found, group), this.unpriced(companyId, found)]);
    const budget = await this.models.budgetFor(companyId);
    return { from, to, group, rows, total: sumOf(found), budget, currency: this.config.spending.currency, unpriced };
  }

  private async rows(
    companyId: CompanyId,
    found: readonly ModelUsage[],
    group: UsageGroup,
  ): Promise<readonly UsageRow[]> {
    const keyOf = { day: 'period', user: 'userId', model: 'model' } as const;
    const keys = new Set(found.map((usage) => usage[keyOf[group]]));
    const rows = [...keys].map(async (key) => {
      const usages = found.filter((usage) => usage[keyOf[group]] === key);
      const name = group === 'user' ? await this.nameOf(companyId, asId<UserId>(key)) : key;
      return { key, name, ...sumOf(usages) };
    });
    const sorted = (await Promise.all(rows)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    return group === 'day'
      ? sorted
      : sorted.toSorted((a, b) => b.cost - a.cost || b.input + b.output - a.input - a.output);
  }

  private async nameOf(companyId: CompanyId, id: UserId): Promise<string | null> {
    if (id === EVALUATIONS) return EVALUATIONS;
    return (await this.users.find(companyId, id))?.email ?? null;
  }

  private async unpriced(companyId: CompanyId, found: readonly ModelUsage[]): Promise<readonly string[]> {
    const prices = await this.models.pricesFor(companyId);
    const models = new Set(found.filter(({ input, output }) => input + output > 0).map(({ model }) => model));
    return [...models].filter((model) => priceOf(model, prices) === null).toSorted();
  }
}

function sumOf(spendings: readonly Spending[]): Spending {
  const sum = (of: keyof Spending): number => spendings.reduce((all, spending) => all + spending[of], 0);
  return {
    questions: sum('questions'),
    input: sum('input'),
    output: sum('output'),
    cached: sum('cached'),
    cost: sum('cost'),
  };
}

function assertDays(from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days >= 1 && days <= MOST_DAYS) return;
  throw invalidField(
    'from',
    days < 1 ? 'from must not be after to' : `there are at most ${MOST_DAYS} days from from to to`,
  );
}
