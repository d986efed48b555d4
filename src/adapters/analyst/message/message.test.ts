import { describe, expect, it } from 'vitest';
import { aScene, numberColumn } from '../fixtures/profile-builders.fixture.js';
import { VOYAGE } from '../fixtures/scenes-statistics.fixture.js';
import { understandAll } from '../understand.js';
import { readFormat } from './answer-format.js';
import { withoutPoliteness } from './politeness.js';
import { clausesOf, sentencesOf } from './sentences.js';

describe('sentences', () => {
  it.each([
    ['What is the mean? And the median?', ['What is the mean?', 'And the median?']],
    ['Use a factor of 1.5. Round to 2 decimals.', ['Use a factor of 1.5.', 'Round to 2 decimals.']],
    ['mean of "Avg. Area Income" and its range', ['mean of "Avg. Area Income" and its range']],
    ['Answer both: 1) mean of a 2) median of b', ['Answer both:', 'mean of a', 'median of b']],
    ['- mean of a\n- median of b', ['mean of a', 'median of b']],
    ['compare A and B', ['compare A and B']],
  ])('cuts “%s”', (message, sentences) => {
    expect(sentencesOf(message).map(({ text }) => text.trim())).toEqual(sentences);
  });

  it('cuts where a further request begins, and not at every and', () => {
    expect(clausesOf('normalise x and give the mean of it')).toEqual(['normalise x', 'give the mean of it']);
    expect(clausesOf('the mean and the median of x and y')).toEqual(['the mean and the median of x and y']);
  });

  it('drops greetings, thanks and roundabout requests', () => {
    expect(withoutPoliteness('Hello there! Could you please tell me the mean age? Thanks!', () => false)).toBe(
      'the mean age?',
    );
  });
});

describe('the format of an answer', () => {
  it.each([
    ['the mean, rounded to two decimals', { decimals: 2 }],
    ['the mean to 3 decimal places', { decimals: 3 }],
    ['the mean (round to one decimal place)', { decimals: 1 }],
    ['the count as a whole number', { decimals: 0 }],
    ['the mean with 4 significant figures', { significant: 4 }],
    ['the share as a percentage', { shares: 'percent' }],
    ['is it so? Answer yes or no', { yesOrNo: true }],
    ['the mean of two columns', {}],
  ])('of “%s”', (text, format) => {
    expect(readFormat(text).format).toEqual(format);
  });
});

describe('messages', () => {
  it('keep a format with its question, and one of all for all', () => {
    const parts = understandAll(
      'Please: a) the mean of Age as a whole number; b) the variance of Fare. Report all figures with two decimals.',
      VOYAGE.table,
      [],
      VOYAGE.now,
    );
    expect(parts.map(({ format }) => format.decimals)).toEqual([0, 2]);
  });

  it.each([
    ['Is Fare correlated with Age? Report the p-value to 3 decimals.', 3],
    ['Is Fare skewed? give the skewness, 2 decimals', 2],
    ['variance of Fare, 4 decimals pls', 4],
    ['mean Fare (nearest integer)', 0],
  ])('take the decimals of “%s” from wherever they stand', (message, decimals) => {
    const [part] = understandAll(message, VOYAGE.table, [], VOYAGE.now);
    expect(part).toMatchObject({ understanding: { kind: 'plan' }, format: { decimals } });
  });

  it('name signs of arithmetic as they were written', () => {
    const [part] = understandAll('skewness of (Fare - gizmo) / Age', VOYAGE.table, [], VOYAGE.now);
    expect(part?.understanding.kind).toBe('unclear');
    expect(JSON.stringify(part)).not.toMatch(/bracket|minus|divided/u);
  });

  it('read a table whose columns have signs in their names', () => {
    const scene = aScene({
      name: 'Games',
      rowCount: 100,
      columns: [numberColumn('home-team goals', { min: 0, max: 7 }), numberColumn('w/l ratio', { min: 0, max: 4 })],
      timeField: 'imported',
      metaField: 'home-team goals',
      now: '2025-03-01T09:00:00.000Z',
    });
    const [part] = understandAll('variance of home-team goals', scene.table, [], scene.now);
    expect(part?.understanding).toMatchObject({
      kind: 'plan',
      plan: { measures: [{ aggregate: 'variance', column: 'home-team goals' }] },
    });
  });

  it('say which sentences they took as background', () => {
    const message = 'Our museum keeps old lists of voyages. What is the kurtosis of Fare?';
    const [part] = understandAll(message, VOYAGE.table, [], VOYAGE.now);
    expect(part?.understanding).toMatchObject({
      kind: 'plan',
      notes: expect.arrayContaining([
        'I took this as background: “Our museum keeps old lists of voyages.”.',
      ]) as unknown,
    });
  });

  it('answer nothing that rests on a question which was not understood', () => {
    const parts = understandAll('Which gizmos are outliers of Fare? How many are there?', VOYAGE.table, [], VOYAGE.now);
    expect(parts.map(({ understanding }) => understanding.kind)).toEqual(['unclear']);
  });

  it.each([
    '',
    '?',
    '(((',
    '1) 2) 3)',
    'and and and',
    '"“"',
    'Create a column x as',
    'Bin Fare into',
    'mean '.repeat(2000),
    'x'.repeat(20_000),
  ])('survive “%.20s”', (message) => {
    const started = performance.now();
    expect(understandAll(message, VOYAGE.table, [], VOYAGE.now).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
