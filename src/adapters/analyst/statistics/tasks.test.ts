import { describe, expect, it } from 'vitest';
import { notationOf } from '../fixtures/plan-notation.fixture.js';
import { aScene, numberColumn, textColumn, timeColumn } from '../fixtures/profile-builders.fixture.js';
import { understandAll } from '../understand.js';

const RIDES = aScene({
  name: 'rides',
  rowCount: 400,
  columns: [
    textColumn('ride_no', ['R1', 'R2', 'R3'], 400),
    timeColumn('picked_up', '2024-03-01T06:00:00.000Z', '2024-05-30T22:00:00.000Z', 398),
    timeColumn('brought_back', '2024-03-01T06:20:00.000Z', '2024-05-30T23:00:00.000Z', 380),
    numberColumn('distance_km', { min: 0.4, max: 38.5 }),
    numberColumn('duration', { min: 3, max: 190 }),
    numberColumn('fee_eur', { min: 0, max: 61.5, nulls: 12 }),
    numberColumn('mag_tilt', { min: 0.1, max: 7.9 }),
    numberColumn('stars', { min: 1, max: 5, distinct: 5, nulls: 40 }),
    numberColumn('late', { min: 0, max: 1, distinct: 2 }),
    numberColumn('year_built', { min: 2009, max: 2023, distinct: 15 }),
    textColumn('bike', ['city', 'cargo', 'electric']),
    textColumn('helmet', ['yes', 'no']),
    textColumn('zone', ['A', 'B', 'C']),
    { ...textColumn('coupon', ['SPRING', 'STAFF']), nulls: 300 },
  ],
  timeField: 'picked_up',
  metaField: 'bike',
  now: '2025-03-01T09:00:00.000Z',
});

function plansOf(message: string): string {
  return understandAll(message, RIDES.table, [], RIDES.now)
    .map(({ understanding }) => (understanding.kind === 'plan' ? notationOf(understanding.plan) : '?'))
    .join(' || ');
}

