import { setImmediate } from 'node:timers/promises';
import { ChatModel, type ModelDelta, type ModelRequest } from '../../src/ports/chat-model.js';

const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'count', column: null, label: 'rows' }],
  ...{ dimensions: [], filters: [], having: [], order: [], limit: null },
};

/** Says how many rows there are, whatever it is asked. What it gets right is right by luck. */
export class RowCounter extends ChatModel {
  override readonly name = 'row counter';
  override readonly writesFreely = false;

  override async *stream({ briefing, exchanges }: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    await setImmediate();
    signal.throwIfAborted();
    if (exchanges.length === 0) {
      yield {
        kind: 'call',
        key: 'c',
        id: 'c',
        name: 'analyze',
        arguments: JSON.stringify({ plan: PLAN, purpose: 'rows' }),
      };
      yield { kind: 'end', reason: 'tool_calls', verdict: null, tokens: null };
      return;
    }
    yield {
      kind: 'text',
      text: `There are ${String(briefing.table?.profile.rowCount ?? 0)} rows. Nothing significant.`,
    };
    yield { kind: 'end', reason: 'stop', verdict: 'answer', tokens: null };
  }
}
