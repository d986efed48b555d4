import { describe, expect, it } from 'vitest';
import { aScene, numberColumn, textColumn, timeColumn } from '../profiles.fixture.js';
import { shareHeads } from './computed-heads.js';
import { figureLists } from './figures.js';
import { groupLists } from './groups.js';
import { type BareHead, Heads } from './heads.js';
import { limitParts } from './orders.js';
import { questionIn } from './question.fixture.js';

const STOCK = aScene({
  name: 'stock',
  rowCount: 800,
  columns: [
    timeColumn('counted', '2024-01-02T00:00:00Z', '2024-12-20T00:00:00Z', 300),
    textColumn('article', ['Oak board', 'Pine board', 'Beech board']),
    textColumn('state', ['sold', 'returned', 'reserved']),
    numberColumn('on_hand', { min: 0, max: 400 }),
    numberColumn('unit_cost_eur', { min: 2, max: 90 }),
    numberColumn('discount_pct', { min: 0, max: 30 }),
  ],
  timeField: 'counted',
  metaField: 'article',
  now: '2025-01-15T12:00:00Z',
});

function measuresIn(message: string): readonly unknown[] {
  return figureLists(questionIn(message, STOCK)).map(({ measures }) => measures);
}

describe('figures', () => {
  it('are what there is times what each is worth, without a word for it', () => {
    const lists = figureLists(questionIn('what is the stock worth at cost', STOCK));
    const worth = lists.find(({ measures: [first] }) => first?.column === 'on_hand times unit_cost_eur');
    const product = { operator: '*', left: { column: 'on_hand' }, right: { column: 'unit_cost_eur' } };
    expect(worth?.derived).toMatchObject([{ expression: product }]);
    expect(measuresIn('articles with the most on hand')).not.toContainEqual([
      expect.objectContaining({ column: 'on_hand times unit_cost_eur' }),
    ]);
  });

  it('are parts of a percentage where one of the columns is', () => {
    const lists = figureLists(questionIn('cost of the discounts', STOCK));
    const part = lists.find(({ measures: [first] }) => first?.column === 'unit_cost_eur times discount_pct');
    expect(part?.derived[0]?.expression).toMatchObject({ operator: '/', right: { value: 100 } });
  });

  it('are both ends of a column, of a time as well', () => {
    expect(measuresIn('lowest and highest unit cost')).toContainEqual([
      { aggregate: 'min', column: 'unit_cost_eur' },
      { aggregate: 'max', column: 'unit_cost_eur' },
    ]);
    expect(measuresIn('earliest and latest counted')).toContainEqual([
      { aggregate: 'min', column: 'counted' },
      { aggregate: 'max', column: 'counted' },
    ]);
  });

  it('have the number of rows among them, however many others there are', () => {
    expect(measuresIn('average and total on hand, unit cost and discount by article')).toContainEqual([
      { aggregate: 'count', column: null },
    ]);
  });
});

const SOLD = { kind: 'in', column: 'state', values: ['sold'], negated: false } as const;

function sharesIn(message: string): readonly BareHead[] {
  const question = questionIn(message, STOCK);
  const heads = new Heads(question);
  const lists = { figures: figureLists(question), groups: groupLists(question), limits: limitParts(question) };
  shareHeads(question, heads, lists);
  return heads.all;
}

describe('a percentage', () => {
  it('may be of the rows that tell, and then leaves out those that do not', () => {
    const known = sharesIn('what percentage of those with a state is sold').find(
      ({ kind, key }) => kind === 'portion' && key.endsWith('|known'),
    );
    expect(known?.build([SOLD], [])).toMatchObject({
      measures: [{ aggregate: 'count', filters: [SOLD] }, { aggregate: 'count' }],
      filters: [{ kind: 'null', column: 'state', negated: true }],
      computed: [{ kind: 'percent', left: 0, right: 1 }],
    });
    expect(known?.build([], [])).toBeNull();
  });

  it('ranks groups', () => {
    const ranked = sharesIn('which article has the highest rate of sold').find(
      ({ kind, facts }) => kind === 'portionrank' && facts.limit === 1,
    );
    expect(ranked?.build([SOLD], [])).toMatchObject({
      dimensions: [{ column: 'article' }],
      rank: { direction: 'desc', limit: 1, figure: 2 },
      computed: [{ kind: 'percent' }],
    });
  });
});

describe('groups', () => {
  it('may be told by some of their values, which are no conditions then', () => {
    const groups = groupLists(questionIn('all of the sold and of the returned and so on', STOCK));
    const named = groups.find(({ uses }) => uses.every(({ mention }) => mention.kind === 'value') && uses.length > 0);
    expect(named?.dimensions).toEqual([{ kind: 'column', column: 'state' }]);
    expect(named?.uses.map(({ role }) => role)).toEqual(['group', 'group']);
  });
});
