import { describe, expect, it } from 'vitest';
import { gradeOf } from '../telling/grade-words.js';
import { gradesIn } from './grades.js';

function calledAs(text: string, figures: readonly number[]): string {
  const read = gradesIn(text);
  return read === null ? '?' : figures.map((figure) => gradeOf(figure, read.grades) ?? '–').join(' ');
}

describe('limits for what a correlation is called', () => {
  it.each([
    [
      'strong if |r| is at least 0.7, moderate if it lies between 0.3 and 0.7, and weak otherwise',
      'weak moderate strong strong',
    ],
    ['|r| < 0.3 weak, 0.3 to 0.7 moderate, above 0.7 strong', 'weak moderate moderate strong'],
    ['strong (|r| >= 0.7), moderate (0.3 to 0.7) or weak (below 0.3)', 'weak moderate strong strong'],
    ['regarded as positive if r > 0.1, negative if r < -0.1, and otherwise as none', 'none positive positive negative'],
  ])('reads “%s”', (text, calls) => {
    expect(calledAs(text, [0.05, 0.5, 0.7, -0.9])).toBe(calls);
  });

  it('leaves the rest of the sentence to be read', () => {
    expect(gradesIn('Correlate a and b: below 0.4 is weak, above 0.4 is strong.')?.rest).toBe('Correlate a and b');
  });

  it.each(['Is the mean above 0.5?', 'strong coffee costs 2 to 3 euros', ''])('finds none in “%s”', (text) => {
    expect(gradesIn(text)).toBeNull();
  });
});
