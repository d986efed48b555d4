import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TestClient } from '../support/test-client.js';
import { Going } from './kill.imports.js';
import { beginImport, csvOf, datasourceOf, endedImport, IN_TIME, rowOf, uploaded } from './sensors.builder.js';

/** So few that there is always a compaction at work, or about to be. */
export const COMPACT_AFTER_ROWS = 30;
const WRITERS = 3;
const BATCH = 5;
/** As many points as a plot shows one by one. */
const MOST_ROWS = 10_000;
const DAY = '2024-01-02T00:00:00';

/** Insertions from several sides, and compactions of what they bring. */
export class Insertions extends Going {
  datasource = '';
  private readonly writers = Array.from({ length: WRITERS }, (_, number) => new Writer(number + 1));
  /** Files that the next start removes unless a record names them. */
  private old: ReadonlySet<string> = new Set();

  constructor(
    private readonly folder: string,
    private readonly kills: number,
  ) {
    super();
  }

  async begin(client: TestClient, round: number): Promise<void> {
    if (round > 0) return;
    this.datasource = await beginImport(client, csvOf(1), 'Inserted');
    await endedImport(client, this.datasource);
  }

  override async go(client: TestClient, round: number): Promise<void> {
    await Promise.all(this.writers.map((writer) => writer.write(client, this.datasource, round)));
    const paths = await this.files(client);
    const before = new Date(Date.now() - 2 * 86_400_000);
    for (const path of paths) await utimes(path, before, before);
    this.old = new Set(paths);
  }

  /** Every acknowledged row is there once, also what was sent again; batches are whole, all are counted, no file is left over. */
  async expectKept(client: TestClient, kills: number): Promise<void> {
    await expect.poll(() => readdir(join(this.folder, 'rows', 'work')), IN_TIME).toEqual([]);
    const leftOver = async (): Promise<number> =>
      (await this.files(client)).filter((path) => this.old.has(path)).length;
    await expect.poll(leftOver).toBeLessThanOrEqual(1);
    const stored = await this.values(client, kills);
    const known = new Set(stored);
    expect(known.size).toBe(stored.length);
    const acknowledged = this.writers.flatMap((writer) => writer.acknowledged);
    expect(acknowledged.filter((value) => !known.has(value))).toEqual([]);
    expect((stored.length - 1) % BATCH).toBe(0);
    await expect.poll(() => datasourceOf(client, this.datasource)).toMatchObject({ doc_count: stored.length });
    if (kills === this.kills) await this.expectCompaction(client);
  }

  /** Nothing is stuck: so many more rows, and what is there by now is merged. */
  private async expectCompaction(client: TestClient): Promise<void> {
    expect(this.writers.every(({ acknowledged }) => acknowledged.length > 0)).toBe(true);
    const before = await this.files(client);
    const last = { device: 'last', at: DAY, temperature: 0 };
    await client.patch('/secure/datasource/insert', {
      datasource_id: this.datasource,
      data: Array.from({ length: COMPACT_AFTER_ROWS }, () => last),
    });
    const added = async (): Promise<boolean> => (await this.files(client)).some((path) => !before.includes(path));
    await expect.poll(added).toBe(true);
  }

  /** Every value that is stored, as often as it is. Asked for round by round, because a plot shows so many points one by one. */
  private async values(client: TestClient, rounds: number): Promise<readonly number[]> {
    const values: number[] = [];
    for (const asset of ['device-0', ...Array.from({ length: rounds }, (_, round) => `round-${round}`)]) {
      const query = {
        datasource_id: this.datasource,
        asset,
        from: '',
        to: '',
        value: 'temperature',
        points: MOST_ROWS,
      };
      const { body } = await client.post('/secure/data/plot', query);
      values.push(...(body['data'] as { value: number }[]).map(({ value }) => value));
    }
    return values;
  }

  private async files(client: TestClient): Promise<readonly string[]> {
    const area = join(this.folder, 'objects', client.companyId, 'rows');
    const own = (await readdir(area)).filter((name) => name.startsWith(this.datasource));
    return own.map((name) => join(area, name));
  }
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
    const data = values.map((temperature) => ({ device: `round-${round}`, at: DAY, temperature }));
    return { key: `batch-${values[0]}`, data, values };
  }
}

const ROWS = 10_000;
/** In a file that is added; half of them are there already. */
const MORE = 10_000;

/** A file that is added to earlier rows: with keys what is there already is replaced, without keys it is there twice. */
export class Additions extends Going {
  datasource = '';
  private before = 0;
  private replaced = 0;
  private next = ROWS;

  async begin(client: TestClient, round: number): Promise<void> {
    if (round === 0) {
      this.datasource = await beginImport(client, csvOf(ROWS), 'Added to');
      await endedImport(client, this.datasource);
    }
    this.before = round === 0 ? ROWS : this.after;
    const keys = round % 2 === 0 ? ['device', 'at'] : [];
    this.replaced = keys.length > 0 ? MORE / 2 : 0;
    const filename = await uploaded(client, csvOf(MORE, this.next - MORE / 2));
    const added = { datasource_id: this.datasource, filename, keys };
    expect(await client.post('/secure/datasource/append', added)).toMatchObject({ status: 200 });
    this.next += MORE / 2;
  }

  /** The earlier rows are whole, and the file is added once. */
  async expectKept(client: TestClient): Promise<void> {
    const count = async (): Promise<unknown> => (await rowOf(client, this.datasource, 'SELECT count(*) FROM data'))[0];
    // Whatever is done by now: all or nothing.
    expect([this.before, this.after]).toContain(await count());
    expect(await endedImport(client, this.datasource)).toMatchObject({
      doc_count: this.after,
      import: { status: 'ready', rows: MORE, added: MORE - this.replaced, replaced: this.replaced },
    });
    expect(await count()).toBe(this.after);
  }

  private get after(): number {
    return this.before + MORE - this.replaced;
  }
}
