import { describe, expect, it } from 'vitest';
import { corpusQuestions, corpusTables, TrueTable } from '../../bench/reader/corpus.js';
import { BuiltInAnalyst } from '../../src/analyst/built-in-analyst.js';
import { WEATHER } from '../../src/analyst/profiles.fixture.js';
import { groupedBy } from '../../src/analyst/reading/words.js';
import { DATA_TOOLS, readToolUse } from '../../src/answering/tools.js';
import type { ModelDelta, ModelRequest } from '../../src/ports/chat-model.js';
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

/** The calls that the analyst makes first. */
async function callsFor(request: ModelRequest): Promise<readonly (ModelDelta & { readonly kind: 'call' })[]> {
  const calls = [];
  for await (const delta of new BuiltInAnalyst().stream(request, new AbortController().signal)) {
    if (delta.kind === 'call') calls.push(delta);
  }
  return calls;
}

const isLong = process.env['TEST_LONG'] === '1';
/** So many questions of each table are asked. */
const EACH = isLong ? 10 : 2;

describe('what the built-in analyst calls', () => {
  it('passes the check of the tools for questions about tables of the development part', async () => {
    const tables = await corpusTables();
    const questions = groupedBy([...(await corpusQuestions('development')).values()].flat(), ({ table }) => table);
    const calls = [];
    // To open a table takes longer than to ask about it.
    const some = [...questions].filter((_, index) => isLong || index % 36 === 0);
    for (const [name, asked] of some) {
      const { briefing, table } = await TrueTable.open(tables.get(name)!);
      const scene = { table: briefing, now: new Date(`${table.today}T12:00:00Z`) };
      for (const { q } of asked.slice(0, EACH)) calls.push(...(await callsFor(requestOf(q, scene))));
    }
    expect(calls.length).toBeGreaterThan(0);
    for (const { name, arguments: given } of calls) {
      expect(readToolUse(name ?? '', given)).toMatchObject({ tool: 'analyze' });
    }
  }, 120_000);
});
