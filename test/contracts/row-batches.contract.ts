import { beforeAll, describe, expect, it } from 'vitest';
import type { Batch, RowEngine, TypedRow } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { at, minutes, type RowStore, tableOf } from './row-engine.fixture.js';

/** More than a store takes for too few to merge. */
const MANY = 40;
const HOUR = 3_600_000;
const never = new AbortController().signal;

/** What every row store promises of rows that are sent together under a key. */
export function rowBatchesContract(opened: () => RowStore): void {
  describe('rows with a key', () => {
    let store: RowStore;
    let engine: RowEngine;

    beforeAll(() => {
      store = opened();
      ({ engine } = store);
    });

    const loaded = (): Promise<TableRef> => tableOf(store, minutes(5));
    const row = (number: number, changes: TypedRow = {}): TypedRow => ({
      time: new Date(at('2024-01-02T00:00:00Z').getTime() + number * 60_000),
      device: `d${number % 3}`,
      value: number / 4,
      ...changes,
    });
    const many = (from = 0, rows = MANY): TypedRow[] => Array.from({ length: rows }, (_, number) => row(from + number));
    const batch = (key: string, note = `note of ${key}`, sent = at('2024-06-01T00:00:00Z')): Batch => ({
      key,
      note,
      at: sent,
    });

    it('are stored once, and the note of the first is told to the others', async () => {
      const table = await loaded();
      expect(await engine.append(table, many(0, 2), batch('k'))).toMatchObject({ earlierNote: null });
      expect(await engine.append(table, many(0, 2), batch('k', 'other'))).toEqual({
        earlierNote: 'note of k',
        wantsCompaction: false,
      });
      expect(await engine.append(table, many(0, 2), batch('K'))).toMatchObject({ earlierNote: null });
      expect(await engine.count(table)).toBe(14);
    });

    it('are stored once when they are sent many times at once', async () => {
      const table = await loaded();
      const ends = await Promise.all(
        Array.from({ length: 10 }, (_, turn) => engine.append(table, many(0, 3), batch('same', String(turn)))),
      );
      expect(ends.filter(({ earlierNote }) => earlierNote === null)).toHaveLength(1);
      expect(new Set(ends.map(({ earlierNote }) => earlierNote)).size).toBe(2);
      expect(await engine.count(table)).toBe(13);
    });

    it('are nothing to a key that stored nothing', async () => {
      const table = await loaded();
      expect(await engine.append(table, [], batch('empty'))).toMatchObject({ earlierNote: null });
      expect(await engine.append(table, many(0, 1), batch('empty'))).toMatchObject({ earlierNote: null });
      expect(await engine.append(table, [], batch('empty'))).toMatchObject({ earlierNote: 'note of empty' });
    });

    it('are stored all or none, and leave no key behind when they do not fit', async () => {
      const table = await loaded();
      const wrong = [row(1), row(2, { value: 'much' })];
      await expect(engine.append(table, wrong, batch('wrong'))).rejects.toMatchObject({ kind: 'invalid_input' });
      await expect(engine.append(table, [row(1), row(2, { device: null })])).rejects.toMatchObject({
        kind: 'invalid_input',
      });
      expect(await engine.count(table)).toBe(10);
      expect(await engine.append(table, [row(1)], batch('wrong'))).toMatchObject({ earlierNote: null });
    });

    it('are known beyond compactions, for 24 hours', async () => {
      const table = await loaded();
      const [noon, later] = [at('2024-06-01T12:00:00Z'), at('2024-06-02T11:59:59Z')];
      await engine.append(table, many(), batch('first', 'one', noon));
      await engine.compact(table, never);
      await engine.append(table, many(100), batch('second', 'two', later));
      await engine.compact(table, never);
      expect(await engine.append(table, [row(1)], batch('first', '', later))).toMatchObject({ earlierNote: 'one' });
      const nextDay = new Date(noon.getTime() + 24 * HOUR);
      expect(await engine.append(table, many(200), batch('first', 'three', nextDay))).toMatchObject({
        earlierNote: null,
      });
      expect(await engine.append(table, [row(1)], batch('first', '', nextDay))).toMatchObject({
        earlierNote: 'three',
      });
      await engine.compact(table, never);
      for (const [key, note] of [
        ['first', 'three'],
        ['second', 'two'],
      ] as const)
        expect(await engine.append(table, [row(1)], batch(key, '', nextDay))).toMatchObject({ earlierNote: note });
      expect(await engine.count(table)).toBe(10 + 3 * MANY);
    });

    it('belong to their datasource, and take any text', async () => {
      const [one, other] = [await loaded(), await loaded()];
      const key = `'"; DROP TABLE data; -- 💥`;
      const note = JSON.stringify({ text: '\u0000 "quoted" 💥', long: 'x'.repeat(60_000) });
      await engine.append(one, [row(1)], batch(key, note));
      expect(await engine.append(other, [row(1)], batch(key))).toMatchObject({ earlierNote: null });
      expect(await engine.append(one, [row(1)], batch(key))).toMatchObject({ earlierNote: note });
    });
  });
}
