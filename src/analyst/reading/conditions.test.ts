import { expect, it } from 'vitest';
import { aScene, numberColumn, textColumn } from '../profiles.fixture.js';
import { conditionSets } from './conditions.js';
import { in2024, questionIn, REPAIRS } from './question.fixture.js';

it('a value of cells that are lists is one that the cell contains', () => {
  const tickets = aScene({
    columns: [in2024('created'), textColumn('tags', ['late', 'vip', 'late;vip', 'vip;return'])],
  });
  const sets = conditionSets(questionIn('tickets tagged vip', tickets), 40);
  const [first] = sets.filter(({ filters }) => filters.length > 0);
  expect(first?.filters).toEqual([{ kind: 'contains', column: 'tags', text: 'vip', negated: false }]);
});

it('a name with a word that compares compares nothing', () => {
  const machines = aScene({
    columns: [
      in2024('at'),
      textColumn('machine', ['PAST-01', 'FILL-01']),
      numberColumn('temperature', { min: 5, max: 90 }),
    ],
  });
  const sets = conditionSets(questionIn('how often was PAST-01 below 72 degrees', machines), 400);
  const operators = sets.flatMap(({ filters }) =>
    filters.flatMap((one) => (one.kind === 'compare' && one.value === 72 ? [one.operator] : [])),
  );
  expect(new Set(operators)).toEqual(new Set(['<', '<=', '=']));
});

it('periods that lie apart are alternatives, however many there are', () => {
  const sets = conditionSets(questionIn('repairs received in March, May and July 2024', REPAIRS), 40);
  const three = sets.find(({ parts }) => parts.length === 3 && parts.every(({ filter }) => filter.kind === 'time'));
  const months = ['2024-03', '2024-05', '2024-07'].map((month) => [
    expect.objectContaining({ kind: 'time', from: `${month}-01T00:00:00Z` }) as unknown,
  ]);
  expect(three?.filters).toEqual([{ kind: 'any', of: months }]);
});

it('an `or` between two of several conditions joins those beside it', () => {
  const sets = conditionSets(questionIn('repairs of Huber with a cost above 500 or a rating below 2', REPAIRS), 400);
  const two = sets.filter(({ key }) => key.startsWith('or:two:')).map(({ filters }) => filters);
  const cost = expect.objectContaining({ column: 'cost', operator: '>', value: 500 }) as unknown;
  const rating = expect.objectContaining({ column: 'rating', operator: '<', value: 2 }) as unknown;
  expect(two).toContainEqual([
    { kind: 'in', column: 'technician', values: ['Huber'], negated: false },
    { kind: 'any', of: [[cost], [rating]] },
  ]);
});
