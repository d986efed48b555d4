import type { ModelConfig } from '../../config/app-config.js';
import type { Log } from '../../ports/log.js';
import type { ReasoningEffort } from '../../shared/reasoning-effort.js';
import { LIMITS, refusedBy, type Limit, type Refusable, type Refusal, type Sent } from './refusal.js';

/** Of an answer in words. */
const MAX_TOKENS = 2000;
/** Thinking counts as well. */
const MAX_THINKING_TOKENS = 16_000;
/** Of names, figures and JSON at worst. */
const CHARACTERS_A_TOKEN = 3;

interface Family {
  /** Of the model's name in small letters; vendors and clouds put words before it and dates behind it. */
  readonly names: RegExp;
  /** It thinks before it speaks, and its thoughts count as output. */
  readonly thinks: boolean;
  readonly refuses: readonly Refusable[];
}

/**
 * Only what is worth a request that is refused first; the rest is learned. The first family that a name fits is the model's, and a
 * name that fits none, as that of a deployment does, begins with what most endpoints take.
 */
const FAMILIES: readonly Family[] = [
  { names: /gpt-5[\d.]*-chat|chat-latest/, thinks: false, refuses: ['max_tokens'] },
  // These take function tools in the Responses API alone, unless they may not think.
  {
    names: /gpt-(5\.([2-9]|\d\d)|[6-9])|codex|(^|\W)(o\d|gpt-5[\d.]*)-pro/,
    thinks: true,
    refuses: ['chat_completions', 'max_tokens', 'temperature'],
  },
  { names: /gpt-5|(^|[^a-z0-9])o\d($|[^a-z0-9])/, thinks: true, refuses: ['max_tokens', 'temperature'] },
  { names: /gpt-(4|3\.5)|chatgpt/, thinks: false, refuses: [] },
  {
    names: /magistral/,
    thinks: true,
    refuses: ['max_completion_tokens', 'user_after_tool', 'long_call_ids'],
  },
  {
    names: /mistral|ministral|codestral|devstral|pixtral/,
    thinks: false,
    refuses: ['max_completion_tokens', 'user_after_tool', 'long_call_ids'],
  },
  { names: /gemini/, thinks: true, refuses: ['tool_without_name'] },
  { names: /deepseek/, thinks: true, refuses: ['call_without_reasoning'] },
];

/**
 * How one model of one endpoint wants to be asked: what is known of its family, what the configuration says, and what the endpoint
 * has refused since this process began.
 */
export class ModelProfile {
  /** Names of what the endpoint refuses: parameters, habits of a conversation, keywords of a schema. */
  readonly refusals: Set<string>;
  private readonly family: Family | undefined;
  /** It writes its thoughts without the mark that opens them; seen once, it is expected. */
  thinksUnmarked = false;

  constructor(
    private readonly config: ModelConfig,
    private readonly log: Log | null = null,
  ) {
    const name = config.model.toLowerCase();
    this.family = FAMILIES.find(({ names }) => names.test(name));
    this.refusals = new Set([...(this.family?.refuses ?? []), ...(config.refuses ?? [])]);
  }

  refuses(name: Refusable): boolean {
    return this.refusals.has(name);
  }

  get api(): Sent['api'] {
    return this.refuses('chat_completions') && !this.refuses('responses') ? 'responses' : 'chat_completions';
  }

  /** The name under which the length of an answer is limited; `null`: it isn't. */
  get limit(): Limit | null {
    const names: readonly Limit[] =
      this.api === 'responses' ? ['max_output_tokens'] : LIMITS.filter((name) => name !== 'max_output_tokens');
    return names.find((name) => !this.refuses(name)) ?? null;
  }

  get maxTokens(): number {
    const wanted = this.config.maxTokens ?? ((this.family?.thinks ?? true) ? MAX_THINKING_TOKENS : MAX_TOKENS);
    const { contextTokens = Infinity } = this.config;
    return Math.min(wanted, Math.floor(contextTokens / 2));
  }

  /** Characters of a request; half of the context, or more, is left for them. */
  get room(): number {
    const { contextTokens = Infinity } = this.config;
    return (contextTokens - this.maxTokens) * CHARACTERS_A_TOKEN;
  }

  /** It may be silent while it thinks. Servers of unknown models stream their thoughts. */
  get isSilentThinker(): boolean {
    return this.family?.thinks ?? false;
  }

  get effort(): ReasoningEffort | null {
    if (this.refuses('reasoning_effort')) return null;
    return this.api === 'chat_completions' && this.refuses('default_reasoning')
      ? 'none'
      : (this.config.reasoningEffort ?? null);
  }

  /** Whether something is left to try after this refusal. What is new is told in the log, once. */
  learn(refusal: Refusal, sent: Sent): boolean {
    const refused = refusedBy(refusal, sent).map((name) => this.ratherThan(name));
    const fresh = refused.filter((name) => !this.refusals.has(name));
    if (fresh.length === 0) return false;
    for (const name of fresh) this.refusals.add(name);
    this.log?.warn('the model endpoint refuses a part of our requests; it is left out or replaced from now on', {
      model: this.config.model,
      refused: fresh,
    });
    return true;
  }

  /** Where the Responses API is not served either, such a model answers without thinking. */
  private ratherThan(name: string): string {
    return name === 'chat_completions' && this.refuses('responses') ? 'default_reasoning' : name;
  }
}
