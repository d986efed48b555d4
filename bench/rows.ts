/**
 * What rows cost, turn by turn beside each other: an earlier commit on one machine, this one there, and the second of two instances of this
 * one over MongoDB and a bucket on this machine.
 *
 *   git worktree add /tmp/before <commit> && ln -s "$PWD/node_modules" /tmp/before/
 *   TEST_MONGODB_URI=… npx tsx bench/rows.ts [--before /tmp/before] [--rows 1000000] [--turns 40] [--only insert]
 *
 * 17 million rows are a base of 200 MB. Without TEST_MONGODB_URI, or `--before`, one column fewer.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import S3rver from 's3rver';
import { childEntry } from '../src/adapters/processes/child-entry.js';
import { aDatabase, dropDatabase, mongodbServer } from '../test/support/mongodb.js';
import { quantile, writeRows } from './device-rows.js';

/** In this order; how many turns each has, as a part of all. */
const OPERATIONS = {
  import: 0.1,
  'plot of one asset': 1,
  'plot of an asset’s day': 1,
  'plot of all assets': 0.5,
  'average by device': 0.5,
  'SQL statement': 0.5,
  'insert of 1,000 rows': 1,
  'insert of 1 row': 1,
  'plot after an insert': 0.5,
  'average after an insert': 0.5,
  'SQL after an insert': 0.5,
  count: 1,
  'first plot of an engine': 0.25,
  'first plot of an instance': 0.25,
} as const;

export type Operation = keyof typeof OPERATIONS;

export interface SubjectStart {
  /** What opens its store. */
  readonly module: string;
  readonly csv: string;
  readonly mongo: string | null;
  readonly s3: string;
}

export type SubjectOrder = { readonly operation: Operation; readonly turn: number } | 'end';

export interface SubjectAnswer {
  readonly ms: number;
}

interface Subject {
  readonly name: string;
  readonly child: ChildProcess;
  /** How much longer than the one before it may take. */
  readonly most: number;
}

const { values: given } = parseArgs({
  options: {
    before: { type: 'string' },
    rows: { type: 'string', default: '1000000' },
    turns: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
  },
});

async function begin(name: string, start: SubjectStart, most = 1.1): Promise<Subject> {
  const { path, execArgv } = childEntry(import.meta.url, './rows.process');
  const child = fork(path, [JSON.stringify(start)], { execArgv: [...execArgv] });
  await answered(child);
  return { name, child, most };
}

async function answered(child: ChildProcess): Promise<number> {
  const closed = new AbortController();
  const dead = once(child, 'close', { signal: closed.signal }).then(() =>
    Promise.reject(new Error('a subject has ended')),
  );
  try {
    const [{ ms }] = (await Promise.race([once(child, 'message'), dead])) as [SubjectAnswer];
    return ms;
  } finally {
    closed.abort();
    dead.catch(() => undefined);
  }
}

async function timesOf(subjects: readonly Subject[], operation: Operation): Promise<readonly (readonly number[])[]> {
  const turns = Math.ceil(Number(given.turns) * OPERATIONS[operation]);
  const times = subjects.map((): number[] => []);
  // The first turn warms up.
  for (let turn = 0; turn <= turns; turn += 1)
    for (const [index, { child }] of subjects.entries()) {
      child.send({ operation, turn } satisfies SubjectOrder);
      const ms = await answered(child);
      if (turn > 0) times[index]?.push(ms);
    }
  return times;
}

function told(subjects: readonly Subject[], times: readonly (readonly number[])[]): string {
  return subjects
    .map(({ most }, index) => {
      const [least, p50, p95] = [0, 0.5, 0.95].map((part) => quantile(times[index] ?? [], part)) as [
        number,
        number,
        number,
      ];
      const ratio = index === 0 ? Number.NaN : p50 / quantile(times[index - 1] ?? [], 0.5);
      const shown = Number.isNaN(ratio) ? '' : `${ratio.toFixed(2)}${ratio > most ? '!' : ' '}`;
      return [least, p50, p95].map((ms) => ms.toFixed(1).padStart(8)).join('') + shown.padStart(7);
    })
    .join(' |');
}

const folder = await mkdtemp(join(tmpdir(), 'bench-rows-'));
const csv = join(folder, 'rows.csv');
await writeRows(csv, Number(given.rows));
const bucket = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: join(folder, 'bucket') });
const { port } = await bucket.run();
await fetch(`http://127.0.0.1:${port}/files`, { method: 'PUT' });
const s3 = `s3+http://S3RVER:S3RVER@127.0.0.1:${port}/files`;
const database = aDatabase();

const alone = { module: new URL('device-rows.ts', import.meta.url).href, csv, mongo: null, s3 };
const subjects: Subject[] = [];
if (given.before !== undefined)
  subjects.push(await begin('before', { ...alone, module: join(resolve(given.before), 'bench/device-rows.ts') }));
subjects.push(await begin('now', alone));
if (mongodbServer !== undefined) subjects.push(await begin('second instance', { ...alone, mongo: database }, 1.5));

console.log(`${given.rows} rows, milliseconds: least, p50, p95, ratio of p50 to the column before (!: above the aim)`);
console.log(`${''.padEnd(26)}${subjects.map(({ name }) => name.padStart(31)).join(' |')}`);
const chosen = Object.keys(OPERATIONS).filter((name) => name === 'import' || name.includes(given.only)) as Operation[];
for (const operation of chosen)
  console.log(`${operation.padEnd(26)}${told(subjects, await timesOf(subjects, operation))}`);

for (const { child } of subjects) {
  child.send('end' satisfies SubjectOrder);
  await once(child, 'close');
}
await bucket.close();
if (mongodbServer !== undefined) await dropDatabase(database);
await rm(folder, { recursive: true });
