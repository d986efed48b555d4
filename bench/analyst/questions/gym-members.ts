import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'gym-members-s01',
    table: 'gym members',
    group: 'statistics',
    kind: 'derived column',
    question:
      'Compute the body mass index (BMI) of each member as Weight (kg) divided by the square of Height (m). What is the average BMI of male and of female members? Round to two decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg("Weight (kg)"/"Height (m)"^2) FILTER (Gender=\'Male\'), avg("Weight (kg)"/"Height (m)"^2) FILTER (Gender=\'Female\') FROM t',
      decimals: 2,
    },
  },
  {
    id: 'gym-members-s02',
    table: 'gym members',
    group: 'statistics',
    kind: 'correlation',
    question:
      'How strong is the correlation between session duration and calories burned? Give the Pearson coefficient with 3 decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT SessionDur, CalBurned FROM t',
      statistic: 'pearson',
      figures: ['r'],
      decimals: 3,
    },
  },
  {
    id: 'gym-members-s03',
    table: 'gym members',
    group: 'statistics',
    kind: 'outliers',
    question:
      'Using the Z-score method with a threshold of 3, find the outliers of WaterIntake (l). State the number of outliers that were removed and the new mean of the column after the removal (2 decimals).',
    expect: {
      kind: 'figures',
      sql: 'WITH s AS (SELECT avg("WaterIntake (l)") m, stddev_samp("WaterIntake (l)") d FROM t) SELECT count(*) FILTER (abs("WaterIntake (l)"-m)/d > 3), avg("WaterIntake (l)") FILTER (abs("WaterIntake (l)"-m)/d <= 3) FROM t, s',
      decimals: 2,
    },
  },
  {
    id: 'gym-members-s04',
    table: 'gym members',
    group: 'statistics',
    kind: 'prediction',
    question:
      'Fit a linear regression with CalBurned as dependent variable and SessionDur as independent variable on the whole dataset. Predict the calories burned for a session of 1.5 hours. Round to one decimal.',
    expect: {
      kind: 'figures',
      sql: 'SELECT regr_slope(CalBurned, SessionDur)*1.5 + regr_intercept(CalBurned, SessionDur) FROM t',
      decimals: 1,
    },
  },
  {
    id: 'gym-members-s05',
    table: 'gym members',
    group: 'statistics',
    kind: 'model error',
    question:
      'Train a linear regression model on all rows to predict FatPct from Weight (kg). Missing FatPct rows should be dropped. Report the root mean squared error (RMSE) of the fit, rounded to 3 decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT FatPct, "Weight (kg)" FROM t',
      statistic: 'regression',
      figures: ['rmse'],
      decimals: 3,
    },
  },
  {
    id: 'gym-members-s06',
    table: 'gym members',
    group: 'statistics',
    kind: 'binned',
    question:
      'Create age groups: 18-29, 30-39, 40-49, 50 and above. Which age group has the highest mean of CalBurned, and what is that mean (rounded to the nearest integer)?',
    expect: {
      kind: 'figures',
      sql: "WITH g AS (SELECT CASE WHEN Age<30 THEN '18' WHEN Age<40 THEN '30' WHEN Age<50 THEN '40' ELSE '50' END g, CalBurned FROM t) SELECT g, avg(CalBurned) FROM g GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
      decimals: 0,
    },
  },
  {
    id: 'gym-members-s07',
    table: 'gym members',
    group: 'statistics',
    kind: 'test',
    question:
      "Do men and women differ significantly in resting heart rate? Use Welch's t-test, two-sided, and a significance level of 1%. Answer with yes or no and the p-value (4 decimals).",
    expect: {
      kind: 'figures',
      sql: 'SELECT RestHR, Gender FROM t',
      statistic: 'welch',
      figures: ['p'],
      decimals: 4,
      verdict: 'yes',
      alpha: 0.01,
    },
  },
  {
    id: 'gym-members-s08',
    table: 'gym members',
    group: 'statistics',
    kind: 'describe',
    question: "what's the min, max, mean, median & std of RestHR?",
    expect: {
      kind: 'figures',
      sql: 'SELECT min(RestHR), max(RestHR), avg(RestHR), median(RestHR), stddev_samp(RestHR) FROM t',
    },
  },
  {
    id: 'gym-members-s09',
    table: 'gym members',
    group: 'statistics',
    kind: 'mode',
    question:
      'What workout type occurs most frequently among the members with experience level 3, and how often does it occur?',
    expect: {
      kind: 'figures',
      sql: 'SELECT WorkoutType, count(*) FROM t WHERE ExpLevel=3 GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
    },
  },
  {
    id: 'gym-members-s10',
    table: 'gym members',
    group: 'statistics',
    kind: 'pipeline',
    question:
      'Please do the following: first, fill missing values of FatPct by the mean FatPct; second, create a new column LeanMass = Weight (kg) * (1 - FatPct / 100); third, report the mean of LeanMass with two decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH f AS (SELECT "Weight (kg)" w, coalesce(FatPct, (SELECT avg(FatPct) FROM t)) p FROM t) SELECT avg(w*(1-p/100)) FROM f',
      decimals: 2,
    },
  },
];
