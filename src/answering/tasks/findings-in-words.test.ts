import { describe, expect, it } from 'vitest';
import { gapsIn, nextBucket } from './buckets.js';
import { comparisonOf } from './comparison.js';
import { figuresOf } from './figures.js';
import { groupWords } from './group-words.js';
import { changeWords, inline, shareWords } from './markdown-words.js';
import { conditionsOf } from './plan-words.js';
import { recheckOf, verdictOf, verdictWords } from './rechecks.js';
import { aPlan, anAsked, aResult, aSubject } from './tasks.fixture.js';
import { trendOf, type Point } from './trend.js';

const DAY = 86_400_000;

function days(...values: readonly number[]): readonly Point[] {
  return values.map((value, index) => ({ iso: new Date(Date.UTC(2024, 0, 1) + index * DAY).toISOString(), value }));
}

function trend(points: readonly Point[], range: { from: string; to: string } | null = null): readonly string[] {
  return trendOf(points, { bucket: 'day', range, what: 'revenue' }).sentences;
}

describe('a development in words', () => {
  it('names its ends and its direction', () => {
    expect(trend(days(10, 12, 11, 20, 22, 21))).toEqual([
      'By day, the revenue was highest on **2024-01-05** (**22**) and lowest on **2024-01-01** (**10**).',
      'From the first half to the second half it rose from **11** to **21** on average (+91 %).',
    ]);
  });

  it('does not take the seasons for a trend', () => {
    const months = Array.from({ length: 24 }, (_, index) => ({
      iso: new Date(Date.UTC(2022, index, 1)).toISOString(),
      value: 100 + 50 * Math.sin((index * Math.PI) / 6),
    }));
    const { sentences } = trendOf(months, { bucket: 'month', range: null, what: 'rain' });

    expect(sentences[1]).toBe('It hardly changed from the first 12 months (100 on average) to the last 12 (100).');
  });

  it('finds the time that stands out', () => {
    const { unusual } = trendOf(days(10, 11, 10, 9, 10, 11, 10, 60, 10, 9), { bucket: 'day', range: null, what: 'x' });

    expect(unusual).toMatchObject({ value: 60 });
  });

  it('leaves ends out that the data cover in part', () => {
    const points = days(100, 100, 100, 100, 100, 100, 5);
    const words = trend(points, { from: '2024-01-01T00:00:00.000Z', to: '2024-01-07T02:00:00.000Z' });

    expect(words).toEqual(['The revenue was the same all the time (100).']);
  });

  it.each([[[]], [[5]], [[5, 6]]])('says little of %j', (values) => {
    expect(trend(days(...values)).join(' ')).not.toMatch(/rose|fell|NaN/);
  });

  it('rises from nothing without a percentage', () => {
    expect(trend(days(0, 0, 0, 5, 5, 5))[1]).toBe(
      'From the first half to the second half it rose from **0** to **5** on average.',
    );
  });
});

describe('groups in words', () => {
  const plan = aPlan({ dimensions: [{ kind: 'column', column: 'shop', label: 'shop' }] });
  const result = (...rows: readonly (readonly [string | null, number | null])[]): ReturnType<typeof aResult> =>
    aResult(
      [
        ['shop', 'text'],
        ['total revenue', 'number'],
      ],
      rows,
    );

  it('names the highest with its share and the lowest', () => {
    expect(groupWords(plan, result(['A', 75], ['B', 25]))).toBe(
      '**A** has the highest total revenue with **75**, 75 % of the total, **B** the lowest with **25**; that is 3 times as much.',
    );
  });

  it('speaks of no share where figures do not add up, and of no lowest where the list was cut', () => {
    const average = aPlan({ ...plan, measures: [{ aggregate: 'avg', column: 'revenue', label: 'average revenue' }] });

    expect(groupWords(average, result(['A', 75], ['B', 25]))).not.toContain('%');
    expect(groupWords(plan, result(['A', 75], ['B', -25]))).not.toContain('%');
    expect(groupWords({ ...plan, limit: 2 }, result(['A', 75], ['B', 25]))).toBe(
      '**A** has the highest total revenue with **75**.',
    );
  });

  it('says when they are all about the same', () => {
    expect(groupWords(plan, result(['A', 101], ['B', 100], [null, 100]))).toMatch(
      /^Total revenue is about the same for all 3: from 100/,
    );
  });

  it('manages with one group, and with none', () => {
    expect(groupWords(plan, result(['A', 5]))).toBe('The total revenue of **A** is **5**.');
    expect(groupWords(plan, result(['A', null]))).toBe('There are no figures.');
  });
});

describe('gaps in time', () => {
  it('are runs of pieces that are not there', () => {
    const starts = [0, 1, 2, 5, 6, 8].map((day) => day * DAY);

    expect(gapsIn(starts, 'day')).toEqual([
      { from: 3 * DAY, to: 5 * DAY, missing: 2 },
      { from: 7 * DAY, to: 8 * DAY, missing: 1 },
    ]);
    expect(gapsIn([], 'day')).toEqual([]);
  });

  it.each([
    ['month', '2024-01-01', '2024-02-01'],
    ['month', '2024-12-01', '2025-01-01'],
    ['quarter', '2024-10-01', '2025-01-01'],
    ['year', '2024-01-01', '2025-01-01'],
    ['week', '2024-02-26', '2024-03-04'],
  ] as const)('know how long a %s is', (bucket, from, to) => {
    expect(nextBucket(Date.parse(from), bucket)).toBe(Date.parse(to));
  });
});

