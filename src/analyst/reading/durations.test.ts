import { describe, expect, it } from 'vitest';
import { durationConditions, figuresInUnits } from './durations.js';
import { questionIn, REPAIRS } from './question.fixture.js';

describe('how long it is from one time of a row to another', () => {
  it.each([
    ['repairs that took over 30 days', 'days from received to returned', 30],
    ['how many took over two weeks', 'days from received to returned', 14],
    ['returned after over 72h', 'hours from received to returned', 72],
  ])('is a condition in “%s”', (message, column, value) => {
    const question = questionIn(message, REPAIRS);
    const [mention] = question.linked.numbers;
    if (mention === undefined) throw new Error('there is no number');
    expect(durationConditions(question, mention, ['>'])).toContainEqual(
      expect.objectContaining({
        filter: { kind: 'compare', column, operator: '>', value },
        derived: { name: column, expression: expect.objectContaining({ from: 'received', to: 'returned' }) as unknown },
      }),
    );
  });

  it('is none where the number counts something else', () => {
    const question = questionIn('technicians with over 30 repairs', REPAIRS);
    expect(question.linked.numbers.flatMap((mention) => durationConditions(question, mention, ['>']))).toEqual([]);
  });
});

describe('figures in another unit than the column’s', () => {
  it.each([
    ['hours per technician', 'work_min in hours', 60],
    ['total hrs of work', 'work_min in hrs', 60],
  ])('are those of “%s”', (message, column, value) => {
    const figures = figuresInUnits(questionIn(message, REPAIRS));
    expect(figures.map(({ measure }) => measure)).toContainEqual({ aggregate: 'sum', column });
    const quotient = { operator: '/', left: { column: 'work_min' }, right: { value } };
    expect(figures[0]?.derived).toMatchObject([{ name: column, expression: quotient }]);
  });

  it.each(['minutes per technician', 'over 3 hours', 'kg per technician'])('are none of “%s”', (message) => {
    expect(figuresInUnits(questionIn(message, REPAIRS))).toEqual([]);
  });
});
