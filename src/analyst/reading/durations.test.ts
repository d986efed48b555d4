import { expect, it } from 'vitest';
import { durationConditions, figuresInUnits } from './durations.js';
import { questionIn, REPAIRS } from './question.fixture.js';

/** What may be asked for of the lengths of time that a message counts. */
function conditionsIn(message: string): readonly unknown[] {
  const question = questionIn(message, REPAIRS);
  return question.linked.numbers.flatMap((mention) => durationConditions(question, mention, ['>']));
}

it.each([
  ['repairs that took over 30 days', 'days from received to returned', 30],
  ['how many took over two weeks', 'days from received to returned', 14],
  ['returned after over 72h', 'hours from received to returned', 72],
])('“%s” has a condition on how long it is from one time of a row to another', (message, column, value) => {
  const expression = expect.objectContaining({ from: 'received', to: 'returned' }) as unknown;
  const filter = { kind: 'compare', column, operator: '>', value };
  const condition = expect.objectContaining({ filter, derived: { name: column, expression } }) as unknown;
  expect(conditionsIn(message)).toContainEqual(condition);
});

it('a number that counts something else is no length of time', () => {
  expect(conditionsIn('technicians with over 30 repairs')).toEqual([]);
});

it.each([
  ['hours per technician', 'work_min in hours'],
  ['total hrs of work', 'work_min in hrs'],
])('“%s” asks for figures in another unit than the column’s', (message, column) => {
  const figures = figuresInUnits(questionIn(message, REPAIRS));
  const expression = { operator: '/', left: { column: 'work_min' }, right: { value: 60 } };
  expect(figures.map(({ measure }) => measure)).toContainEqual({ aggregate: 'sum', column });
  expect(figures[0]?.derived).toMatchObject([{ name: column, expression }]);
});

it.each(['minutes per technician', 'over 3 hours', 'kg per technician'])('“%s” does not', (message) => {
  expect(figuresInUnits(questionIn(message, REPAIRS))).toEqual([]);
});
