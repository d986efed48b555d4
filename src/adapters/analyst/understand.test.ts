import { describe, expect, it } from 'vitest';
import type { HistoryTurn } from '../../ports/chat-model.js';
import { notationOf } from './fixtures/plan-notation.fixture.js';
import { aScene, type Scene, textColumn, timeColumn } from './fixtures/profile-builders.fixture.js';
import { QUESTION_SETS } from './fixtures/question-sets.fixture.js';
import { FOLLOW_UPS, REFUSED_FOLLOW_UPS } from './fixtures/questions-follow-up.fixture.js';
import { MESSY_QUESTIONS, TRICKY_QUESTIONS } from './fixtures/questions-messy.fixture.js';
import { REFUSED_QUESTIONS } from './fixtures/questions-refused.fixture.js';
import { ORDERS, PEOPLE, WEATHER } from './fixtures/scenes.fixture.js';
import { understandTable } from './table-question.js';
import { understand, type Understanding } from './understand.js';

const REFUSED = '?';

function read(scene: Scene, question: string, history: readonly HistoryTurn[] = []): Understanding {
  return understand(question, scene.table, history, scene.now);
}

function planOf(scene: Scene, question: string, history: readonly HistoryTurn[] = []): string {
  const understood = read(scene, question, history);
  return understood.kind === 'plan' ? notationOf(understood.plan) : REFUSED;
}

function turnOf(scene: Scene, question: string): HistoryTurn {
  const understood = read(scene, question);
  return { question, answer: '', dbquery: '', plan: understood.kind === 'plan' ? understood.plan : null };
}

describe.each(QUESTION_SETS)('questions about $table.name', (scene, questions) => {
  it.each(questions)('reads “%s” as %s', (question, plan) => {
    expect(planOf(scene, question)).toBe(plan);
    expect(read(scene, question)).toMatchObject({ confidence: 1 });
  });
});

describe('questions as they are typed', () => {
  it.each(MESSY_QUESTIONS.map(([scene, question, plan]) => [question, plan, scene] as const))(
    'reads “%s” as %s',
    (question, plan, scene) => {
      expect(planOf(scene, question)).toBe(plan);
    },
  );

  it.each(TRICKY_QUESTIONS.map(([scene, question, plan]) => [question, plan, scene] as const))(
    'does not fall for “%s”: %s',
    (question, plan, scene) => {
      expect(planOf(scene, question)).toBe(plan);
    },
  );
});

describe('questions that can’t be answered', () => {
  it.each(REFUSED_QUESTIONS)('refuses “%s”', (question, scene) => {
    expect(planOf(scene, question)).toBe(REFUSED);
  });

  it('names the words that it could not read', () => {
    expect(read(WEATHER, 'average temp_max in Boston')).toMatchObject({ verdict: 'clarify', unread: ['Boston'] });
  });

  it('does not read half of a question that is too long', () => {
    const long = `average wind ${'very '.repeat(200)} in Boston`;
    expect(read(WEATHER, long)).toMatchObject({ kind: 'unclear', reasons: [expect.stringContaining('too long')] });
  });

  it('says between what it can’t decide', () => {
    expect(read(WEATHER, 'average temperature')).toMatchObject({
      verdict: 'clarify',
      unread: [],
      reasons: ['“temperature” could be temp_max or temp_min.'],
    });
  });

  it.each([
    ['the mean of the location', 'location'],
    ['median weather by location', 'weather'],
    ['the standard deviation of location', 'location'],
  ])('works out no figure of texts: “%s”', (question, column) => {
    expect(read(WEATHER, question)).toMatchObject({
      verdict: 'cannot',
      reasons: [`I can't work out such a figure of ${column}: its cells are texts.`],
    });
  });

  it('says that numbers were imported as texts rather than list them', () => {
    const codes = aScene({
      ...{ name: 'codes', rowCount: 30, timeField: 'day', metaField: 'device', now: '2024-02-01T00:00:00Z' },
      columns: [
        timeColumn('day', '2024-01-01T00:00:00Z', '2024-01-30T00:00:00Z', 30),
        textColumn('device', ['1.5', '2.5', '30']),
      ],
    });
    expect(read(codes, 'sum of device')).toMatchObject({
      reasons: ["I can't work out such a figure of device: its cells are texts."],
    });
    expect(read(WEATHER, 'the most common weather')).not.toMatchObject({ kind: 'unclear' });
  });

  it('says what the rows cover when the time asked about is outside', () => {
    expect(read(WEATHER, 'average wind in 2019')).toMatchObject({
      verdict: 'cannot',
      reasons: ['The rows cover 2012-01-01 to 2015-12-31, so there is nothing in the time you ask about.'],
    });
  });
});

