import { IsIn, IsISO8601, IsOptional, Matches } from 'class-validator';
import { Envelope, onWire } from '../../http/envelope.wire.js';
import type { Spending } from './model-usage.schema.js';
import { USAGE_GROUPS, type UsageGroup, type UsageReport } from './usage.service.js';

const DAY = { message: '$property must be a day such as 2026-01-31' };

export class UsageParameters {
  /** The first day, such as `2026-01-01` (UTC); left out: the first of the month of `to`. */
  @IsOptional()
  @Matches(/^\d{4}-\d\d-\d\d$/, DAY)
  @IsISO8601({ strict: true }, DAY)
  readonly from?: string;

  /** The last day; left out: today. */
  @IsOptional()
  @Matches(/^\d{4}-\d\d-\d\d$/, DAY)
  @IsISO8601({ strict: true }, DAY)
  readonly to?: string;

  /** What a row is of: a day, a user or a model. */
  @IsOptional() @IsIn(USAGE_GROUPS) readonly group?: UsageGroup;
}

export class SpendingView {
  readonly questions!: number;
  /** Everything that models read, the cached part included. */
  readonly input_tokens!: number;
  readonly output_tokens!: number;
  /** Of the input, what the endpoint had read before. */
  readonly cached_tokens!: number;
  /** At the prices of the moment at which it was spent. */
  readonly cost!: number;
}

export class UsageRowView extends SpendingView {
  /** The day, the id of the user, or the model. */
  readonly key!: string;
  /** For people: the e-mail address of a user; null when the user is gone. */
  readonly name!: string | null;
}

export class BudgetView {
  /** Null: there is none. */
  readonly per_month!: number | null;
  /** In this month, whatever days were asked for. */
  readonly spent!: number;
  /** `warning` from 80 %; `spent`: models don't answer until the next month. */
  readonly state!: 'none' | 'ok' | 'warning' | 'spent';
}

export class UsageResponse extends Envelope {
  readonly from!: string;
  readonly to!: string;
  readonly group!: UsageGroup;
  /** Days in their order; users and models by what they cost, most first. */
  readonly usage!: UsageRowView[];
  readonly total!: SpendingView;
  readonly budget!: BudgetView;
  /** Of costs, prices and the budget. */
  readonly currency!: string;
  /** Models that took tokens and have no price: what they took costs 0 here. */
  readonly unpriced_models!: string[];
}

export function usageView(report: UsageReport): Omit<UsageResponse, keyof Envelope> {
  const { rows, total, budget, unpriced } = report;
  return {
    ...onWire(report, 'from', 'to', 'group', 'currency'),
    usage: rows.map(({ key, name, ...spending }) => ({ key, name, ...spendingView(spending) })),
    total: spendingView(total),
    budget: onWire(budget, 'perMonth', 'spent', 'state'),
    unpriced_models: [...unpriced],
  };
}

function spendingView({ questions, input, output, cached, cost }: Spending): Pick<SpendingView, keyof SpendingView> {
  return { questions, input_tokens: input, output_tokens: output, cached_tokens: cached, cost };
}
