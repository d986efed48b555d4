import { beforeAll, describe, expect, it } from 'vitest';
import type { AggregatePlan, Computed, Measure } from '../../ports/analysis-plan.js';
import { aggregate, COUNT, grouped, listing, PlanTable } from './plan-compiler.fixture.js';

let table: PlanTable;
beforeAll(async () => {
  table = await PlanTable.of(
    Object.entries({ shop: 'text', at: 'time', sales: 'number', cost: 'number', year: 'integer' } as const),
    `VALUES
      ('A', TIMESTAMP '2024-01-05', 100, 50, 2023), ('A', TIMESTAMP '2024-02-05', 150, 0, 2024), ('A', TIMESTAMP '2024-03-05', 50, 25, 2024),
      ('B', TIMESTAMP '2024-01-06', 200, 80, 2023), ('B', TIMESTAMP '2024-03-06', 500, 100, 2024), ('C', TIMESTAMP '2024-02-07', NULL, 10, 2024)`,
  );
});

const SALES: Measure = { aggregate: 'sum', column: 'sales', label: 'sales' };
const COST: Measure = { aggregate: 'sum', column: 'cost', label: 'cost' };
const MONTH: AggregatePlan['dimensions'][number] = { kind: 'bucket', column: 'at', bucket: 'month', label: 'month' };

async function columnOf(label: string, part: Partial<AggregatePlan>): Promise<readonly unknown[]> {
  const { columns, rows } = await table.answer(aggregate(part));
  const at = columns.findIndex(({ name }) => name === label);
  return rows.map((row) => row[at]);
}

describe('figures that follow from the groups', () => {
  const series = (kind: Extract<Computed, { of: number }>['kind'], window?: number): Promise<readonly unknown[]> =>
    columnOf('x', { measures: [SALES], dimensions: [MONTH], computed: [{ kind, of: 0, window, label: 'x' }] });

  it('run in the order of time', async () => {
    // 300, 150, 550 by month.
    expect(await series('share')).toEqual([0.3, 0.15, 0.55]);
    expect(await series('cumulative')).toEqual([300, 450, 1000]);
    expect(await series('cumulative_share')).toEqual([0.3, 0.45, 1]);
    expect(await series('change')).toEqual([null, -150, 400]);
    expect(await series('growth')).toEqual([null, -0.5, 400 / 150]);
    expect(await series('moving_average', 2)).toEqual([300, 225, 350]);
    expect(await series('rank')).toEqual([2, 3, 1]);
  });

  it('run within each value of what is no time', async () => {
    const part: Partial<AggregatePlan> = {
      measures: [SALES],
      dimensions: [grouped('shop'), MONTH],
      computed: (['growth', 'share'] as const).map((kind) => ({ kind, of: 0, label: kind })),
    };
    expect(await columnOf('growth', part)).toEqual([null, 0.5, -2 / 3, null, 1.5, null]);
    expect((await columnOf('share', part)).slice(0, 3)).toEqual([1 / 3, 0.5, 1 / 6]);
  });

  it('run along a year that is a number', async () => {
    const part: Partial<AggregatePlan> = {
      measures: [COUNT],
      dimensions: [grouped('shop'), grouped('year')],
      computed: [{ kind: 'change', of: 0, label: 'change' }],
    };
    expect(await columnOf('change', part)).toEqual([null, 1, null, 0, null]);
  });

  it('compare two figures, and give none where they divide by zero', async () => {
    const pair = (kind: Extract<Computed, { left: number }>['kind']): Promise<readonly unknown[]> =>
      columnOf('x', {
        measures: [SALES, COST],
        dimensions: [MONTH],
        filters: [{ kind: 'in', column: 'shop', values: ['A'], negated: false }],
        computed: [{ kind, left: 0, right: 1, label: 'x' }],
      });
    expect(await pair('ratio')).toEqual([2, null, 2]);
    expect(await pair('percent')).toEqual([200, null, 200]);
    expect(await pair('percent_change')).toEqual([100, null, 100]);
    expect(await pair('difference')).toEqual([50, 150, 25]);
    expect(await pair('sum')).toEqual([150, 150, 75]);
    expect(await pair('product')).toEqual([5000, 0, 1250]);
  });

  it('are of all groups, before conditions and limits', async () => {
    const part: Partial<AggregatePlan> = {
      measures: [SALES],
      dimensions: [MONTH],
      computed: [{ kind: 'share', of: 0, label: 'share' }],
      having: [{ measure: 1, operator: '>', value: 0.2 }],
      order: [{ by: 'share', direction: 'desc' }],
    };
    expect(await columnOf('share', part)).toEqual([0.55, 0.3]);
    expect(await columnOf('share', { ...part, limit: 1 })).toEqual([0.55]);
  });

  it('have types', async () => {
    const computed = (['rank', 'cumulative', 'share'] as const).map((kind) => ({ kind, of: 0, label: kind }));
    const { columns } = await table.answer(aggregate({ dimensions: [grouped('shop')], computed }));
    expect(columns.map(({ type }) => type)).toEqual(['text', 'integer', 'integer', 'integer', 'number']);
  });

  it.each<[string, Partial<AggregatePlan>, RegExp]>([
    ['of a measure that is not there', { computed: [{ kind: 'share', of: 3, label: 's' }] }, /measure 3/],
    ['with a label twice', { computed: [{ kind: 'share', of: 0, label: 'N' }] }, /"N" is used twice/],
    [
      'of texts',
      { measures: [{ aggregate: 'min', column: 'shop', label: 'm' }], computed: [{ kind: 'rank', of: 0, label: 'r' }] },
      /is no number/,
    ],
  ])('are refused %s', async (_, part, sentence) => {
    await expect(table.rows(aggregate(part))).rejects.toThrow(sentence);
  });
});

