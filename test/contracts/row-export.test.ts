import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anOrder, aRow, ExportBench, TABLE } from './row-export.fixture.js';

let bench: ExportBench;
beforeAll(async () => {
  bench = await ExportBench.open();
});
afterAll(() => rm(bench.folder, { recursive: true, force: true }));

function columns(...names: readonly string[]): { columns: typeof TABLE } {
  return { columns: names.map((name) => TABLE.find((column) => column.name === name) ?? TABLE[0]!) };
}

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

  it.each([
    ['come asset by asset, later ones after them by time', {}, '12345678'],
    ['of one asset come in the order of time', { asset: 'b' }, '12738'],
  ])('%s', async (_name, changes, wanted) => {
    const order = anOrder(await bench.base(`VALUES ${stored}`), {
      later: await bench.later(`VALUES ${added}`),
      ...changes,
    });
    const text = await bench.exported({ ...order, ...columns('count') });
    expect(text.split('\r\n').slice(1, -1).join('')).toBe(wanted);
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
  }, 180_000);

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
