import { describe, expect, it } from 'vitest';
import { answerOf, aQuestion, bench, calls, ends, QUERY, says, stepsOf, type Script } from './answering.fixture.js';
import { AppError } from '../shared/app-error.js';
import { FigureGate } from './checked-text.js';
import { KnownFigures } from './figure-check.js';

/** Result cells are 0 to 149. */
const LONG = 'This is how it stands with the regions that were asked about, one after the other. '.repeat(3);

function after(...rounds: readonly (readonly string[])[]): Script {
  return (_, round) => {
    const texts = rounds[round - 2];
    if (round === 1) return [QUERY, ends('tool_calls')];
    if (texts === undefined) throw new AppError('unavailable', 'the script is over');
    return [...says(...texts), ends()];
  };
}

describe('an answer that checks itself', () => {
  it('goes out as it is when its figures stand in the rows or follow from them', async () => {
    const text = 'The highest is 149, the sum 11,175, and 148 comes second, 0.7 % less.';
    const to = bench(after([text]));
    expect(await answerOf(to)).toMatchObject({ response: text, evidence: { unverified: [] } });
    expect(to.model.requests).toHaveLength(2);
  });

  it('is written again once when a figure stands nowhere, and the model is told which', async () => {
    const to = bench(after(['The highest is 777 at least.'], ['The highest is 149.']));
    expect(await answerOf(to)).toMatchObject({ response: 'The highest is 149.', evidence: { unverified: [] } });
    const told = to.model.requests[2]?.exchanges.at(-1);
    expect(told?.text).toBe('The highest is 777 at least.');
    for (const words of ['777', 'Nothing of your answer has been shown yet']) expect(told?.remark).toContain(words);
    expect(to.model.requests[2]?.tools).not.toEqual([]);
  });

  it('keeps what was shown already, and only the rest is written again', async () => {
    const to = bench(after([LONG, 'It began at 3. ', 'It ended at 888.5 in the end.'], ['It ended at 149.']));
    const steps = await stepsOf(to);
    const response = `${LONG}It began at 3. \n\nIt ended at 149.`;
    expect(steps.flatMap((step) => (step.kind === 'text' ? [step.text] : [])).join('')).toBe(response);
    expect(steps.at(-1)).toMatchObject({ kind: 'done', answer: { response } });
    expect(to.model.requests[2]?.exchanges.at(-1)?.remark).toContain('It began at 3.');
  });

  it.each([
    ['no better', [['It is 888 or 999.']], 'It is 888 or 999.', ['888', '999']],
    ['not there', [], 'It is 777.', ['777']],
    ['silent', [[]], 'It is 777.', ['777']],
  ])('is marked when the second try is %s', async (_, second, text, unverified) => {
    const response = `${text}\n\n_These figures could not be verified: ${unverified.join(', ')}._`;
    const answer = await answerOf(bench(after(['It is 777.'], ...second)));
    expect(answer).toMatchObject({ response, evidence: { unverified } });
  });

  it('may ask for the figure that it lacked', async () => {
    const to = bench((_, round) => {
      if (round === 1) return [...says('It is 149, I believe.'), ends()];
      return round === 2 ? [QUERY, ends('tool_calls')] : [...says('It is 149.'), ends()];
    });
    expect((await answerOf(to)).response).toBe('It is 149.');
  });

  it('may repeat figures of the question, the history and the company', async () => {
    const turn = { question: 'Before?', answer: 'It was 4,711.', dbquery: '', plan: null };
    const to = bench(() => [...says('Above 5000 as asked, 4,711 before, of the goal of 9,000.'), ends()]);
    const question = aQuestion({ question: 'Is it above 5000?', history: [turn], instructions: 'The goal is 9,000.' });
    expect((await answerOf(to, question)).evidence.unverified).toEqual([]);
    expect(to.model.requests).toHaveLength(1);
  });

  it('has no second try in its last step, and none without an end', async () => {
    const last = await answerOf(
      bench(() => [...says('It is 777.'), ends()]),
      aQuestion({}, { steps: 1 }),
    );
    expect(last.evidence.unverified).toEqual(['777']);
    const calling = [calls('run_query', 'x'), ends()];
    const to = bench((_, round) => (round % 2 === 1 ? [...says('It is 777.'), ends()] : calling));
    expect((await answerOf(to)).evidence.unverified).toEqual(['777']);
    expect(to.model.requests.length).toBeLessThanOrEqual(8);
  });
});

function gateFor(...figures: readonly number[]): FigureGate {
  const known = new KnownFigures();
  known.add(...figures);
  return new FigureGate(known);
}

/** What a gate lets out of a text that comes in pieces of this size. */
function passed(gate: FigureGate, text: string, size: number): string {
  let out = '';
  for (let at = 0; at < text.length; at += size) out += gate.push(text.slice(at, at + size));
  return out + gate.end();
}

describe('a gate for figures', () => {
  it('lets sentences pass when they are whole and their figures known', () => {
    const gate = gateFor(5_000_000, 12.5);
    const pieces = ['The total is 5', ' million. Of', ' which 12.5 per day.', '\n'].map((piece) => gate.push(piece));
    expect(pieces).toEqual(['', 'The total is 5 million. ', '', 'Of which 12.5 per day.\n']);
    expect(gate.kept).toBe('');
  });

  it('keeps everything from the first paragraph on whose figures nobody knows', () => {
    const gate = gateFor(12);
    expect(gate.push('It is 12. It was 99 before.\n\nAll is well.\n\n') + gate.push('More words.')).toBe('');
    expect(gate.unknown).toEqual(['99']);
    expect(gate.end()).toBe('');
    expect(gate.open()).toBe('It is 12. It was 99 before.\n\nAll is well.\n\nMore words.');
  });

  it('lets a figure pass that later words explain', () => {
    const gate = gateFor(200, 150);
    expect(gate.push('A drop of 25 %: it fell from 200 ')).toBe('');
    expect(gate.push('to 150. ')).toBe('A drop of 25 %: it fell from 200 to 150. ');
  });

  it('opens when more is known', () => {
    const known = new KnownFigures();
    const gate = new FigureGate(known);
    expect(gate.push('There are 4711 of them.\n\nAnd ')).toBe('');
    known.add(4711);
    expect(gate.reopen()).toBe('There are 4711 of them.\n\n');
    expect(gate.end()).toBe('And ');
  });

  it('loses and changes nothing, and lets no unknown figure out, wherever the text is cut', () => {
    const known =
      'Of 1,234.5 in all, 45.7 % came late.\n\n| a | 12 |\n| b | 99 |\n\n- 3 of them: 7.5 million — **200**.\n\nEnd';
    const unknown = 'Known are 12 and 13 things and also 45678 or 9.87 million of those, I think.\n\nEnd';
    for (let size = 1; size < 40; size += 1) {
      expect(passed(gateFor(1234.5, 45.7, 12, 99, 3, 7_500_000, 200), known, size)).toBe(known);
      expect(passed(gateFor(12, 13), unknown, size)).not.toMatch(/[4-9]/);
    }
  });

  it('takes time in proportion to what it is given', () => {
    const begun = performance.now();
    for (const part of ['1', '1 ', '9,', 'a1 b2 ', '| 5 ', '12 345\n', ' '])
      passed(gateFor(1), part.repeat(20_000 / part.length), 500);
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
