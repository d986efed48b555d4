import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'ferry-crossings-s01',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'mean',
    question:
      'Calculate the mean and the sample standard deviation of the number of passengers (PaxCount column), for the crossings that were not cancelled. Round both values to two decimal places.',
    expect: {
      kind: 'figures',
      sql: "SELECT avg(PaxCount), stddev_samp(PaxCount) FROM t WHERE Cancelled = 'No'",
      decimals: 2,
    },
  },
  {
    id: 'ferry-crossings-s02',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'correlation with classification',
    question:
      'Calculate the Pearson correlation coefficient between the wave height and the fuel used. Report it rounded to two decimals. Consider the correlation strong if its absolute value is at least 0.7, moderate if it lies between 0.3 and 0.7, and weak otherwise; state which it is.',
    expect: {
      kind: 'figures',
      sql: 'SELECT corr(WaveHt_m, "FuelUsed (L)"), CASE WHEN abs(corr(WaveHt_m, "FuelUsed (L)")) >= 0.7 THEN \'strong\' WHEN abs(corr(WaveHt_m, "FuelUsed (L)")) >= 0.3 THEN \'moderate\' ELSE \'weak\' END FROM t',
      decimals: 2,
    },
  },
  {
    id: 'ferry-crossings-s03',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'derived column',
    question:
      'Create a feature named "load" that holds the ratio of VehCnt to PaxCount. What is its average, and what is its median? Rows in which PaxCount is zero or missing are to be skipped. Three decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(VehCnt / PaxCount), median(VehCnt / PaxCount) FROM t WHERE PaxCount > 0',
      decimals: 3,
    },
  },
  {
    id: 'ferry-crossings-s04',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'outliers',
    question:
      'Identify the outliers in FuelUsed (L) with the interquartile range method (a value is an outlier when it lies more than 1.5 IQR below the first quartile or above the third quartile). How many outliers are there, and what is the mean fuel used after they are removed?',
    expect: {
      kind: 'figures',
      sql: 'WITH b AS (SELECT quantile_cont("FuelUsed (L)", 0.25) q1, quantile_cont("FuelUsed (L)", 0.75) q3 FROM t) SELECT count(*) FILTER ("FuelUsed (L)" < q1-1.5*(q3-q1) OR "FuelUsed (L)" > q3+1.5*(q3-q1)), avg("FuelUsed (L)") FILTER ("FuelUsed (L)" >= q1-1.5*(q3-q1) AND "FuelUsed (L)" <= q3+1.5*(q3-q1)) FROM t, b',
    },
  },
  {
    id: 'ferry-crossings-s05',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'pipeline',
    question:
      'Perform the following steps. 1. Fill the missing values in the WaveHt_m column with the median of that column. 2. Keep only the crossings of the vessel Dagny. 3. Compute the standard deviation (sample) of WaveHt_m, to 3 decimals.',
    expect: {
      kind: 'figures',
      sql: "SELECT stddev_samp(coalesce(WaveHt_m, (SELECT median(WaveHt_m) FROM t))) FROM t WHERE Vessel = 'Dagny'",
      decimals: 3,
    },
  },
  {
    id: 'ferry-crossings-s06',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'regression',
    question:
      'fit a simple linear regression, target FuelUsed (L), predictor PaxCount. need slope, intercept, R2. 3 decimals',
    expect: {
      kind: 'figures',
      sql: 'SELECT "FuelUsed (L)", PaxCount FROM t',
      statistic: 'regression',
      figures: ['slope', 'intercept', 'r2'],
      decimals: 3,
    },
  },
  {
    id: 'ferry-crossings-s07',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'test',
    question:
      'Is there a significant difference in the mean number of passengers between the vessels Alma and Dagny? Perform an independent two-sample t-test with equal variances assumed at a significance level of 0.05. Report the p-value and state whether the difference is significant or not.',
    expect: {
      kind: 'figures',
      sql: "SELECT PaxCount, Vessel FROM t WHERE Vessel IN ('Alma','Dagny')",
      statistic: 'student',
      figures: ['p'],
      verdict: 'significant',
    },
  },
  {
    id: 'ferry-crossings-s08',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'time feature',
    question:
      'Which hour of scheduled departure has the highest average wind speed? Extract the hour from DepSched first.',
    expect: {
      kind: 'figures',
      sql: 'SELECT hour(DepSched) FROM t GROUP BY 1 ORDER BY avg(wind_kts) DESC LIMIT 1',
    },
  },
  {
    id: 'ferry-crossings-s09',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'time difference',
    question:
      'What is the average delay in minutes, where delay is the time between DepSched and DepActual? Round to 1 decimal place.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(epoch(DepActual - DepSched)/60) FROM t',
      decimals: 1,
    },
  },
  {
    id: 'ferry-crossings-s10',
    table: 'ferry crossings',
    group: 'statistics',
    kind: 'share',
    question:
      'As manager I would like to know which percentage of our crossings on route S7 got cancelled. One decimal is enough.',
    expect: {
      kind: 'figures',
      sql: "SELECT 100.0*avg((Cancelled='Yes')::INT) FROM t WHERE RouteCode='S7'",
      decimals: 1,
      percent: true,
    },
  },
];
