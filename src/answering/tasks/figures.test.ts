import { describe, expect, it } from 'vitest';
import { figuresIn, figuresOf, MAX_FIGURES } from './figures.js';
import { aPlan, anAsked, aResult, aSubject, figureOf } from './tasks.fixture.js';

const BY_SHOP = [{ kind: 'column', column: 'shop', label: 'shop' }] as const;
const SUBJECT = aSubject();

describe('the key of a figure', () => {
  it('is the same whatever the labels, the order and the length of the list', () => {
    const rows = [['Harbour', 5]];
    const plan = aPlan({ dimensions: BY_SHOP });
    const one = figureOf(anAsked({ subject: SUBJECT, plan, rows }));
    const measures = [{ aggregate: 'sum', column: 'revenue', label: 'x' }] as const;
    const order = [{ by: 'x', direction: 'desc' }] as const;
    const other = aPlan({ measures, dimensions: [{ ...BY_SHOP[0], label: 'y' }], order, limit: 3 });

    expect(figureOf(anAsked({ subject: SUBJECT, plan: other, rows })).key).toBe(one.key);
  });

  it('differs by datasource, measure, column, group and condition', () => {
    const filters = [{ kind: 'in', column: 'shop', values: ['A'], negated: false }] as const;
    const keys = [
      anAsked({ subject: SUBJECT }),
      anAsked({ subject: aSubject() }),
      anAsked({ subject: SUBJECT, plan: aPlan({ measures: [{ aggregate: 'avg', column: 'revenue', label: 'r' }] }) }),
      anAsked({ subject: SUBJECT, plan: aPlan({ measures: [{ aggregate: 'sum', column: 'units', label: 'r' }] }) }),
      anAsked({ subject: SUBJECT, plan: aPlan({ filters }) }),
      anAsked({ subject: SUBJECT, plan: aPlan({ dimensions: BY_SHOP }), rows: [['A', 1]] }),
      anAsked({ subject: SUBJECT, plan: aPlan({ dimensions: BY_SHOP }), rows: [['B', 1]] }),
    ].map((query) => figureOf(query).key);

    expect(new Set(keys).size).toBe(keys.length);
  });

  it('does not move with a time that is said relative to today', () => {
    const week = (from: string, to: string, question: string): string => {
      const filters = [{ kind: 'time', column: 'time', from, to }] as const;
      return figureOf(anAsked({ subject: SUBJECT, plan: aPlan({ filters }), question })).key;
    };

    expect(week('2024-01-01', '2024-01-08', 'revenue in the last 7 days')).toBe(
      week('2024-01-08', '2024-01-15', 'total revenue of the last 7 days?'),
    );
    expect(week('2024-01-01', '2024-02-01', 'revenue in January')).not.toBe(
      week('2024-02-01', '2024-03-01', 'revenue in February'),
    );
  });

  it('does not depend on the order or the case of conditions', () => {
    const a = { kind: 'in', column: 'shop', values: ['A', 'b'], negated: false } as const;
    const b = { kind: 'compare', column: 'revenue', operator: '>', value: 3 } as const;
    const key = (filters: readonly (typeof a | typeof b)[]): string =>
      figureOf(anAsked({ subject: SUBJECT, plan: aPlan({ filters }) })).key;
    expect(key([a, b])).toBe(key([b, { ...a, values: ['B', 'a'] as never }]));
  });
});

describe('the figures of a query', () => {
  it('are labelled for people', () => {
    const [from, to] = ['2024-05-01T00:00:00.000Z', '2024-06-01T00:00:00.000Z'];
    const filters = [{ kind: 'time', column: 'time', from, to }] as const;
    const bucket = [{ kind: 'bucket', column: 'time', bucket: 'month', label: 'month' }] as const;
    expect(figureOf(anAsked({ plan: aPlan({ filters }) })).label).toBe('total revenue, time is in May 2024');
    const monthly = anAsked({ plan: aPlan({ dimensions: bucket }), rows: [[from, 3]] });
    expect(figureOf(monthly).label).toBe('total revenue, May 2024');
  });

  it('are those that stand alone first, no more than 100, none without a number', () => {
    const rows = Array.from({ length: 10 }, (_, index) => [`shop ${index}`, index]);
    const many = Array.from({ length: 15 }, () =>
      anAsked({ plan: aPlan({ dimensions: BY_SHOP }), rows, subject: aSubject() }),
    );
    const figures = figuresOf([...many, anAsked({ rows: [[7]] }), anAsked({ rows: [[null]] })]);
    expect(figures).toHaveLength(MAX_FIGURES);
    expect(figures[0]).toMatchObject({ value: 7, isSingle: true });
  });

  it('come from a query that a model wrote too', () => {
    const result = aResult(Object.entries({ shop: 'text', revenue: 'number' }), Object.entries({ A: 3, B: 4 }));
    const found = figuresIn(anAsked({ plan: null, result })).map(({ label, value }) => [label, value]);
    expect(Object.fromEntries(found)).toEqual({ 'revenue, A': 3, 'revenue, B': 4 });
  });
});
