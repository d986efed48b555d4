import { LRUCache } from 'lru-cache';
import type { ModelConfig } from '../../config/app-config.js';
import type { ChatModel } from '../../ports/chat-model.js';
import { ChatModels, type ModelChoice } from '../../ports/chat-models.js';
import type { Log } from '../../ports/log.js';
import { type Metrics, NO_METRICS } from '../../ports/metrics.js';
import { ModelProfile } from './model-profile.js';
import { OpenAiChatModel } from './openai-chat-model.js';

/** Choices of which the model is kept: each holds connections. */
const MOST_KEPT = 50;

/** The models of one endpoint beside the built-in analyst; without an endpoint the analyst alone. */
export class OpenAiChatModels extends ChatModels {
  private readonly made = new LRUCache<string, ChatModel>({ max: MOST_KEPT });
  /** By the model and how it is to be asked: what one question has learned of it, the next one knows. */
  private readonly profiles = new LRUCache<string, ModelProfile>({ max: MOST_KEPT });

  constructor(
    private readonly config: ModelConfig | null,
    override readonly builtIn: ChatModel,
    private readonly log: Log,
    private readonly metrics: Metrics = NO_METRICS,
  ) {
    super();
  }

  override choose(choice: ModelChoice): ChatModel {
    if (this.config === null || choice.model === this.builtIn.name) return this.builtIn;
    const chosen = chosenFrom(this.config, choice);
    const { model, temperature, maxTokens, contextTokens, reasoningEffort, refuses } = chosen;
    const asked = [model, maxTokens, contextTokens, reasoningEffort, refuses];
    const profileKey = JSON.stringify(asked);
    const key = JSON.stringify([...asked, temperature]);
    const profile = this.profiles.get(profileKey) ?? new ModelProfile(chosen, this.log);
    this.profiles.set(profileKey, profile);
    const known = this.made.get(key) ?? new OpenAiChatModel(chosen, undefined, profile, this.metrics);
    this.made.set(key, known);
    return known;
  }
}

/** What a choice leaves open is as it is configured. */
function chosenFrom(
  config: ModelConfig,
  { model, temperature, maxTokens, contextTokens, reasoningEffort, refuses }: ModelChoice,
): ModelConfig {
  return {
    ...config,
    model: model ?? config.model,
    temperature: temperature ?? config.temperature,
    ...(maxTokens == null ? {} : { maxTokens }),
    ...(contextTokens == null ? {} : { contextTokens }),
    ...(reasoningEffort == null ? {} : { reasoningEffort }),
    refuses: [...(config.refuses ?? []), ...(refuses ?? [])],
  };
}
