import { describe, expect, it } from 'vitest';
import { aColumn } from '../../../ports/plans.fixture.js';
import type { ColumnProfile, ColumnType, TableProfile } from '../../../ports/table.js';
import { parseLayout } from '../../../shared/time-format/time-format.js';
import { checkRow, type RowRules } from './row-check.js';

function rules(columns: readonly ColumnProfile[], changes: Partial<RowRules> = {}): RowRules {
  const profile: TableProfile = {
    rowCount: 1,
    timeRange: null,
    columns: [aColumn('at', 'time'), aColumn('device', 'text'), ...columns],
    ...{ timeField: 'at', metaField: 'device', values: [] },
  };
  const time = { timeFormat: 'dd.MM.yyyy', layout: parseLayout('dd.MM.yyyy'), now: new Date('2024-06-01T00:00:00Z') };
  return { profile, ...time, visibleFrom: null, decimal: '.', layouts: new Map(), ...changes };
}

const KEYS = { at: '31.01.2024', device: 'd1' };

function cell(type: ColumnType, given: unknown, changes = {}, bounds: Partial<ColumnProfile> = {}): unknown {
  const checked = checkRow({ ...KEYS, x: given }, rules([aColumn('x', type, bounds)], changes));
  return checked.fits ? checked.row['x'] : checked.reason;
}

describe('a row', () => {
  it('has its time as a moment in UTC and its metadata as text', () => {
    const row = { at: new Date('2024-01-31T00:00:00Z'), device: '7' };
    const checked = checkRow({ at: '31.01.2024', device: 7, unknown: {} }, rules([]));
    expect(checked).toEqual({ fits: true, row, meta: '7', wider: false });
  });

  it('has the time of the insertion where no time was imported', () => {
    const checked = checkRow({ device: 'd1', at: 'whatever' }, rules([], { layout: null }));
    expect(checked).toMatchObject({ fits: true, row: { at: new Date('2024-06-01T00:00:00Z') } });
  });

  it.each([
    [{ device: 'd1' }, '"at" is missing'],
    [{ ...KEYS, at: 'N/A' }, '"at" is missing'],
    [{ ...KEYS, at: ' 31.01.2024' }, '"at" does not match the timeformat dd.MM.yyyy: "31.01.2024"'],
    [{ ...KEYS, at: '01.01.0000' }, '"at" does not match the timeformat dd.MM.yyyy: "01.01.0000"'],
    [{ ...KEYS, device: '' }, '"device" is missing'],
    [{ ...KEYS, device: ['d1'] }, '"device" must be a text, a number, true, false or null'],
  ])('%j is none', (sent, reason) => {
    expect(checkRow(sent, rules([]))).toEqual({ fits: false, reason });
  });

  it('is none when it has outlived the lifespan', () => {
    const young = rules([], { visibleFrom: new Date('2024-02-01T00:00:00Z') });
    expect(checkRow(KEYS, young)).toMatchObject({ fits: false });
    expect(checkRow({ ...KEYS, at: '01.02.2024' }, young)).toMatchObject({ fits: true });
  });

  it('takes nothing from what every object has', () => {
    const inherited = rules([aColumn('constructor', 'text'), aColumn('toString', 'number')]);
    expect(checkRow(KEYS, inherited)).toMatchObject({ fits: true, row: { constructor: null, toString: null } });
  });

  it('shows a long or hostile value on one short line', () => {
    const reason = String(cell('number', `\u202Eevil\n${'x'.repeat(1000)}`));
    expect(reason.length).toBeLessThan(120);
    expect(reason).not.toMatch(/[\n\u202E]/u);
  });
});

describe('a number', () => {
  it.each([
    [' 1,234.5 ', '.', 1234.5],
    [2, '.', 2],
    [null, '.', null],
    [' NA ', '.', null],
    ['1,5', '.', '"x" is not a number: "1,5"'],
    ['1e999', '.', '"x" is not a number: "1e999"'],
    [true, '.', '"x" is not a number: "true"'],
    ['1.234,5', ',', 1234.5],
    [1.5, ',', 1.5],
    ['1.5', ',', '"x" is not a number with a decimal comma: "1.5"'],
  ])('%j with the decimal sign %s is %j', (given, decimal, read) => {
    expect(cell('number', given, { decimal })).toBe(read);
  });
});

describe('a whole number', () => {
  it.each([
    ['7.0', 7, false],
    ['9223372036854775808', 9223372036854775808, true],
    ['9223372036854775807.0', '9223372036854775807', false],
    ['9007199254740993.5', 9007199254740994, true],
  ])('%j is %j, and wider: %j', (given, read, wider) => {
    const checked = checkRow({ ...KEYS, x: given }, rules([aColumn('x', 'integer', { min: 0, max: 9 })]));
    expect(checked).toMatchObject({ fits: true, row: { x: read }, wider });
  });

  it('has no fraction where others are too long to be stored beside it', () => {
    expect(cell('integer', '7.5', {}, { min: 0, max: 2 ** 60 })).toBe('"x" is not a whole number: "7.5"');
  });
});

describe('other values', () => {
  it.each([
    ['boolean', 'TRUE', true],
    ['boolean', 0, false],
    ['boolean', 'maybe', '"x" is neither true nor false: "maybe"'],
    ['time', '2024-01-31T10:00:00+02:00', new Date('2024-01-31T08:00:00Z')],
    ['time', '31.01.2024', '"x" is not a time in ISO 8601: "31.01.2024"'],
    ['text', 'NA', 'NA'],
    ['text', '', null],
    ['text', false, 'false'],
  ] as const)('of the type %s: %j is %j', (type, given, read) => {
    expect(cell(type, given)).toEqual(read);
  });
});
