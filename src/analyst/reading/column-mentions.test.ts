import { describe, expect, it } from 'vitest';
import type { ColumnProfile } from '../../ports/table.js';
import { WEATHER } from '../profiles.fixture.js';
import { columnHitsIn } from './column-mentions.js';
import { factsOf } from './table.js';
import { tokensOf } from './words.js';

const { profile } = WEATHER.table;
const [model] = profile.columns.filter(({ type }) => type === 'number');

/** How much of each column's name the words of a message say. */
function sharesOf(message: string, names: Readonly<Record<string, ColumnProfile['type']>>): Record<string, number> {
  const columns = Object.entries(names).map(([name, type]) => ({ ...model!, name, type }));
  const facts = factsOf({ ...WEATHER.table, profile: { ...profile, columns } });
  const hits = columnHitsIn(message, tokensOf(message), facts);
  return Object.fromEntries(hits.map(({ column, share }) => [facts.columns[column]?.name ?? '', share] as const));
}

describe('a column is meant', () => {
  it('by its name without the unit', () => {
    const names = { temp_degC: 'number', flow_lpm: 'number', vib_mm_s: 'number' } as const;
    expect(sharesOf('temperature', names)['temp_degC']).toBeGreaterThan(0.5);
    expect(sharesOf('flow', names)['flow_lpm']).toBeGreaterThan(0.7);
    // A text has no unit.
    expect(sharesOf('flow', { flow_lpm: 'text' })['flow_lpm']).toBeLessThan(0.7);
  });

  it('by two words for one of its name', () => {
    expect(sharesOf('by cost centre', { Kostenstelle: 'text' })['Kostenstelle']).toBeGreaterThan(0.7);
    expect(sharesOf('by job title', { jobtitle: 'text' })['jobtitle']).toBeGreaterThan(0.9);
    expect(sharesOf('by title', { jobtitle: 'text' })['jobtitle'] ?? 0).toBeLessThan(0.9);
  });

  it('by the unit that its name has', () => {
    const names = { 'Consumo (kWh)': 'number', 'Coste (€)': 'number', 'Dauer [min]': 'number' } as const;
    expect(Object.keys(sharesOf('kWh by site', names))).toEqual(['Consumo (kWh)']);
    expect(Object.keys(sharesOf('how many euros', names))).toEqual(['Coste (€)']);
    // A period is told in minutes, too.
    expect(sharesOf('how many minutes', names)['Dauer [min]']).toBeLessThan(0.45);
  });

  it('by the words of a compound', () => {
    const names = { Vertragsdauer: 'number', Herstellkosten: 'number' } as const;
    expect(sharesOf('contract duration', names)['Vertragsdauer']).toBeGreaterThan(0.7);
    // A compound that has other words of its own is meant by them.
    expect(sharesOf('offer amount', { Angebotssumme: 'number' })['Angebotssumme']).toBeGreaterThan(0.7);
  });

  it('by what people call a sum without another name', () => {
    const shares = sharesOf('revenue by country', { 'Total (EUR)': 'number', 'Shipping total': 'number' });
    expect(Object.keys(shares)).toEqual(['Total (EUR)']);
    expect(sharesOf('value of the orders', { order_total: 'number' })['order_total']).toBeGreaterThan(0.5);
    expect(sharesOf('total tax', { Total: 'number', Tax: 'number' })).toEqual({ Tax: 1 });
  });

  it('not by a word for how to draw', () => {
    expect(sharesOf('box plot of costs', { Grund: 'text', Parzelle: 'text' })).toEqual({});
    expect(sharesOf('by plot', { Parzelle: 'text' })['Parzelle']).toBeGreaterThan(0.7);
  });

  it('by its name before the number that ends the name of a key', () => {
    expect(sharesOf('how many orders', { AuftragsNr: 'number' })['AuftragsNr']).toBeGreaterThan(0.6);
  });

  it('by one word for two of its name', () => {
    expect(sharesOf('basket value', { order_total_eur: 'number' })['order_total_eur']).toBeGreaterThan(0.5);
  });
});
