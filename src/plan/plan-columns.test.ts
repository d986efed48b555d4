import { expect, it } from 'vitest';
import { PlanColumns, shown, type TableColumn } from './plan-columns.js';
import { visibleNames } from './visible-names.js';

function column(name: string, type: TableColumn['type'] = 'number', physical = name.toLowerCase()): TableColumn {
  return { physical, name, type };
}

const OWN = PlanColumns.of([column('Fare'), column('city', 'text'), column('City', 'text', 'c2')]);
const names = ({ all, derived }: PlanColumns): readonly string[] => [...all, ...derived].map(({ visible }) => visible);

it('columns are found by their names, whose case matters only where several differ in nothing else', () => {
  expect(OWN.named('fare').name).toBe('Fare');
  expect(['City', 'City_2'].map((name) => OWN.named(name).physical)).toEqual(['c2', 'c2']);
  for (const name of ['CITY', 'price']) expect(() => OWN.named(name)).toThrow(`there is no column "${name}"`);
});

it('names that differ in case alone are numbered, without taking another column’s name for that', () => {
  expect(visibleNames(['a', 'b', 'A b'])).toEqual(['a', 'b', 'A b']);
  expect(visibleNames(['Temp', 'temp', 'TEMP', 'temp_2'])).toEqual(['Temp', 'temp_3', 'TEMP_4', 'temp_2']);
});

it('columns are of the type that is wanted', () => {
  expect(OWN.typed('Fare', 'numeric', 'A sum').name).toBe('Fare');
  expect(OWN.typed('city', 'text', 'A search').name).toBe('city');
  const [number, time] = ['A sum needs a column of numbers; "city" is of type text', 'A period needs a time column; '];
  expect(() => OWN.typed('city', 'numeric', 'A sum')).toThrow(number);
  expect(() => OWN.typed('Fare', 'time', 'A period')).toThrow(`${time}"Fare" is of type number`);
});

it('columns of a joined table may be named with it', () => {
  const joined = PlanColumns.joined(OWN.all, PlanColumns.of([column('Fare'), column('size')]).all, 'shops');
  expect(names(joined)).toEqual(['Fare', 'city', 'City_2', 'shops.Fare', 'size']);
  expect(['shops.size', 'shops.Fare'].map((name) => joined.named(name).visible)).toEqual(['size', 'shops.Fare']);
});

it('derived columns have names and places of their own', () => {
  const taken = PlanColumns.of([column('x', 'number', 'DERIVED_0')]);
  expect(taken.with('y', { type: 'text' }).named('y')).toMatchObject({ physical: 'derived_0_', type: 'text' });
  const two = OWN.with('y', { type: 'text' }).with('z', { type: 'number' });
  expect(two.derived.map(({ physical }) => physical)).toEqual(['derived_0', 'derived_1']);
});

it('derived columns take no name that is there, none at all, or one without end', () => {
  const naming = (name: string) => () => OWN.with('y', { type: 'text' }).with(name, { type: 'text' });
  for (const name of ['fare', 'city_2', 'Y']) expect(naming(name)).toThrow(`there is a column "${name}" already`);
  expect(naming(' ')).toThrow('a derived column of the plan has no name');
  expect(naming('x'.repeat(1001))).toThrow('…" is too long');
  expect(names(naming('x'.repeat(1000))())).toHaveLength(5);
});

it('columns that help get the next name that is free', () => {
  const { derived } = OWN.helper('n').helper('n').helper('Fare');
  expect(derived.map(({ name, type }) => `${name}: ${type}`)).toEqual(['n: number', 'n 2: number', 'Fare 2: number']);
});

it('a long name is cut in a message', () => {
  expect([shown('x'.repeat(100)), shown('x'.repeat(101))]).toEqual(['x'.repeat(100), `${'x'.repeat(99)}…`]);
});
