import type { ReasoningEffort } from '../shared/reasoning-effort.js';
import type { ChatModel } from './chat-model.js';

/** What somebody wants of the model that answers; `null`: as the service is configured. */
export interface ModelChoice {
  /** As the endpoint calls it, or the built-in analyst's own name. */
  readonly model: string | null;
  readonly temperature: number | null;
  /** Of one round, thoughts included. */
  readonly maxTokens?: number | null;
  /** Of a request and its answer. */
  readonly contextTokens?: number | null;
  readonly reasoningEffort?: ReasoningEffort | null;
  /** What its endpoint is known to refuse, by the names of its profile; beside what the configuration says. */
  readonly refuses?: readonly string[];
}

export const AS_CONFIGURED: ModelChoice = { model: null, temperature: null };

/** What came of asking a configured model small requests. */
export type ModelCheck = {
  readonly model: string;
  /** Why it did not answer; null: it did. */
  readonly problem: string | null;
  readonly ms: number;
} & ({ readonly use: 'embedding' } | ({ readonly use: 'chat' } & ChatCheck));

interface ChatCheck {
  readonly api: 'chat_completions' | 'responses';
  /** What it was not sent, as its family or the configuration says that it is refused. */
  readonly known: readonly string[];
  /** What it refused now. */
  readonly learned: readonly string[];
  readonly tools: 'native' | 'in writing' | 'not called';
  /** In how many pieces its answers came. */
  readonly pieces: number;
  /** Of the requests that it answered; null: its endpoint doesn't count. */
  readonly tokens: number | null;
}

/** Everybody who can write answers. */
export abstract class ChatModels {
  /** Is always there, needs no endpoint and has no price. */
  abstract readonly builtIn: ChatModel;
  /** The same choice gives the same model. Without an endpoint every choice is the built-in analyst. */
  abstract choose(choice: ModelChoice): ChatModel;
}
