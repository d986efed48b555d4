import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'bakery-takings-t01',
    table: 'bakery takings',
    group: 'table',
    kind: 'share of total',
    question: 'each weekday with its percentage of the total takings',
    expect: {
      kind: 'rows',
      sql: 'SELECT weekday, 100.0 * sum(takings) / (SELECT sum(takings) FROM t) FROM t GROUP BY 1',
      percent: true,
    },
  },
  {
    id: 'bakery-takings-t02',
    table: 'bakery takings',
    group: 'table',
    kind: 'text code',
    question: 'Which day had the highest takings in shop 012?',
    expect: {
      kind: 'rows',
      sql: "SELECT sales_day FROM t WHERE shop_code = '012' AND takings = (SELECT max(takings) FROM t WHERE shop_code = '012')",
    },
  },
  {
    id: 'bakery-takings-t07',
    table: 'bakery takings',
    group: 'table',
    kind: 'column comparison',
    question: 'How often did a shop sell more pastries than loaves in a day?',
    expect: { kind: 'rows', sql: 'SELECT count(*) FROM t WHERE pastries_sold > loaves_sold' },
  },
  {
    id: 'bakery-takings-s04',
    table: 'bakery takings',
    group: 'statistics',
    kind: 'derived',
    question:
      'The waste rate of a day is loaves_thrown_away / (loaves_sold + loaves_thrown_away). Leave out days without a count of thrown away loaves, average the daily waste rates by shop, and name the shop with the highest mean waste rate together with that rate in percent (2 decimals).',
    expect: {
      kind: 'figures',
      sql: 'SELECT shop_code, 100.0 * avg(loaves_thrown_away / (loaves_sold + loaves_thrown_away)) FROM t WHERE loaves_thrown_away IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
      decimals: 2,
      percent: true,
    },
  },
  {
    id: 'bakery-takings-s05',
    table: 'bakery takings',
    group: 'statistics',
    kind: 'welch test',
    question:
      'Management ran promotions on some days (promo equals 1). Evaluate with a Welch t-test whether promotions changed the mean takings. Report the p-value with three decimal places and say whether the effect is significant at a significance level of 10 percent.',
    expect: {
      kind: 'figures',
      sql: 'SELECT takings, promo FROM t',
      statistic: 'welch',
      figures: ['p'],
      decimals: 3,
      verdict: 'significant',
      alpha: 0.1,
    },
  },
  {
    id: 'bakery-takings-s09',
    table: 'bakery takings',
    group: 'statistics',
    kind: 'coefficient of variation',
    question:
      'Which shop has the most stable daily takings, that is the smallest coefficient of variation, and how big is it (4 decimals)?',
    expect: {
      kind: 'figures',
      sql: 'SELECT shop_code, stddev(takings) / avg(takings) FROM t GROUP BY 1 ORDER BY 2 LIMIT 1',
      decimals: 4,
    },
  },
  {
    id: 'bakery-takings-s10',
    table: 'bakery takings',
    group: 'statistics',
    kind: 'mean',
    question: 'mean takings on dry Sundays, two decimals',
    expect: {
      kind: 'figures',
      sql: "SELECT avg(takings) FROM t WHERE weather = 'dry' AND weekday = 'Sun'",
      decimals: 2,
    },
  },
  {
    id: 'bakery-takings-u02',
    table: 'bakery takings',
    group: 'unanswerable',
    kind: 'missing entity',
    question: 'How many croissants did we sell?',
    expect: { kind: 'refuse' },
  },
];
