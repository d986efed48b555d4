import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'soil-samples-s01',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'missing',
    question:
      'What percentage of the values in the column "N_tot (g/kg)" is missing? Report the result rounded to two decimal places.',
    expect: {
      kind: 'figures',
      sql: 'SELECT 100.0*(count(*)-count("N_tot (g/kg)"))/count(*) FROM t',
      decimals: 2,
      percent: true,
    },
  },
  {
    id: 'soil-samples-s02',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'imputation',
    question:
      'Impute the missing values of org_C_pct with the mean of the column. Compute the variance of org_C_pct before and after the imputation. Use the sample variance, four decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH f AS (SELECT org_C_pct a, coalesce(org_C_pct, (SELECT avg(org_C_pct) FROM t)) b FROM t) SELECT var_samp(a), var_samp(b) FROM f',
      decimals: 4,
    },
  },
  {
    id: 'soil-samples-s03',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'correlation',
    question:
      "Is there a significant linear relationship between depth_cm and org_C_pct? Compute Pearson's r and its two-tailed p-value. Use alpha = 0.05. Assume that missing values are dropped.",
    expect: {
      kind: 'figures',
      sql: 'SELECT depth_cm, org_C_pct FROM t',
      statistic: 'pearson',
      figures: ['r', 'p'],
      verdict: 'significant',
    },
  },
  {
    id: 'soil-samples-s04',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'spearman',
    question: 'Spearman rho, P_olsen vs moisture_pct, 3 dp',
    expect: {
      kind: 'figures',
      sql: 'SELECT P_olsen, moisture_pct FROM t',
      statistic: 'spearman',
      figures: ['r'],
      decimals: 3,
    },
  },
  {
    id: 'soil-samples-s05',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'distribution',
    question:
      'Compute the skewness of the P_olsen values and of their natural logarithm (sample skewness, bias-corrected). Two decimals each.',
    expect: {
      kind: 'figures',
      sql: 'SELECT skewness(P_olsen), skewness(ln(P_olsen)) FROM t',
      decimals: 2,
    },
  },
  {
    id: 'soil-samples-s06',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'regression',
    question:
      'Build a multiple linear regression model that predicts N_tot (g/kg) from org_C_pct and ph_h2o, using all rows with no missing value in any of the three columns. What is the coefficient of determination (R-squared)? Give three decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH c AS (SELECT "N_tot (g/kg)" y, org_C_pct a, ph_h2o b FROM t WHERE "N_tot (g/kg)" IS NOT NULL AND org_C_pct IS NOT NULL AND ph_h2o IS NOT NULL), r AS (SELECT corr(y,a) ya, corr(y,b) yb, corr(a,b) ab FROM c) SELECT (ya*ya+yb*yb-2*ya*yb*ab)/(1-ab*ab) FROM r',
      decimals: 3,
    },
  },
  {
    id: 'soil-samples-s07',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'normality',
    question:
      'Check whether moisture_pct is normally distributed by means of the Shapiro-Wilk test with alpha 0.05. Drop missing values first. Tell me the p-value is bigger than alpha or not, i.e. normal or not normal.',
    expect: {
      kind: 'figures',
      sql: 'SELECT true',
      verdict: 'normal',
    },
  },
  {
    id: 'soil-samples-s08',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'anova',
    question:
      'We want to find out if the pH differs among the soil textures. Conduct a one-way ANOVA on ph_h2o with texture as the factor. Report the F-statistic rounded to 2 decimals and whether the null hypothesis of equal means is rejected at the 5% level.',
    expect: {
      kind: 'figures',
      sql: 'SELECT ph_h2o, texture FROM t',
      statistic: 'anova',
      figures: ['statistic'],
      decimals: 2,
      verdict: 'significant',
    },
  },
  {
    id: 'soil-samples-s09',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'derived column',
    question:
      'Calculate the C/N ratio: org_C_pct times 10 divided by N_tot (g/kg). What are its mean and its maximum for the irrigated plots?',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(org_C_pct*10/"N_tot (g/kg)"), max(org_C_pct*10/"N_tot (g/kg)") FROM t WHERE regime=\'irrigated\'',
    },
  },
  {
    id: 'soil-samples-s10',
    table: 'soil_samples',
    group: 'statistics',
    kind: 'time feature',
    question:
      'From the sampling date, extract the month. In which month the most samples were taken and how many were they?',
    expect: {
      kind: 'figures',
      sql: 'SELECT month(sampled_on), count(*) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
    },
  },
];
