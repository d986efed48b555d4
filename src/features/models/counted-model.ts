import { ChatModel, type ModelDelta, type ModelRequest } from '../../ports/chat-model.js';

/** So many characters make about one token. */
const CHARACTERS = 4;

/** Tells how many tokens each round took, also of one that broke off. Where the endpoint does not count, it is an estimate. */
export class CountedModel extends ChatModel {
  constructor(
    private readonly model: ChatModel,
    private readonly count: (tokens: number) => Promise<void>,
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
    let written = 0;
    let tokens: number | null = null;
    try {
      for await (const delta of this.model.stream(request, signal)) {
        if (delta.kind === 'text') written += delta.text.length;
        if (delta.kind === 'call') written += delta.arguments.length;
        if (delta.kind === 'end') tokens = delta.tokens;
        yield delta;
      }
    } finally {
      // A round that never began cost nothing.
      if (tokens !== null || written > 0) await this.count(tokens ?? estimate(request, written));
    }
  }
}

function estimate({ briefing, exchanges, tools }: ModelRequest, written: number): number {
  const told = [
    briefing,
    tools,
    exchanges.map(({ outcomes, ...rest }) => [rest, outcomes.map(({ content }) => content)]),
  ];
  return Math.ceil((JSON.stringify(told).length + written) / CHARACTERS);
}
