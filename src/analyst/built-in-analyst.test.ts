import { describe, expect, it } from 'vitest';
import type { Briefing, Exchange, ModelDelta, ModelRequest, ToolOutcome } from '../ports/chat-model.js';
import { BuiltInAnalyst } from './built-in-analyst.js';
import { result } from './plans.fixture.js';
import { WEATHER } from './profiles.fixture.js';

const TOOLS = ['analyze', 'make_chart'].map((name) => ({ name, description: '', parameters: {} }));
const PASSAGES = [{ fileId: '1', filename: 'a.txt', page: null, quote: 'The station stands on a roof.' }];

const RESULT = result(
  { location: 'text', 'average wind': 'number' },
  Object.entries({ 'New York': 4.9, Seattle: 3.2 }),
);

function aRequest(
  question: string,
  change: Partial<ModelRequest> = {},
  briefing: Partial<Briefing> = {},
): ModelRequest {
  const whole = { question, history: [], table: WEATHER.table, passages: [], now: WEATHER.now, ...briefing };
  return { briefing: whole, exchanges: [], tools: TOOLS, ...change };
}

function anExchange(name: string, outcome: Partial<ToolOutcome> = {}): Exchange {
  const callId = `call_${name}`;
  const outcomes = [{ callId, ok: true, content: '{}', result: null, ...outcome }];
  return { text: '', calls: [{ id: callId, name, arguments: '{}' }], outcomes };
}

async function heard(request: ModelRequest): Promise<readonly ModelDelta[]> {
  const deltas: ModelDelta[] = [];
  for await (const delta of new BuiltInAnalyst().stream(request, new AbortController().signal)) deltas.push(delta);
  return deltas;
}

async function textOf(request: ModelRequest): Promise<string> {
  return (await heard(request)).map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
}

const endOf = (deltas: readonly ModelDelta[]): ModelDelta | undefined => deltas.at(-1);
const answers = { kind: 'end', reason: 'stop', verdict: 'answer' };

describe('the built-in analyst', () => {
  const QUESTION = 'average wind by location';
  const RAN = anExchange('analyze', { result: RESULT });

  it('first asks for the plan to be run, then for a chart where one helps', async () => {
    const argumentsOf = (call?: ModelDelta): unknown => JSON.parse(call?.kind === 'call' ? call.arguments : '');
    const [first, end] = await heard(aRequest(QUESTION));
    expect(first).toMatchObject({ kind: 'call', name: 'analyze' });
    const plan = { kind: 'aggregate', measures: [{ aggregate: 'avg', column: 'wind', label: 'average wind' }] };
    expect(argumentsOf(first)).toMatchObject({ purpose: QUESTION, plan });
    expect(end).toMatchObject({ kind: 'end', reason: 'tool_calls' });
    const [second] = await heard(aRequest(QUESTION, { exchanges: [RAN] }));
    expect(second).toMatchObject({ kind: 'call', name: 'make_chart' });
    expect(argumentsOf(second)).toMatchObject({ kind: 'bar', x: 'location', y: 'average wind', series: null });
  });

  it('then answers in several pieces, whether or not the chart came out', async () => {
    for (const ok of [true, false]) {
      const deltas = await heard(aRequest(QUESTION, { exchanges: [RAN, anExchange('make_chart', { ok })] }));
      expect(deltas.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(1);
      expect(endOf(deltas)).toMatchObject(answers);
    }
  });

  it('answers in words as soon as it is offered no tools', async () => {
    expect(endOf(await heard(aRequest(QUESTION, { exchanges: [RAN], tools: [] })))).toMatchObject(answers);
    const none = await heard(aRequest(QUESTION, { tools: [] }));
    expect(endOf(none)).toMatchObject({ reason: 'stop', verdict: 'cannot' });
  });

  it('says what went wrong when the plan could not be run', async () => {
    const failed = anExchange('analyze', { ok: false, content: '{"error":"the query took too long."}' });
    const request = aRequest(QUESTION, { exchanges: [failed] });
    expect(await textOf(request)).toBe(
      'I understood the question (average wind by location), but could not calculate it: the query took too long.',
    );
    expect(endOf(await heard(request))).toMatchObject({ verdict: 'cannot' });
  });

  it('names what it could not read, and offers what it can answer', async () => {
    const request = aRequest('xyzzy quuxes xyzzy');
    expect(await textOf(request)).toMatch(
      /^I don’t know what “xyzzy” and “quuxes” mean in this table\.\n\nYou can ask, for example:\n\n(- .+\n?){3}$/,
    );
    expect(endOf(await heard(request))).toMatchObject({ verdict: 'clarify' });
  });

  it('does not let a question write Markdown into its own answer', async () => {
    expect(await textOf(aRequest('average wind in ![x](http://evil)'))).not.toContain('![');
  });

  it('quotes the context files when the table has no answer', async () => {
    const request = aRequest('where does the station stand', {}, { passages: PASSAGES });
    expect(await textOf(request)).toContain('> The station stands on a roof.');
    expect(endOf(await heard(request))).toMatchObject(answers);
  });

  it('greets back, also where there are context files', async () => {
    const request = aRequest('hello', {}, { passages: PASSAGES });
    expect(await textOf(request)).toMatch(/^Hello\. [^>]*\n\nYou can ask, for example:\n\n(- .+\n?){3}$/);
    expect(endOf(await heard(request))).toMatchObject({ verdict: 'clarify' });
  });

  it('answers from context files alone when there is no table, or says that they hold no answer', async () => {
    const known = aRequest('where does the station stand', {}, { passages: PASSAGES, table: null });
    expect(endOf(await heard(known))).toMatchObject(answers);
    const unknown = aRequest('who paid for lunch', {}, { passages: PASSAGES, table: null });
    expect(await textOf(unknown)).toBe('I find no answer to that in the context files.');
    expect(endOf(await heard(unknown))).toMatchObject({ verdict: 'cannot' });
  });
});
