import { z } from 'zod';
import type { ModelDelta } from '../../ports/chat-model.js';
import { AppError } from '../../shared/app-error.js';
import type { JsonObject } from '../../shared/json.js';
import { countedSchema, type End, type KeptRound, type ModelRound, tokensOf } from './chat-request.js';
import { modelFailure } from './model-failure.js';

const itemSchema = z.record(z.string(), z.json());
const responseSchema = z.object({
  usage: countedSchema.nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  error: z.object({ code: z.string().nullish() }).nullish(),
});

/** What we read of an event: https://platform.openai.com/docs/api-reference/responses-streaming */
const eventSchema = z.object({
  type: z.string(),
  delta: z.string().nullish(),
  output_index: z.number().nullish(),
  item: itemSchema.nullish(),
  response: responseSchema.nullish(),
  code: z.string().nullish(),
});
type Event = z.infer<typeof eventSchema>;

/** Turns the events of one streamed response into deltas, and remembers how it ended and what it consists of. */
export class ResponseDeltas implements ModelRound {
  private readonly items: JsonObject[] = [];
  /** Places of calls, and whether their arguments were streamed. */
  private readonly calls = new Map<number, boolean>();
  end: End | null = null;

  *read(chunk: unknown): Generator<ModelDelta> {
    const checked = eventSchema.safeParse(chunk);
    if (!checked.success) throw new AppError('unavailable', 'the model sent something unreadable');
    const event = checked.data;
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        yield { kind: 'text', text: event.delta ?? '' };
        return;
      case 'response.output_item.added':
        yield* this.begun(event);
        return;
      case 'response.function_call_arguments.delta':
        yield this.argued(event.output_index ?? 0, event.delta ?? '');
        return;
      case 'response.output_item.done':
        yield* this.completed(event);
        return;
      default:
        this.conclude(event);
    }
  }

  get kept(): KeptRound {
    return { items: this.items, reasoning: '', details: [], extras: new Map() };
  }

  private *begun({ item, output_index: place }: Event): Generator<ModelDelta> {
    if (item?.['type'] !== 'function_call' || this.calls.has(place ?? 0)) return;
    this.calls.set(place ?? 0, false);
    const [id, name] = [textOf(item['call_id']), textOf(item['name'])];
    yield { kind: 'call', key: String(place ?? 0), id, name, arguments: '' };
  }

  private argued(place: number, json: string): ModelDelta {
    this.calls.set(place, true);
    return { kind: 'call', key: String(place), id: null, name: null, arguments: json };
  }

  /** Some servers send a call in one piece. */
  private *completed(event: Event): Generator<ModelDelta> {
    const { item, output_index: place } = event;
    if (!item) return;
    this.items.push(item);
    yield* this.begun(event);
    const isStreamed = item['type'] !== 'function_call' || this.calls.get(place ?? 0) === true;
    if (!isStreamed) yield this.argued(place ?? 0, textOf(item['arguments']) ?? '');
  }

  /** @throws AppError when the event tells of a failure. */
  private conclude({ type, response, code }: Event): void {
    switch (type) {
      case 'response.failed':
      case 'error':
        throw modelFailure(Object.assign(new Error('failed'), { code: response?.error?.code ?? code }));
      case 'response.completed':
        this.reach(this.calls.size > 0 ? 'tool_calls' : 'stop', response);
        return;
      case 'response.incomplete':
        this.reach(response?.incomplete_details?.reason === 'max_output_tokens' ? 'length' : 'other', response);
    }
  }

  private reach(reason: End['reason'], response: Event['response']): void {
    this.end = { kind: 'end', reason, verdict: null, ...tokensOf(response?.usage) };
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
