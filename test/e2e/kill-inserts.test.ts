import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import type { TestClient } from '../support/test-client.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const KILLS = process.env['TEST_LONG'] === '1' ? 120 : 2;
const WRITERS = 3;
const BATCH = 5;
/** So few that there is always a compaction at work, or about to be. */
const COMPACT_AFTER_ROWS = 30;
/** As many points as a plot shows one by one. */
const MOST_ROWS = 10_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-kill-inserts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start({ DATA_DIR: folder, ...WITH_ADMIN, COMPACT_AFTER_ROWS: String(COMPACT_AFTER_ROWS) });
}

async function create(client: TestClient): Promise<string> {
  const { body: upload } = await client.upload('device,at,value\nfirst,2024-01-01 00:00:00,0\n');
  const { body } = await client.put('/secure/datasource', {
    name: 'Killed',
    type: 'csv',
    filename: upload['filename'],
    config: { is_timeseries: true, timefield: 'at', metafield: 'device' },
  });
  const id = String(body['datasource_id']);
  await eventually(
    async () => (await datasourceOf(client, id)).updating,
    (updating) => !updating,
  );
  return id;
}

async function datasourceOf(client: TestClient, id: string): Promise<{ doc_count: number; updating: boolean }> {
  const { body } = await client.get(`/secure/datasource?id=${id}`);
  return body['datasource'] as { doc_count: number; updating: boolean };
}

/** Every value that is stored, as often as it is. Asked for round by round, because a plot shows so many points one by one. */
async function valuesIn(client: TestClient, id: string, rounds: number): Promise<readonly number[]> {
  const values: number[] = [];
  for (const asset of ['first', ...Array.from({ length: rounds }, (_, round) => `device-${round}`)]) {
    const query = { datasource_id: id, asset, from: '', to: '', value: 'value', points: MOST_ROWS };
    const { body } = await client.post('/secure/data/plot', query);
    values.push(...(body['data'] as { value: number }[]).map(({ value }) => value));
  }
  return values;
}

async function filesOf(client: TestClient): Promise<readonly string[]> {
  const area = join(folder, 'objects', client.companyId, 'rows');
  return (await readdir(area)).map((name) => join(area, name));
}

/** Makes files so old that the next start removes what no record names, and tells which they are. */
async function aged(client: TestClient): Promise<ReadonlySet<string>> {
  const paths = await filesOf(client);
  const old = new Date(Date.now() - 2 * 86_400_000);
  for (const path of paths) await utimes(path, old, old);
  return new Set(paths);
}

class Writer {
  readonly acknowledged: number[] = [];
  /** What was sent last without an answer: whoever has a key sends it again. */
  private unanswered: {
    readonly key: string;
    readonly data: readonly object[];
    readonly values: readonly number[];
  } | null = null;
  private next: number;

  constructor(number: number) {
    this.next = number * 1_000_000 + 1;
  }

  /** Sends batches until the service is gone, the last one again; halves make whole numbers numbers on the way. */
  async write(client: TestClient, id: string, round: number): Promise<void> {
    for (;;) {
      this.unanswered ??= this.batch(round);
      const { key, data, values } = this.unanswered;
      const body = { datasource_id: id, data };
      const answer = await client
        .patch('/secure/datasource/insert', body, { 'idempotency-key': key })
        .catch(() => null);
      if (answer?.status !== 200) return;
      this.acknowledged.push(...values);
      this.unanswered = null;
    }
  }

  private batch(round: number): NonNullable<Writer['unanswered']> {
    const values = Array.from({ length: BATCH }, () => this.next++ + (round > 0 ? 0.5 : 0));
    const data = values.map((value) => ({ device: `device-${round}`, at: '2024-01-02 00:00:00', value }));
    return { key: `batch-${values[0]}`, data, values };
  }
}

const elsewhere = notApplicable(
  SHARED_SERVERS,
  'it kills the process at the files of its own engines; chaos.test.ts kills instances that share servers',
);

describe.skipIf(elsewhere)(`after each of ${KILLS} kills during insertions and compactions`, () => {
  it(
    'every acknowledged row is there once, also what was sent again, batches are whole, all are counted, and no file is left over',
    async () => {
      const writers = Array.from({ length: WRITERS }, (_, number) => new Writer(number + 1));
      let id: string | null = null;
      let old: ReadonlySet<string> = new Set();
      for (let round = 0; round <= KILLS; round += 1) {
        await using service = await start();
        const client = await signIn(service);
        id ??= await create(client);
        const datasource = id;

        await eventually(
          () => readdir(join(folder, 'rows', 'work')),
          (drafts) => drafts.length === 0,
        );
        await eventually(
          () => filesOf(client),
          (paths) => paths.filter((path) => old.has(path)).length <= 1,
        );
        const stored = await valuesIn(client, datasource, round);
        expect(new Set(stored).size).toBe(stored.length);
        const known = new Set(stored);
        expect(writers.flatMap(({ acknowledged }) => acknowledged).filter((value) => !known.has(value))).toEqual([]);
        expect((stored.length - 1) % BATCH).toBe(0);
        await eventually(
          () => datasourceOf(client, datasource),
          ({ doc_count }) => doc_count === stored.length,
        );
        if (round === KILLS) {
          // Nothing is stuck: so many more rows, and what is there by now is merged.
          const before = await filesOf(client);
          const last = { device: 'last', at: '2024-01-02 00:00:00', value: 0 };
          await client.patch('/secure/datasource/insert', {
            datasource_id: datasource,
            data: Array.from({ length: COMPACT_AFTER_ROWS }, () => last),
          });
          await eventually(
            () => filesOf(client),
            (paths) => paths.some((path) => !before.includes(path)),
          );
          break;
        }

        const writing = Promise.all(writers.map((writer) => writer.write(client, datasource, round)));
        // Each kill meets the insertions at another moment, and each part of the time has one.
        await new Promise((wake) => setTimeout(wake, 60 + ((KILLS - round - Math.random()) * 1500) / KILLS));
        await service.kill();
        await writing;
        old = await aged(client);
      }
      expect(writers.every(({ acknowledged }) => acknowledged.length > 0)).toBe(true);
    },
    120_000 + KILLS * 60_000,
  );
});
