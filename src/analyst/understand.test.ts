import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOfPlan, type AnalysisPlan } from '../ports/analysis-plan.js';
import type { HistoryTurn } from '../ports/chat-model.js';
import { BY_MONTH, BY_YEAR, figures, rowCount } from './plans.fixture.js';
import { WEATHER } from './profiles.fixture.js';
import { differInStep, understandAll } from './understand.js';
import type { Part } from './understanding.js';

const NAMES = WEATHER.table.profile.columns.map(({ name }) => name);
/** Questions of which one has several readings; which one is up to the weights. */
const UNCLEAR = ['average temperature', 'wind over time', 'rain', 'location', 'the weather in summer', 'best day'];

function asked(message: string, ...history: readonly HistoryTurn[]): readonly Part[] {
  return understandAll(message, WEATHER.table, history, WEATHER.now);
}

function turnOf(question: string, plan: AnalysisPlan | null = null, answer = ''): HistoryTurn {
  return { question, answer, dbquery: '', plan };
}

function plansOf(parts: readonly Part[]): readonly AnalysisPlan[] {
  return parts.flatMap(({ understanding }) => (understanding.kind === 'plan' ? [understanding.plan] : []));
}

/** The first reading of each question, whether it is sure or not. */
function likeliest(parts: readonly Part[]): readonly (AnalysisPlan | null | undefined)[] {
  return parts.map(({ understanding: one }) =>
    one.kind === 'plan' ? one.plan : one.kind === 'choice' ? one.readings[0]?.plan : null,
  );
}

/** A turn in which readings were offered, their words, and the likeliest of them. */
function offered() {
  for (const question of UNCLEAR) {
    const [part] = asked(question);
    const readings = part?.understanding.kind === 'choice' ? part.understanding.readings : [];
    const purposes = readings.map(({ purpose }) => purpose);
    const plan = readings[0]?.plan ?? null;
    if (readings.length > 1) return { turn: turnOf(question, null, purposes.join('\n')), purposes, plan };
  }
  throw new Error('no question is unclear');
}

it('a message about nothing but digits tells the answer before again, and a picture keeps them', () => {
  const plan = figures({ measures: [rowCount()], dimensions: [BY_MONTH] });
  const before = turnOf('number of rows by month, rounded to 2 decimals', plan);
  expect(asked('rounded please', before)).toMatchObject([{ understanding: { plan }, format: { decimals: 0 } }]);
  expect(asked('as a bar chart', before)).toMatchObject([{ understanding: { plan }, format: { decimals: 2 } }]);
});

it('groups come by the percentage that was worked out', () => {
  const [part] = asked('percentage of days with rain by location');
  const plan = part === undefined ? undefined : plansOf([part])[0];
  if (plan?.kind !== 'aggregate') throw new Error('no groups were read');
  expect(plan.order).toEqual([{ by: plan.computed?.[0]?.label, direction: 'desc' }]);
});

it('a condition is said once', () => {
  const { profile } = WEATHER.table;
  const columns = profile.columns.map((column) => ({ ...column, nulls: column.name === 'location' ? 90 : 0 }));
  const table = { ...WEATHER.table, profile: { ...profile, columns } };
  const plans = plansOf(understandAll('top 3 locations', table, [], WEATHER.now));
  expect(plans.map(({ filters }) => filters)).toEqual([[{ kind: 'null', column: 'location', negated: true }]]);
});

describe('a message after a question without an answer', () => {
  const { turn, purposes, plan } = offered();

  it('chooses one of its readings by their places or their words', () => {
    const [first, second = ''] = purposes;
    const chosen = ['the first one', '2', 'second, please', second].map((message) => asked(message, turn));
    expect(chosen).toMatchObject(
      [first, second, second, second].map((purpose) => [{ understanding: { kind: 'plan', purpose } }]),
    );
  });

  it('goes on with the likeliest reading that was offered, and is no surer of the change than of the reading', () => {
    for (const next of ['only Seattle', 'by location', 'as a pie chart'])
      expect(likeliest(asked(next, turn))).toEqual(likeliest(asked(next, { ...turn, plan })));
    expect(asked('who is on the payroll', turn)).not.toMatchObject([{ understanding: { kind: 'plan' } }]);
  });

  it('goes on with the last answer where that was not understood, unsurely, and with what was before small talk', () => {
    const earlier = turnOf('number of rows', figures({ measures: [rowCount()] }));
    const unclear = turnOf('xyzzy qwertz');
    expect(likeliest(asked('by location', earlier, unclear))).toEqual(likeliest(asked('by location', earlier)));
    expect(asked('by location', earlier, unclear, unclear)).toMatchObject([{ understanding: { kind: 'choice' } }]);
    expect(asked('by location', unclear)).toMatchObject([{ understanding: { kind: 'choice' } }]);
    const whole = 'What was the average wind by location? And by month?';
    expect(asked(whole, unclear)).toEqual(asked(whole));
    expect(asked('by location', earlier, turnOf('thanks'))).toEqual(asked('by location', earlier));
  });
});

