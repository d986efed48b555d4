import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'ed-attendances-t01',
    table: 'ed-attendances',
    group: 'table',
    kind: 'count filter',
    question: 'How many patients came in by ambulance and ended up being admitted?',
    expect: {
      kind: 'rows',
      sql: "SELECT count(*) FROM t WHERE \"mode-of-arrival\" = 'ambulance' AND outcome = 'admitted'",
    },
  },
  {
    id: 'ed-attendances-t04',
    table: 'ed-attendances',
    group: 'table',
    kind: 'group',
    question: 'mean waiting time in minutes at each triage level, most urgent level (1) first',
    expect: {
      kind: 'rows',
      sql: 'SELECT "triage-level", avg("wait-minutes") FROM t GROUP BY 1 ORDER BY 1',
      ordered: 0,
    },
  },
  {
    id: 'ed-attendances-t05',
    table: 'ed-attendances',
    group: 'table',
    kind: 'superlative',
    question: 'Who waited longest? Just the attendance number and the minutes please.',
    expect: {
      kind: 'rows',
      sql: 'SELECT "attendance-no", "wait-minutes" FROM t WHERE "wait-minutes" = (SELECT max("wait-minutes") FROM t)',
    },
  },
  {
    id: 'ed-attendances-t08',
    table: 'ed-attendances',
    group: 'table',
    kind: 'not',
    question: 'Count the children under 16 who were not discharged.',
    expect: { kind: 'rows', sql: 'SELECT count(*) FROM t WHERE "patient-age" < 16 AND outcome <> \'discharged\'' },
  },
  {
    id: 'ed-attendances-t09',
    table: 'ed-attendances',
    group: 'table',
    kind: 'nested',
    question:
      'Which attendances have a heart rate more than 20 beats above the average heart rate? Give attendance-no and heart-rate.',
    expect: {
      kind: 'rows',
      sql: 'SELECT "attendance-no", "heart-rate" FROM t WHERE "heart-rate" > (SELECT avg("heart-rate") FROM t) + 20',
    },
  },
  {
    id: 'ed-attendances-t10',
    table: 'ed-attendances',
    group: 'table',
    kind: 'having',
    question: 'Ways of arriving that account for fewer than 50 attendances, with how many each',
    expect: { kind: 'rows', sql: 'SELECT "mode-of-arrival", count(*) FROM t GROUP BY 1 HAVING count(*) < 50' },
  },
  {
    id: 'ed-attendances-s03',
    table: 'ed-attendances',
    group: 'statistics',
    kind: 'chi-square',
    question:
      'Examine if the outcome of an attendance depends on the mode of arrival. Build the contingency table of mode-of-arrival and outcome and perform a chi-square test of independence without continuity correction. State the test statistic (two decimals) and the degrees of freedom, and whether the association is statistically significant with alpha = 0.05.',
    expect: {
      kind: 'figures',
      sql: 'SELECT "mode-of-arrival", outcome FROM t',
      statistic: 'chi_square',
      figures: ['statistic', 'df'],
      decimals: 2,
      verdict: 'significant',
    },
  },
  {
    id: 'ed-attendances-s04',
    table: 'ed-attendances',
    group: 'statistics',
    kind: 'binning',
    question:
      'Put the patients into three age groups: minors (0 to 17), adults (18 to 64) and seniors (65 and above). For every group calculate the percentage whose outcome is "admitted", rounded to one decimal.',
    expect: {
      kind: 'figures',
      sql: 'SELECT 100.0 * avg((outcome = \'admitted\')::INT) FROM t GROUP BY CASE WHEN "patient-age" < 18 THEN 1 WHEN "patient-age" < 65 THEN 2 ELSE 3 END',
      decimals: 1,
      percent: true,
    },
  },
  {
    id: 'ed-attendances-s05',
    table: 'ed-attendances',
    group: 'statistics',
    kind: 'prediction',
    question:
      'Fit an ordinary least squares line that predicts heart-rate from triage-level, skipping attendances where the heart rate was not measured. What heart rate does the line predict for triage level 1? Answer with two digits after the decimal point.',
    expect: {
      kind: 'figures',
      sql: 'SELECT regr_slope("heart-rate", "triage-level") + regr_intercept("heart-rate", "triage-level") FROM t',
      decimals: 2,
    },
  },
  {
    id: 'ed-attendances-s06',
    table: 'ed-attendances',
    group: 'statistics',
    kind: 'median',
    question: 'median wait of the women?',
    expect: { kind: 'figures', sql: 'SELECT median("wait-minutes") FROM t WHERE sex = \'female\'' },
  },
  {
    id: 'ed-attendances-s08',
    table: 'ed-attendances',
    group: 'statistics',
    kind: 'share',
    question: 'what percent of all patients had to wait more than an hour? one decimal pls',
    expect: {
      kind: 'figures',
      sql: 'SELECT 100.0 * avg(("wait-minutes" > 60)::INT) FROM t',
      decimals: 1,
      percent: true,
    },
  },
  {
    id: 'ed-attendances-u02',
    table: 'ed-attendances',
    group: 'unanswerable',
    kind: 'missing entity',
    question: 'How many patients came by helicopter?',
    expect: { kind: 'refuse' },
  },
  {
    id: 'ed-attendances-u03',
    table: 'ed-attendances',
    group: 'unanswerable',
    kind: 'cause',
    question: 'Why do some patients leave before anybody has seen them?',
    expect: { kind: 'refuse' },
  },
];
