import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { ServiceProcess } from '../support/service-process.js';
import { TestClient } from '../support/test-client.js';

const KILLS = 8;
const WRITERS = 3;
const BATCH = 5;
/** As many points as a plot shows one by one. */
const MOST_ROWS = 10_000;
const SIGN_IN = { email: 'ada@example.com', password: 'a-long-password' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-kill-inserts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start({
    DATA_DIR: folder,
    BOOTSTRAP_EMAIL: SIGN_IN.email,
    BOOTSTRAP_PASSWORD: SIGN_IN.password,
    LOGIN_RATE_LIMIT: '0',
    RATE_LIMIT: '0',
  });
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

/** Every value that is stored, as often as it is. */
async function valuesIn(client: TestClient, id: string): Promise<readonly number[]> {
  const { body } = await client.post('/secure/data/plot', {
    ...{ datasource_id: id, asset: '', from: '', to: '' },
    ...{ value: 'value', points: MOST_ROWS },
  });
  return (body['data'] as { value: number }[]).map(({ value }) => value);
}

class Writer {
  readonly acknowledged: number[] = [];
  private next: number;

  constructor(number: number) {
    this.next = number * 1_000_000 + 1;
  }

  /** Sends batches until the service is gone; halves make whole numbers numbers on the way. */
  async write(client: TestClient, id: string, round: number): Promise<void> {
    for (;;) {
      const values = Array.from({ length: BATCH }, () => this.next++ + (round > 2 ? 0.5 : 0));
      const data = values.map((value) => ({ device: `device-${round}`, at: '2024-01-02 00:00:00', value }));
      const answer = await client.patch('/secure/datasource/insert', { datasource_id: id, data }).catch(() => null);
      if (answer?.status !== 200) return;
      this.acknowledged.push(...values);
    }
  }
}

describe(`after each of ${KILLS} kills during insertions`, () => {
  it('every acknowledged row is there once, batches are whole, and all are counted', async () => {
    const writers = Array.from({ length: WRITERS }, (_, number) => new Writer(number + 1));
    let id: string | null = null;
    for (let round = 0; round <= KILLS; round += 1) {
      await using service = await start();
      const client = await TestClient.signIn(service.url, SIGN_IN.email, SIGN_IN.password);
      id ??= await create(client);
      const datasource = id;

      const stored = await valuesIn(client, datasource);
      expect(new Set(stored).size).toBe(stored.length);
      const known = new Set(stored);
      expect(writers.flatMap(({ acknowledged }) => acknowledged).filter((value) => !known.has(value))).toEqual([]);
      expect((stored.length - 1) % BATCH).toBe(0);
      expect((await datasourceOf(client, datasource)).doc_count).toBe(stored.length);
      if (round === KILLS) break;

      const writing = Promise.all(writers.map((writer) => writer.write(client, datasource, round)));
      // Each kill meets the insertions at another moment.
      await new Promise((wake) => setTimeout(wake, 60 + round * 37));
      await service.kill();
      await writing;
    }
    expect(writers.every(({ acknowledged }) => acknowledged.length > 0)).toBe(true);
  }, 240_000);
});
