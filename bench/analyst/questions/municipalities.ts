import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'municipalities-s01',
    table: 'municipalities',
    group: 'statistics',
    kind: 'derived column',
    question:
      'Calculate the population density in 2020 (Pop2020 / Area_km2) for each municipality. Which municipality is the densest and what is its density? Round to 1 decimal.',
    expect: {
      kind: 'figures',
      sql: 'SELECT Municipality, Pop2020/Area_km2 FROM t ORDER BY 2 DESC LIMIT 1',
      decimals: 1,
    },
  },
  {
    id: 'municipalities-s02',
    table: 'municipalities',
    group: 'statistics',
    kind: 'derived column',
    question:
      'What was the average percentage growth of population from 2010 to 2020, that is (Pop2020 - Pop2010) / Pop2010 * 100? Two decimal places.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg((Pop2020-Pop2010)*100.0/Pop2010) FROM t',
      decimals: 2,
    },
  },
  {
    id: 'municipalities-s03',
    table: 'municipalities',
    group: 'statistics',
    kind: 'correlation',
    question:
      'Compute the Pearson correlation coefficient between median income and unemployment rate. Handle missing values by listwise deletion. Report the coefficient rounded to three decimal places and the p-value rounded to four decimal places. If the p-value is less than 0.05 say that the relationship is significant.',
    expect: {
      kind: 'figures',
      sql: 'SELECT MedianIncome, UnempRate FROM t',
      statistic: 'pearson',
      figures: ['r'],
      decimals: 3,
      verdict: 'significant',
    },
  },
  {
    id: 'municipalities-s04',
    table: 'municipalities',
    group: 'statistics',
    kind: 'outliers',
    question:
      'Check MedianIncome for outliers by the z-score method (threshold: 2.5). Which municipalities are outliers?',
    expect: {
      kind: 'rows',
      sql: 'WITH s AS (SELECT avg(MedianIncome) m, stddev_samp(MedianIncome) d FROM t) SELECT Municipality FROM t, s WHERE abs(MedianIncome-m)/d > 2.5',
    },
  },
  {
    id: 'municipalities-s05',
    table: 'municipalities',
    group: 'statistics',
    kind: 'outliers',
    question:
      'Remove the outliers from MedianIncome by IQR method and determine the mean and median of MedianIncome before and after that.',
    expect: {
      kind: 'figures',
      sql: 'WITH b AS (SELECT quantile_cont(MedianIncome,0.25) q1, quantile_cont(MedianIncome,0.75) q3 FROM t) SELECT avg(MedianIncome), median(MedianIncome), avg(MedianIncome) FILTER (MedianIncome BETWEEN q1-1.5*(q3-q1) AND q3+1.5*(q3-q1)), median(MedianIncome) FILTER (MedianIncome BETWEEN q1-1.5*(q3-q1) AND q3+1.5*(q3-q1)) FROM t, b',
    },
  },
  {
    id: 'municipalities-s06',
    table: 'municipalities',
    group: 'statistics',
    kind: 'grouped',
    question: 'Aggregate by District: sum of Pop2020, mean of MedianIncome, max of Elev.m',
    expect: {
      kind: 'rows',
      sql: 'SELECT District, sum(Pop2020), avg(MedianIncome), max("Elev.m") FROM t GROUP BY 1',
    },
  },
  {
    id: 'municipalities-s07',
    table: 'municipalities',
    group: 'statistics',
    kind: 'test',
    question:
      'Municipalities with a railway station (HasStation = yes) may have a higher income. Compare the mean MedianIncome of the two groups with a t-test (Welch). p-value to 3 decimals; is the difference significant at the 0.05 level?',
    expect: {
      kind: 'figures',
      sql: 'SELECT MedianIncome, HasStation FROM t',
      statistic: 'welch',
      figures: ['p'],
      decimals: 3,
      verdict: 'significant',
    },
  },
  {
    id: 'municipalities-s08',
    table: 'municipalities',
    group: 'statistics',
    kind: 'conditional category',
    question:
      'Create a size class: "small" for Pop2020 < 3000, "mid" for 3000 to 7999, "large" for 8000 or more. Compute the average MeanAge per size class.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(MeanAge) FILTER (Pop2020<3000), avg(MeanAge) FILTER (Pop2020 BETWEEN 3000 AND 7999), avg(MeanAge) FILTER (Pop2020>=8000) FROM t',
    },
  },
  {
    id: 'municipalities-s09',
    table: 'municipalities',
    group: 'statistics',
    kind: 'normality',
    question: 'Is MeanAge normal distributed? Use Jarque-Bera',
    expect: {
      kind: 'figures',
      sql: 'SELECT true',
      verdict: 'normal',
    },
  },
  {
    id: 'municipalities-s10',
    table: 'municipalities',
    group: 'statistics',
    kind: 'pipeline',
    question:
      'Consider only municipalities situated above 500 m (Elev.m > 500). Replace the missing ForestShare values with the mean ForestShare of these municipalities. Then compute the Spearman correlation between Elev.m and ForestShare, two decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT "Elev.m", coalesce(ForestShare, (SELECT avg(ForestShare) FROM t WHERE "Elev.m" > 500)) FROM t WHERE "Elev.m" > 500',
      statistic: 'spearman',
      figures: ['r'],
      decimals: 2,
    },
  },
];
