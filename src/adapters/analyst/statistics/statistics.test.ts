import { describe, expect, it } from 'vitest';
import { notationOf } from '../fixtures/plan-notation.fixture.js';
import type { Scene } from '../fixtures/profile-builders.fixture.js';
import { MORE_STATISTIC_QUESTIONS } from '../fixtures/questions-statistics-more.fixture.js';
import { PARAPHRASED_STATISTIC_QUESTIONS } from '../fixtures/questions-paraphrased-statistics.fixture.js';
import { UNSEEN_STATISTIC_QUESTIONS } from '../fixtures/questions-statistics-unseen.fixture.js';
import { STATISTIC_QUESTIONS } from '../fixtures/questions-statistics.fixture.js';
import { CHURN, CLIMATE, CLINIC, FACTORY, HOMES, VOYAGE, WAGES } from '../fixtures/scenes-statistics.fixture.js';
import type { Part } from '../message/understanding.js';
import { understandAll } from '../understand.js';

function partsOf(scene: Scene, message: string): readonly Part[] {
  return understandAll(message, scene.table, [], scene.now);
}

function plansOf(scene: Scene, message: string): string {
  return partsOf(scene, message)
    .map(({ understanding }) => (understanding.kind === 'plan' ? notationOf(understanding.plan) : '?'))
    .join(' || ');
}

/** The table's grammar reads `of the players` as a grouping by the column Player. */
const ELSEWHERE = new Set(['What is the average market value of the players?']);

describe('questions about statistics', () => {
  const known = [
    ...STATISTIC_QUESTIONS,
    ...UNSEEN_STATISTIC_QUESTIONS,
    ...MORE_STATISTIC_QUESTIONS,
    ...PARAPHRASED_STATISTIC_QUESTIONS,
  ].filter(([, question]) => !ELSEWHERE.has(question));

  it.each(known.map(([scene, question, plans]) => [question, plans, scene] as const))(
    'reads “%s” as %s',
    (question, plans, scene) => {
      expect(plansOf(scene, question)).toBe(plans);
    },
  );
});

describe('what is said beside a statistic', () => {
  it('is no link between columns where it chooses rows', () => {
    expect(plansOf(CLINIC, 'Is there a link between BMI and Glucose during winter?')).toBe('?');
    expect(plansOf(CLINIC, 'Correlation of BMI and Glucose among smokers')).toBe('?');
  });

  it('judges by the level of the message, or says which it took', () => {
    const [stated] = partsOf(CLINIC, 'Is BMI correlated with Glucose? Use a significance level of 0.01.');
    expect(stated?.understanding).toMatchObject({ verdict: { by: 'p-value', about: 'correlation', level: 0.01 } });
    const [assumed] = partsOf(CLINIC, 'Is BMI correlated with Glucose?');
    expect(assumed?.understanding).toMatchObject({
      verdict: { level: 0.05 },
      notes: ['I took Pearson’s correlation.', 'I judged by a significance level of 0.05.'],
    });
  });

  it('judges normality by the skewness where the question says so', () => {
    const [part] = partsOf(HOMES, 'Is Price normally distributed? Judge by the skewness.');
    expect(part?.understanding).toMatchObject({ verdict: { by: 'size', about: 'normality', limit: 0.5 } });
  });

  it('says which of a result is asked', () => {
    expect(partsOf(WAGES, 'slope of a linear regression of hourly wage on EDUC')[0]?.understanding).toMatchObject({
      focus: { on: 'row', term: 'EDUC' },
    });
    expect(partsOf(CLINIC, 'which column has the fewest missing values')[0]?.understanding).toMatchObject({
      focus: { on: 'lowest' },
    });
    expect(
      partsOf(VOYAGE, 'upper and lower bounds of the outliers of Fare by the IQR rule')[0]?.understanding,
    ).toMatchObject({
      focus: { on: 'bounds', factor: 1.5 },
    });
  });

  it('says that it took a sample, and takes a population where one is meant', () => {
    expect(partsOf(WAGES, 'variance of EDUC')[0]?.understanding).toMatchObject({
      notes: ['I took the rows as a sample (dividing by n − 1).'],
    });
    expect(plansOf(WAGES, 'population variance of EDUC')).toBe('variance_pop(EDUC)');
  });

  it('names what is beyond a plan', () => {
    const [part] = partsOf(CLINIC, 'cluster the patients with k-means');
    expect(part?.understanding).toMatchObject({
      kind: 'unclear',
      verdict: 'cannot',
      reasons: [expect.stringContaining('clustering')],
    });
  });
});

describe('statistics that must not be half read', () => {
  it.each([
    ['skewness of Price in Dunwich', HOMES],
    ['correlation between Price and Lot Size for houses near water', HOMES],
    ['Considering only homes with a pool, what is the mean Price?', HOMES],
    ['Normalise Price by the median. What is the mean of Price?', HOMES],
    ['Fill the missing oil temp by interpolation, then give the mean of oil temp.', FACTORY],
    ['Exclude rows of suspicious customers. What is the variance of tenure?', CHURN],
    ['Create a column wetness as rainfall plus Rel. Humidity and give its mean.', CLIMATE],
  ] as const)('refuses “%s”', (question, scene) => {
    const parts = partsOf(scene, question);
    expect(parts.filter(({ understanding }) => understanding.kind === 'plan')).toEqual([]);
  });

  it('keeps the conditions of a purpose-like beginning', () => {
    expect(plansOf(VOYAGE, 'Considering only passengers with a Fare greater than zero, what is the median Fare?')).toBe(
      'median(Fare) where Fare>0',
    );
  });
});
