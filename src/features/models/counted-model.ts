import { ChatModel, type ModelDelta, type ModelRequest, type TokenUsage } from '../../ports/chat-model.js';

/** So many characters make about one token. */
const CHARACTERS = 4;
const FREE: TokenUsage = { input: 0, output: 0, cached: 0 };

type End = Extract<ModelDelta, { kind: 'end' }>;

export interface RoundWatch {
  /** Called before each round. @throws AppError when there is to be none. */
  readonly begin?: () => void;
  /** Called after each, also after one that broke off. */
  readonly end: (usage: TokenUsage) => Promise<void>;
}

/** Tells how many tokens each round took. Where the endpoint does not count, it is an estimate; the built-in analyst takes none. */
export class CountedModel extends ChatModel {
  constructor(
    private readonly model: ChatModel,
    private readonly watch: RoundWatch,
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
    this.watch.begin?.();
    let written = 0;
    let isCounted = false;
    const count = async (end: End | null): Promise<void> => {
      // A round that never began cost nothing.
      if (isCounted || (end === null && written === 0)) return;
      isCounted = true;
      await this.watch.end(this.usageOf(request, end, written));
    };
    try {
      for await (const delta of this.model.stream(request, signal)) {
        if (delta.kind === 'text') written += delta.text.length;
        if (delta.kind === 'call') written += delta.arguments.length;
        // Before the next round begins, which may be one too many.
        if (delta.kind === 'end') await count(delta);
        yield delta;
      }
    } finally {
      await count(null);
    }
  }

  private usageOf(request: ModelRequest, end: End | null, written: number): TokenUsage {
    if (!this.writesFreely) return FREE;
    if (end?.usage !== undefined) return end.usage;
    const output = Math.ceil(written / CHARACTERS);
    const input = end?.tokens == null ? estimate(request) : Math.max(0, end.tokens - output);
    return { input, output: Math.min(output, end?.tokens ?? output), cached: 0 };
  }
}

function estimate({ briefing, exchanges, tools }: ModelRequest): number {
  const told = [
    briefing,
    tools,
    exchanges.map(({ outcomes, ...rest }) => [rest, outcomes.map(({ content }) => content)]),
  ];
  return Math.ceil(JSON.stringify(told).length / CHARACTERS);
}
