import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CONTEXT_FILES } from '../../src/features/context-files/context-file.schema.js';
import { PASSAGE_BATCHES } from '../../src/features/context-files/passages/passage-batch.schema.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { listed, putFiles } from '../api/context-files.builder.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';
import { Going } from './kill.imports.js';
import { beginImportOf, csvOf, datasourceOf, endedImport, IN_TIME, rowOf } from './sensors.builder.js';

/** Long enough to be met by a kill while it is read, embedded and stored. */
const NOVEL = Array.from(
  { length: 2_000 },
  (_, n) => `On day ${n} the keeper of the lighthouse wrote into his book that ${n * 7} ships had passed in the night.`,
).join('\n\n');

/** The processing of a context file. */
export class ContextFiles extends Going {
  private taken = 0;

  async begin(client: TestClient, round: number): Promise<void> {
    const { status } = await putFiles(client, [{ name: `${round}.txt`, content: NOVEL }]);
    expect(status).toBe(200);
    this.taken += 1;
  }

  async expectKept(client: TestClient): Promise<void> {
    const statuses = async (): Promise<unknown> => (await listed(client)).map(({ metadata }) => metadata.status);
    await expect.poll(statuses, IN_TIME).toEqual(Array(this.taken).fill('ready'));
  }

  /** None has its passages twice, and there is one document of each. */
  async expectOnce(api: TestApi): Promise<void> {
    const store = api.get(DocumentStore);
    const files = await store.tenantCollection(CONTEXT_FILES).ofAll().find({});
    const batches = await store.tenantCollection(PASSAGE_BATCHES).ofAll().find({});
    expect(files).toHaveLength(this.taken);
    for (const file of files) {
      const own = batches.filter(({ fileId }) => fileId === file.id);
      expect(new Set(own.map(({ attempt }) => attempt))).toEqual(new Set([file.attempt]));
      expect(own.reduce((sum, { passages }) => sum + passages.length, 0)).toBe(file.passages);
    }
    const names = await readdir(join(api.dataDir, 'objects'), { recursive: true });
    expect(names.filter((name) => /documents\/[^~]+$/.test(name))).toHaveLength(this.taken);
  }
}

const ROWS = 10_000;

/** A datasource that is fetched again. Every generation is known by its one value, so that half of one would be seen. */
export class Fetches extends Going {
  datasource = '';

  constructor(private readonly place: WebhookReceiver) {
    super();
  }

  async begin(client: TestClient, round: number): Promise<void> {
    if (round === 0) {
      this.sends(0);
      const address = `https://127.0.0.1:${this.place.port}/rows.csv`;
      const asked = { kind: 'https', address, ca: this.place.certificate.cert };
      const { body } = await client.post('/secure/datasource/fetch', asked);
      this.datasource = await beginImportOf(client, String(body['filename']), 'Fetched');
      await endedImport(client, this.datasource);
    }
    this.sends(round + 1);
    const again = await client.post('/secure/datasource/refetch', { id: this.datasource });
    expect(again).toMatchObject({ status: 200 });
  }

  /** The rows before or the rows after, whole, and those after in the end. */
  async expectKept(client: TestClient, kills: number): Promise<void> {
    const query = 'SELECT min(temperature), max(temperature), count(*) FROM data';
    const whole = [kills - 1, kills].map((generation) => [generation, generation, ROWS + generation]);
    expect(whole).toContainEqual(await rowOf(client, this.datasource, query));
    const settled = { updating: false, doc_count: ROWS + kills, import: { status: 'ready' } };
    await expect.poll(() => datasourceOf(client, this.datasource), IN_TIME).toMatchObject(settled);
  }

  private sends(generation: number): void {
    const text = csvOf(ROWS + generation, 0, () => generation);
    this.place.answer = (response) => response.end(text);
  }
}
