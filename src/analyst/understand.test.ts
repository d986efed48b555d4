import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOfPlan, type AnalysisPlan } from '../ports/analysis-plan.js';
import type { HistoryTurn } from '../ports/chat-model.js';
import { figures, rowCount } from './plans.fixture.js';
import { WEATHER } from './profiles.fixture.js';
import { understandAll } from './understand.js';
import type { Part } from './understanding.js';

const NAMES = WEATHER.table.profile.columns.map(({ name }) => name);

function asked(message: string, ...history: readonly HistoryTurn[]): readonly Part[] {
  return understandAll(message, WEATHER.table, history, WEATHER.now);
}

function plansOf(parts: readonly Part[]): readonly AnalysisPlan[] {
  return parts.flatMap(({ understanding }) => (understanding.kind === 'plan' ? [understanding.plan] : []));
}

const ROWS = figures({ measures: [rowCount()] });

/** A question that was not answered, but with readings to choose from; which ones is up to the weights. */
function offered(): {
  readonly turn: HistoryTurn;
  readonly purposes: readonly string[];
  readonly plan: AnalysisPlan | null;
} {
  const questions = ['average temperature', 'wind over time', 'rain', 'location', 'the weather in summer', 'best day'];
  for (const question of questions) {
    const [part] = asked(question);
    if (part?.understanding.kind !== 'choice' || part.understanding.readings.length < 2) continue;
    const purposes = part.understanding.readings.map(({ purpose }) => purpose);
    const plan = part.understanding.readings[0]?.plan ?? null;
    return { turn: { question, answer: purposes.join('\n'), dbquery: '', plan: null }, purposes, plan };
  }
  throw new Error('no question is unclear');
}

describe('readings to choose from', () => {
  it.each([
    ['2', 1],
    ['the first one', 0],
    ['second, please', 1],
  ])('are chosen by their place: %s', (message, place) => {
    const { turn, purposes } = offered();
    expect(asked(message, turn)).toMatchObject([
      { understanding: { kind: 'plan', purpose: purposes[place], notes: [] } },
    ]);
  });

  it('are chosen by their words', () => {
    const { turn, purposes } = offered();
    expect(asked(purposes[1] ?? '', turn)).toMatchObject([{ understanding: { kind: 'plan', purpose: purposes[1] } }]);
  });
});

/** The first reading of each question, whether it is sure or not. */
function likeliest(parts: readonly Part[]): readonly unknown[] {
  return parts.map(({ understanding: one }) =>
    one.kind === 'plan' ? one.plan : one.kind === 'choice' ? one.readings[0]?.plan : null,
  );
}

describe('a message after a question without an answer', () => {
  it('goes on with the likeliest reading that was offered', () => {
    const { turn, plan } = offered();
    for (const next of ['only Seattle', 'by location', 'as a pie chart']) {
      expect(likeliest(asked(next, turn))).toEqual(likeliest(asked(next, { ...turn, plan })));
    }
  });

  it('is no surer of a change of a reading that was offered than of the reading', () => {
    const { turn } = offered();
    expect(asked('who is on the payroll', turn)).not.toMatchObject([{ understanding: { kind: 'plan' } }]);
  });

  it('goes on with nothing where that was not understood, and with what was before small talk', () => {
    const earlier = { question: 'number of rows', answer: '', dbquery: '', plan: ROWS };
    const unclear = { question: 'xyzzy qwertz', answer: '', dbquery: '', plan: null };
    const thanks = { question: 'thanks', answer: '', dbquery: '', plan: null };
    expect(likeliest(asked('by location', earlier, unclear))).toEqual(likeliest(asked('by location')));
    expect(asked('by location', unclear)).toMatchObject([{ understanding: { kind: 'choice' } }]);
    for (const whole of ['average wind by location', 'What was the average wind by location? And by month?'])
      expect(asked(whole, unclear)).toEqual(asked(whole));
    expect(asked('by location', earlier, thanks)).toEqual(asked('by location', earlier));
  });
});

describe('a message', () => {
  it('says with its questions how its figures are written', () => {
    expect(asked('average wind by location, rounded to two decimals')).toMatchObject([
      { understanding: { kind: 'plan', purpose: 'average wind by location', notes: [] }, format: { decimals: 2 } },
    ]);
  });

  it('is told what of it was not used', () => {
    for (const { understanding } of asked('average wind by location for xyzzy')) {
      expect(JSON.stringify(understanding)).toContain('xyzzy');
    }
  });

  it('has each of its questions answered, or named', () => {
    for (const message of [
      'What was the average wind? And how many rows are there?',
      'Total precipitation by location. Average wind.',
    ]) {
      const parts = asked(message);
      const said = JSON.stringify(parts);
      for (const question of message.split(/(?<=[.?]) /)) expect(said).toContain(question);
    }
  });

  it('names its picture', () => {
    expect(asked('average wind by location as a pie chart')).toMatchObject([{ wish: { kind: 'pie' } }]);
  });
});

const WORDS =
  'what which how many average total by per in of the highest lowest top more than between and not except month year ' +
  '2013 last week since share percent over time compare vs growth median correlation';
/** Sentences of words that questions are made of, which get much further in than noise does. */
const speech = fc
  .array(
    fc.oneof(
      fc.constantFrom(...WORDS.split(' ')),
      fc.constantFrom(...NAMES, 'Seattle', 'rain', 'rows', '"x"', ',', '?'),
      fc.nat({ max: 3000 }).map(String),
    ),
    { maxLength: 20 },
  )
  .map((words) => words.join(' '));
const isLong = process.env['TEST_LONG'] === '1';
const PATIENCE_MS = isLong ? 600_000 : 60_000;

describe('any message at all', () => {
  it(
    'is read or refused, never thrown at, and asks for columns that are there',
    () => {
      const message = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' }), speech);
      fc.assert(
        fc.property(message, (text) => {
          for (const plan of plansOf(asked(text))) {
            const made = (plan.derived ?? []).map(({ name }) => name);
            for (const column of columnsOfPlan(plan)) expect([...NAMES, ...made]).toContain(column);
          }
        }),
        { numRuns: isLong ? 2000 : 80 },
      );
    },
    PATIENCE_MS,
  );

  it(
    'may follow any other, and is read the same way twice',
    () => {
      fc.assert(
        fc.property(speech, speech, (question, next) => {
          const [plan = null] = plansOf(asked(question));
          const turn = { question, answer: '', dbquery: '', plan };
          expect(asked(next, turn)).toEqual(asked(next, turn));
        }),
        { numRuns: isLong ? 1000 : 20 },
      );
    },
    PATIENCE_MS,
  );
});
