import { describe, expect, it } from 'vitest';
import { GOOD, importBench, SMALL, typed } from './duckdb-import.fixture.js';
import { HEADER, minutes } from './row-engine.fixture.js';

const { imported } = importBench();

describe('a record that does not fit', () => {
  it('is counted with its reason, its line and its text, whatever is wrong with it', async () => {
    const lines: readonly (readonly [string | Buffer, string | null])[] = [
      [GOOD, null],
      ['not a time,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-01-01 00:00,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-1-01 00:00:00,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-02-30 00:00:00,a,1,1,true,x', 'the timestamp does not fit the layout'],
      ['2024-01-01 00:00:0 ,a,1,1,true,x', 'the timestamp does not fit the layout'],
      [',a,1,1,true,x', 'no timestamp'],
      ['NA,a,1,1,true,x', 'no timestamp'],
      ['2024-01-01 00:00:00,,1,1,true,x', 'no value in the metadata field'],
      ['2024-01-01 00:00:00,"",1,1,true,x', 'no value in the metadata field'],
      ['2024-01-01 00:00:00,a,1,1,true', 'fewer fields than the header'],
      ['2024-01-01 00:00:00', 'fewer fields than the header'],
      ['2024-01-01 00:00:00,a,1,1,true,x,y', 'more fields than the header'],
      ['2024-01-01 00:00:00,a,1,1,true,x,', 'more fields than the header'],
      ['2024-01-01 00:00:00,a,abc,1,true,x', 'not a number in "value"'],
      ['2024-01-01 00:00:00,a,"1,5",1,true,x', 'not a number in "value"'],
      ['2024-01-01 00:00:00,a,inf,1,true,x', 'not a number in "value"'],
      ['2024-01-01 00:00:00,a,1,many,true,x', 'not a number in "count"'],
      [Buffer.from('2024-01-01 00:00:00,a,1,1,true,\xe9', 'latin1'), 'invalid bytes'],
      ['2024-01-01 00:00:00,a,1,1,true,"x" y', 'a quote is not closed or not doubled'],
      ['2024-01-01 00:00:00,a,1,1,true,"not closed', 'a quote is not closed or not doubled'],
      [GOOD, null],
      [`2024-01-01 00:00:00,a,1,1,true,${'x'.repeat(1_100_000)}`, 'the line is too long'],
      [GOOD, null],
    ];
    const text = Buffer.concat([
      Buffer.from(HEADER),
      ...lines.flatMap(([line]) => [Buffer.from(line), Buffer.from('\n')]),
    ]);
    const { report, rows } = await imported([{ text, name: 'bad.csv' }]);
    expect(await rows()).toHaveLength(3);
    expect(report).toMatchObject({ rows: 3, rejected: 21 });
    expect(report.files).toEqual([{ name: 'bad.csv', size: text.length, rows: 3, rejected: 21 }]);
    const wanted = lines.flatMap(([line, reason], index) =>
      reason === null ? [] : [{ file: 'bad.csv', line: index + 2, reason, text: line.toString().slice(0, 500) }],
    );
    expect(report.rejectedSample).toEqual(wanted);
  });

  it('is found far into a file, behind records of several lines', async () => {
    const lines = minutes(30_000, ['a']).trimEnd().split('\n');
    const broken = lines.map((line, index) => (index > 0 && index % 3 === 0 ? line.replace('fine', '"a\nb"') : line));
    for (const index of [9_998, 10_001, 25_000]) broken[index] = `x${lines[index] ?? ''}`;
    const { report } = await imported([{ text: broken.join('\n') }]);
    expect(report).toMatchObject({ rows: 29_997, rejected: 3 });
    const all = broken.join('\n').split('\n');
    expect(
      report.rejectedSample.map(({ line, text }) => all[(line ?? 0) - 1] === text && text.startsWith('x')),
    ).toEqual([true, true, true]);
  });

  it('fails the import when there is no other, with the reason and an example', async () => {
    const text = `${HEADER}01/02/2024,a,1,1,true,x\n02/02/2024,a,1,1,true,x\n2024-01-01 00:00:00,,1,1,true,x\n`;
    await expect(imported([{ text }])).rejects.toMatchObject({
      kind: 'invalid_input',
      message:
        'no row fits: the timestamp does not fit the layout in 2 of 3 rows, for example line 2: 01/02/2024,a,1,1,true,x',
    });
  });

  it('is missed by nobody in a file of nothing but a header', async () => {
    await expect(imported([{ text: HEADER }])).rejects.toMatchObject({
      kind: 'invalid_input',
      message: 'the file has no rows',
    });
  });
});