describe('a picture', () => {
  const byMonth = figures({ measures: [rowCount()], dimensions: [BY_MONTH] });
  const answered = turnOf('number of rows by month', byMonth);
  const drawn = (plan: AnalysisPlan, kind: string) => [{ understanding: { kind: 'plan', plan }, wish: { kind } }];

  it('is drawn of the answer before where nothing else is asked for', () => {
    expect(asked('make it horizontal bars please', answered)).toMatchObject(drawn(byMonth, 'bar'));
    expect(asked('stacked', answered, turnOf('xyzzy qwertz'))).toMatchObject([
      { understanding: { kind: 'choice', readings: [{ plan: byMonth }] }, wish: { kind: 'stacked_bar' } },
    ]);
    const { turn, plan } = offered();
    expect(likeliest(asked('as bars', turn))).toEqual([plan]);
    expect(asked('as bars', turn)).toMatchObject([{ wish: { kind: 'bar' } }]);
    expect(asked('as bars')).not.toMatchObject([{ understanding: { kind: 'plan' } }]);
  });

  it('may be asked for with other decimals, or other decimals alone, which stay', () => {
    const rounded = turnOf('rounded to whole numbers please', byMonth);
    expect(asked(rounded.question, answered)).toMatchObject([
      { understanding: { kind: 'plan', plan: byMonth }, format: { decimals: 0 } },
    ]);
    expect(asked('as bars, with two decimals', answered)).toMatchObject([
      { wish: { kind: 'bar' }, format: { decimals: 2 } },
    ]);
    expect(asked('only Seattle', answered, rounded)).toMatchObject([{ format: { decimals: 0 } }]);
    expect(asked('average wind by month', answered, rounded)).toMatchObject([{ format: { decimals: null } }]);
  });

  it('stays of the kind that was named while the answer is changed, as long as its groups are of the same kind', () => {
    const asBars = turnOf('as bars', byMonth);
    const [changed] = asked('only Seattle', answered, asBars);
    expect(changed).toMatchObject({ wish: { kind: 'bar', isKept: true } });
    const [plan = null] = plansOf(changed === undefined ? [] : [changed]);
    expect(asked('by year', answered, asBars, turnOf('only Seattle', plan))).toMatchObject([{ wish: { kind: 'bar' } }]);
    expect(asked('by location instead', answered, asBars)).toMatchObject([{ wish: { kind: null } }]);
    expect(asked('average wind by month', answered, asBars)).toMatchObject([{ wish: { kind: null } }]);
    expect(asked('only Seattle, as a line', answered, asBars)).toMatchObject([{ wish: { kind: 'line' } }]);
  });
});

