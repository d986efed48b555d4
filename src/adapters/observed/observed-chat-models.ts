import { ChatModel, type ModelDelta, type ModelRequest } from '../../ports/chat-model.js';
import { ChatModels, type ModelChoice } from '../../ports/chat-models.js';
import type { Span } from '../../ports/tracing.js';
import type { Observers } from './observers.js';

/** Models whose rounds are counted and traced. */
export class ObservedChatModels extends ChatModels {
  override readonly builtIn: ChatModel;
  private readonly known = new WeakMap<ChatModel, ChatModel>();

  constructor(
    private readonly models: ChatModels,
    private readonly observers: Observers,
  ) {
    super();
    this.builtIn = this.observed(models.builtIn);
  }

  override choose(choice: ModelChoice): ChatModel {
    return this.observed(this.models.choose(choice));
  }

  /** The same model is the same observed one: callers ask whether a choice is the built-in analyst. */
  private observed(model: ChatModel): ChatModel {
    const known = this.known.get(model) ?? new ObservedChatModel(model, this.observers);
    this.known.set(model, known);
    return known;
  }
}

class ObservedChatModel extends ChatModel {
  constructor(
    private readonly model: ChatModel,
    private readonly observers: Observers,
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
    const engine = this.writesFreely ? 'model' : 'built-in';
    const facts = { engine, round: request.exchanges.length + 1 };
    const span = this.observers.tracing.begin({ name: 'model call', kind: 'client', facts });
    const began = performance.now();
    let outcome = 'stopped';
    try {
      for await (const delta of this.model.stream(request, signal)) {
        if (delta.kind === 'end') {
          outcome = 'done';
          this.count(delta.tokens, span);
        }
        yield delta;
      }
    } catch (error) {
      outcome = signal.aborted ? 'stopped' : 'failed';
      span.fail(error);
      throw error;
    } finally {
      span.end();
      const seconds = (performance.now() - began) / 1000;
      this.observers.metrics.observe('model_call_duration_seconds', { engine, outcome }, seconds);
    }
  }

  private count(tokens: number | null, span: Span): void {
    if (tokens === null) return;
    span.add({ tokens });
    this.observers.metrics.count('model_tokens_total', {}, tokens);
  }
}