describe('columns that a message makes', () => {
  it.each([
    [
      'Create a new column pace by dividing duration by distance_km, ignoring rows where the fee is missing. Which bike has the highest average pace?',
      'avg(pace) by bike where fee_eur not null order desc limit 1 with pace = (duration / distance_km)',
    ],
    [
      "Compute each ride's speed as distance_km divided by duration. What is its median?",
      'median(speed) with speed = (distance_km / duration)',
    ],
    [
      'Compute euros per kilometre (fee_eur / distance_km, in euros) for every ride for which the fee is known, and report the mean of it.',
      'avg(euros per kilometre) with euros per kilometre = (fee_eur / distance_km)',
    ],
    [
      'What is the mean hire time in hours? The hire time is the number of hours between picked_up and brought_back; rides that were not brought back are excluded.',
      'avg(hire time) where brought_back not null with hire time = hours(picked_up, brought_back)',
    ],
    [
      'Find the average load factor, where the load factor equals distance_km times 100 divided by (duration times 60). One decimal.',
      'avg(load factor) with load factor = ((distance_km * 100) / (duration * 60))',
    ],
    [
      'Define age as 2024 minus the year of picked_up. What is the correlation between age and duration?',
      'pearson(age, duration) with age = (2024 - year(picked_up))',
    ],
    [
      'As a rough cost take distance_km times 0.3. Compute it for each ride; what is the total?',
      'sum(rough cost) with rough cost = (distance_km * 0.3)',
    ],
    [
      'Compute the average of duration and fee_eur for every ride, then report the maximum of this average.',
      'max(row average) with row average = ((duration + fee_eur) / 2)',
    ],
  ])('reads “%s” as %s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('rows that a message has words for', () => {
  it.each([
    [
      'Rides are considered long when they have at least 20 distance_km. What is the mean fee of long rides and what is it for the others?',
      'avg(fee_eur) by distance_km group where distance_km group=long|not long order desc with distance_km group = case(distance_km>=20 -> long; else not long)',
    ],
    [
      'Compare the mean duration of sponsored and unsponsored rides; a ride is sponsored if coupon is not missing.',
      'avg(duration) by coupon group where coupon group=sponsored|not sponsored order desc with coupon group = case(coupon not null -> sponsored; else not sponsored)',
    ],
    [
      'Divide the rides by distance_km into "short" (5 or less) and "long" (6 or more). How many rides are in each group?',
      'count() by distance_km group order desc with distance_km group = case(distance_km<=5 -> short; distance_km>=6 -> long; else null)',
    ],
    [
      'Create a variable "class" with the levels "0-9", "10-19" and "20+" from distance_km. For each level give the mean duration.',
      'avg(duration) by class order desc with class = case(distance_km<=9, distance_km>=0 -> 0-9; distance_km<=19, distance_km>=10 -> 10-19; distance_km>=20 -> 20 plus; else null)',
    ],
  ])('reads “%s” as %s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('two sides of one sentence', () => {
  it.each([
    [
      'Mean duration of late rides (late = 1) and of rides in time (late = 0).',
      'avg(duration) where any(late=1 | late=0)',
    ],
    [
      'Compare the mean fee_eur of late rides (late = 1) and punctual rides (late = 0) with a t-test.',
      'welch_t_test(fee_eur) by late',
    ],
    [
      'What is the average duration of city bikes in zone A compared to cargo bikes in zone A?',
      'avg(duration) by bike where bike=city|cargo; zone=A order desc',
    ],
    [
      'Mean and standard deviation of duration for helmet = yes and helmet = no.',
      'avg(duration), stddev(duration) by helmet where helmet=yes|no order desc',
    ],
  ])('reads “%s” as %s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('what goes on from the question before', () => {
  it.each([
    [
      'What share of rides is late (late = 1), by bike? Which bike has the highest share?',
      'count()[late=1; late=1], count(), percent[0/1] by bike order desc || count()[late=1; late=1], count(), percent[0/1] by bike order [2] desc limit 1',
    ],
    [
      'For each bike compute the ratio of the maximum to the minimum duration. Which bike has the largest ratio?',
      'max(duration), min(duration), ratio[0/1] by bike order desc || max(duration), min(duration), ratio[0/1] by bike order [2] desc limit 1',
    ],
    [
      'Calculate the mean and the variance of duration for each bike. Which bike shows the greatest variance?',
      'avg(duration), variance(duration) by bike order desc || variance(duration) by bike order desc limit 1',
    ],
    [
      'Use the IQR rule (1.5 times the interquartile range beyond the quartiles) to find outliers in duration. Drop them and report how many rows remain and the mean of the remaining duration.',
      'count() where duration outlier iqr 1.5 || count(), avg(duration) where duration no outlier iqr 1.5',
    ],
    ['Find the outliers of duration by the IQR method. Report their number.', 'count() where duration outlier iqr 1.5'],
    [
      'Perform a t-test of duration by helmet. Is there a statistically significant difference at 0.05?',
      'welch_t_test(duration) by helmet',
    ],
  ])('reads “%s” as %s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('steps in their order', () => {
  it.each([
    [
      '1. Fill the gaps in stars with the median 2. keep only zone A 3. give its mean',
      'avg(stars filled) where zone is A=yes with stars filled = filled(stars, median), zone is A = case(zone=A -> yes; else no)',
    ],
    [
      '1. Keep only zone A 2. fill the gaps in stars with the median 3. give its mean',
      'avg(stars filled) where zone=A with stars filled = filled(stars, median)',
    ],
    [
      'Normalise duration with min-max scaling. What is the mean normalised duration of cargo bikes?',
      'avg(scaled duration) where bike is cargo=yes with scaled duration = minmax(duration), bike is cargo = case(bike=cargo -> yes; else no)',
    ],
    [
      'Standardise duration and report how many rides have a standardised duration between -1 and 1.',
      'count() where z-score of duration in -1..1 with z-score of duration = zscore(duration)',
    ],
    [
      'Standardise duration (subtract the mean, divide by the standard deviation). What is the maximum z-score?',
      'max(z-score of duration) with z-score of duration = zscore(duration)',
    ],
    [
      'Clean the data by removing all rides with missing fee_eur or missing stars. How many rows remain?',
      'count() where fee_eur not null; stars not null',
    ],
    ['Mean fee_eur; rides with no fee are left out before the analysis.', 'avg(fee_eur) where fee_eur not null'],
    ['Replace missing stars by the median stars of the same bike, then give the mean.', '?'],
  ])('reads “%s” as %s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('conditions and names', () => {
  it.each([
    ['How often is distance_km above duration?', 'count() where distance_km>duration'],
    ['In how many rides did distance_km exceed duration?', 'count() where distance_km>duration'],
    ['How skewed is duration? Use the population (biased) formula, m3 / m2^1.5.', 'skewness_pop(duration)'],
    [
      'Our punctuality is defined as the share of rides whose duration does not exceed 60. Calculate it in percent.',
      'count()[duration<=60], count(), percent[0/1]',
    ],
    [
      'Which bike has the most variable duration, measured by the coefficient of variation?',
      'stddev(duration), avg(duration), ratio[0/1] by bike order [2] desc limit 1',
    ],
    [
      'Only consider rides whose bike is "electric". What is the mean duration of electrical rides?',
      'avg(duration) where bike=electric',
    ],
    ['What is the mean magnet tilt?', 'avg(mag_tilt)'],
    [
      'What percentage of rides with a helmet is late (late equals 1)?',
      'count()[late=1; late=1], count(), percent[0/1] where helmet=yes',
    ],
  ])('reads “%s” as %s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('the row with an extreme', () => {
  it.each([
    [
      'Compute pace as duration divided by distance_km. Which ride has the highest pace?',
      'rows(ride_no, pace) where pace not null order pace desc limit 1 with pace = (duration / distance_km)',
    ],
    [
      'Standardise fee_eur (population standard deviation). Which ride has the smallest z-score, and how low is it?',
      'rows(ride_no, z-score of fee_eur) where z-score of fee_eur not null order z-score of fee_eur asc limit 1 with z-score of fee_eur = zscore(fee_eur, population)',
    ],
  ])('reads “%s” as %s', (message, plans) => {
    expect(plansOf(message)).toBe(plans);
  });
});

describe('what is not read', () => {
  it('stops the answer where it may say how a figure is worked out', () => {
    expect(plansOf('What is the skewness of duration? Use the estimator of our head office.')).toBe('?');
    expect(plansOf('What is the mean duration? Use linear interpolation for the quartiles.')).toBe('avg(duration)');
  });
});
