import { fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childEntry } from '../../src/adapters/processes/child-entry.js';
import type { TableRef } from '../../src/ports/table.js';
import { mongodbServer } from '../support/mongodb.js';
import { distant, type DuckDbStore, openBeside } from './duckdb-store.fixture.js';
import { aFolder, aTable, loadedInto, minutes } from './row-engine.fixture.js';
import { type Counts, countsOf, rowsOf, RULES, TOGETHER } from './row-instances-kill.fixture.js';
import type { OwnerMessage, OwnerPlace, OwnerWork } from './row-instances-owner.process.js';

/** Each kills as many instances as there are tables. */
const KILLS = process.env['TEST_LONG'] === '1' ? 100 : 2;
const TABLES = 2;
/** A third of them take so long that compactions come to their end. */
const mostMoments = (kill: number): number => (kill % 3 === 0 ? 3000 : 800);
const never = new AbortController().signal;
const IMPORTED = 10;

interface Owner {
  /** The last batch of each table that it was told is stored. */
  readonly stored: readonly number[];
  /** Begins, and tells what it has found. */
  readonly work: (work: OwnerWork) => Promise<readonly Counts[]>;
  readonly killed: (afterMs: number) => Promise<void>;
}

/** A process with an instance for each table. */
function started(place: OwnerPlace): Owner {
  const { path, execArgv } = childEntry(import.meta.url, './row-instances-owner.process');
  const child = fork(path, [], { execArgv: [...execArgv], env: { ...process.env, NODE_NO_WARNINGS: '1' } });
  const messages = new EventEmitter();
  const [ended, ready] = [once(child, 'close'), once(messages, 'ready')];
  const stored = Array.from({ length: TABLES }, () => 0);
  child.on('message', (message: OwnerMessage) => {
    if (message.kind === 'stored') stored[message.table] = message.batch;
    else messages.emit(message.kind, message);
  });
  child.send(place);
  return {
    stored,
    work: async (work) => {
      await ready;
      const seen = once(messages, 'seen') as Promise<[{ readonly counts: readonly Counts[] }]>;
      child.send(work);
      return (await seen)[0].counts;
    },
    killed: async (afterMs) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** What the other instance does meanwhile. */
async function besides(store: DuckDbStore, table: TableRef, index: number, life: string): Promise<string[]> {
  const keys: string[] = [];
  for (let batch = 1; batch <= 3; batch += 1) {
    const { key, rows } = rowsOf(life, index, batch);
    const { wantsCompaction } = await store.engine.append(table, rows, { key, note: '', at: new Date() });
    keys.push(key);
    if (wantsCompaction) await store.engine.compact(table, never).catch(() => undefined);
  }
  return keys;
}

describe.skipIf(mongodbServer === undefined)('rows of two instances each, of which one is killed', () => {
  it(
    `${KILLS * TABLES} times: what was acknowledged is there once, the rest once or not at all, and goes on`,
    { timeout: KILLS * 60_000 },
    async () => {
      await using shared = await distant();
      await using folder = await aFolder();
      await using other = await openBeside(shared, RULES);
      const tables = Array.from({ length: TABLES }, () => ({ ...aTable(), visibleFrom: null }));
      for (const table of tables) await loadedInto(other.engine, table, minutes(IMPORTED / 2));
      const expected = tables.map(() => new Map([['fine', IMPORTED]]));
      const seen = (): Promise<readonly Counts[]> => Promise.all(tables.map((table) => countsOf(other, table)));
      // Every other life finds the copies of the one before the last.
      const starting = (life: number): Owner => {
        const folders = tables.map((_, index) => join(folder.path, `${life % 2}-${index}`));
        return started({ uri: shared.uri, bucket: shared.bucketUrl, folders });
      };

      let next: Owner | null = starting(1);
      for (let kill = 1; kill <= KILLS; kill += 1) {
        const [owner, life]: [Owner, string] = [next ?? starting(kill), `life ${kill}`];
        const dieAt = Math.ceil(Math.random() * mostMoments(kill));
        const found = await owner.work({ tables, life, dieAt });
        expect(found).toEqual(expected.map((counts) => Object.fromEntries(counts)));
        next = kill < KILLS ? starting(kill + 1) : null;
        const meanwhile = tables.map((table, index) => besides(other, table, index, `${life}, other`));
        const [keysOfEach] = await Promise.all([Promise.all(meanwhile), owner.killed(20_000)]);

        for (const [index, keys] of keysOfEach.entries()) for (const key of keys) expected[index]!.set(key, TOGETHER);
        const left = await seen();
        for (const [index, last] of owner.stored.entries()) {
          for (let batch = 1; batch <= last; batch += 1) expected[index]!.set(rowsOf(life, index, batch).key, TOGETHER);
          const unsure = rowsOf(life, index, last + 1);
          const { [unsure.key]: unacknowledged = 0, ...rest } = left[index] ?? {};
          expect(rest).toEqual(Object.fromEntries(expected[index]!));
          expect([0, TOGETHER]).toContain(unacknowledged);
          // Whoever sends it again has it there once.
          await other.engine.append(tables[index]!, unsure.rows, { key: unsure.key, note: '', at: new Date() });
          expected[index]!.set(unsure.key, TOGETHER);
        }
      }
      expect(await seen()).toEqual(expected.map((counts) => Object.fromEntries(counts)));
    },
  );
});
