import type { AppConfig, EmbeddingConfig, ModelConfig } from '../../config/app-config.js';
import type { Briefing, ModelDelta, ToolCall, ToolDefinition } from '../../ports/chat-model.js';
import type { ModelCheck } from '../../ports/chat-models.js';
import { messageOf } from '../../shared/app-error.js';
import { ModelProfile } from './model-profile.js';
import { OpenAiChatModel } from './openai-chat-model.js';
import { OpenAiEmbeddingModel } from './openai-embedding-model.js';

const PATIENCE_MS = 120_000;
const ADD: ToolDefinition = {
  name: 'add',
  description: 'Adds two numbers.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
};
const QUESTION = 'What is 20548 + 31417? Call the tool add, and then tell its result in one short sentence.';
const SUM = '{"sum":51965}';

/** Asks what is configured a few small requests, the way that a question is asked. */
export async function checkModels({ model, embedding }: AppConfig): Promise<readonly ModelCheck[]> {
  return Promise.all([
    ...(model === null ? [] : [checkChat(model)]),
    ...(embedding === null ? [] : [checkEmbedding(embedding)]),
  ]);
}

/** One round with a tool, and one that must be answered in words. */
async function checkChat(config: ModelConfig): Promise<ModelCheck> {
  const profile = new ModelProfile(config);
  const known = [...profile.refusals];
  const model = new OpenAiChatModel(config, undefined, profile);
  const briefing: Briefing = { question: QUESTION, history: [], table: null, passages: [], now: new Date() };
  const heard = new Heard();
  const begun = performance.now();
  let problem: string | null = null;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    for await (const delta of model.stream({ briefing, exchanges: [], tools: [ADD] }, signal)) heard.add(delta);
    const calls = [...heard.calls.values()];
    const outcomes = calls.map(({ id }) => ({ callId: id, ok: true, content: SUM, result: null }));
    const exchanges = calls.length === 0 ? [] : [{ text: '', calls, outcomes }];
    for await (const delta of model.stream({ briefing, exchanges, tools: [] }, signal)) heard.add(delta);
  } catch (error) {
    problem = messageOf(error);
  }
  const inWriting = profile.refuses('tools') ? 'in writing' : 'native';
  return {
    use: 'chat',
    model: config.model,
    problem,
    api: profile.api,
    known,
    learned: [...profile.refusals].filter((name) => !known.includes(name)),
    tools: heard.calls.size > 0 ? inWriting : 'not called',
    pieces: heard.pieces,
    tokens: heard.tokens,
    ms: Math.round(performance.now() - begun),
  };
}

class Heard {
  /** Of text and of calls. */
  pieces = 0;
  /** Null: the endpoint doesn't count. */
  tokens: number | null = 0;
  readonly calls = new Map<string, ToolCall>();

  add(delta: ModelDelta): void {
    if (delta.kind === 'end') {
      this.tokens = delta.tokens === null || this.tokens === null ? null : this.tokens + delta.tokens;
      return;
    }
    this.pieces += 1;
    if (delta.kind === 'text') return;
    const { id, name, arguments: json } = this.calls.get(delta.key) ?? { id: '', name: '', arguments: '' };
    this.calls.set(delta.key, { id: delta.id ?? id, name: delta.name ?? name, arguments: json + delta.arguments });
  }
}

async function checkEmbedding(config: EmbeddingConfig): Promise<ModelCheck> {
  const begun = performance.now();
  const vectors = new OpenAiEmbeddingModel(config).embed([QUESTION], AbortSignal.timeout(PATIENCE_MS));
  const problem = await vectors.then(() => null, messageOf);
  return { use: 'embedding', model: config.model, problem, ms: Math.round(performance.now() - begun) };
}
