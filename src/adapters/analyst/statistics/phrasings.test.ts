import { describe, expect, it } from 'vitest';
import { notationOf } from '../fixtures/plan-notation.fixture.js';
import type { Scene } from '../fixtures/profile-builders.fixture.js';
import { CHURN, CLINIC, FACTORY, HOMES, VOYAGE } from '../fixtures/scenes-statistics.fixture.js';
import { understandAll } from '../understand.js';

function plansOf(scene: Scene, message: string): string {
  return understandAll(message, scene.table, [], scene.now)
    .map(({ understanding }) => (understanding.kind === 'plan' ? notationOf(understanding.plan) : '?'))
    .join(' || ');
}

const cases: readonly (readonly [Scene, string, string])[] = [
  [
    CLINIC,
    'Ignore patients with a Glucose below 70. What is the median BMI?',
    'median(BMI) where any(Glucose>=70 | Glucose null)',
  ],
  [
    CLINIC,
    'Mean BMI (patients with a Glucose above 180 are ignored)?',
    'avg(BMI) where any(Glucose<=180 | Glucose null)',
  ],
  [VOYAGE, 'Excluding passengers with no fare (Fare = 0), what is the median Fare?', 'median(Fare) where Fare!=0'],
  [VOYAGE, 'skewness of Fare where it is positive', 'skewness(Fare) where Fare>0'],
  [
    HOMES,
    'Linear regression of Price on "Lot Size" where Rooms is above 3. Slope?',
    'regression(Price, Lot Size) where Number of Rooms>3',
  ],
  [
    HOMES,
    'Price ~ Lot Size, ordinary least squares. What Price does the model predict for a Lot Size of 400?',
    'regression(Price, Lot Size) || regression(Price, Lot Size) at 400',
  ],
  [
    HOMES,
    'Pearson and Spearman correlation between Price and "Lot Size"',
    'pearson(Price, Lot Size) || spearman(Price, Lot Size)',
  ],
  [HOMES, 'I want the 5th and the 95th percentile of Price.', 'percentile(Price, 0.05), percentile(Price, 0.95)'],
  [HOMES, 'variability of Price', 'stddev(Price)'],
  [HOMES, 'variance and coefficient of variation of Price', 'variance(Price), stddev(Price), avg(Price), ratio[1/2]'],
  [
    HOMES,
    'average Price weighted by Lot Size',
    'sum(Price * Lot Size), sum(Lot Size), ratio[0/1] where Price not null with Price * Lot Size = (Price * Lot Size)',
  ],
  [
    FACTORY,
    'Treat missing oil temp as zero. What is the mean oil temp?',
    'avg(oil temp filled) with oil temp filled = filled(oil temp, 0)',
  ],
  [
    FACTORY,
    'What would the mean oil temp be if all missing oil temp were 20?',
    'avg(oil temp filled) with oil temp filled = filled(oil temp, 20)',
  ],
  [
    CLINIC,
    'Normalise BMI with the z-score and give its maximum.',
    'max(z-score of BMI) with z-score of BMI = zscore(BMI)',
  ],
  [
    CLINIC,
    'Scale BMI to 0..1 with min-max. What is the median of the scaled values?',
    'median(scaled BMI) with scaled BMI = minmax(BMI)',
  ],
  [
    CLINIC,
    'How many rows have a BMI more than 2 standard deviations above the mean?',
    'count() where z-score of BMI>2 with z-score of BMI = zscore(BMI)',
  ],
  [CLINIC, 'Is BMI normally distributed? Jarque-Bera, alpha 1%.', 'jarque_bera(BMI)'],
  [
    CLINIC,
    'Remove the outliers of Glucose with the IQR rule. How many values are dropped and the mean of the remaining ones?',
    'count() where Glucose outlier iqr 1.5 || avg(Glucose) where Glucose no outlier iqr 1.5',
  ],
  [
    CLINIC,
    'Group the patients by BMI: "slim" below 20, "middle" from 20 to below 30, and "heavy" from 30 upwards. What is the mean Glucose in each group?',
    'avg(Glucose) by BMI group order desc with BMI group = case(BMI<20 -> slim; BMI<30, BMI>=20 -> middle; BMI>=30 -> heavy; else null)',
  ],
  [
    CLINIC,
    'Create a flag "high" that is true whenever Glucose is above 140. What is the mean BMI in each group?',
    'avg(BMI) by Glucose group order desc with Glucose group = case(Glucose>140 -> high; else not high)',
  ],
  [
    CLINIC,
    'What percentage of patients has a BMI below 18 or above 35?',
    'count()[any(BMI<18 | BMI>35)], count(), percent[0/1]',
  ],
  [CHURN, 'Compare the mean tenure.', '?'],
  [CLINIC, 'Consider only patients of the second ward. What is the mean BMI?', '?'],
];

describe('short and indirect formulations', () => {
  it.each(cases.map(([scene, question, plans]) => [question, plans, scene] as const))(
    'reads “%s” as %s',
    (question, plans, scene) => {
      expect(plansOf(scene, question)).toBe(plans);
    },
  );
});
