import { describe, expect, it } from 'vitest';
import { aColumn, listing } from '../ports/plans.fixture.js';
import { MAIN_TABLE, type JoinCount, type TableProfile } from '../ports/table.js';
import { joinCautions, namedJoins, profileFor } from './joined-profile.js';

function profile(columns: readonly string[], values: readonly string[]): TableProfile {
  const all = columns.map((name) => aColumn(name, 'number'));
  return { rowCount: 10, timeRange: null, timeField: '', metaField: '', values, columns: all };
}

const SALES = profile(['shop', 'sold'], ['sold']);
const SHOPS = { relation: 'r1', table: 'shops', name: 'Shops', profile: profile(['Shop', 'size'], ['size']) } as never;
const plan = listing({});

describe('the columns that a plan may name', () => {
  it('are those of its table, and of the table it joins by names of their own', () => {
    expect(profileFor(plan, { profile: SALES })).toBe(SALES);
    const joining = { ...plan, join: { table: 'places', relation: 'r1' } };
    const joined = profileFor(joining, { profile: SALES, joined: [SHOPS] });
    expect(joined.columns.map(({ name }) => name)).toEqual(['shop', 'sold', 'places.Shop', 'size']);
    expect(joined).toMatchObject({ values: ['sold', 'size'], rowCount: 10 });
  });

  it.each([{ joined: [SHOPS] }, { joined: [] }, {}])('are refused where no relation was confirmed: %#', (known) => {
    const join = { table: 'x'.repeat(200), relation: 'r2' };
    const problem = `there is no confirmed relation along which ${'x'.repeat(100)} can be joined here`;
    const [message, details] = [`plan.join: ${problem}`, [{ field: 'plan.join', problem }]];
    const refusal = expect.objectContaining({ kind: 'invalid_input', message, details }) as Error;
    expect(() => profileFor({ ...plan, join }, { profile: SALES, ...known })).toThrow(refusal);
  });
});

describe('counts of joins', () => {
  const count: JoinCount = { left: MAIN_TABLE, right: 'shops', of: 2000, rows: 2000, alone: 0 };

  it('have the names of the datasources', () => {
    const named = namedJoins([count, { ...count, left: 'shops', right: 'gone' }], { name: 'Sales', joined: [SHOPS] });
    expect(named).toMatchObject([
      { left: 'Sales', right: 'Shops' },
      { left: 'Shops', right: 'gone' },
    ]);
    expect(namedJoins(undefined, { name: 'Sales' })).toEqual([]);
    expect(namedJoins([count], { name: 'Sales' })[0]?.right).toBe('shops');
  });

  it('warn of rows that count several times, and of rows without a partner', () => {
    const named = { ...count, left: 'Sales', right: 'Shops' };
    expect(joinCautions([named])).toEqual([]);
    expect(joinCautions([{ ...named, rows: 3000, alone: 1 }])).toEqual([
      'A row of Sales can belong to several rows of Shops: joined, its 2,000 rows become 3,000, and figures count some of them more than once.',
      '1 of 2,000 rows of Sales have no row in Shops.',
    ]);
  });
});
