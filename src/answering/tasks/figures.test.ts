import { describe, expect, it } from 'vitest';
import { figuresIn, figuresOf, MAX_FIGURES } from './figures.js';
import { aPlan, anAsked, aResult, aSubject, figureOf } from './tasks.fixture.js';

const BY_SHOP = [{ kind: 'column', column: 'shop', label: 'shop' }] as const;
const SUBJECT = aSubject();
const A = { kind: 'in', column: 'shop', values: ['A', 'b'], negated: false } as const;
const within = (from: string, to: string) => ({ filters: [{ kind: 'time', column: 'time', from, to }] }) as const;

/** The key of the figure of a query, asked of the same subject if nothing else is said. */
function keyOf(plan: Parameters<typeof aPlan>[0] = {}, more: Parameters<typeof anAsked>[0] = {}): string {
  return figureOf(anAsked({ subject: SUBJECT, plan: aPlan(plan), ...more })).key;
}

describe('the key of a figure', () => {
  it('is the same whatever the labels, the order and the length of the list', () => {
    const rows = [['Harbour', 5]];
    const measures = [{ aggregate: 'sum', column: 'revenue', label: 'x' }] as const;
    const order = [{ by: 'x', direction: 'desc' }] as const;
    const other = { measures, dimensions: [{ ...BY_SHOP[0], label: 'y' }], order, limit: 3 };
    expect(keyOf(other, { rows })).toBe(keyOf({ dimensions: BY_SHOP }, { rows }));
  });

  it('differs by datasource, measure, column, group and condition', () => {
    const keys = [
      keyOf(),
      keyOf({}, { subject: aSubject() }),
      keyOf({ measures: [{ aggregate: 'avg', column: 'revenue', label: 'r' }] }),
      keyOf({ measures: [{ aggregate: 'sum', column: 'units', label: 'r' }] }),
      keyOf({ filters: [A] }),
      ...['A', 'B'].map((shop) => keyOf({ dimensions: BY_SHOP }, { rows: [[shop, 1]] })),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not move with a time that is said relative to today', () => {
    const last = keyOf(within('2024-01-01', '2024-01-08'), { question: 'revenue in the last 7 days' });
    const next = keyOf(within('2024-01-08', '2024-01-15'), { question: 'total revenue of the last 7 days?' });
    expect(next).toBe(last);
    const moving = { from: null, to: 'now/d' };
    const overdue = ['2024-01-08', '2024-01-15'].map((to) =>
      keyOf(
        { filters: [{ kind: 'time', column: 'time', from: null, to, moving }] },
        { question: 'how many are overdue' },
      ),
    );
    expect(overdue[1]).toBe(overdue[0]);
    const january = keyOf(within('2024-01-01', '2024-02-01'), { question: 'revenue in January' });
    const february = keyOf(within('2024-02-01', '2024-03-01'), { question: 'revenue in February' });
    expect(february).not.toBe(january);
  });

  it('does not depend on the order or the case of conditions', () => {
    const b = { kind: 'compare', column: 'revenue', operator: '>', value: 3 } as const;
    expect(keyOf({ filters: [A, b] })).toBe(keyOf({ filters: [b, { ...A, values: ['B', 'a'] }] }));
  });
});

describe('the figures of a query', () => {
  it('are labelled for people', () => {
    const [from, to] = ['2024-05-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'];
    const bucket = [{ kind: 'bucket', column: 'time', bucket: 'month', label: 'month' }] as const;
    expect(figureOf(anAsked({ plan: aPlan(within(from, to)) })).label).toBe('total revenue, time is in May 2024');
    const monthly = anAsked({ plan: aPlan({ dimensions: bucket }), rows: [[from, 3]] });
    expect(figureOf(monthly).label).toBe('total revenue, May 2024');
  });

  it('are those that stand alone first, no more than 100, none without a number', () => {
    const rows = Array.from({ length: 10 }, (_, index) => [`shop ${index}`, index]);
    const grouped = () => anAsked({ plan: aPlan({ dimensions: BY_SHOP }), rows, subject: aSubject() });
    const asked = [...Array.from({ length: 15 }, grouped), anAsked({ rows: [[7]] }), anAsked({ rows: [[null]] })];
    const figures = figuresOf(asked);
    expect(figures).toHaveLength(MAX_FIGURES);
    expect(figures[0]).toMatchObject({ value: 7, isSingle: true });
  });

  it('come from a query that a model wrote too', () => {
    const result = aResult(Object.entries({ shop: 'text', revenue: 'number' }), Object.entries({ A: 3, B: 4 }));
    const found = figuresIn(anAsked({ plan: null, result })).map(({ label, value }) => [label, value]);
    expect(Object.fromEntries(found)).toEqual({ 'revenue, A': 3, 'revenue, B': 4 });
  });
});
