import { type Briefing, ChatModel, type ModelDelta, type ModelRequest } from '../ports/chat-model.js';
import { isAppError } from '../shared/app-error.js';
import { Deadline } from '../shared/deadline.js';

export interface FallbackRules {
  /** Who answers when the model is away. */
  readonly standIn: ChatModel;
  /** How long the model may be silent at the beginning of a round before it counts as away, so that there is time left for the other. */
  readonly patienceMs: number;
}

/**
 * A model with another one behind it: from the moment the first is away the other writes, beginning with the question, and says so at
 * the end of its first text. What the first wrote and found until then stays. For one answer, or for one run of a task.
 */
export class FallbackModel extends ChatModel {
  private isAway = false;
  private hasSaid = false;
  /** Rounds of the model that went away: nothing to the one that stands in for it. */
  private readonly before = new WeakMap<Briefing, number>();

  constructor(
    private readonly model: ChatModel,
    private readonly rules: FallbackRules,
  ) {
    super();
  }

  override get name(): string {
    return this.writer.name;
  }

  override get writesFreely(): boolean {
    return this.writer.writesFreely;
  }

  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    if (!this.isAway) {
      using patience = new Deadline(this.rules.patienceMs);
      try {
        yield* this.whole(request, signal, patience);
        return;
      } catch (error) {
        signal.throwIfAborted();
        const isAway = isAppError(error, 'unavailable') || isAppError(error, 'rate_limited');
        if (!patience.signal.aborted && !isAway) throw error;
        this.isAway = true;
        this.before.set(request.briefing, request.exchanges.length);
      }
    }
    const begun = this.before.get(request.briefing) ?? 0;
    yield* this.saying(this.rules.standIn.stream({ ...request, exchanges: request.exchanges.slice(begun) }, signal));
  }

  private get writer(): ChatModel {
    return this.isAway ? this.rules.standIn : this.model;
  }

  /** Calls wait for the end: those of a round that broke off must not be run. */
  private async *whole(request: ModelRequest, signal: AbortSignal, patience: Deadline): AsyncGenerator<ModelDelta> {
    const calls: ModelDelta[] = [];
    for await (const delta of this.model.stream(request, AbortSignal.any([signal, patience.signal]))) {
      patience[Symbol.dispose]();
      if (delta.kind === 'call') {
        calls.push(delta);
        continue;
      }
      if (delta.kind === 'end') yield* calls;
      yield delta;
    }
  }

  private async *saying(deltas: AsyncIterable<ModelDelta>): AsyncGenerator<ModelDelta> {
    let isText = false;
    for await (const delta of deltas) {
      if (delta.kind === 'text') isText = true;
      if (delta.kind === 'call') isText = false;
      if (delta.kind === 'end' && isText && !this.hasSaid) {
        this.hasSaid = true;
        yield { kind: 'text', text: `\n\n_${standInWords(this.model.name, this.rules.standIn.name)}_` };
      }
      yield delta;
    }
  }
}

function standInWords(model: string, standIn: string): string {
  const name = model.replace(/[^\p{L}\p{N} .:/-]/gu, ' ').trim();
  return `The model ${name} is not available at the moment, so the ${standIn} answered.`;
}
