import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { columnReading, isNullMarker } from '../../src/rows/import/casts.js';
import { checkCell, Misfit } from '../../src/features/datasource/data/row-check.js';
import type { ColumnType } from '../../src/ports/table.js';

/** Files and inserted rows are read by two programs: SQL and JavaScript. Here each text goes through both. */
let instance: DuckDBInstance;
let connection: DuckDBConnection;

beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

/** The value as text, `null`, or what is wrong with it. */
async function imported(
  type: ColumnType,
  texts: readonly string[],
  decimal: '.' | ',',
  unit = '',
): Promise<readonly string[]> {
  const column = { physical: 'c0', name: 'x', type };
  const { cast, stored, fits, isWider } = columnReading(column, 't', { decimal, hasOddSigns: true, unit });
  if (!cast || fits === null) throw new Error('every text is a text');
  const verdict = `CASE WHEN ${fits} THEN CAST(${stored} AS VARCHAR) WHEN ${isNullMarker('t')} THEN 'null'
    WHEN ${isWider ?? 'false'} THEN 'wider' ELSE 'misfit' END`;
  const reader = await connection.runAndReadAll(
    `SELECT ${verdict} FROM (SELECT *, ${cast.expression} AS ${cast.name} FROM
      (SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')) AS t))`,
    [JSON.stringify(texts)],
  );
  return reader.getRows().map(([value]) => String(value));
}

function inserted(type: ColumnType, text: string, decimal: '.' | ',', unit = ''): string {
  const column = { name: 'x', type, nulls: 0, distinct: 1, min: null, max: null, mean: null, topValues: [] };
  try {
    const { cell, wider } = checkCell(column, text, { decimal, layout: undefined, unit });
    return wider ? 'wider' : String(cell);
  } catch (error) {
    if (error instanceof Misfit) return 'misfit';
    throw error;
  }
}

/** The same number, however it is written. */
function plain(type: ColumnType, text: string): string {
  return type === 'number' && /\d/.test(text) ? String(Number(text)) : text;
}

// prettier-ignore
const NUMBERS = [
  '1', '1.5', ' 1.5 ', '\t1.5\n', '\u00a01.5\u2003', '-1', '+1', '+-1', '--1', '1.', '.5', '-.5', '.', '', ' ', '+',
  'e5', '1e5', '1E5', '1e+5', '1e-5', '1e', '1e5.5', '1e400', '-1e400', '1e-400', '00012', '-0', '0', '1_000', '1e1_0',
  '0x10', '0b1', 'inf', '-inf', 'Infinity', 'nan', 'NaN', ' NaN ', 'NA', ' N/A', 'null ', 'NULL', 'None', 'none', '-',
  '1-', '5f', '1d', '٣', '½', '1,5', '1,50', '1.234,5', '1,234.5', '1,234', '1.234', '1,234,567', '1.234.567', '12,34',
  '1234,567', '1,2345', '1,234.', '1.234,', '1 234', '1 234 567.5', '1 234 567,5', '1\u00a0234', '1\u202f234,25',
  "1'234'567.25", '1’234', '1,234 567', "1'234,567", '1 23', ' 1 234 ', '-1,234', '+1.234,5', '1,234e3', '1.234e3',
  '-1 234', '- 1', '1  234', '0,001', '0.001', '000,123', '1 000.000', '1,000,000,000,000', '9007199254740991',
  '9007199254740992', '9007199254740993', '9,007,199,254,740,993', '9.007.199.254.740.993', '9007199254740993.0',
  '9007199254740993,0', '9007199254740993.5', '9223372036854775807', '9223372036854775808', '-9223372036854775808',
  '-9223372036854775809', '9223372036854775807.', '1e18', '1e19', '1.0e3', '123456789012345678901234567890',
  '0000000000000000000000000005', '+9007199254740993', '7.0', '7.000', '7,0', '7.5', '0.1', '.1e1',
  '1.7976931348623157e308', '1.7976931348623159e308', '4.9e-324', '2.2250738585072011e-308', '1 ', '\ufeff1', '1\u0000',
  '1\u200b', "'1'", '"1"', '$1', '1%', '(1)', '1,', ',1', ',', '1,,2', '1..2', '1.2.3', '1,2,3', '1e5e5', '١٢', "1'5",
  '1’234’567', '1 234,567', '1,234,56', '1,23,456', '12,345,678.9', '123 456', '1234 567', '1.e3', '1,e3', '.e3', '+.5',
  '-,5', ',5', '5,',
];

/** In columns of numbers and of whole numbers, with either decimal sign. */
async function expectTheSame(texts: readonly string[], unit = ''): Promise<void> {
  for (const type of ['number', 'integer'] as const)
    for (const decimal of ['.', ','] as const) {
      const found = await imported(type, texts, decimal, unit);
      const pairs = texts.map((text, index) => [text, plain(type, found[index] ?? '')]);
      expect(pairs).toEqual(texts.map((text) => [text, plain(type, inserted(type, text, decimal, unit))]));
    }
}

/** Texts of some of these parts. */
function mixed(parts: readonly string[], maxLength: number, count: number): readonly string[] {
  return fc.sample(fc.array(fc.constantFrom(...parts), { maxLength }), count).map((some) => some.join(''));
}

// prettier-ignore
const PARTS = [
  '1', '12', '123', '000', ',', '.', ' ', "'", '\u00a0', '\u202f', '\n', '-', '+', 'e', 'E', '9007199254740993', '_', 'x',
];

it('a number is the same in a file and inserted, however it is spoiled', async () => {
  await expectTheSame([...NUMBERS, ...mixed(PARTS, 8, 5000)]);
});

it.each(['$', '€', '%', 'EUR'])('a number is the same with %s beside it, however it is spoiled', async (unit) => {
  const around = NUMBERS.flatMap((text) => [`${unit}${text}`, `-${unit} ${text}`, `${text}\u00a0${unit}`, text]);
  await expectTheSame([...around, ...mixed([...PARTS, unit, unit, unit, '$', '%'], 6, 3000)], unit);
});

it('a boolean is the same in a file and inserted', async () => {
  // prettier-ignore
  const words = [
      'true', 'T', 't', 'yes', 'y', '1', 'false', 'f', 'no', 'n', '0', 'on', 'off', '2', '1.0', '01', 'maybe', '', 'NA',
      'wahr', '-1',
    ];
  const texts = words.flatMap((word) => [word, word.toUpperCase(), ` ${word}\t`, `\u00a0${word}`]);
  // Where a file has anything else, the column becomes one of text; what is inserted is refused then.
  const found = (await imported('boolean', texts, '.')).map((value) => (value === 'wider' ? 'misfit' : value));
  expect(texts.map((text, index) => [text, found[index]])).toEqual(
    texts.map((text) => [text, inserted('boolean', text, '.')]),
  );
});
