import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import papa from 'papaparse';
import { csvRecord } from '../../src/shared/csv-text.js';
import { anOrder, aRow, ExportBench, TABLE } from './row-export.fixture.js';

let bench: ExportBench;
beforeAll(async () => {
  bench = await ExportBench.open();
});
afterAll(() => rm(bench.folder, { recursive: true, force: true }));

function columns(...names: readonly string[]): { columns: typeof TABLE } {
  return { columns: names.map((name) => TABLE.find((column) => column.name === name) ?? TABLE[0]!) };
}

describe('the cells of an export', () => {
  it('stand as they were imported', async () => {
    const cells = {
      c2: '12.5',
      c3: '9223372036854775807',
      c4: 'true',
      c5: "'2024-01-02 03:04:05.120'",
      c6: '\'a "b", c\'',
    };
    const base = await bench.base(
      `VALUES ${aRow('2024-01-01 10:00:00', 'Größe 東京', cells)}, ${aRow('2024-01-02', 'b')}`,
    );
    expect(await bench.exported(anOrder(base))).toBe(
      'time,device,value,count,on,seen,note\r\n' +
        '2024-01-01 10:00:00,Größe 東京,12.5,9223372036854775807,true,2024-01-02T03:04:05.12Z,"a ""b"", c"\r\n' +
        '2024-01-02 00:00:00,b,,,,,\r\n',
    );
  });

  it('write numbers so that they read back as the same', async () => {
    const numbers = [
      ['0.1', '0.1'],
      ['20.0', '20'],
      ['-3', '-3'],
      ['1e300', '1e+300'],
      ['1.7976931348623157e308', '1.7976931348623157e+308'],
      ['5e-324', '5e-324'],
      ['123456789.123456789', '123456789.12345679'],
      ['1e15', '1000000000000000'],
      ['1e16', '1e+16'],
    ] as const;
    const base = await bench.base(`VALUES ${numbers.map(([c2]) => aRow('2024-01-01', 'a', { c2 })).join(', ')}`);
    const text = await bench.exported(anOrder(base, columns('device', 'value')));
    expect(text).toBe(`device,value\r\n${numbers.map(([, written]) => `a,${written}\r\n`).join('')}`);
    for (const [given, written] of numbers) expect(Number(written)).toBe(Number(given));
  });

  it('are no formulas', async () => {
    const texts = [
      ['=1+2', "'=1+2"],
      ['+cmd', "'+cmd"],
      ['@sum', "'@sum"],
      ['-a', "'-a"],
      ['\tx', "'\tx"],
      ['\rx', '"\'\rx"'],
      ['-', "'-"],
      ['-5', '-5'],
      ['+5.25', '+5.25'],
      ['-1.234,5', '"-1.234,5"'],
      ['-5e-7', '-5e-7'],
      ['-5+cmd', "'-5+cmd"],
      ['-5\n', '"\'-5\n"'],
      ['=5', "'=5"],
      ['a=1', 'a=1'],
      ["'quoted", "'quoted"],
      ['0049', '0049'],
      [' x ', ' x '],
      ['two\nlines', '"two\nlines"'],
      ['two\r\nlines', '"two\r\nlines"'],
      ['one\rline', '"one\rline"'],
    ] as const;
    const rows = texts.map(([given]) => aRow('2024-01-01', 'a', { c6: `'${given.replaceAll("'", "''")}'` }));
    const text = await bench.exported(
      anOrder(await bench.base(`VALUES ${rows.join(', ')}`), columns('device', 'note')),
    );
    expect(text).toBe(`device,note\r\n${texts.map(([, written]) => `a,${written}\r\n`).join('')}`);
    // The other half of the service, which writes rejected lines, says the same, if in more quotes.
    const read = (record: string): unknown => papa.parse(record, { newline: '\r\n' }).data[0];
    expect(texts.map(([given]) => read(csvRecord([given])))).toEqual(
      texts.map(([, written]) => read(`${written}\r\n`)),
    );
  });

  it('are not swallowed where a record is one of them and empty', async () => {
    const base = await bench.base(`VALUES ${aRow('2024-01-01', 'a')}, ${aRow('2024-01-02', 'a', { c6: "'x'" })}`);
    expect(await bench.exported(anOrder(base, columns('note')))).toBe('note\r\n""\r\nx\r\n');
  });

  it('have safe names over them', async () => {
    const names = ['=time', 'a, "b"', 'two\nlines', '-1', "it's", 'größe'];
    const named = TABLE.map((column, index) => ({ ...column, name: names[index - 2] ?? column.name }));
    const base = await bench.base(`VALUES ${aRow('2024-01-01', 'a')}`, TABLE);
    const text = await bench.exported(anOrder(base, { table: named, columns: named.slice(2) }));
    expect(text.slice(0, text.indexOf('\r\n'))).toBe(`'=time,"a, ""b""","two\nlines",-1,it's`);
  });
});