describe('a limit within groups', () => {
  it('counts within each combination', async () => {
    const plan = aggregate({
      measures: [SALES],
      dimensions: [grouped('shop'), MONTH],
      order: [{ by: 'sales', direction: 'desc' }],
      each: ['shop'],
      limit: 1,
    });
    const best = Object.entries({ A: 150, B: 500, C: null });
    expect((await table.rows(plan)).map(([shop, , sales]) => [shop, sales])).toEqual(best);
    await expect(table.rows({ ...plan, each: ['nope'] })).rejects.toThrow(/no label of a dimension/);
  });

  it('counts within each value of a column', async () => {
    const order = [{ by: 'sales', direction: 'desc' }] as const;
    const plan = listing({ columns: ['shop', 'sales'], each: ['shop'], order, limit: 2 });
    expect((await table.rows(plan)).map((row) => row.join(' '))).toEqual(['A 150', 'A 100', 'B 500', 'B 200', 'C ']);
  });
});

describe('a summary', () => {
  const perShop = { measures: [COUNT, SALES], dimensions: [grouped('shop')] };

  it('is one figure over the groups', async () => {
    const summary = (name: 'count' | 'avg' | 'max' | 'stddev', measure: number | null): Promise<unknown> =>
      table.rows(aggregate({ ...perShop, summary: { aggregate: name, measure, label: 'it' } })).then(([row]) => row);
    expect(await summary('avg', 0)).toEqual([2]);
    expect(await summary('count', null)).toEqual([3]);
    expect(await summary('count', 1)).toEqual([2]);
    expect(await summary('max', 1)).toEqual([700]);
    expect(await summary('stddev', 0)).toEqual([1]);
    await expect(summary('avg', null)).rejects.toThrow(/lacks a measure/);
  });

  it('is of what order, limit and conditions leave', async () => {
    const summary = { aggregate: 'avg', measure: 0, label: 'it' } as const;
    const order = [{ by: 'n', direction: 'desc' }] as const;
    expect(await table.rows(aggregate({ ...perShop, order, limit: 2, summary }))).toEqual([[2.5]]);
    const having = [{ measure: 0, operator: '<', value: 3 }] as const;
    expect(await table.rows(aggregate({ ...perShop, having, summary }))).toEqual([[1.5]]);
  });
});

describe('different rows', () => {
  it('come once, also by a column that is not listed', async () => {
    expect(await table.rows(listing({ columns: ['shop'], distinct: true }))).toEqual([['A'], ['B'], ['C']]);
    const order = [{ by: 'sales', direction: 'desc' }] as const;
    expect(await table.rows(listing({ columns: ['shop'], distinct: true, order, limit: 2 }))).toEqual([['B'], ['A']]);
  });
});
