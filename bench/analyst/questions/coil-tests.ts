import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'coil-tests-s01',
    table: 'coil tests',
    group: 'statistics',
    kind: 'correlation with classification',
    question:
      'Calculate the Pearson correlation coefficient (r) between UTS (MPa) and Elongation (%), and assess its strength: |r| < 0.3 weak, 0.3 to 0.6 moderate, above 0.6 strong. Rows with missing values are excluded. Give r to two decimals and the strength.',
    expect: {
      kind: 'figures',
      sql: 'SELECT corr("UTS (MPa)","Elongation (%)"), CASE WHEN abs(corr("UTS (MPa)","Elongation (%)")) > 0.6 THEN \'strong\' ELSE \'moderate\' END FROM t',
      decimals: 2,
    },
  },
  {
    id: 'coil-tests-s02',
    table: 'coil tests',
    group: 'statistics',
    kind: 'derived column',
    question: 'The yield ratio is YS (MPa) divided by UTS (MPa). Compute the mean yield ratio per grade.',
    expect: {
      kind: 'rows',
      sql: 'SELECT Grade, avg("YS (MPa)"/"UTS (MPa)") FROM t GROUP BY 1',
    },
  },
  {
    id: 'coil-tests-s03',
    table: 'coil tests',
    group: 'statistics',
    kind: 'imputation',
    question:
      'There are some missing values in UTS (MPa). Replace them with the median of the column, then calculate the mean and the sample standard deviation of the completed column. Report both to two decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH f AS (SELECT coalesce("UTS (MPa)", (SELECT median("UTS (MPa)") FROM t)) x FROM t) SELECT avg(x), stddev_samp(x) FROM f',
      decimals: 2,
    },
  },
  {
    id: 'coil-tests-s04',
    table: 'coil tests',
    group: 'statistics',
    kind: 'test',
    question:
      'We suspect that line A and line B heat differently. Test whether the mean oven temperature is the same for both lines (two-sample t-test, equal variance, 5 % level). Report t and p with three decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT "Oven Temp (C)", Line FROM t',
      statistic: 'student',
      figures: ['statistic', 'p'],
      decimals: 3,
      unsigned: true,
    },
  },
  {
    id: 'coil-tests-s05',
    table: 'coil tests',
    group: 'statistics',
    kind: 'regression',
    question:
      'With Elongation (%) as response variable and UTS (MPa) as the only explanatory variable, what are the intercept and slope of the least-squares line? Provide 4 decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT "Elongation (%)", "UTS (MPa)" FROM t',
      statistic: 'regression',
      figures: ['intercept', 'slope'],
      decimals: 4,
    },
  },
  {
    id: 'coil-tests-s06',
    table: 'coil tests',
    group: 'statistics',
    kind: 'multiple regression',
    question:
      'Fit a multiple regression: Elongation (%) ~ UTS (MPa) + Oven Temp (C). Report R-squared, rounded to 3 decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH c AS (SELECT "Elongation (%)" y, "UTS (MPa)" a, "Oven Temp (C)" b FROM t WHERE "UTS (MPa)" IS NOT NULL), r AS (SELECT corr(y,a) ya, corr(y,b) yb, corr(a,b) ab FROM c) SELECT (ya*ya+yb*yb-2*ya*yb*ab)/(1-ab*ab) FROM r',
      decimals: 3,
    },
  },
  {
    id: 'coil-tests-s07',
    table: 'coil tests',
    group: 'statistics',
    kind: 'share',
    question:
      'What proportion of coils of Grade S355 had at least one defect (NumDefects >= 1)? Report as a decimal number rounded to three places.',
    expect: {
      kind: 'figures',
      sql: "SELECT avg((NumDefects>=1)::INT) FROM t WHERE Grade='S355'",
      decimals: 3,
      percent: true,
    },
  },
  {
    id: 'coil-tests-s08',
    table: 'coil tests',
    group: 'statistics',
    kind: 'mode',
    question: 'Find the mode of the column Width (mm) and the number of rows having it.',
    expect: {
      kind: 'figures',
      sql: 'SELECT "Width (mm)", count(*) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
    },
  },
  {
    id: 'coil-tests-s09',
    table: 'coil tests',
    group: 'statistics',
    kind: 'chi-square',
    question: 'Is Verdict independent from Shift? chi2, alpha=0.05, give p (4 dec.)',
    expect: {
      kind: 'figures',
      sql: 'SELECT Verdict, Shift FROM t',
      statistic: 'chi_square',
      figures: ['p'],
      decimals: 4,
      verdict: 'significant',
    },
  },
  {
    id: 'coil-tests-s10',
    table: 'coil tests',
    group: 'statistics',
    kind: 'pipeline',
    question:
      '1. Filter the dataset for Grade equal to DC04. 2. In the filtered data, remove outliers in Elongation (%) using the IQR method (factor 1.5). 3. Compute the mean Elongation (%) of the remaining rows. Round the result to two decimal places.',
    expect: {
      kind: 'figures',
      sql: 'WITH a AS (SELECT "Elongation (%)" x FROM t WHERE Grade=\'DC04\'), b AS (SELECT quantile_cont(x,0.25) q1, quantile_cont(x,0.75) q3 FROM a) SELECT avg(x) FROM a,b WHERE x BETWEEN q1-1.5*(q3-q1) AND q3+1.5*(q3-q1)',
      decimals: 2,
    },
  },
];
