import { Injectable } from '@nestjs/common';
import { DEFAULT_TOOL_CALLS } from '../../answering/question.js';
import { FallbackModel } from '../../answering/fallback-model.js';
import { AppConfig } from '../../config/app-config.js';
import type { ChatModel } from '../../ports/chat-model.js';
import { ChatModels } from '../../ports/chat-models.js';
import { Log } from '../../ports/log.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import { AssistantSettingsFacade, type AssistantSettings } from '../settings/assistant/assistant-settings.facade.js';
import { CountedModel } from './counted-model.js';
import { ModelUsageRepository } from './model-usage.repository.js';

/** Of the time of an answer, how long a model that can be replaced may be silent. */
const PATIENCE = 0.5;

/** Who answers for a company, and by which rules. */
export interface CompanyAnswerer {
  readonly model: ChatModel;
  /** Of answers; null: that of the question. */
  readonly language: string | null;
  /** Of the company's managers; empty when there are none. */
  readonly instructions: string;
  readonly toolCalls: number;
  readonly answerMs: number;
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
    private readonly settings: AssistantSettingsFacade,
    private readonly models: ChatModels,
    private readonly usage: ModelUsageRepository,
    private readonly config: AppConfig,
    private readonly log: Log,
  ) {}

  /**
   * For one answer, or one run of a task.
   *
   * @throws AppError `rate_limited` when the company's tokens of the day are spent; the built-in analyst needs none.
   */
  async answererFor(companyId: CompanyId): Promise<CompanyAnswerer> {
    const settings = await this.settings.of(companyId);
    const chosen = this.models.choose(settings);
    const rules = this.rulesOf(settings);
    if (chosen === this.models.builtIn) return { ...rules, model: chosen };
    const counted = await this.counted(companyId, chosen, settings);
    if (!settings.fallback) return { ...rules, model: counted };
    const patienceMs = rules.answerMs * PATIENCE;
    return { ...rules, model: new FallbackModel(counted, { standIn: this.models.builtIn, patienceMs }) };
  }

  /**
   * Who would answer with that model (`null`: the company's own), and nobody in its place.
   *
   * @throws AppError `invalid_input` when there is no such model, `rate_limited` as `answererFor`.
   */
  async evaluatedBy(companyId: CompanyId, model: string | null): Promise<CompanyAnswerer> {
    const settings = await this.settings.of(companyId);
    const chosen = this.models.choose(model === null ? settings : { ...settings, model });
    if (model !== null && chosen.name !== model) {
      throw new AppError('invalid_input', `there is no model "${model}": no endpoint is configured`);
    }
    const isFree = chosen === this.models.builtIn;
    return { ...this.rulesOf(settings), model: isFree ? chosen : await this.counted(companyId, chosen, settings) };
  }

  /** For what needs no reading: the built-in analyst, whichever model the company has, and whatever it has spent. */
  async builtInFor(companyId: CompanyId): Promise<CompanyAnswerer> {
    return { ...this.rulesOf(await this.settings.of(companyId)), model: this.models.builtIn };
  }

  async inUse(companyId: CompanyId): Promise<ModelInUse> {
    const settings = await this.settings.of(companyId);
    const chosen = this.models.choose(settings);
    return {
      name: chosen.name,
      isBuiltIn: chosen === this.models.builtIn,
      settings,
      answerMs: this.answerMsOf(settings),
      toolCalls: settings.toolCalls ?? DEFAULT_TOOL_CALLS,
      tokensToday: settings.tokensPerDay === null ? null : await this.usage.today(companyId),
    };
  }

  private rulesOf(settings: AssistantSettings): Omit<CompanyAnswerer, 'model'> {
    const { language, instructions, toolCalls } = settings;
    return { language, instructions, answerMs: this.answerMsOf(settings), toolCalls: toolCalls ?? DEFAULT_TOOL_CALLS };
  }

  /** The service's own limit stands above a company's. */
  private answerMsOf({ answerSeconds }: AssistantSettings): number {
    const { chatTimeoutMs } = this.config.limits;
    return answerSeconds === null ? chatTimeoutMs : Math.min(answerSeconds * 1000, chatTimeoutMs);
  }

  private async counted(companyId: CompanyId, model: ChatModel, settings: AssistantSettings): Promise<ChatModel> {
    const { tokensPerDay } = settings;
    if (tokensPerDay === null) return model;
    if ((await this.usage.today(companyId)) >= tokensPerDay) throw tokensSpent(tokensPerDay, this.usage.secondsLeft());
    return new CountedModel(model, (tokens) => this.count(companyId, tokens));
  }

  /** An answer that was paid for is not thrown away because it could not be counted. */
  private async count(companyId: CompanyId, tokens: number): Promise<void> {
    await this.usage.add(companyId, tokens).catch((error: unknown) => {
      this.log.error('tokens could not be counted', { companyId, tokens, reason: messageOf(error) });
    });
  }
}

function tokensSpent(tokensPerDay: number, retryAfter: number): AppError {
  const most = tokensPerDay.toLocaleString('en-US');
  return new AppError(
    'rate_limited',
    `the company's ${most} model tokens of today are spent; the next come at midnight UTC`,
    {
      retryAfter,
    },
  );
}
