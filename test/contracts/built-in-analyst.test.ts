import { describe, expect, it } from 'vitest';
import { BuiltInAnalyst } from '../../src/adapters/analyst/built-in-analyst.js';
import { QUESTION_SETS } from '../../src/adapters/analyst/fixtures/question-sets.fixture.js';
import { WEATHER } from '../../src/adapters/analyst/fixtures/scenes.fixture.js';
import { DATA_TOOLS, readToolUse } from '../../src/answering/tools.js';
import type { ModelRequest } from '../../src/ports/chat-model.js';
import { keepsTheChatModelPromises } from './chat-model.contract.js';

function requestOf(question: string, { table, now } = WEATHER): ModelRequest {
  return { briefing: { question, history: [], table, passages: [], now }, exchanges: [], tools: DATA_TOOLS };
}

describe('the built-in analyst as a chat model', () => {
  keepsTheChatModelPromises(() =>
    Promise.resolve({
      model: new BuiltInAnalyst(),
      request: requestOf('average wind by location'),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
  );
});

describe('what the built-in analyst calls', () => {
  it.each(QUESTION_SETS)(
    'passes the check of the tools for every question about $table.name',
    async (scene, questions) => {
      for (const [question] of questions) {
        const deltas = new BuiltInAnalyst().stream(requestOf(question, scene), new AbortController().signal);
        for await (const delta of deltas) {
          if (delta.kind !== 'call') continue;
          expect(readToolUse(delta.name ?? '', delta.arguments)).toMatchObject({ tool: 'analyze' });
        }
      }
    },
  );
});
