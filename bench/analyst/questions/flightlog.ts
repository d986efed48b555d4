import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'flightlog-t01',
    table: 'FlightLog',
    group: 'table',
    kind: 'mode of group',
    question: 'Which aircraft type does each carrier use most often on the flights out of ZRH?',
    expect: {
      kind: 'rows',
      sql: "SELECT Carrier, Aircraft FROM (SELECT Carrier, Aircraft, count(*) n FROM t WHERE Origin = 'ZRH' GROUP BY 1, 2) QUALIFY rank() OVER (PARTITION BY Carrier ORDER BY n DESC) = 1",
    },
  },
  {
    id: 'flightlog-t04',
    table: 'FlightLog',
    group: 'table',
    kind: 'boolean',
    question: 'What are the flight numbers of the cancelled flights to Athens (ATH)?',
    expect: { kind: 'rows', sql: "SELECT FlightNo FROM t WHERE Cancelled AND Destination = 'ATH'" },
  },
  {
    id: 'flightlog-t06',
    table: 'FlightLog',
    group: 'table',
    kind: 'count distinct',
    question: 'To how many different airports do we fly from HAM?',
    expect: { kind: 'rows', sql: "SELECT count(DISTINCT Destination) FROM t WHERE Origin = 'HAM'" },
  },
  {
    id: 'flightlog-t08',
    table: 'FlightLog',
    group: 'table',
    kind: 'time of day',
    question: 'number of departures scheduled after 20:00',
    expect: { kind: 'rows', sql: "SELECT count(*) FROM t WHERE CAST(SchedDeparture AS TIME) > TIME '20:00:00'" },
  },
  {
    id: 'flightlog-s01',
    table: 'FlightLog',
    group: 'statistics',
    kind: 'rank test',
    question:
      'Investigate whether departure delays differ between the carriers. Because the delays are skewed, apply the Kruskal-Wallis test to DepDelayMin grouped by Carrier; cancelled flights have no delay and are to be left out. Give the H statistic, rounded to two decimal places, and say if the result is significant at the 1% level.',
    expect: {
      kind: 'figures',
      sql: 'SELECT DepDelayMin, Carrier FROM t WHERE DepDelayMin IS NOT NULL',
      statistic: 'kruskal',
      figures: ['statistic'],
      decimals: 2,
      verdict: 'significant',
      alpha: 0.01,
    },
  },
  {
    id: 'flightlog-s03',
    table: 'FlightLog',
    group: 'statistics',
    kind: 'outliers',
    question:
      'Remove outliers from DepDelayMin with the interquartile range rule, that is, drop values below Q1 - 1.5*IQR or above Q3 + 1.5*IQR, where quartiles are found by linear interpolation. Report how many values are dropped and the mean of the remaining ones, rounded to 2 decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH q AS (SELECT quantile_cont(DepDelayMin, 0.25) a, quantile_cont(DepDelayMin, 0.75) b FROM t), f AS (SELECT DepDelayMin d, DepDelayMin < a - 1.5 * (b - a) OR DepDelayMin > b + 1.5 * (b - a) o FROM t, q WHERE DepDelayMin IS NOT NULL) SELECT count(*) FILTER (o), avg(d) FILTER (NOT o) FROM f',
      decimals: 2,
    },
  },
  {
    id: 'flightlog-s05',
    table: 'FlightLog',
    group: 'statistics',
    kind: 'derived',
    question:
      'Define passenger-kilometres as Passengers times DistanceKm. What is their total over all flights that were operated, and what is the average per flight, rounded to the nearest whole number?',
    expect: {
      kind: 'figures',
      sql: 'SELECT sum(Passengers * DistanceKm), avg(Passengers * DistanceKm) FROM t WHERE NOT Cancelled',
      decimals: 0,
    },
  },
  {
    id: 'flightlog-s07',
    table: 'FlightLog',
    group: 'statistics',
    kind: 'rate',
    question: 'cancellation rate in percent, 2 dp',
    expect: { kind: 'figures', sql: 'SELECT 100.0 * avg(Cancelled::INT) FROM t', decimals: 2, percent: true },
  },
  {
    id: 'flightlog-u02',
    table: 'FlightLog',
    group: 'unanswerable',
    kind: 'missing entity',
    question: 'What was the average delay on flights to New York?',
    expect: { kind: 'refuse' },
  },
  {
    id: 'flightlog-u03',
    table: 'FlightLog',
    group: 'unanswerable',
    kind: 'future',
    question: 'Will flight NL250 be on time next Friday?',
    expect: { kind: 'refuse' },
  },
  {
    id: 'flightlog-u04',
    table: 'FlightLog',
    group: 'unanswerable',
    kind: 'opinion',
    question: 'Which airline has the friendliest crew?',
    expect: { kind: 'refuse' },
  },
];