describe('a message', () => {
  it('says with its questions how its figures are written and drawn', () => {
    const understanding = { kind: 'plan', purpose: 'average wind by location', notes: [] };
    const format = { decimals: 2 };
    expect(asked('average wind by location, rounded to two decimals')).toMatchObject([{ understanding, format }]);
    expect(asked('average wind by location as a pie chart')).toMatchObject([{ wish: { kind: 'pie' } }]);
  });

  it('is told what of it was not used', () => {
    for (const { understanding } of asked('average wind by location for xyzzy'))
      expect(JSON.stringify(understanding)).toContain('xyzzy');
  });

  it('has used the words that name a chart', () => {
    const [part] = asked('number of rows by weather and location as stacked bars');
    expect(part?.understanding).toMatchObject({ unread: [] });
    expect(part?.wish.kind).toBe('stacked_bar');
  });

  it.each([
    ['xyzzy qwertz', 'I don’t know what “xyzzy” and “qwertz” mean in this table.'],
    [
      'presipitashun xyzzy',
      'I don’t know what “presipitashun” and “xyzzy” mean in this table. Did you mean “precipitation”?',
    ],
    ['hello', 'Hello. Ask me about the rows of this table.'],
  ])('that is not understood is told which words nobody knows, and what can be asked: %s', (message, says) => {
    const [part, another] = asked(message);
    expect(another).toBeUndefined();
    expect(part?.understanding).toMatchObject({ kind: 'unclear', verdict: 'clarify', says });
    const offers = part?.understanding.kind === 'unclear' ? part.understanding.offers : [];
    expect(offers).toHaveLength(3);
    for (const offer of offers) expect(plansOf(asked(offer))).toHaveLength(1);
  });

  it.each([
    ['What was the average wind?', 'And how many rows are there?'],
    ['Total precipitation by location.', 'Average wind.'],
  ])('has each of its questions answered, or named: %s %s', (...questions) => {
    const said = JSON.stringify(asked(questions.join(' ')));
    for (const question of questions) expect(said).toContain(question);
  });
});

const WORDS =
  'what which how many average total by per in of the highest lowest top more than between and not except month year ' +
  '2013 last week since share percent over time compare vs growth median correlation';
/** Sentences of words that questions are made of, which get much further in than noise does. */
const word = fc.oneof(
  fc.constantFrom(...WORDS.split(' ')),
  fc.constantFrom(...NAMES, 'Seattle', 'rain', 'rows', '"x"', ',', '?'),
  fc.nat({ max: 3000 }).map(String),
);
const speech = fc.array(word, { maxLength: 20 }).map((words) => words.join(' '));
const isLong = process.env['TEST_LONG'] === '1';
const PATIENCE_MS = isLong ? 600_000 : 60_000;

describe('any message at all', () => {
  it(
    'is read or refused, never thrown at, and asks for columns that are there',
    () => {
      const message = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' }), speech);
      const reading = fc.property(message, (text) => {
        for (const plan of plansOf(asked(text))) {
          const made = (plan.derived ?? []).map(({ name }) => name);
          for (const column of columnsOfPlan(plan)) expect([...NAMES, ...made]).toContain(column);
        }
      });
      fc.assert(reading, { numRuns: isLong ? 2000 : 12 });
    },
    PATIENCE_MS,
  );

  it(
    'may follow any other, and is read the same way twice',
    () => {
      const following = fc.property(speech, speech, (question, next) => {
        const turn = turnOf(question, plansOf(asked(question))[0] ?? null);
        expect(asked(next, turn)).toEqual(asked(next, turn));
      });
      fc.assert(following, { numRuns: isLong ? 1000 : 4 });
    },
    PATIENCE_MS,
  );
});

it('readings in several steps of time are alike, but not the first and the last of them', () => {
  const inTime = (step: typeof BY_MONTH): AnalysisPlan =>
    figures({ measures: [rowCount()], dimensions: [step], order: [{ by: step.label, direction: 'asc' }] });
  expect(differInStep([inTime(BY_MONTH), inTime(BY_YEAR)])).toBe(true);
  const [most, least] = (['desc', 'asc'] as const).map((direction): AnalysisPlan =>
    figures({ measures: [rowCount()], dimensions: [BY_MONTH], order: [{ by: 'rows', direction }], limit: 1 }),
  );
  expect(differInStep([most!, least!])).toBe(false);
});

it('where values are missing is asked of the columns that lack most, as many as a plan has figures', () => {
  const [of] = WEATHER.table.profile.columns;
  const columns = Array.from({ length: 30 }, (_, at) => ({ ...of!, name: `c${at}`, nulls: at % 2 }));
  const wide = { ...WEATHER.table, profile: { ...WEATHER.table.profile, columns } };
  const [part] = understandAll('which columns have gaps?', wide, [], WEATHER.now);
  const plan = part?.understanding.kind === 'plan' ? part.understanding.plan : null;
  expect(plan).toMatchObject({ kind: 'aggregate' });
  const looked = columnsOfPlan(plan!);
  expect(looked).toHaveLength(20);
  expect(columns.filter(({ nulls }) => nulls > 0).every(({ name }) => looked.includes(name))).toBe(true);
  expect(part?.understanding).toMatchObject({ notes: ['I looked at the 20 of 30 columns that lack most.'] });
});
