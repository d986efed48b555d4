import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'ar-ledger-t04',
    table: 'AR_LEDGER',
    group: 'table',
    kind: 'group',
    question: 'net invoiced per cost centre and currency',
    expect: { kind: 'rows', sql: 'SELECT COST_CTR, CURR, sum(NET_AMT) FROM t GROUP BY 1, 2' },
  },
  {
    id: 'ar-ledger-t06',
    table: 'AR_LEDGER',
    group: 'table',
    kind: 'derived',
    question: 'Sum of VAT (NET_AMT * VAT_PCT / 100) for invoices in EUR',
    expect: { kind: 'rows', sql: "SELECT sum(NET_AMT * VAT_PCT / 100) FROM t WHERE CURR = 'EUR'" },
  },
  {
    id: 'ar-ledger-t07',
    table: 'AR_LEDGER',
    group: 'table',
    kind: 'having',
    question: 'Customers with at least 10 invoices, and how many they have, most first',
    expect: {
      kind: 'rows',
      sql: 'SELECT CUST_CODE, count(*) FROM t GROUP BY 1 HAVING count(*) >= 10 ORDER BY 2 DESC',
      ordered: 1,
    },
  },
  {
    id: 'ar-ledger-t09',
    table: 'AR_LEDGER',
    group: 'table',
    kind: 'superlative',
    question: 'largest single invoice in PLN - number, customer and amount',
    expect: {
      kind: 'rows',
      sql: "SELECT INV_NO, CUST_CODE, NET_AMT FROM t WHERE CURR = 'PLN' AND NET_AMT = (SELECT max(NET_AMT) FROM t WHERE CURR = 'PLN')",
    },
  },
  {
    id: 'ar-ledger-t10',
    table: 'AR_LEDGER',
    group: 'table',
    kind: 'or',
    question:
      'How many invoices are overdue or written off, if overdue means open with a due date before 1 December 2023 and W is written off?',
    expect: { kind: 'rows', sql: "SELECT count(*) FROM t WHERE (STAT = 'O' AND DUE_DT < '2023-12-01') OR STAT = 'W'" },
  },
  {
    id: 'ar-ledger-s01',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'one-sample test',
    question:
      'For paid invoices define the days late as PAID_DT minus DUE_DT in days (negative when paid early). Test the hypothesis that the mean number of days late is zero with a two-sided one-sample t-test. Provide the mean (2 decimals) and state whether it is significantly different from zero at 5%.',
    expect: {
      kind: 'figures',
      sql: 'SELECT PAID_DT - DUE_DT, 0 FROM t WHERE PAID_DT IS NOT NULL',
      statistic: 'one_sample',
      figures: ['mean'],
      decimals: 2,
      verdict: 'significant',
    },
  },
  {
    id: 'ar-ledger-s02',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'concentration',
    question:
      'To judge our dependence on big accounts, add up NET_AMT by customer regardless of currency, take the five customers with the highest totals and express their combined total as a percentage of the overall NET_AMT. Round to one decimal.',
    expect: {
      kind: 'figures',
      sql: 'WITH c AS (SELECT sum(NET_AMT) s FROM t GROUP BY CUST_CODE), f AS (SELECT s FROM c ORDER BY s DESC LIMIT 5) SELECT 100.0 * (SELECT sum(s) FROM f) / (SELECT sum(s) FROM c)',
      decimals: 1,
      percent: true,
    },
  },
  {
    id: 'ar-ledger-s03',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'growth',
    question:
      'Calculate the gross amount of each invoice as NET_AMT * (1 + VAT_PCT / 100). By what percentage did total gross billing change from the second quarter of 2023 to the third quarter of 2023, going by the invoice date INV_DT? Answer with two decimals; a minus sign means a decrease.',
    expect: {
      kind: 'figures',
      sql: 'WITH g AS (SELECT NET_AMT * (1 + VAT_PCT / 100.0) a, quarter(INV_DT) q FROM t WHERE year(INV_DT) = 2023) SELECT 100.0 * (sum(a) FILTER (q = 3) - sum(a) FILTER (q = 2)) / sum(a) FILTER (q = 2) FROM g',
      decimals: 2,
      percent: true,
    },
  },
  {
    id: 'ar-ledger-s05',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'normalisation',
    question:
      'Scale NET_AMT to the interval from 0 to 1 by min-max normalisation over the whole ledger. What are the mean and the median of the scaled values? Give four decimal places.',
    expect: {
      kind: 'figures',
      sql: 'WITH n AS (SELECT (NET_AMT - min(NET_AMT) OVER ()) / (max(NET_AMT) OVER () - min(NET_AMT) OVER ()) v FROM t) SELECT avg(v), median(v) FROM n',
      decimals: 4,
    },
  },
  {
    id: 'ar-ledger-s07',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'weighted mean',
    question: 'Average VAT rate weighted by net amount? (2 decimals)',
    expect: { kind: 'figures', sql: 'SELECT sum(NET_AMT * VAT_PCT) / sum(NET_AMT) FROM t', decimals: 2 },
  },
  {
    id: 'ar-ledger-s08',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'missing',
    question: 'What share of the ledger lines has no PAID_DT, in percent with one decimal?',
    expect: { kind: 'figures', sql: 'SELECT 100.0 * avg((PAID_DT IS NULL)::INT) FROM t', decimals: 1, percent: true },
  },
  {
    id: 'ar-ledger-s09',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'group maximum',
    question:
      'Which month of 2023 saw the highest net billing and how much was it (2 decimals)? Go by invoice date; month as a number or by name is fine.',
    expect: {
      kind: 'figures',
      sql: "SELECT sum(NET_AMT) FROM t GROUP BY date_trunc('month', INV_DT) ORDER BY 1 DESC LIMIT 1",
      decimals: 2,
    },
  },
  {
    id: 'ar-ledger-s10',
    table: 'AR_LEDGER',
    group: 'statistics',
    kind: 'group comparison',
    question: 'Difference of the median net amount between reminded and not reminded invoices, 2 decimals',
    expect: {
      kind: 'figures',
      sql: 'SELECT median(NET_AMT) FILTER (REMINDED) - median(NET_AMT) FILTER (NOT REMINDED) FROM t',
      decimals: 2,
      unsigned: true,
    },
  },
  {
    id: 'ar-ledger-u02',
    table: 'AR_LEDGER',
    group: 'unanswerable',
    kind: 'missing entity',
    question: 'What do we owe in US dollars?',
    expect: { kind: 'refuse' },
  },
  {
    id: 'ar-ledger-u03',
    table: 'AR_LEDGER',
    group: 'unanswerable',
    kind: 'future',
    question: 'What will our cash inflow be next month?',
    expect: { kind: 'refuse' },
  },
];
