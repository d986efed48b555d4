import { describe, expect, it } from 'vitest';
import { aScene, numberColumn, textColumn, timeColumn } from '../profiles.fixture.js';
import { conditionSets } from './conditions.js';
import { questionIn, REPAIRS } from './question.fixture.js';

describe('a value of cells that are lists', () => {
  it('is one that the cell contains', () => {
    const tags = textColumn('tags', ['late', 'vip', 'late;vip', 'vip;return']);
    const tickets = aScene({
      name: 'tickets',
      rowCount: 400,
      columns: [timeColumn('created', '2024-01-02T00:00:00Z', '2024-12-20T00:00:00Z', 300), tags],
      timeField: 'created',
      metaField: 'tags',
      now: '2025-01-15T12:00:00Z',
    });
    const [first] = conditionSets(questionIn('tickets tagged vip', tickets), 40).filter(
      ({ filters }) => filters.length > 0,
    );
    expect(first?.filters).toEqual([{ kind: 'contains', column: 'tags', text: 'vip', negated: false }]);
  });
});

describe('a name with a word that compares', () => {
  it('compares nothing', () => {
    const machines = aScene({
      name: 'readings',
      rowCount: 400,
      columns: [
        timeColumn('at', '2024-01-02T00:00:00Z', '2024-12-20T00:00:00Z', 300),
        textColumn('machine', ['PAST-01', 'FILL-01']),
        numberColumn('temperature', { min: 5, max: 90 }),
      ],
      timeField: 'at',
      metaField: 'machine',
      now: '2025-01-15T12:00:00Z',
    });
    const sets = conditionSets(questionIn('how often was PAST-01 below 72 degrees', machines), 400);
    const compared = sets.flatMap(({ filters }) => filters.filter((one) => one.kind === 'compare' && one.value === 72));
    expect(new Set(compared.map((filter) => 'operator' in filter && filter.operator))).toEqual(
      new Set(['<', '<=', '=']),
    );
  });
});

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
