import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'air-daily-s01',
    table: 'air_daily',
    group: 'statistics',
    kind: 'mean',
    question:
      'Determine the average PM2.5 concentration at the Ringroad site. Ignore missing values. Round the answer to two decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg("PM2.5") FROM t WHERE site=\'Ringroad\'',
      decimals: 2,
    },
  },
  {
    id: 'air-daily-s02',
    table: 'air_daily',
    group: 'statistics',
    kind: 'derived column',
    question:
      'Define the diurnal temperature range as temp_max_c minus temp_min_c. Find its mean and its standard deviation over all days, rounded to 2 d.p.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(temp_max_c-temp_min_c), stddev_samp(temp_max_c-temp_min_c) FROM t',
      decimals: 2,
    },
  },
  {
    id: 'air-daily-s03',
    table: 'air_daily',
    group: 'statistics',
    kind: 'correlation',
    question:
      'Find the correlation coefficient (Pearson) between the maximum temperature and ozone. Is this relationship statistically significant (p < 0.05)?',
    expect: {
      kind: 'figures',
      sql: 'SELECT temp_max_c, O3_ugm3 FROM t',
      statistic: 'pearson',
      figures: ['r'],
      verdict: 'significant',
    },
  },
  {
    id: 'air-daily-s04',
    table: 'air_daily',
    group: 'statistics',
    kind: 'time feature',
    question:
      'Add a column "month" from obs_date. Which month has the highest mean O3_ugm3 and how much is it? (2 decimal places)',
    expect: {
      kind: 'figures',
      sql: 'SELECT month(obs_date), avg(O3_ugm3) FROM t GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
      decimals: 2,
    },
  },
  {
    id: 'air-daily-s05',
    table: 'air_daily',
    group: 'statistics',
    kind: 'weekday',
    question: 'Compare weekdays (Monday to Friday) with weekends: what is the mean NO2_ugm3 in each of the two?',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(NO2_ugm3) FILTER (isodow(obs_date) <= 5), avg(NO2_ugm3) FILTER (isodow(obs_date) > 5) FROM t',
    },
  },
  {
    id: 'air-daily-s06',
    table: 'air_daily',
    group: 'statistics',
    kind: 'outliers',
    question:
      'How many outliers does precip_mm contain according to the 1.5*IQR rule, considering only days on which it rained (precip_mm > 0)?',
    expect: {
      kind: 'figures',
      sql: 'WITH a AS (SELECT precip_mm x FROM t WHERE precip_mm > 0), b AS (SELECT quantile_cont(x,0.25) q1, quantile_cont(x,0.75) q3 FROM a) SELECT count(*) FROM a, b WHERE x < q1-1.5*(q3-q1) OR x > q3+1.5*(q3-q1)',
    },
  },
  {
    id: 'air-daily-s07',
    table: 'air_daily',
    group: 'statistics',
    kind: 'missing',
    question: 'Identify the column having the highest number of missing values and report how many are missing.',
    expect: {
      kind: 'figures',
      sql: "SELECT * FROM (VALUES ('PM2.5', (SELECT count(*)-count(\"PM2.5\") FROM t)), ('PM10', (SELECT count(*)-count(PM10) FROM t)), ('NO2_ugm3', (SELECT count(*)-count(NO2_ugm3) FROM t))) v(a,b) ORDER BY b DESC LIMIT 1",
    },
  },
  {
    id: 'air-daily-s08',
    table: 'air_daily',
    group: 'statistics',
    kind: 'regression',
    question:
      'Use simple linear regression to model PM10 as a function of PM2.5. Rows with missing data in either variable must be excluded. Report the slope (2 decimals) and the R² (2 decimals).',
    expect: {
      kind: 'figures',
      sql: 'SELECT PM10, "PM2.5" FROM t',
      statistic: 'regression',
      figures: ['slope', 'r2'],
      decimals: 2,
    },
  },
  {
    id: 'air-daily-s09',
    table: 'air_daily',
    group: 'statistics',
    kind: 'anova',
    question: 'Does mean NO2 vary by site? One-way ANOVA, alpha .05 – F and verdict',
    expect: {
      kind: 'figures',
      sql: 'SELECT NO2_ugm3, site FROM t',
      statistic: 'anova',
      figures: ['statistic'],
      verdict: 'significant',
    },
  },
  {
    id: 'air-daily-s10',
    table: 'air_daily',
    group: 'statistics',
    kind: 'pipeline',
    question:
      'Step 1: restrict the data to the year 2022 and the site "Harbour". Step 2: remove the rows where PM10 is missing. Step 3: calculate the coefficient of variation (sample standard deviation divided by mean) of PM10. Provide the answer with 3 decimals.',
    expect: {
      kind: 'figures',
      sql: "SELECT stddev_samp(PM10)/avg(PM10) FROM t WHERE site='Harbour' AND year(obs_date)=2022",
      decimals: 3,
    },
  },
];
