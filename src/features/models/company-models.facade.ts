import { Injectable } from '@nestjs/common';
import { DEFAULT_TOOL_CALLS } from '../../answering/question.js';
import { FallbackModel } from '../../answering/fallback-model.js';
import type { TaskAnswerer } from '../../answering/tasks/task-assignment.js';
import { AppConfig } from '../../config/app-config.js';
import { ChatModel, type ModelDelta, type ModelRequest, type TokenUsage } from '../../ports/chat-model.js';
import { ChatModels } from '../../ports/chat-models.js';
import { Log } from '../../ports/log.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import { asId, type CompanyId, type UserId } from '../../shared/ids.js';
import { costOf, type ModelPrices } from '../../shared/model-cost.js';
import type { Principal } from '../../shared/principal.js';
import { type AssistantSettings, SettingsFacade } from '../settings/settings.facade.js';
import { ModelUsageRepository } from './model-usage.repository.js';

/** Of the time of an answer, how long a model that can be replaced may be silent. */
const PATIENCE = 0.5;

/** Who answers for a company, and by which rules. What is to be said beside each answer is that the company's budget comes to its end. */
export interface CompanyAnswerer extends TaskAnswerer {
  readonly toolCalls: number;
  readonly answerMs: number;
}

/** What an answer has taken until now; null: nobody counts, or nobody has said the price. */
export interface Spent {
  tokens: number | null;
  cost: number | null;
}

/** Who answers a question of an evaluation, and what it takes. */
export interface EvaluatedAnswerer extends CompanyAnswerer {
  readonly spent: Readonly<Spent>;
}

/** In the place of a user where a company's evaluations are counted. */
export const EVALUATIONS = asId<UserId>('evaluations');

/** For whom an answer is. */
type Asker = Pick<Principal, 'companyId' | 'userId'>;

/** A company's budget of this month. */
export interface Budget {
  /** Null: there is none. */
  readonly perMonth: number | null;
  readonly spent: number;
  readonly state: 'none' | 'ok' | 'warning' | 'spent';
}

export interface ModelInUse {
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly settings: AssistantSettings;
  readonly answerMs: number;
  readonly toolCalls: number;
  /** Null: nobody counts. */
  readonly tokensToday: number | null;
}

/** The model of each company, as its settings want it. */
@Injectable()
export class CompanyModels {
  constructor(
    private readonly settings: SettingsFacade,
    private readonly models: ChatModels,
    private readonly usage: ModelUsageRepository,
    private readonly config: AppConfig,
    private readonly log: Log,
  ) {}

  /**
   * For one answer, or one run of a task.
   *
   * @throws AppError `rate_limited` when the company's tokens of the day are spent, or its budget of the month and the built-in analyst may
   *   not stand in; the built-in analyst needs neither.
   */
  async answererFor(by: Asker): Promise<CompanyAnswerer> {
    const settings = await this.settings.assistantOf(by.companyId);
    const chosen = this.models.choose(settings);
    if (chosen === this.models.builtIn) return this.analystFor(by, settings);
    await this.assertTokensLeft(by.companyId, settings);
    const budget = await this.budgetOf(by.companyId, settings);
    if (budget.state === 'spent' && !settings.fallback) throw this.budgetSpent(budget);
    const notice = budget.state === 'ok' || budget.state === 'none' ? null : this.budgetWords(budget);
    if (budget.state === 'spent') return { ...this.analystFor(by, settings), notice };
    const rules = { ...this.rulesOf(settings), notice };
    const tab = { isCounted: false };
    const counted = this.counted(chosen, by, settings, tab);
    if (!settings.fallback) return { ...rules, model: counted };
    const standIn = this.counted(this.models.builtIn, by, settings, tab);
    return { ...rules, model: new FallbackModel(counted, { standIn, patienceMs: rules.answerMs * PATIENCE }) };
  }

  /**
   * Who would answer with that model (`null`: the company's own), and nobody in its place.
   *
   * @throws AppError `invalid_input` when there is no such model, `rate_limited` as `answererFor`.
   */
  async evaluatedBy(companyId: CompanyId, model: string | null): Promise<EvaluatedAnswerer> {
    const settings = await this.settings.assistantOf(companyId);
    const chosen = this.models.choose(model === null ? settings : { ...settings, model });
    if (model !== null && chosen.name !== model) {
      throw new AppError('invalid_input', `there is no model "${model}": no endpoint is configured`);
    }
    const spent: Spent = { tokens: null, cost: null };
    const rules = { ...this.rulesOf(settings), notice: null, spent };
    if (chosen === this.models.builtIn) return { ...rules, model: chosen };
    await this.assertTokensLeft(companyId, settings);
    const budget = await this.budgetOf(companyId, settings);
    if (budget.state === 'spent') throw this.budgetSpent(budget);
    const counted = this.counted(chosen, { companyId, userId: EVALUATIONS }, settings, { isCounted: false });
    const end = (usage: TokenUsage): Promise<void> => {
      const cost = costOf(usage, chosen.name, this.pricesIn(settings));
      spent.tokens = (spent.tokens ?? 0) + usage.input + usage.output;
      spent.cost = cost === null ? spent.cost : (spent.cost ?? 0) + cost;
      return Promise.resolve();
    };
    return { ...rules, model: new CountedModel(counted, { end }) };
  }