describe('the rows of an export', () => {
  const stored = [
    aRow('2024-01-01', 'b', { c3: '1' }),
    aRow('2024-01-03', 'b', { c3: '2' }),
    aRow('2024-01-05', 'b', { c3: '3' }),
    aRow('2024-01-02', 'a', { c3: '4' }),
    aRow('2024-01-04', 'a', { c3: '5' }),
  ].join(', ');
  const added = [
    aRow('2024-01-06', 'b', { c3: '8' }),
    aRow('2024-01-02', 'c', { c3: '6' }),
    aRow('2024-01-04', 'b', { c3: '7' }),
  ].join(', ');

  async function counts(changes: Parameters<typeof anOrder>[1]): Promise<string> {
    const order = anOrder(await bench.base(`VALUES ${stored}`), {
      later: await bench.later(`VALUES ${added}`),
      ...changes,
    });
    return (await bench.exported({ ...order, ...columns('count') })).split('\r\n').slice(1, -1).join('');
  }

  it.each([
    ['come asset by asset, later ones after them by time', {}, '12345678'],
    ['of one asset come in the order of time', { asset: 'b' }, '12738'],
    ['of an asset that only later ones have', { asset: 'c' }, '6'],
    ['of an asset without later ones', { asset: 'a' }, '45'],
    ['of an asset that nobody has are none', { asset: 'x' }, ''],
    ['of an asset whose name is SQL are none', { asset: "' OR true --" }, ''],
    ['begin with from', { from: '2024-01-04T00:00:00.000Z' }, '3578'],
    ['end before to', { to: '2024-01-04T00:00:00.000Z' }, '1246'],
    ['lie between both', { from: '2024-01-03T00:00:00.000Z', to: '2024-01-05T00:00:00.000Z', asset: 'b' }, '27'],
  ])('%s', async (_name, changes, wanted) => {
    const found = await counts(changes);
    expect(found).toBe(wanted);
  });

  it('of an asset with a zero in its name are its own', async () => {
    const odd = aRow('2024-01-01', 'a', { c1: "'a' || chr(0) || 'b'", c3: '9' });
    const order = anOrder(await bench.base(`VALUES ${aRow('2024-01-01', 'a', { c3: '8' })}, ${odd}`), {
      asset: 'a\0b',
    });
    expect(await bench.exported({ ...order, ...columns('device', 'count') })).toBe('device,count\r\na\0b,9\r\n');
  });

  it('are those of the moment, though the file of later ones is removed', async () => {
    const later = await bench.later(`VALUES ${added}`);
    const order = anOrder(await bench.base(`VALUES ${stored}`), { later });
    const stream = await bench.runs.start({ ...order, ...columns('count') }, () => undefined);
    await rm(later);
    let text = '';
    for await (const piece of stream) text += String(piece);
    expect(text.split('\r\n')).toHaveLength(10);
  });

  it('of long texts come in the memory of short ones', async () => {
    const text = 'repeat(chr(CAST(97 + r % 20 AS INTEGER)), 400000)';
    const rows = `SELECT TIMESTAMP '2024-01-01' + to_seconds(r), 'a', NULL, r, NULL, NULL, ${text} FROM range(600) t(r)`;
    const stream = await bench.runs.start({ ...anOrder(await bench.base(rows)), ...columns('note') }, () => undefined);
    let bytes = 0;
    for await (const piece of stream) bytes += (piece as Buffer).length;
    expect(bytes).toBe('note\r\n'.length + 600 * 400_002);
  }, 60_000);

  it('leave nothing behind', async () => {
    const ended = new Promise<void>((resolve) => {
      void bench
        .base(`VALUES ${stored}`)
        .then((base) => bench.runs.start(anOrder(base), resolve))
        .then((stream) => stream.resume());
    });
    await ended;
    expect((await readdir(join(bench.folder, 'exports'))).length).toBeLessThanOrEqual(1);
  });
});
