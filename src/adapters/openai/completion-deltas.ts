import { z } from 'zod';
import type { ModelDelta } from '../../ports/chat-model.js';
import { AppError } from '../../shared/app-error.js';
import type { JsonObject } from '../../shared/json.js';
import { countedSchema, type End, type KeptRound, type ModelRound, tokensOf } from './chat-request.js';

const jsonObject = z.record(z.string(), z.json());
const filled = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === '' ? null : text));
const json = z.union([z.string(), jsonObject.transform((given) => JSON.stringify(given))]);
const callSchema = z.object({
  index: z.number().nullish(),
  id: filled,
  function: z
    .object({ name: filled, arguments: json.nullish() })
    .nullish()
    .transform((called) => ({ name: called?.name ?? null, arguments: called?.arguments ?? '' })),
  // Gemini's signature of the thoughts behind a call: https://ai.google.dev/gemini-api/docs/thought-signatures
  extra_content: jsonObject.nullish(),
});
/** Mistral's models that think send a list: https://docs.mistral.ai/inference/conversations/reasoning */
const contentSchema = z.union([z.string(), z.array(z.object({ type: z.string(), text: z.string().nullish() }))]);
const deltaSchema = z.object({
  content: contentSchema.nullish(),
  tool_calls: z.array(callSchema).nullish(),
  // DeepSeek, vLLM and llama.cpp have the first, OpenRouter the second:
  // https://openrouter.ai/docs/use-cases/reasoning-tokens
  reasoning_content: z.string().nullish(),
  reasoning_details: z.array(jsonObject).nullish(),
});

/** What we read of a streamed chunk. Servers differ in all the rest. */
const chunkSchema = z.object({
  choices: z.array(z.object({ delta: deltaSchema.nullish(), finish_reason: z.string().nullish() })).nullish(),
  usage: countedSchema.nullish(),
});

type Delta = z.infer<typeof deltaSchema>;

/** Turns the chunks of one streamed completion into deltas, and remembers how it ended. */
export class CompletionDeltas implements ModelRound {
  private readonly keys = new CallKeys();
  private readonly details: JsonObject[] = [];
  private readonly extras = new Map<string, JsonObject>();
  private finish: string | null = null;
  private counted: z.infer<typeof countedSchema> | null = null;
  private reasoning = '';

  *read(chunk: unknown): Generator<ModelDelta> {
    const checked = chunkSchema.safeParse(chunk);
    if (!checked.success) throw new AppError('unavailable', 'the model sent something unreadable');
    this.counted = checked.data.usage ?? this.counted;
    const choice = checked.data.choices?.[0];
    if (choice === undefined) return;
    this.finish = choice.finish_reason ?? this.finish;
    if (choice.delta) yield* this.deltasOf(choice.delta);
  }

  get end(): End | null {
    if (this.finish === null) return null;
    return { kind: 'end', reason: REASONS.get(this.finish) ?? 'other', verdict: null, ...tokensOf(this.counted) };
  }

  get kept(): KeptRound {
    return { items: [], reasoning: this.reasoning, details: this.details, extras: this.extras };
  }

  private *deltasOf(delta: Delta): Generator<ModelDelta> {
    this.reasoning += delta.reasoning_content ?? '';
    for (const detail of delta.reasoning_details ?? []) addDetail(this.details, detail);
    for (const text of textsOf(delta)) yield { kind: 'text', text };
    for (const { index, id, function: called, extra_content: extra } of delta.tool_calls ?? []) {
      const key = this.keys.of(index ?? null, id, called.name);
      if (extra) this.extras.set(key, extra);
      yield { kind: 'call', key, id, ...called };
    }
  }
}

function textsOf({ content }: Delta): readonly string[] {
  const texts =
    typeof content === 'string' ? [content] : (content ?? []).map(({ type, text }) => type === 'text' && text);
  return texts.filter((text) => typeof text === 'string').filter((text) => text !== '');
}

/** Details are streamed in pieces, and wanted back as a whole. */
function addDetail(details: JsonObject[], piece: JsonObject): void {
  const last = details.at(-1);
  if (last?.['type'] !== piece['type'] || last?.['index'] !== piece['index']) {
    details.push(piece);
    return;
  }
  const text = [last, piece].map((part) => part?.['text']).filter((part) => typeof part === 'string');
  details[details.length - 1] = { ...last, ...piece, ...(text.length > 0 ? { text: text.join('') } : {}) };
}

const REASONS: ReadonlyMap<string, End['reason']> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['length', 'length'],
]);

/**
 * Tells which call a piece belongs to. The protocol has an index for that; some servers leave it out, and some give every call the same
 * one, so a new id, or without ids a new name, begins a new call.
 */
class CallKeys {
  private count = 0;
  private last: string | null = null;
  private readonly byIndex = new Map<number, { readonly key: string; readonly id: string | null }>();
  private readonly byId = new Map<string, string>();

  of(index: number | null, id: string | null, name: string | null): string {
    this.last = index === null ? this.withoutIndex(id, name) : this.withIndex(index, id);
    return this.last;
  }

  private withIndex(index: number, id: string | null): string {
    const known = this.byIndex.get(index);
    const isSame = known !== undefined && (id === null || known.id === null || known.id === id);
    const key = isSame ? known.key : this.next();
    this.byIndex.set(index, { key, id: id ?? known?.id ?? null });
    return key;
  }

  private withoutIndex(id: string | null, name: string | null): string {
    if (id !== null) {
      const key = this.byId.get(id) ?? this.next();
      this.byId.set(id, key);
      return key;
    }
    return name !== null || this.last === null ? this.next() : this.last;
  }

  private next(): string {
    this.count += 1;
    return String(this.count);
  }
}