  /** For what needs no reading: the built-in analyst, whichever model the company has, and whatever it has spent. */
  async builtInFor(by: Asker): Promise<CompanyAnswerer> {
    return this.analystFor(by, await this.settings.assistantOf(by.companyId));
  }

  /** What the company pays for a model's tokens: its own prices above the operator's. */
  async pricesFor(companyId: CompanyId): Promise<ModelPrices> {
    return this.pricesIn(await this.settings.assistantOf(companyId));
  }

  async budgetFor(companyId: CompanyId): Promise<Budget> {
    return this.budgetOf(companyId, await this.settings.assistantOf(companyId));
  }

  async inUse(companyId: CompanyId): Promise<ModelInUse> {
    const settings = await this.settings.assistantOf(companyId);
    const chosen = this.models.choose(settings);
    return {
      name: chosen.name,
      isBuiltIn: chosen === this.models.builtIn,
      settings,
      answerMs: this.answerMsOf(settings),
      toolCalls: settings.toolCalls ?? DEFAULT_TOOL_CALLS,
      tokensToday: settings.tokensPerDay === null ? null : await this.usage.tokensToday(companyId),
    };
  }

  private rulesOf(settings: AssistantSettings): Omit<CompanyAnswerer, 'model' | 'notice'> {
    const { language, instructions, toolCalls } = settings;
    return { language, instructions, answerMs: this.answerMsOf(settings), toolCalls: toolCalls ?? DEFAULT_TOOL_CALLS };
  }

  /** The service's own limit stands above a company's. */
  private answerMsOf({ answerSeconds }: AssistantSettings): number {
    const { chatTimeoutMs } = this.config.limits;
    return answerSeconds === null ? chatTimeoutMs : Math.min(answerSeconds * 1000, chatTimeoutMs);
  }

  private analystFor(by: Asker, settings: AssistantSettings): CompanyAnswerer {
    const model = this.counted(this.models.builtIn, by, settings, { isCounted: false });
    return { ...this.rulesOf(settings), model, notice: null };
  }

  private pricesIn({ prices }: AssistantSettings): ModelPrices {
    return { ...this.config.spending.prices, ...prices };
  }

  private async budgetOf(companyId: CompanyId, settings: AssistantSettings): Promise<Budget> {
    const perMonth = settings.budgetPerMonth ?? this.config.spending.budgetPerMonth;
    const spent = await this.usage.costThisMonth(companyId);
    return { perMonth, spent, state: stateOf(perMonth, spent) };
  }

  private async assertTokensLeft(companyId: CompanyId, { tokensPerDay }: AssistantSettings): Promise<void> {
    if (tokensPerDay === null || (await this.usage.tokensToday(companyId)) < tokensPerDay) return;
    throw tokensSpent(tokensPerDay, this.usage.secondsLeftToday());
  }

  /** `tab`: of one answer, whose question is counted with its first round. */
  private counted(model: ChatModel, by: Asker, settings: AssistantSettings, tab: { isCounted: boolean }): ChatModel {
    const perMonth = settings.budgetPerMonth ?? this.config.spending.budgetPerMonth;
    let spent = 0;
    return new CountedModel(model, {
      begin: () => {
        if (model.writesFreely && perMonth !== null && spent >= perMonth)
          throw this.budgetSpent({ perMonth, spent, state: 'spent' });
      },
      end: async (usage) => {
        const questions = tab.isCounted ? 0 : 1;
        if (questions + usage.input + usage.output === 0) return;
        const cost = costOf(usage, model.name, this.pricesIn(settings)) ?? 0;
        tab.isCounted = true;
        spent = (await this.count(by, model.name, { ...usage, questions, cost })) ?? spent;
        if (perMonth !== null) this.warn(by.companyId, perMonth, { before: spent - cost, after: spent });
      },
    });
  }

