import { LRUCache } from 'lru-cache';
import type { ModelConfig } from '../../config/app-config.js';
import type { ChatModel } from '../../ports/chat-model.js';
import { ChatModels, type ModelChoice } from '../../ports/chat-models.js';
import { OpenAiChatModel } from './openai-chat-model.js';

/** Choices of which the model is kept: each holds connections. */
const MOST_KEPT = 50;

/** The models of one endpoint beside the built-in analyst; without an endpoint the analyst alone. */
export class OpenAiChatModels extends ChatModels {
  private readonly made = new LRUCache<string, ChatModel>({ max: MOST_KEPT });

  constructor(
    private readonly config: ModelConfig | null,
    override readonly builtIn: ChatModel,
  ) {
    super();
  }

  override choose({ model, temperature }: ModelChoice): ChatModel {
    if (this.config === null || model === this.builtIn.name) return this.builtIn;
    const chosen = {
      ...this.config,
      model: model ?? this.config.model,
      temperature: temperature ?? this.config.temperature,
    };
    const key = JSON.stringify([chosen.model, chosen.temperature]);
    const known = this.made.get(key) ?? new OpenAiChatModel(chosen);
    this.made.set(key, known);
    return known;
  }
}
