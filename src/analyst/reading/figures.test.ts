import { describe, expect, it } from 'vitest';
import { aScene, numberColumn, textColumn } from '../profiles.fixture.js';
import { shareHeads } from './computed-heads.js';
import { figureLists } from './figures.js';
import { groupLists } from './groups.js';
import { type BareHead, Heads } from './heads.js';
import { limitParts } from './orders.js';
import { in2024, questionIn } from './question.fixture.js';

const STOCK = aScene({
  rowCount: 800,
  columns: [
    in2024('counted'),
    textColumn('article', ['Oak board', 'Pine board', 'Beech board']),
    textColumn('state', ['sold', 'returned', 'reserved']),
    numberColumn('on_hand', { min: 0, max: 400 }),
    numberColumn('unit_cost_eur', { min: 2, max: 90 }),
    numberColumn('discount_pct', { min: 0, max: 30 }),
    numberColumn('shelf_no', { min: 1, max: 30, distinct: 30 }),
  ],
});
const listsIn = (message: string): ReturnType<typeof figureLists> => figureLists(questionIn(message, STOCK));

describe('figures', () => {
  const WORTH = 'on_hand times unit_cost_eur';

  it('are what there is times what each is worth, without a word for it', () => {
    const worth = listsIn('what is the stock worth at cost').find(({ measures: [first] }) => first?.column === WORTH);
    const product = { operator: '*', left: { column: 'on_hand' }, right: { column: 'unit_cost_eur' } };
    expect(worth?.derived).toMatchObject([{ expression: product }]);
    expect(JSON.stringify(listsIn('articles with the most on hand'))).not.toContain(WORTH);
  });

  it('are no sums of the numbers of shelves, unless that is said', () => {
    const figuresIn = (message: string): string => JSON.stringify(listsIn(message).map(({ measures }) => measures));
    expect(figuresIn('shelves by state')).not.toContain('shelf_no');
    expect(figuresIn('average shelf no')).toContain('shelf_no');
  });

  it('are parts of a percentage where one of the columns is', () => {
    const product = 'unit_cost_eur times discount_pct';
    const part = listsIn('cost of the discounts').find(({ measures: [first] }) => first?.column === product);
    expect(part?.derived[0]?.expression).toMatchObject({ operator: '/', right: { value: 100 } });
  });

  it.each([
    ['lowest and highest unit cost', 'unit_cost_eur'],
    ['earliest and latest counted', 'counted'],
  ])('are both ends of a column, of a time as well: %s', (message, column) => {
    const ends = ['min', 'max'].map((aggregate) => ({ aggregate, column }));
    expect(listsIn(message).map(({ measures }) => measures)).toContainEqual(ends);
  });

  it('have the number of rows among them, however many others there are', () => {
    const lists = listsIn('average and total on hand, unit cost and discount by article');
    expect(lists.map(({ measures }) => measures)).toContainEqual([{ aggregate: 'count', column: null }]);
  });
});

describe('a percentage', () => {
  const SOLD = { kind: 'in', column: 'state', values: ['sold'], negated: false } as const;

  function sharesIn(message: string): readonly BareHead[] {
    const question = questionIn(message, STOCK);
    const heads = new Heads(question);
    const lists = { figures: figureLists(question), groups: groupLists(question), limits: limitParts(question) };
    shareHeads(question, heads, lists);
    return heads.all;
  }

  it('may be of the rows that tell, and then leaves out those that do not', () => {
    const shares = sharesIn('what percentage of those with a state is sold');
    const known = shares.find(({ kind, key }) => kind === 'portion' && key.endsWith('|known'));
    expect(known?.build([SOLD], [])).toMatchObject({
      measures: [{ aggregate: 'count', filters: [SOLD] }, { aggregate: 'count' }],
      filters: [{ kind: 'null', column: 'state', negated: true }],
      computed: [{ kind: 'percent', left: 0, right: 1 }],
    });
    expect(known?.build([], [])).toBeNull();
  });

  it('ranks groups', () => {
    const shares = sharesIn('which article has the highest rate of sold');
    const ranked = shares.find(({ kind, facts }) => kind === 'portionrank' && facts.limit === 1);
    expect(ranked?.build([SOLD], [])).toMatchObject({
      dimensions: [{ column: 'article' }],
      rank: { direction: 'desc', limit: 1, figure: 2 },
      computed: [{ kind: 'percent' }],
    });
  });
});

it('groups may be told by some of their values, which are no conditions then', () => {
  const groups = groupLists(questionIn('all of the sold and of the returned and so on', STOCK));
  const named = groups.find(({ uses }) => uses.every(({ mention }) => mention.kind === 'value') && uses.length > 0);
  expect(named?.dimensions).toEqual([{ kind: 'column', column: 'state' }]);
  expect(named?.uses.map(({ role }) => role)).toEqual(['group', 'group']);
});
