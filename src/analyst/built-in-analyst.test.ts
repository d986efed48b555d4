import { describe, expect, it } from 'vitest';
import type { Briefing, Exchange, ModelDelta, ModelRequest, ToolOutcome } from '../ports/chat-model.js';
import { BuiltInAnalyst } from './built-in-analyst.js';
import { by, figures, of, result } from './plans.fixture.js';
import type { Part } from './understanding.js';
import { WEATHER } from './profiles.fixture.js';

const TOOLS = ['analyze', 'make_chart'].map((name) => ({ name, description: '', parameters: {} }));
const QUESTION = 'average wind by location';
const FOUND = result({ location: 'text', 'average wind': 'number' }, Object.entries({ 'New York': 4.9, Seattle: 3.2 }));

function anExchange(name: string, outcome: Partial<ToolOutcome> = {}): Exchange {
  const callId = `call_${name}`;
  const outcomes = [{ callId, ok: true, content: '{}', result: null, ...outcome }];
  return { text: '', calls: [{ id: callId, name, arguments: '{}' }], outcomes };
}

const RAN = anExchange('analyze', { result: FOUND });

type Change = Partial<ModelRequest> & { readonly told?: Partial<Briefing> };

async function deltasOf(
  question: string,
  { told, ...change }: Change = {},
  analyst = new BuiltInAnalyst(),
): Promise<readonly ModelDelta[]> {
  const briefing = { question, history: [], table: WEATHER.table, passages: [], now: WEATHER.now, ...told };
  const request = { briefing, exchanges: [], tools: TOOLS, ...change };
  const deltas: ModelDelta[] = [];
  for await (const delta of analyst.stream(request, new AbortController().signal)) deltas.push(delta);
  return deltas;
}

/** Its words, and the verdict that it ends with. */
async function said(
  question: string,
  change: Change = {},
  analyst = new BuiltInAnalyst(),
): Promise<readonly [string, unknown]> {
  const deltas = await deltasOf(question, change, analyst);
  const end = deltas.at(-1);
  expect(end).toMatchObject({ kind: 'end', reason: 'stop' });
  const text = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
  return [text, end?.kind === 'end' ? end.verdict : null];
}

const matching = (words: RegExp): unknown => expect.stringMatching(words);

describe('the built-in analyst', () => {
  it('first asks for the plan to be run, then for a chart where one helps', async () => {
    const argumentsOf = (call?: ModelDelta): unknown => JSON.parse(call?.kind === 'call' ? call.arguments : '');
    const [first, end] = await deltasOf(QUESTION);
    expect(first).toMatchObject({ kind: 'call', name: 'analyze' });
    const plan = { kind: 'aggregate', measures: [{ aggregate: 'avg', column: 'wind', label: 'average wind' }] };
    expect(argumentsOf(first)).toMatchObject({ purpose: QUESTION, plan });
    expect(end).toMatchObject({ kind: 'end', reason: 'tool_calls' });
    const [second] = await deltasOf(QUESTION, { exchanges: [RAN] });
    expect(second).toMatchObject({ kind: 'call', name: 'make_chart' });
    expect(argumentsOf(second)).toMatchObject({ kind: 'bar', x: 'location', y: 'average wind', series: null });
  });

  it.each([true, false])('then answers in several pieces, whether or not the chart came out: %s', async (ok) => {
    const deltas = await deltasOf(QUESTION, { exchanges: [RAN, anExchange('make_chart', { ok })] });
    expect(deltas.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(1);
    expect(deltas.at(-1)).toMatchObject({ kind: 'end', reason: 'stop', verdict: 'answer' });
  });

  it('where nobody is there to choose, answers the likeliest of several readings, and tells the others', async () => {
    const measures = [of('avg', 'wind', { label: 'average wind' })];
    const plan = figures({ measures, dimensions: [by('location')] });
    const readings = ['average wind by location', 'total wind by location'].map((purpose) => ({ plan, purpose }));
    const part: Part = {
      question: 'wind by location',
      understanding: { kind: 'choice', readings, unread: [], unknown: null },
      wish: { kind: null, distribution: false, unknown: null },
      format: { decimals: null },
    };
    const analyst = new BuiltInAnalyst(() => Promise.resolve([part]));
    const change = { exchanges: [RAN], tools: [] };
    const [asked] = await said(part.question, change, analyst);
    expect(asked).toContain('Did you mean one of these?');
    const [text, verdict] = await said(part.question, { ...change, told: { isUnattended: true } }, analyst);
    expect(verdict).toBe('answer');
    expect(text).toMatch(/New York/);
    expect(text).toContain('its likeliest meaning. It may also ask for “Total wind by location”.');
    const strange = { ...part, understanding: { ...part.understanding, unknown: 'I don’t know what “gusts” means.' } };
    const other = new BuiltInAnalyst(() => Promise.resolve([strange as Part]));
    expect((await said(part.question, { ...change, told: { isUnattended: true } }, other))[1]).toBe('clarify');
  });

  it('answers in words as soon as it is offered no tools', async () => {
    expect((await said(QUESTION, { exchanges: [RAN], tools: [] }))[1]).toBe('answer');
    expect((await said(QUESTION, { tools: [] }))[1]).toBe('cannot');
  });

  it('says what went wrong when the plan could not be run', async () => {
    const failed = anExchange('analyze', { ok: false, content: '{"error":"the query took too long."}' });
    const words = `I understood the question (${QUESTION}), but could not calculate it: the query took too long.`;
    expect(await said(QUESTION, { exchanges: [failed] })).toEqual([words, 'cannot']);
  });

  const passages = [{ fileId: '1', filename: 'a.txt', page: null, quote: 'The station stands on a roof.' }];
  const where = 'where does the station stand';
  it.each<[string, string, Partial<Briefing>, RegExp, string]>([
    [
      'names what it could not read, and offers what it can answer',
      ...(['xyzzy plughs xyzzy', {}] as const),
      /^I don’t know what “xyzzy” and “plughs” mean in this table\.\n\nYou can ask, for example:\n\n(- .+\n?){3}$/,
      'clarify',
    ],
    [
      'greets back, also where there are context files',
      ...(['hello', { passages }] as const),
      /^Hello\. [^>]*\n\nYou can ask, for example:\n\n(- .+\n?){3}$/,
      'clarify',
    ],
    ['quotes the context files when the table has no answer', where, { passages }, /^> The station.*roof\./m, 'answer'],
    ['answers from context files alone', where, { passages, table: null }, /^> The station.*roof\./m, 'answer'],
    [
      'says that the context files hold no answer',
      ...(['who paid for lunch', { passages, table: null }] as const),
      /^I find no answer to that in the context files\.$/,
      'cannot',
    ],
  ])('%s', async (_, question, told, words, verdict) => {
    expect(await said(question, { told })).toEqual([matching(words), verdict]);
  });

  it('does not let a question write Markdown into its own answer', async () => {
    expect((await said('average wind in ![x](http://evil)'))[0]).not.toContain('![');
  });
});