  /** An answer that was paid for is not thrown away because it could not be counted. */
  private async count(
    { companyId, userId }: Asker,
    model: string,
    spending: TokenUsage & { readonly questions: number; readonly cost: number },
  ): Promise<number | null> {
    try {
      return await this.usage.add(companyId, { userId, model }, spending);
    } catch (error) {
      const { input, output } = spending;
      this.log.error('tokens could not be counted', { companyId, tokens: input + output, reason: messageOf(error) });
      return null;
    }
  }

  /** Once for each mark, on whichever instance it was passed. */
  private warn(companyId: CompanyId, perMonth: number, { before, after }: { before: number; after: number }): void {
    for (const share of [WARNING_SHARE, 1]) {
      if (before >= perMonth * share || after < perMonth * share) continue;
      this.log.warn(`a company has spent ${share * 100} % of its model budget of this month`, {
        companyId,
        spent: after,
        budget: perMonth,
      });
    }
  }

  private budgetWords({ perMonth, spent, state }: Budget): string {
    const most = this.money(perMonth ?? 0);
    return state === 'spent'
      ? `The company's model budget of this month, ${most}, is spent, so the built-in analyst answers.`
      : `The company has spent ${this.money(spent)} of its model budget of ${most} this month. When it is spent, models stop answering.`;
  }

  private budgetSpent({ perMonth }: Budget): AppError {
    const most = this.money(perMonth ?? 0);
    return new AppError(
      'rate_limited',
      `the company's model budget of this month, ${most}, is spent: a manager can raise limits.budget_per_month in the settings of the assistant, or set its model to "${this.models.builtIn.name}" or fallback to true; the next budget comes with the next month (UTC)`,
      { retryAfter: this.usage.secondsLeftThisMonth() },
    );
  }

  private money(amount: number): string {
    const written = amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return `${written} ${this.config.spending.currency}`;
  }
}

const WARNING_SHARE = 0.8;

function stateOf(perMonth: number | null, spent: number): Budget['state'] {
  if (perMonth === null) return 'none';
  if (spent >= perMonth) return 'spent';
  return spent >= perMonth * WARNING_SHARE ? 'warning' : 'ok';
}

function tokensSpent(tokensPerDay: number, retryAfter: number): AppError {
  const most = tokensPerDay.toLocaleString('en-US');
  return new AppError(
    'rate_limited',
    `the company's ${most} model tokens of today are spent; the next come at midnight UTC`,
    { retryAfter },
  );
}

/** So many characters make about one token. */
const CHARACTERS = 4;
const FREE: TokenUsage = { input: 0, output: 0, cached: 0 };

type End = Extract<ModelDelta, { kind: 'end' }>;

export interface RoundWatch {
  /** Called before each round. @throws AppError when there is to be none. */
  readonly begin?: () => void;
  /** Called after each, also after one that broke off. */
  readonly end: (usage: TokenUsage) => Promise<void>;
}

/** Tells how many tokens each round took. Where the endpoint does not count, it is an estimate; the built-in analyst takes none. */
export class CountedModel extends ChatModel {
  constructor(
    private readonly model: ChatModel,
    private readonly watch: RoundWatch,
  ) {
    super();
  }

  override get name(): string {
    return this.model.name;
  }

  override get writesFreely(): boolean {
    return this.model.writesFreely;
  }

  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    this.watch.begin?.();
    let written = 0;
    let isCounted = false;
    const count = async (end: End | null): Promise<void> => {
      // A round that never began cost nothing.
      if (isCounted || (end === null && written === 0)) return;
      isCounted = true;
      await this.watch.end(this.usageOf(request, end, written));
    };
    try {
      for await (const delta of this.model.stream(request, signal)) {
        if (delta.kind === 'text') written += delta.text.length;
        if (delta.kind === 'call') written += delta.arguments.length;
        // Before the next round begins, which may be one too many.
        if (delta.kind === 'end') await count(delta);
        yield delta;
      }
    } finally {
      await count(null);
    }
  }

  private usageOf(request: ModelRequest, end: End | null, written: number): TokenUsage {
    if (!this.writesFreely) return FREE;
    if (end?.usage !== undefined) return end.usage;
    const output = Math.ceil(written / CHARACTERS);
    const input = end?.tokens == null ? estimate(request) : Math.max(0, end.tokens - output);
    return { input, output: Math.min(output, end?.tokens ?? output), cached: 0 };
  }
}

function estimate({ briefing, exchanges, tools }: ModelRequest): number {
  const told = [
    briefing,
    tools,
    exchanges.map(({ outcomes, ...rest }) => [rest, outcomes.map(({ content }) => content)]),
  ];
  return Math.ceil(JSON.stringify(told).length / CHARACTERS);
}
