import { describe, expect, it } from 'vitest';
import { aColumn, listing } from '../ports/plans.fixture.js';
import type { TableProfile } from '../ports/table.js';
import { profileFor } from './joined-profile.js';

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