describe('a comparison of datasources', () => {
  const [north, south] = [aSubject({ name: 'North' }), aSubject({ name: 'South' })];
  const compared = (a: number, b: number): string =>
    comparisonOf(figuresOf([anAsked({ subject: north, rows: [[a]] }), anAsked({ subject: south, rows: [[b]] })]), [
      north,
      south,
    ]);

  it('puts the same figure side by side, with difference and ratio', () => {
    expect(compared(50, 200)).toContain('| total revenue | 50 | 200 | 150 | 4 |');
    expect(compared(50, 200)).toContain(
      'Total revenue is higher for **South**: **200** against **50** of North, 4 times as much.',
    );
  });

  it('has no ratio to nothing', () => {
    expect(compared(0, 200)).toContain('| total revenue | 0 | 200 | 200 | – |');
  });

  it('compares nothing that was not asked in the same way', () => {
    const other = aPlan({ measures: [{ aggregate: 'avg', column: 'revenue', label: 'total revenue' }] });
    const figures = figuresOf([anAsked({ subject: north }), anAsked({ subject: south, plan: other })]);

    expect(comparisonOf(figures, [north, south])).toBe('');
  });

  it('compares columns of the same words, and says when the times differ', () => {
    const later = aSubject({ name: 'Later' });
    const profile = {
      ...later.profile,
      timeRange: { from: '2025-01-01T00:00:00.000Z', to: '2025-02-01T00:00:00.000Z' },
    };
    const subject = { ...later, profile };
    const measures = [{ aggregate: 'sum', column: 'Revenue', label: 'r' }] as const;
    const figures = figuresOf([anAsked({ subject: north }), anAsked({ subject, plan: aPlan({ measures }) })]);

    expect(comparisonOf(figures, [north, subject])).toContain(
      'span different times (North 2024-01-01 to 2024-06-29; Later 2025-01-01',
    );
  });
});

describe('a figure worked out a second time', () => {
  const groups = (...rows: readonly (readonly [string, number, number])[]): ReturnType<typeof aResult> =>
    aResult(
      [
        ['part', 'text'],
        ['figure', 'number'],
        ['values', 'integer'],
      ],
      rows,
    );

  it.each([
    ['sum', 100, groups(['A', 60, 3], ['B', 40, 1])],
    ['avg', 7, groups(['A', 8, 3], ['B', 4, 1])],
    ['min', 4, groups(['A', 8, 3], ['B', 4, 1])],
    ['max', 8, groups(['A', 8, 3], ['B', 4, 1])],
  ] as const)('agrees when the %s of the parts is the same', (aggregate, expected, result) => {
    const plan = aPlan({ measures: [{ aggregate, column: 'revenue', label: 'r' }] });
    const check = recheckOf(anAsked({ plan, rows: [[expected]] }));

    expect(check?.plan.dimensions).toHaveLength(1);
    expect(check && verdictOf(check, result)).toBe('agrees');
  });

  it('differs, unless rows came meanwhile', () => {
    const check = recheckOf(anAsked({ rows: [[100]] }))!;
    const wrong = groups(['A', 60, 3], ['B', 41, 1]);

    expect(verdictOf(check, wrong)).toBe('differs');
    expect(verdictWords(check, wrong)).toContain('**100** by the first query, but **101** by a second one');
    expect(verdictOf(check, { ...wrong, rowsScanned: 101 })).toBe('moved');
  });

  it('has no second way for a median or a written query', () => {
    const plan = aPlan({ measures: [{ aggregate: 'median', column: 'revenue', label: 'r' }] });

    expect(recheckOf(anAsked({ plan }))).toBeNull();
    expect(recheckOf(anAsked({ plan: null }))).toBeNull();
  });
});

describe('words', () => {
  it.each([
    [0.5, '50 %'],
    [0.025, '2.5 %'],
    [0.0004, '0 %'],
  ])('of a share of %d', (share, words) => {
    expect(shareWords(share)).toBe(words);
  });

  it.each([
    [110, 100, '+10 %'],
    [90, 100, '-10 %'],
    [5, 0, null],
    [2500, 100, '25 times'],
  ])('of a change to %d from %d', (value, before, words) => {
    expect(changeWords(value, before)).toBe(words);
  });

  it.each([
    ['2024-05-01', '2024-06-01', 'time is in May 2024'],
    ['2024-01-01', '2025-01-01', 'time is in 2024'],
    ['2024-05-20', '2024-05-21', 'time is on 2024-05-20'],
    ['2024-05-20', '2024-05-27', 'time is from 2024-05-20 to 2024-05-26'],
    [null, '2024-05-27', 'time is before 2024-05-27'],
    ['2024-05-27', null, 'time is from 2024-05-27 on'],
  ])('of the time from %s to %s', (from, to, words) => {
    expect(conditionsOf(aPlan({ filters: [{ kind: 'time', column: 'time', from, to }] }))).toBe(words);
  });

  it.each([
    '![x](http://evil.example/a.png)',
    '[click](javascript:alert(1))',
    '<img src=x onerror=alert(1)>',
    'https://evil.example',
    'www.evil.example',
    '# heading',
    'a | b\n| --- |',
    '`code` **bold** _it_',
    '\u202Egpj.exe',
    '&lt;b&gt;',
  ])('of unknown origin are text alone: %j', (text) => {
    expect(inline(text)).not.toMatch(/(?<!\\)[[\]<>|*`!&]|:\/\/|www\.|\n|^#|\u202E/);
  });
});
