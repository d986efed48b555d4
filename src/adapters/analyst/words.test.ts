import { describe, expect, it } from 'vitest';
import type { Cell, ColumnType, QueryResult } from '../../ports/table.js';
import { answerWords } from './answer-words.js';
import { chartFor } from './chart-choice.js';
import type { Scene } from './fixtures/profile-builders.fixture.js';
import { ORDERS, SENSORS, STRIKES, WEATHER } from './fixtures/scenes.fixture.js';
import { inline } from './markdown.js';
import { numberWords, placeWords } from './number-words.js';
import { quotesFor } from '../../analyst/passages/passages.js';
import { factsOf } from './table-facts.js';
import { understand } from './understand.js';

function understood(scene: Scene, question: string): ReturnType<typeof understand> & { kind: 'plan' } {
  const read = understand(question, scene.table, [], scene.now);
  if (read.kind !== 'plan') throw new Error(`not understood: ${question}`);
  return read;
}

function aResult(
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly Cell[])[],
  truncated = false,
): QueryResult {
  const named = Object.entries(columns).map(([name, type]) => ({ name, type }));
  return { columns: named, rows, truncated, dbquery: '', rowsScanned: 1000 };
}

function answer(scene: Scene, question: string, result: QueryResult): string {
  return answerWords(understood(scene, question), { result, facts: factsOf(scene.table) }).join('\n\n');
}

describe('answers in words', () => {
  it('say which place in the order it is', () => {
    const result = aResult({ date: 'time', location: 'text', temp_max: 'number' }, [
      ['2014-07-01T00:00:00.000Z', 'Seattle', 35],
    ]);
    expect(answer(WEATHER, 'second hottest day', result)).toContain('The second highest temp_max');
    expect([0, 1, 9, 10, 20, 21].map(placeWords)).toEqual(['', 'second ', 'tenth ', '11th ', '21st ', '22nd ']);
  });

  it('begin with the figure in bold, filters included', () => {
    const result = aResult({ 'average temp_max': 'number' }, [[16.4389]]);
    expect(answer(WEATHER, 'average temp_max in Seattle in March 2013', result)).toBe(
      'The average temp_max is **16.44** where location is Seattle and date is in March 2013.',
    );
  });

  it('count rows, days and different values', () => {
    expect(answer(WEATHER, 'how many rows', aResult({ 'number of rows': 'integer' }, [[2922]]))).toBe(
      'There are **2,922 rows**.',
    );
    expect(
      answer(WEATHER, 'how many days was wind above 9', aResult({ 'different date values': 'integer' }, [[1]])),
    ).toContain('There is **1 day** where wind is above 9.');
    expect(
      answer(
        WEATHER,
        'how many different weather values are there',
        aResult({ 'different weather values': 'integer' }, [[5]]),
      ),
    ).toBe('There are **5 different weather values**.');
  });

  it('show groups in a table and say what was assumed', () => {
    const result = aResult({ location: 'text', 'total precipitation': 'number' }, [
      ['Seattle', 4426],
      ['New York', 4178.6],
    ]);
    expect(answer(WEATHER, 'precipitation by location', result)).toBe(
      [
        'The total precipitation is highest for **Seattle** (**4,426**) and lowest for **New York** (**4,178.6**). That is **247.4** more (5.921 %).',
        '| location | total precipitation |\n| --- | ---: |\n| Seattle | 4,426 |\n| New York | 4,178.6 |',
        'What I assumed, reading your question as “total precipitation by location”:\n\n- I added up precipitation, because it is something to add up.',
      ].join('\n\n'),
    );
  });

  it('name the winner of a ranking', () => {
    const result = aResult({ month: 'time', 'total precipitation': 'number' }, [['2015-12-01T00:00:00.000Z', 406.2]]);
    expect(answer(WEATHER, 'which month had the highest total precipitation', result)).toBe(
      '**December 2015** has the highest total precipitation: **406.2**.',
    );
  });

  it('say when a figure was highest, and where', () => {
    const result = aResult({ date: 'time', location: 'text', temp_max: 'number' }, [
      ['2013-07-18T00:00:00.000Z', 'New York', 37.8],
    ]);
    expect(answer(WEATHER, 'when was temp_max highest', result)).toBe(
      'The highest temp_max is **37.8** (date 2013-07-18, location New York).',
    );
  });

  it('show ten rows and say that there are more', () => {
    const rows = Array.from({ length: 48 }, (_, index) => [
      new Date(Date.UTC(2012, index, 1)).toISOString(),
      index / 7,
    ]);
    const text = answer(WEATHER, 'temp_max over time', aResult({ month: 'time', 'average temp_max': 'number' }, rows));
    expect(text.match(/^\| \w+ \d{4} \|/gm)).toHaveLength(10);
    expect(text).toContain('These are the first 10 of 48 rows.');
  });

  it('do not name a lowest when the result was cut', () => {
    const result = aResult(
      { sensor: 'text', x: 'number' },
      [
        ['a', 2],
        ['b', 1],
      ],
      true,
    );
    expect(answer(SENSORS, 'humidity by sensor', result)).not.toContain('lowest');
  });

  it('write weekdays, hours and identifiers as such', () => {
    const days = aResult({ weekday: 'integer', 'average wind': 'number' }, [
      [1, 3.5],
      [7, 4.5],
    ]);
    expect(answer(WEATHER, 'average wind per weekday', days)).toContain('highest for **Sunday** (**4.5**)');
    const order = aResult({ order_id: 'integer', order_date: 'time', country: 'text' }, [
      [11_999, '2023-12-31T21:40:00.000Z', 'Spain'],
    ]);
    expect(answer(ORDERS, 'latest order', order)).toBe(
      'The latest order_date is **2023-12-31 21:40** (order_id 11999, country Spain).',
    );
  });

  it('say plainly that nothing fits', () => {
    expect(answer(WEATHER, 'days with wind over 15', aResult({ date: 'time' }, []))).toBe(
      '**No row** fits: there is none where wind is above 15.',
    );
    expect(answer(WEATHER, 'average wind in Seattle', aResult({ 'average wind': 'number' }, [[null]]))).toBe(
      'There is no value for the average wind where location is Seattle.',
    );
  });

  it('never let cells write Markdown', () => {
    const rows = [
      ['![x](http://evil) | <b>`a`</b>', 3],
      ['[click](http://evil)\n# head', 1],
    ] as const;
    const text = answer(STRIKES, 'strikes by wildlife size', aResult({ 'Wildlife Size': 'text', n: 'integer' }, rows));
    expect(text).toContain(String.raw`| !\[x\](http://evil) \| \<b\>\`a\`\</b\> | 3 |`);
    expect(text).toContain(String.raw`| \[click\](http://evil) # head | 1 |`);
  });

  it('name the words that were passed over', () => {
    expect(answer(WEATHER, 'roughly the average wind', aResult({ 'average wind': 'number' }, [[4.1]]))).toBe(
      'The average wind is **4.1**.\n\nI did not read “roughly”.',
    );
  });
});

