import { describe, expect, it } from 'vitest';
import { GOOD, importBench, SMALL } from './duckdb-import.fixture.js';
import { HEADER } from './row-engine.fixture.js';

const { imported } = importBench();
const TIME = '2024-01-01 00:00:00';

describe('a file', () => {
  it('may begin with lines that are none of the table, whatever their quotes say', async () => {
    const text = `Report "of 5" pipes\n\n"never closed\n${HEADER}${GOOD}\nbad,a,1,1,true,x\n`;
    const { report } = await imported([{ text, dialect: { preambleLines: 3 } }]);
    expect(report).toMatchObject({ rows: 1, rejected: 1, rejectedSample: [{ line: 6, text: 'bad,a,1,1,true,x' }] });
  });

  it('may have rows that lack their last fields', async () => {
    const text = `${HEADER}${GOOD}\n${TIME},a,1,1\n${TIME},a,1\n${GOOD},y\n`;
    const { report, rows } = await imported([{ text, dialect: { fewestFields: 4 } }]);
    expect(await rows()).toEqual([
      [TIME, 'a', '1.0', '1', null, null],
      [TIME, 'a', '1.5', '1', 'true', 'x'],
    ]);
    expect(report.rejectedSample).toMatchObject([
      { line: 4, reason: 'fewer fields than the header' },
      { line: 5, reason: 'more fields than the header' },
    ]);
  });

  it('may have a line of nothing but quotes, up to the longest that a line may be', async () => {
    const device = '"'.repeat(1_000_000);
    const text = `time||device||value\n${TIME}||${device}||1\n${TIME}||b||2\n`;
    const dialect = { delimiter: '||', quote: '', escape: '' };
    const { report, rows } = await imported([{ text, dialect }], SMALL);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect((await rows())[0]?.[1]).toBe(device);
  });
});

describe('a cell of a numeric column', () => {
  it('says with blanks around a marker that there is no value', async () => {
    const text = `${HEADER}${TIME},a, NA ,\tnull,  ,\u00a0\n`;
    const { report, rows } = await imported([{ text }]);
    expect(report.rejected).toBe(0);
    expect((await rows())[0]?.slice(2, 5)).toEqual([null, null, null]);
  });

  it('may part its thousands in any one way', async () => {
    const values = ['"1,234.5"', '1 234.5', "1'234.5", '1\u00a0234.5', '\u20091234.5'];
    const { report, rows } = await imported([
      { text: HEADER + values.map((value) => `${TIME},a,${value},"1,000",true,x\n`).join('') },
    ]);
    expect(report.rejected).toBe(0);
    expect(await rows()).toEqual(values.map(() => [TIME, 'a', '1234.5', '1000', 'true', 'x']));
  });

  it('is refused where the database alone would take it', async () => {
    const values = ['1_000', '+-5', 'inf', '0x10', '1e999'];
    const text = HEADER + values.map((value) => `${TIME},a,${value},1,true,x\n`).join('');
    const { report } = await imported([{ text: `${text}${GOOD}\n` }]);
    expect(report).toMatchObject({ rows: 1, rejected: 5 });
  });
});