describe('a cell', () => {
  it('is a number with its thousands parted in any one way, and refused where the database alone would take it', async () => {
    const fine = ['"1,234.5"', '1 234.5', "1'234.5", '1\u00a0234.5', '\u20091234.5'];
    const values = [...fine, '1_000', '+-5', '0x10', '1e999'];
    const lines = values.map((value) => `2024-01-01 00:00:00,a,${value}, NA ,true,x\n`);
    const { report, rows } = await imported([{ text: HEADER + lines.join('') }]);
    expect(report).toMatchObject({ rows: 5, rejected: 4 });
    expect((await rows()).map((row) => row.slice(2, 4))).toEqual(fine.map(() => ['1234.5', null]));
  });

  it('is null where its column can say so, and text where it can not', async () => {
    const markers = ['', 'NA', 'N/A', 'NaN', 'null', 'NULL', 'None'];
    const lines = markers.map((marker) => `2024-01-01 00:00:00,a,${marker},${marker},${marker},${marker}\n`);
    const { report, rows } = await imported([{ text: HEADER + lines.join('') }]);
    expect(report.rejected).toBe(0);
    const found = await rows();
    expect(found.map((row) => row.slice(2, 5))).toEqual(markers.map(() => [null, null, null]));
    expect(found.map((row) => row[5] ?? '').sort()).toEqual([...markers].sort());
  });

  it('makes a column of whole numbers one of numbers when it has a fraction', async () => {
    const text = `${HEADER}${GOOD}\n2024-01-02 00:00:00,a,1,2.5,true,x\n`;
    const { report, rows } = await imported([{ text }]);
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect(report.profile.columns[3]).toMatchObject({ name: 'count', type: 'number', max: 2.5 });
    expect((await rows()).map((row) => row[3])).toEqual(['1.0', '2.5']);
  });

  it('makes a column of booleans or times one of text when it is neither', async () => {
    const columns = typed(['time', 'time'], ['device', 'text'], ['on', 'boolean'], ['seen', 'time']);
    const text = 'time,device,on,seen\n2024-01-01 00:00:00,a,true,2024-01-01\n2024-01-02 00:00:00,a,maybe,yesterday\n';
    const { report, rows } = await imported([{ text }], { ...columns, values: [] });
    expect(report).toMatchObject({ rows: 2, rejected: 0 });
    expect(report.profile.columns.map(({ type }) => type)).toEqual(['time', 'text', 'text', 'text']);
    expect((await rows()).map((row) => row.slice(2))).toEqual([
      ['true', '2024-01-01'],
      ['maybe', 'yesterday'],
    ]);
  });

  it('has a decimal comma where the file is written so, and no other', async () => {
    const text =
      'time;device;value\n2024-01-01 00:00:00;a;1,5\n2024-01-02 00:00:00;a;-1.234.567,25\n2024-01-03 00:00:00;a;7\n2024-01-04 00:00:00;a;1.5\n';
    const { report, rows } = await imported([{ text, dialect: { delimiter: ';', decimal: ',' } }], SMALL);
    expect((await rows()).map((row) => row[2])).toEqual(['1.5', '-1234567.25', '7.0']);
    expect(report.rejectedSample).toMatchObject([{ line: 5, reason: 'not a number in "value"' }]);
  });

  it('of the metadata field may be a number', async () => {
    const columns = typed(['time', 'time'], ['device', 'number'], ['value', 'number']);
    const text = 'time,device,value\n2024-01-01 00:00:00,10,1\n2024-01-01 00:00:00,2.5,1\n2024-01-01 00:00:00,NA,1\n';
    const { report } = await imported([{ text }], columns);
    expect(report).toMatchObject({ rows: 2, rejected: 1, assets: ['10', '2.5'] });
  });
});
