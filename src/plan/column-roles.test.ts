import { describe, expect, it } from 'vitest';
import { NO_SEMANTICS } from '../ports/table-semantics.js';
import type { ColumnProfile, TableProfile } from '../ports/table.js';
import { roleOf, withRoles, withSaidRoles } from './column-roles.js';

function column(name: string, min = 0, max = 900, type: ColumnProfile['type'] = 'number'): ColumnProfile {
  return { name, type, nulls: 0, distinct: 40, min, max, mean: (min + max) / 2, topValues: [] };
}

function table(...columns: readonly ColumnProfile[]): TableProfile {
  return { rowCount: 1000, timeRange: null, timeField: 'day', metaField: 'shop', values: [], columns };
}

const rolesIn = ({ columns }: TableProfile): readonly unknown[] => columns.map(({ role }) => role);

describe('the role of a column', () => {
  it.each([
    ...['revenue', 'Umsatz netto', 'rain_mm', 'Energy (kWh)', 'Dauer [min]', 'Qté', 'Number of seats', 'downtime_min'],
  ])('adds up: %s', (name) => {
    expect(roleOf(column(name), table())).toBe('sum');
  });

  it.each([
    ...['wind', 'tempMax_C', 'Unit_Price', 'Prezzo_unit_EUR', '€/Liter', 'NO2 (µg/m³)', 'Power [kW]', 'drop_rate_%'],
    ...['Wind km/h', 'CSAT 1-5', 'Note /20', 'Age', 'Bounce_%', 'Preise', 'base_salary_eur', 'Lead time (d)'],
    ...['Pressure (bar)', 'PM2.5'],
  ])('is averaged: %s', (name) => {
    expect(roleOf(column(name), table())).toBe('average');
  });

  it('is averaged where a statement has a scale', () => {
    expect(roleOf(column('I feel safe to speak up', 1, 5), table())).toBe('average');
    expect(roleOf(column('How many children do you have', 0, 6), table())).toBe('sum');
    expect(roleOf(column('I feel safe to', 0, 10), table())).toBe('average');
    expect(roleOf(column('I feel safe', 1, 5), table())).toBe('sum');
    expect(roleOf(column('I feel safe to speak up', -1, 5), table())).toBe('sum');
    expect(roleOf(column('I feel safe to speak up', 1, 11), table())).toBe('sum');
  });

  it('adds up where few rows share a number, or years are none', () => {
    expect(roleOf({ ...column('order number'), distinct: 500 }, table())).toBe('sum');
    expect(roleOf({ ...column('order number'), distinct: 501 }, table())).toBe('none');
    expect(roleOf(column('built year', 1500, 2000), table())).toBe('sum');
    expect(roleOf(column('built year', 1501, 2200), table())).toBe('sum');
  });

  it.each([
    column('customer id'),
    column('zip'),
    column('latitude'),
    column('shop'),
    column('Birth_Year', 1930, 2004),
    { ...column('order number'), distinct: 990 },
    column('Founded in', 1501, 2199),
    column('day'),
  ])('is no figure: $name', (one) => {
    expect(roleOf(one, table())).toBe('none');
  });

  it('is empty where there are no numbers', () => {
    expect(roleOf({ ...column('revenue'), type: 'text' }, table())).toBe('');
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

  it('stays where the company says nothing', () => {
    const profile = table(column('wind'));
    const silent = { name: 'wind', role: '', description: '', synonyms: [], unit: '', format: '', allowedValues: [] };
    expect(withSaidRoles(profile, null)).toBe(profile);
    expect(withSaidRoles(profile, { ...NO_SEMANTICS, columns: [silent] } as never)).toBe(profile);
  });

  it('is outweighed by what the company says', () => {
    const nothing = { description: '', synonyms: [], unit: '', format: '', allowedValues: [] } as const;
    const said = { ...nothing, name: 'wind', role: 'sum' } as const;
    const profile = withSaidRoles(table(column('wind'), column('rain')), { ...NO_SEMANTICS, columns: [said] });
    expect(rolesIn(profile)).toEqual(['sum', 'sum']);
  });
});
