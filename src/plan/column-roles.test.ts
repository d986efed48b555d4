import { describe, expect, it } from 'vitest';
import { aColumn } from '../ports/plans.fixture.js';
import { NO_SEMANTICS } from '../ports/table-semantics.js';
import type { ColumnProfile, TableProfile } from '../ports/table.js';
import { roleOf, withRoles, withSaidRoles } from './column-roles.js';

function column(name: string, min = 0, max = 900): ColumnProfile {
  return aColumn(name, 'number', { distinct: 40, min, max, mean: (min + max) / 2 });
}

function table(...columns: readonly ColumnProfile[]): TableProfile {
  return { rowCount: 1000, timeRange: null, timeField: 'day', metaField: 'shop', values: [], columns };
}

const rolesIn = ({ columns }: TableProfile): readonly unknown[] => columns.map(({ role }) => role);
/** Those of some names of columns that do not have the role that they should. */
const without = (role: string, names: string): readonly string[] =>
  names.split(', ').filter((name) => roleOf(column(name), table()) !== role);

describe('the role of a column', () => {
  it('is a sum where its numbers add up', () => {
    const names = 'revenue, Umsatz netto, rain_mm, Energy (kWh), Dauer [min], Qté, Number of seats, downtime_min';
    expect(without('sum', names)).toEqual([]);
  });

  it.each([
    'wind, tempMax_C, Unit_Price, Prezzo_unit_EUR, €/Liter, NO2 (µg/m³), Power [kW], drop_rate_%, Wind km/h, CSAT 1-5',
    'Note /20, Age, Bounce_%, Preise, base_salary_eur, Lead time (d), Pressure (bar), PM2.5',
  ])('is an average for %s', (names) => {
    expect(without('average', names)).toEqual([]);
  });

  it.each([
    ['average', column('I feel safe to speak up', 1, 5)],
    ['average', column('I feel safe to', 0, 10)],
    ['sum', column('How many children do you have', 0, 6)],
    ['sum', column('I feel safe', 1, 5)],
    ['sum', column('I feel safe to speak up', -1, 5)],
    ['sum', column('I feel safe to speak up', 1, 11)],
    ['sum', { ...column('order number'), distinct: 500 }],
    ['none', { ...column('order number'), distinct: 501 }],
    ['sum', column('built year', 1500, 2000)],
    ['sum', column('built year', 1501, 2200)],
    ['none', column('Founded in', 1501, 2199)],
    ['', { ...column('revenue'), type: 'text' }],
  ] as const)('is “%s” by its words and numbers: %j', (role, one) => {
    expect(roleOf(one, table())).toBe(role);
  });

  it('is none where its numbers name something', () => {
    expect(without('none', 'customer id, zip, latitude, shop, day')).toEqual([]);
  });
});

describe('a decision', () => {
  it('stays as it was when rows come in that would be decided another way', () => {
    const before = withRoles(table(column('year', 1990, 2020)), null);
    expect(rolesIn(before)).toEqual(['none']);
    expect(rolesIn(withRoles(table(column('year', 0, 90_000), column('rain')), before))).toEqual(['none', 'sum']);
  });

  it('is made anew for a column of another type', () => {
    const before = withRoles(table({ ...column('rain'), type: 'text' }), null);
    expect(rolesIn(withRoles(table(column('rain')), before))).toEqual(['sum']);
  });

  it('goes by what is said where nothing was decided, but for what is no number', () => {
    const columns = [column('wind'), { ...column('name'), type: 'text' as const }];
    const said = columns.map(({ name }) => ({ name, role: 'sum' as const }));
    expect(rolesIn(withRoles(table(...columns), null, said))).toEqual(['sum', '']);
    expect(rolesIn(withRoles(table(...columns), null, [{ name: 'wind' }]))).toEqual(['average', '']);
  });

  it('is outweighed by what the company says, and stays where it says nothing', () => {
    const wind = { name: 'wind', description: '', synonyms: [], unit: '', format: '', allowedValues: [] } as const;
    const saying = (role: '' | 'sum') => ({ ...NO_SEMANTICS, columns: [{ ...wind, role }] });
    const profile = table(column('wind'), column('rain'));
    expect(rolesIn(withSaidRoles(profile, saying('sum')))).toEqual(['sum', 'sum']);
    for (const nothing of [null, saying('')]) expect(withSaidRoles(profile, nothing)).toBe(profile);
  });
});
