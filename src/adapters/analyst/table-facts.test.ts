import { describe, expect, it } from 'vitest';
import { aScene, textColumn } from './fixtures/profile-builders.fixture.js';
import { CARS, ORDERS, PEOPLE, SENSORS, SERVERS, STRIKES, WEATHER } from './fixtures/scenes.fixture.js';
import { factsOf } from './table-facts.js';
import { ValueIndex } from './value-index.js';

describe('what is known of a table before anybody asks', () => {
  it.each([
    [WEATHER, ['precipitation']],
    [SERVERS, ['requests', 'errors']],
    [ORDERS, ['quantity', 'revenue']],
    [PEOPLE, []],
    [STRIKES, ['Cost Other', 'Cost Repair', 'Cost Total $']],
  ])('which figures add up, in %#', ({ table }, names) => {
    const additive = factsOf(table).columns.filter((column) => column.additive);
    expect(additive.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    [WEATHER, null],
    [ORDERS, 'order_id'],
    [PEOPLE, 'fullName'],
    [CARS, 'Name'],
  ])('which column tells rows apart, in %#', ({ table }, name) => {
    expect(factsOf(table).identity?.name ?? null).toBe(name);
  });

  it('whether each row is of a day', () => {
    expect([WEATHER, SERVERS, ORDERS, PEOPLE, SENSORS].map(({ table }) => factsOf(table).daily)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('that rows which all carry the moment of their import have no time', () => {
    expect(factsOf(CARS.table).time).toBeNull();
    expect(factsOf(CARS.table).yearColumn?.name).toBe('year');
  });

  it('is worked out once for a profile', () => {
    expect(factsOf(WEATHER.table)).toBe(factsOf({ ...WEATHER.table }));
    expect(factsOf({ ...WEATHER.table, name: 'Other' })).not.toBe(factsOf(WEATHER.table));
  });
});

describe('finding values', () => {
  const index = new ValueIndex([textColumn('city', ['New York', 'Newark', 'york-02']), textColumn('team', ['Newark'])]);

  it.each([
    ['NEW york', { city: ['New York'] }],
    ['york 2', { city: ['york-02'] }],
    ['newark', { city: ['Newark'], team: ['Newark'] }],
    ['york', {}],
  ])('by their whole name: %s', (text, found) => {
    expect(Object.fromEntries(index.named(text.toLowerCase().split(' ')))).toEqual(found);
  });

  it('by a part, and of several columns only so much that it is seen', () => {
    expect(Object.fromEntries(index.containingWords(['york']))).toEqual({ city: ['New York', 'york-02'] });
    expect([...index.containingWords(['newark']).keys()]).toEqual(['city', 'team']);
  });

  it('knows the most frequent ones of tables with very many', () => {
    const values = Array.from({ length: 1000 }, (_, number) => `value ${number}`);
    const { profile } = aScene({
      name: 'wide',
      rowCount: 1000,
      columns: Array.from({ length: 60 }, (_, number) => textColumn(`column ${number}`, values)),
      timeField: '',
      metaField: '',
      now: '2024-01-01T00:00:00.000Z',
    }).table;
    const wide = new ValueIndex(profile.columns);
    expect(wide.named(['value', '99']).size).toBe(60);
    expect(wide.named(['value', '100']).size).toBe(0);
  });
});