describe('numbers in words', () => {
  it.each([
    [1_234_567, '1,234,567'],
    [1_234_567.891, '1,234,568'],
    [12_345.678, '12,345.7'],
    [17.345_678, '17.35'],
    [0.001_234_5, '0.001235'],
    [3.141_592_65, '3.142'],
    [-0.000_000_123_456, '-1.235e-7'],
    [1.5e21, '1.5e21'],
    [-7.1, '-7.1'],
    [0, '0'],
  ])('%d is %s', (value, words) => {
    expect(numberWords(value)).toBe(words);
  });
});

describe('text of the data', () => {
  it.each([
    ['temp_max', 'temp_max'],
    ['_x_ *y*', String.raw`\_x\_ \*y\*`],
    ['a\u202Eb\nc', 'a b c'],
    ['x'.repeat(100), `${'x'.repeat(79)}…`],
  ])('%s is harmless', (text, safe) => {
    expect(inline(text)).toBe(safe);
  });
});

describe('charts', () => {
  const chart = (
    scene: Scene,
    question: string,
    columns: Readonly<Record<string, ColumnType>>,
    rows: readonly (readonly Cell[])[],
  ) => chartFor(understood(scene, question).plan, aResult(columns, rows));
  const months = (count: number): readonly (readonly Cell[])[] =>
    Array.from({ length: count }, (_, index) => [new Date(Date.UTC(2012, index, 1)).toISOString(), index]);

  it('are lines for time', () => {
    expect(chart(WEATHER, 'wind per month', { month: 'time', 'average wind': 'number' }, months(5))).toEqual({
      kind: 'line',
      x: 'month',
      y: 'average wind',
      series: null,
      title: 'Average wind by month',
      x_title: 'month',
      y_title: 'average wind',
    });
  });

  it('are bars for two moments and for groups', () => {
    expect(chart(WEATHER, 'wind per month', { month: 'time', 'average wind': 'number' }, months(2))?.kind).toBe('bar');
    const groups = { location: 'text', 'average wind': 'number' } as const;
    expect(
      chart(WEATHER, 'wind by location', groups, [
        ['Seattle', 1],
        ['New York', 2],
      ])?.kind,
    ).toBe('bar');
  });

  it('put time on the axis and the other group into the series', () => {
    const columns = { location: 'text', month: 'time', 'average wind': 'number' } as const;
    const rows = months(4).map(([month, value]) => ['Seattle', month ?? null, value ?? null]);
    expect(chart(WEATHER, 'wind by location and month', columns, rows)).toMatchObject({
      kind: 'line',
      x: 'month',
      series: 'location',
    });
  });

  it('are not drawn of a single figure, of rows, or without columns to draw', () => {
    expect(chart(WEATHER, 'average wind', { 'average wind': 'number' }, [[4]])).toBeNull();
    expect(
      chart(WEATHER, 'days with wind over 9', { date: 'time', wind: 'number' }, [
        ['x', 1],
        ['y', 2],
      ]),
    ).toBeNull();
    expect(
      chart(WEATHER, 'wind by location', { other: 'text', figure: 'number' }, [
        ['a', 1],
        ['b', 2],
      ]),
    ).toBeNull();
  });
});

describe('passages of context files', () => {
  const passages = [
    {
      fileId: '1',
      filename: 'manual.pdf',
      page: 3,
      quote: 'Sensors are calibrated every spring. The refund period is 30 days.',
    },
    { fileId: '2', filename: 'notes.txt', page: null, quote: 'Nobody knows.' },
  ];

  it('are quoted by the sentence, with where they stand', () => {
    expect(quotesFor('What is the refund period?', passages)).toEqual([
      'The context files say:',
      '> The refund period is 30 days.\n>\n> manual.pdf, page 3 [1]',
    ]);
  });

  it('are not quoted when they speak of something else', () => {
    expect(quotesFor('Who painted the ceiling?', passages)).toBeNull();
    expect(quotesFor('what is the', passages)).toBeNull();
  });
});
