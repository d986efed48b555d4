import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'microloans-s01',
    table: 'microloans',
    group: 'statistics',
    kind: 'mean',
    question: 'Compute the average loan amount requested by women in the agriculture sector.',
    expect: {
      kind: 'figures',
      sql: "SELECT avg(loan_amt_usd) FROM t WHERE borrower_gender='F' AND sector='Agriculture'",
    },
  },
  {
    id: 'microloans-s02',
    table: 'microloans',
    group: 'statistics',
    kind: 'correlation',
    question:
      'Measure the relation of the credit score with the interest rate through the Pearson correlation. Missing credit scores: drop. Output: r (3 decimals), p-value (scientific is fine), significant or not at 0.01.',
    expect: {
      kind: 'figures',
      sql: 'SELECT cred_score, int_rate_pct FROM t',
      statistic: 'pearson',
      figures: ['r'],
      decimals: 3,
      verdict: 'significant',
      alpha: 0.01,
    },
  },
  {
    id: 'microloans-s03',
    table: 'microloans',
    group: 'statistics',
    kind: 'time difference',
    question:
      'Determine the duration in days between funded_at and repaid_at for each repaid loan; report mean and median duration.',
    expect: {
      kind: 'figures',
      sql: "SELECT avg(date_diff('day',funded_at,repaid_at)), median(date_diff('day',funded_at,repaid_at)) FROM t",
    },
  },
  {
    id: 'microloans-s04',
    table: 'microloans',
    group: 'statistics',
    kind: 'time feature',
    question: 'How many loans were funded in each quarter of 2021?',
    expect: {
      kind: 'rows',
      sql: "SELECT date_trunc('quarter', funded_at), count(*) FROM t WHERE year(funded_at)=2021 GROUP BY 1",
    },
  },
  {
    id: 'microloans-s05',
    table: 'microloans',
    group: 'statistics',
    kind: 'imputation',
    question:
      'Fill in the gaps in cred_score with the mean. After this, what is the standard deviation of the column (sample, rounded to 2)?',
    expect: {
      kind: 'figures',
      sql: 'SELECT stddev_samp(coalesce(cred_score, (SELECT avg(cred_score) FROM t))) FROM t',
      decimals: 2,
    },
  },
  {
    id: 'microloans-s06',
    table: 'microloans',
    group: 'statistics',
    kind: 'comparison',
    question: 'Is the default rate higher for men or for women? Report both rates in percent with one decimal.',
    expect: {
      kind: 'figures',
      sql: "SELECT 100.0*avg(defaulted::INT) FILTER (borrower_gender='M'), 100.0*avg(defaulted::INT) FILTER (borrower_gender='F') FROM t",
      decimals: 1,
      percent: true,
    },
  },
  {
    id: 'microloans-s07',
    table: 'microloans',
    group: 'statistics',
    kind: 'log transform',
    question:
      'Since loan_amt_usd is right-skewed, take its base-10 logarithm. Report the mean of the transformed column to three decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(log10(loan_amt_usd)) FROM t',
      decimals: 3,
    },
  },
  {
    id: 'microloans-s08',
    table: 'microloans',
    group: 'statistics',
    kind: 'quantile bins',
    question:
      'Split cred_score into three bins with equal numbers of rows (terciles). What is the mean interest rate in the lowest bin? Two decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH q AS (SELECT int_rate_pct r, ntile(3) OVER (ORDER BY cred_score) n FROM t WHERE cred_score IS NOT NULL) SELECT avg(r) FROM q WHERE n=1',
      decimals: 0,
    },
  },
  {
    id: 'microloans-s09',
    table: 'microloans',
    group: 'statistics',
    kind: 'prediction',
    question:
      'if I regress int_rate_pct on cred_score, what rate would be predicted for a score of 700? 2 decimals pls',
    expect: {
      kind: 'figures',
      sql: 'SELECT regr_slope(int_rate_pct, cred_score)*700+regr_intercept(int_rate_pct, cred_score) FROM t',
      decimals: 2,
    },
  },
  {
    id: 'microloans-s10',
    table: 'microloans',
    group: 'statistics',
    kind: 'weighted',
    question: 'What is the interest rate weighted by the loan amount? (weighted average, 2 decimals)',
    expect: {
      kind: 'figures',
      sql: 'SELECT sum(int_rate_pct*loan_amt_usd)/sum(loan_amt_usd) FROM t',
      decimals: 2,
    },
  },
];