describe('follow-ups', () => {
  it.each(FOLLOW_UPS.map(([scene, first, then, plan]) => [first, then, plan, scene] as const))(
    'after “%s” reads “%s” as %s',
    (first, then, plan, scene) => {
      expect(planOf(scene, then, [turnOf(scene, first)])).toBe(plan);
    },
  );

  it.each(REFUSED_FOLLOW_UPS)('does not guess what “%s” is about', (question) => {
    expect(planOf(ORDERS, question, [turnOf(ORDERS, 'revenue by country')])).toBe(REFUSED);
  });

  it('takes no figure of some of the rows for one of all of them', () => {
    const before = turnOf(WEATHER, '3 coldest days in Seattle');
    expect(understandTable('and the average wind?', WEATHER.table, [before], WEATHER.now)).toMatchObject({
      kind: 'unclear',
      reasons: [expect.stringContaining('I can’t tell how that changes the question before it')],
    });
  });

  it('keeps what is worked out from figures', () => {
    const before = turnOf(ORDERS, 'running total of revenue by month in 2023');
    const turn = understandTable('only online', ORDERS.table, [before], ORDERS.now);
    const kept = { computed: [{ kind: 'cumulative', of: 0 }], dimensions: [{ kind: 'bucket', bucket: 'month' }] };
    expect(turn).toMatchObject({ plan: kept });
  });

  it('leaves a plan about another table alone', () => {
    expect(planOf(PEOPLE, 'and by office?', [turnOf(WEATHER, 'average wind')])).toBe('distinct by office');
  });
});

describe('what is said beside the plan', () => {
  it('says which aggregate it assumed', () => {
    expect(read(WEATHER, 'wind by location')).toMatchObject({
      notes: ['I took the average of wind, because it is not something to add up.'],
    });
  });

  it('says how it read a typing error', () => {
    expect(read(WEATHER, 'average wind in seatle')).toMatchObject({
      notes: ['I read “seatle” as “seattle”.', 'I took “seatle” as location Seattle.'],
    });
  });

  it('says that the present of old data is its newest row', () => {
    expect(read(WEATHER, 'average wind in the last 7 days')).toMatchObject({
      notes: ['The newest row is of 2015-12-31, so I counted back from there and not from today.'],
    });
  });

  it('answers past a harmless word, but not with full confidence', () => {
    expect(read(WEATHER, 'roughly the average wind')).toMatchObject({ unread: ['roughly'], confidence: 0.6 });
  });

  it('puts the question into words', () => {
    expect(read(ORDERS, 'top 3 products by revenue in 2023')).toMatchObject({
      purpose: 'total revenue by product, where order_date is in 2023, the 3 highest',
    });
  });

  it('knows a row by what the owner calls it', () => {
    const table = { ...WEATHER.table, context: 'Each row is a forecast sheet of one day.' };
    const understood = understand('how many sheets in 2013', table, [], WEATHER.now);
    expect(understood.kind === 'plan' && notationOf(understood.plan)).toBe('count() where date 2013-01-01..2014-01-01');
  });

  it("takes a value for a value, also when it stands in the table's name", () => {
    const table = { ...WEATHER.table, name: 'Weather of Seattle and New York' };
    const understood = understand('How many days had rain in Seattle in 2014?', table, [], WEATHER.now);
    expect(understood.kind === 'plan' && notationOf(understood.plan)).toContain('location=Seattle');
    const other = understand('average wind in New York', table, [], WEATHER.now);
    expect(other.kind === 'plan' && notationOf(other.plan)).toBe('avg(wind) where location=New York');
  });
});
