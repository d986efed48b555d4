import { describe, expect, it } from 'vitest';
import { PlanColumns, shown, type TableColumn } from './plan-columns.js';

function column(name: string, type: TableColumn['type'] = 'number', physical = name.toLowerCase()): TableColumn {
  return { physical, name, type };
}

const OWN = PlanColumns.of([column('Fare'), column('city', 'text'), column('City', 'text', 'c2')]);
const names = ({ all, derived }: PlanColumns): readonly string[] => [...all, ...derived].map(({ visible }) => visible);

describe('the columns that a plan may name', () => {
  it('are found by their names, whose case matters only where several differ in nothing else', () => {
    expect(OWN.named('fare').name).toBe('Fare');
    expect(OWN.named('City').physical).toBe('c2');
    expect(OWN.named('City_2').physical).toBe('c2');
    for (const name of ['CITY', 'price']) expect(() => OWN.named(name)).toThrow(`there is no column "${name}"`);
  });

  it('are of the type that is wanted', () => {
    expect(OWN.typed('Fare', 'numeric', 'A sum').name).toBe('Fare');
    expect(OWN.typed('city', 'text', 'A search').name).toBe('city');
    expect(() => OWN.typed('city', 'numeric', 'A sum')).toThrow(
      'A sum needs a column of numbers; "city" is of type text',
    );
    expect(() => OWN.typed('Fare', 'time', 'A period')).toThrow(
      'A period needs a time column; "Fare" is of type number',
    );
  });

  it('are those of a joined table, too, which may be named with it', () => {
    const right = PlanColumns.of([column('Fare'), column('size')]).all;
    const joined = PlanColumns.joined(OWN.all, right, 'shops');
    expect(names(joined)).toEqual(['Fare', 'city', 'City_2', 'shops.Fare', 'size']);
    expect(joined.named('shops.size').visible).toBe('size');
    expect(joined.named('shops.Fare').visible).toBe('shops.Fare');
  });
});

describe('derived columns', () => {
  it('have names and places of their own', () => {
    const taken = PlanColumns.of([column('x', 'number', 'DERIVED_0')]);
    expect(taken.with('y', { type: 'text' }).named('y')).toMatchObject({ physical: 'derived_0_', type: 'text' });
    const two = OWN.with('y', { type: 'text' }).with('z', { type: 'number' });
    expect(two.derived.map(({ physical }) => physical)).toEqual(['derived_0', 'derived_1']);
  });

  it('take no name that is there, none at all, or one without end', () => {
    const some = OWN.with('y', { type: 'text' });
    for (const name of ['fare', 'city_2', 'Y']) {
      expect(() => some.with(name, { type: 'text' })).toThrow(`there is a column "${name}" already`);
    }
    expect(() => OWN.with(' ', { type: 'text' })).toThrow('a derived column of the plan has no name');
    expect(() => OWN.with('x'.repeat(1001), { type: 'text' })).toThrow('…" is too long');
    expect(names(OWN.with('x'.repeat(1000), { type: 'text' }))).toHaveLength(4);
  });

  it('that help get the next name that is free', () => {
    const helped = OWN.helper('n').helper('n').helper('Fare');
    expect(helped.derived.map(({ name, type }) => [name, type])).toEqual([
      ['n', 'number'],
      ['n 2', 'number'],
      ['Fare 2', 'number'],
    ]);
  });
});

it('cuts a long name in a message', () => {
  expect([shown('x'.repeat(100)), shown('x'.repeat(101))]).toEqual(['x'.repeat(100), `${'x'.repeat(100)}…`]);
});
