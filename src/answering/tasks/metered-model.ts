import { ChatModel, type ModelDelta, type ModelRequest } from '../../ports/chat-model.js';
import { AppError } from '../../shared/app-error.js';

/** Counts what a model uses, and stops it where nothing is left. */
export class MeteredModel extends ChatModel {
  private usedSteps = 0;
  private usedCalls = 0;
  private usedTokens = 0;

  constructor(
    private readonly model: ChatModel,
    private readonly most: { readonly steps: number; readonly toolCalls: number; readonly tokens: number },
  ) {
    super();
  }

  get name(): string {
    return this.model.name;
  }

  get writesFreely(): boolean {
    return this.model.writesFreely;
  }

  get stepsLeft(): number {
    return Math.max(0, this.most.steps - this.usedSteps);
  }

  get callsLeft(): number {
    return Math.max(0, this.most.toolCalls - this.usedCalls);
  }

  get tokensLeft(): number {
    return Math.max(0, this.most.tokens - this.usedTokens);
  }

  /** @throws AppError `unavailable` beyond the last step, which nobody should ask for. */
  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    if (this.stepsLeft === 0) throw new AppError('unavailable', 'no model steps are left in this run');
    this.usedSteps += 1;
    const calls = new Set<string>();
    for await (const delta of this.model.stream(request, signal)) {
      if (delta.kind === 'call' && !calls.has(delta.key)) {
        calls.add(delta.key);
        this.usedCalls += 1;
      }
      if (delta.kind === 'end' && this.writesFreely) this.usedTokens += delta.tokens ?? estimate(request);
      yield delta;
    }
  }
}

/** Where the endpoint does not count. */
function estimate({ briefing, exchanges, tools }: ModelRequest): number {
  const told = exchanges.map(({ text, calls, outcomes }) => [text, calls, outcomes.map(({ content }) => content)]);
  return Math.ceil(JSON.stringify([briefing.question, briefing.table, briefing.others, told, tools]).length / 4);
}
