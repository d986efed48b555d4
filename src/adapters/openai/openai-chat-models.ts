import { LRUCache } from 'lru-cache';
import type { ModelConfig } from '../../config/app-config.js';
import type { ChatModel } from '../../ports/chat-model.js';
import { ChatModels, type ModelChoice } from '../../ports/chat-models.js';
import type { Log } from '../../ports/log.js';
import { type Metrics, NO_METRICS } from '../../ports/metrics.js';
import { said } from '../../shared/said.js';
import { ModelProfile } from './model-profile.js';
import { OpenAiChatModel } from './openai-chat-model.js';

/** Ways to ask a model of which it is remembered what was learned. */
const MOST_KEPT = 50;

/** The models of one endpoint beside the built-in analyst; without an endpoint the analyst alone. */
export class OpenAiChatModels extends ChatModels {
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
    const { model, temperature, maxTokens, contextTokens, reasoningEffort, refuses = [] } = choice;
    const chosen: ModelConfig = {
      ...this.config,
      // What a choice leaves open is as it is configured.
      ...said({ model, temperature, maxTokens, contextTokens, reasoningEffort }),
      refuses: [...(this.config.refuses ?? []), ...refuses],
    };
    const asked = [chosen.model, chosen.maxTokens, chosen.contextTokens, chosen.reasoningEffort, chosen.refuses];
    const key = JSON.stringify(asked);
    const profile = this.profiles.get(key) ?? new ModelProfile(chosen, this.log);
    this.profiles.set(key, profile);
    return new OpenAiChatModel(chosen, undefined, profile, this.metrics);
  }
}
