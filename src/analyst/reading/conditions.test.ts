import { describe, expect, it } from 'vitest';
import { conditionSets } from './conditions.js';
import { questionIn, REPAIRS } from './question.fixture.js';

describe('periods that lie apart', () => {
  it('are alternatives, however many there are', () => {
    const sets = conditionSets(questionIn('repairs received in March, May and July 2024', REPAIRS), 40);
    const three = sets.find(({ parts }) => parts.length === 3 && parts.every(({ filter }) => filter.kind === 'time'));
    const months = ['2024-03', '2024-05', '2024-07'].map((month) => [
      expect.objectContaining({ kind: 'time', from: `${month}-01T00:00:00Z` }) as unknown,
    ]);
    expect(three?.filters).toEqual([{ kind: 'any', of: months }]);
  });
});

describe('an `or` between two of several conditions', () => {
  it('joins those beside it', () => {
    const sets = conditionSets(questionIn('repairs of Huber with a cost above 500 or a rating below 2', REPAIRS), 400);
    const two = sets.filter(({ key }) => key.startsWith('or:two:')).map(({ filters }) => filters);
    expect(two).toContainEqual([
      { kind: 'in', column: 'technician', values: ['Huber'], negated: false },
      {
        kind: 'any',
        of: [
          [expect.objectContaining({ column: 'cost', operator: '>', value: 500 })],
          [expect.objectContaining({ column: 'rating', operator: '<', value: 2 })],
        ],
      },
    ]);
  });
});
