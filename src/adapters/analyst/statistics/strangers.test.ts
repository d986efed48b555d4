import { describe, expect, it } from 'vitest';
import { notationOf } from '../fixtures/plan-notation.fixture.js';
import { aScene, numberColumn, textColumn, timeColumn } from '../fixtures/profile-builders.fixture.js';
import type { Part } from '../message/understanding.js';
import { understandAll } from '../understand.js';

/** Headers as programs write them. */
const LINES = aScene({
  name: 'ferry crossings',
  rowCount: 340,
  columns: [
    numberColumn('CrossingID', { min: 5000, max: 5339, distinct: 340 }),
    textColumn('Vessel', ['Alma', 'Borea', 'Dagny']),
    timeColumn('DepSched', '2023-04-03T06:05:00.000Z', '2023-04-28T20:00:00.000Z', 338),
    timeColumn('dep_actual', '2023-04-03T06:11:00.000Z', '2023-04-28T20:40:00.000Z', 310),
    numberColumn('PaxCount', { min: 20, max: 300, nulls: 30 }),
    numberColumn('WaveHt_m', { min: 0.1, max: 3.4, nulls: 23 }),
    numberColumn('wind_kts', { min: 1.5, max: 33.5 }),
    numberColumn('FuelUsed (L)', { min: 250.5, max: 640.5, nulls: 30 }),
    numberColumn('NO2_ugm3', { min: 3.5, max: 60.5, nulls: 9 }),
    textColumn('Cancelled', ['No', 'Yes']),
  ],
  timeField: 'DepSched',
  metaField: 'Vessel',
  now: '2025-03-01T09:00:00.000Z',
});

function partsOf(message: string): readonly Part[] {
  return understandAll(message, LINES.table, [], LINES.now);
}

function plansOf(message: string): string {
  return partsOf(message)
    .map(({ understanding }) => (understanding.kind === 'plan' ? notationOf(understanding.plan) : '?'))
    .join(' || ');
}

describe('columns in the words of strangers', () => {
  it.each([
    ['Pearson correlation between the wave height and the fuel used', 'pearson(WaveHt_m, FuelUsed (L))'],
    ['variance of the number of passengers', 'variance(PaxCount)'],
    ['skewness of NO2', 'skewness(NO2_ugm3)'],
    ['regress FuelUsed on PaxCount', 'regression(FuelUsed (L), PaxCount)'],
    ['variance of the median speed of light', '?'],
  ])('%s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('steps before the question', () => {
  it('holds what a step of a list does for all after it', () => {
    const plan = 'variance(WaveHt_m) where Vessel=Dagny';
    expect(plansOf('1. Keep only the crossings of the vessel Dagny. 2. Compute the variance of WaveHt_m.')).toBe(plan);
  });

  it('lets a condition of a question of a list hold for that one alone', () => {
    const message = '1. Variance of WaveHt_m for the vessel Dagny? 2. Variance of wind_kts?';
    expect(plansOf(message)).toBe('variance(WaveHt_m) where Vessel=Dagny || variance(wind_kts)');
  });

  it('stops where a step was not read', () => {
    expect(plansOf('Remove the crossings that looked odd to the captain. Then give the variance of wind_kts.')).toBe(
      '?',
    );
  });

  it('takes a sentence about spreads for a setting', () => {
    const message = 'What is the standard deviation of wind_kts? Use the population standard deviation.';
    expect(plansOf(message)).toBe('stddev_pop(wind_kts)');
  });

  it('goes on with the outliers as they were told before', () => {
    const message =
      'Find the outliers of wind_kts by the z-score method with a threshold of 2. State the number of outliers that were removed and the mean after the removal.';
    expect(plansOf(message)).not.toContain('iqr');
  });
});

describe('rows that are told twice', () => {
  it.each([
    [
      'variance of wind_kts of the crossings that were not cancelled (Cancelled = No)',
      'variance(wind_kts) where Cancelled=No',
    ],
    ['variance of wind_kts for calm crossings (WaveHt_m < 0.5)', 'variance(wind_kts) where WaveHt_m<0.5'],
    ['variance of wind_kts for the cancelled crossings', 'variance(wind_kts) where Cancelled=Yes'],
  ])('%s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });

  it('never answers about rows that no condition can leave', () => {
    expect(plansOf('variance of wind_kts where WaveHt_m is above 2 and where WaveHt_m is below 1')).toBe('?');
  });
});

describe('what belongs to a figure', () => {
  it('reads a level of one percent as such', () => {
    const [part] = partsOf('Does wind_kts differ between Alma and Dagny? Welch test, significance level of 1%.');
    expect(part?.understanding).toMatchObject({ verdict: { level: 0.01 } });
  });

  it('calls a correlation as the message wants it', () => {
    const [part] = partsOf(
      'Pearson correlation of WaveHt_m and wind_kts. It is strong if |r| is at least 0.7, otherwise weak.',
    );
    expect(part?.understanding).toMatchObject({ grades: { otherwise: 'weak', ofSize: true } });
  });

  it('stops where limits are given that suit no figure', () => {
    expect(plansOf('Mean of wind_kts. The correlation is strong if |r| is at least 0.7, otherwise weak.')).toBe('?');
  });

  it('keeps a method that a colon announces', () => {
    expect(plansOf('Kruskal-Wallis: does wind_kts differ by Vessel?')).toBe('kruskal_wallis(wind_kts) by Vessel');
  });

  it.each([
    ['What is the mean of wind_kts (4 dec.)?', 4],
    ['What is the mean of wind_kts, rounded to 3?', 3],
    ['What is the mean of wind_kts to the nearest cent?', 2],
    ['What is the mean of wind_kts? One decimal is enough.', 1],
  ])('%s', (message, decimals) => {
    expect(partsOf(message)[0]?.format.decimals).toBe(decimals);
  });
});

describe('times as features', () => {
  it('makes a part of a time a column of groups, wherever that is said', () => {
    const grouped = 'Which hour has the highest mean wind_kts? Extract the hour from DepSched first.';
    const [part] = partsOf(grouped);
    expect(part?.understanding).toMatchObject({
      plan: { derived: [{ name: 'hour', expression: { kind: 'part', column: 'DepSched', part: 'hour' } }], limit: 1 },
    });
  });

  it('works out the time between two moments in the unit that is named', () => {
    const [part] = partsOf(
      'What is the average delay in minutes, where delay is the time between DepSched and dep_actual?',
    );
    expect(part?.understanding).toMatchObject({
      plan: {
        derived: [
          { name: 'delay', expression: { kind: 'duration', from: 'DepSched', to: 'dep_actual', unit: 'minutes' } },
        ],
      },
    });
  });
});
