import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'mountain-huts-t02',
    table: 'mountain huts',
    group: 'table',
    kind: 'superlative',
    question: 'What is the highest hut and how high does it lie?',
    expect: {
      kind: 'rows',
      sql: 'SELECT hut, "altitude / m" FROM t WHERE "altitude / m" = (SELECT max("altitude / m") FROM t)',
    },
  },
  {
    id: 'mountain-huts-t06',
    table: 'mountain huts',
    group: 'table',
    kind: 'order',
    question: 'I would like a list of the staffed huts above 2400 m with their altitude, the lowest first',
    expect: {
      kind: 'rows',
      sql: 'SELECT hut, "altitude / m" FROM t WHERE staffed AND "altitude / m" > 2400 ORDER BY 2',
      ordered: 1,
    },
  },
  {
    id: 'mountain-huts-s01',
    table: 'mountain huts',
    group: 'statistics',
    kind: 'binning',
    question:
      'Classify the huts by altitude: "low" below 2000 m, "middle" from 2000 m to below 2400 m, and "high" from 2400 m upwards. Calculate the mean price per night of each class (huts without a price are ignored), rounded to two decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg("night / CHF") FROM t GROUP BY CASE WHEN "altitude / m" < 2000 THEN 1 WHEN "altitude / m" < 2400 THEN 2 ELSE 3 END',
      decimals: 2,
    },
  },
  {
    id: 'mountain-huts-s02',
    table: 'mountain huts',
    group: 'statistics',
    kind: 'regression',
    question:
      'Restrict yourself to staffed huts with a known price. Fit the line night / CHF = a + b * altitude / m by least squares. State the slope b with four decimals, the intercept a with four decimals and R squared with four decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT "night / CHF", "altitude / m" FROM t WHERE staffed AND "night / CHF" IS NOT NULL',
      statistic: 'regression',
      figures: ['slope', 'intercept', 'r2'],
      decimals: 4,
    },
  },
  {
    id: 'mountain-huts-s08',
    table: 'mountain huts',
    group: 'statistics',
    kind: 'absolute deviation',
    question: 'mean absolute deviation of the number of beds around the mean, 2 decimals',
    expect: { kind: 'figures', sql: 'SELECT avg(abs(beds - (SELECT avg(beds) FROM t))) FROM t', decimals: 2 },
  },
  {
    id: 'mountain-huts-s09',
    table: 'mountain huts',
    group: 'statistics',
    kind: 'population spread',
    question: 'population standard deviation of guests last season (2 decimals)',
    expect: { kind: 'figures', sql: 'SELECT stddev_pop("guests last season") FROM t', decimals: 2 },
  },
  {
    id: 'mountain-huts-s10',
    table: 'mountain huts',
    group: 'statistics',
    kind: 'harmonic mean',
    question: 'What is the harmonic mean of the walking times in hours? 3 decimals',
    expect: { kind: 'figures', sql: 'SELECT count("walk-in / h") / sum(1 / "walk-in / h") FROM t', decimals: 3 },
  },
  {
    id: 'mountain-huts-u01',
    table: 'mountain huts',
    group: 'unanswerable',
    kind: 'missing column',
    question: 'Which huts have hot showers?',
    expect: { kind: 'refuse' },
  },
  {
    id: 'mountain-huts-u02',
    table: 'mountain huts',
    group: 'unanswerable',
    kind: 'missing entity',
    question: 'How many beds does the Konkordia Hut have?',
    expect: { kind: 'refuse' },
  },
];
