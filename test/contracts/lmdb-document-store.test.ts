import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { Schema } from 'mongoose';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { conditionsOf, sortKeysOf } from '../../src/adapters/documents/conditions.js';
import { type PlainDocument, SchemaRules } from '../../src/adapters/documents/schema-rules.js';
import { comparatorOf, matcherOf } from '../../src/adapters/embedded/document-matching.js';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { LmdbFiles } from '../../src/adapters/embedded/lmdb-files.js';
import { childEntry } from '../../src/adapters/processes/child-entry.js';
import type { Collection, FindOptions, TenantDocument, Where } from '../../src/ports/document-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { ManualClock } from '../support/manual-clock.js';
import { turnsDuring } from '../support/turns.js';
import { documentStoreContract } from './document-store.contract.js';
import {
  ACME,
  aNote,
  GLOBEX,
  manyNotes,
  type Note,
  NOTES,
  type StoreUnderTest,
  TICKETS,
} from './document-store.kinds.js';

/** A store in a folder of its own, which is empty. */
async function aStore(): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'documents-'));
  const clock = new ManualClock();
  const store = new LmdbDocumentStore(folder, clock);
  await store.open();
  const close = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { store, clock, close };
}

describe('LmdbDocumentStore', () => {
  documentStoreContract(aStore);
});

describe('LmdbDocumentStore in its folder', () => {
  let folder: string;
  const clock = new ManualClock();
  const open: LmdbDocumentStore[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((store) => store.close()));
    await rm(folder, { recursive: true, force: true });
  });

  async function opened(path = folder): Promise<LmdbDocumentStore> {
    const store = new LmdbDocumentStore(path, clock);
    await store.open();
    open.push(store);
    return store;
  }

  /** A process that writes, and what it says. A bound on the size of files stands for a full disk. */
  function writer(name: string, count: number, bound = 'unlimited'): { process: ChildProcess; said: string[] } {
    const { path, execArgv } = childEntry(import.meta.url, './lmdb-writer.process');
    const command = [process.execPath, ...execArgv, path, folder, name, String(count)];
    const child = spawn('bash', ['-c', `ulimit -S -f ${bound}; exec "$@"`, 'bash', ...command]);
    const said: string[] = [];
    createInterface(child.stdout).on('line', (line) => said.push(line));
    return { process: child, said };
  }

  function acknowledgedIn(said: readonly string[]): readonly string[] {
    return said.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
  }

  it('has every acknowledged write after the writer is killed, and whoever had it open beside goes on', async () => {
    const after = 300;
    const beside = (await opened()).tenantCollection(NOTES).of(ACME);
    const { process: child, said } = writer('killed', 100_000);
    await expect.poll(() => said.length).toBeGreaterThanOrEqual(after);
    child.kill('SIGKILL');
    await once(child, 'close');
    await beside.insert(aNote({ id: 'mine', slug: 'slug-mine' }));
    expect(await beside.get('mine')).not.toBeNull();
    await open.pop()?.close();

    const notes = (await opened()).tenantCollection(NOTES).of(ACME);
    const acknowledged = acknowledgedIn(said);
    expect(acknowledged.length).toBeGreaterThanOrEqual(after);
    for (const number of acknowledged) {
      expect((await notes.get(`killed-${number}`))?.slug).toBe(`slug-${number}`);
    }
    // What was not acknowledged may be there, whole: the entries of the indexes and the documents agree.
    const all = await notes.find({});
    expect(await notes.count({})).toBe(all.length);
    expect(await notes.count({ slug: { gte: 'slug' } })).toBe(all.length);
  });

  it('gives earlier documents the fields, entries of indexes and rules that came since', async () => {
    interface Thing extends TenantDocument {
      readonly colour: string;
      readonly owner?: string | null;
    }
    const fields = { companyId: { type: String, required: true }, colour: { type: String, required: true } };
    const since = { owner: { type: String, default: null }, tags: { type: [String], default: ['new'] } };
    const things = async (schema: Schema): Promise<Collection<Thing>> => {
      await open.pop()?.close();
      return (await opened()).tenantCollection<Thing>({ name: 'things', schema }).of(ACME);
    };
    const before = await things(new Schema(fields));
    for (const id of ['1', '2', '3']) await before.insert({ id, companyId: ACME, colour: id === '3' ? 'red' : 'blue' });

    const after = await things(new Schema({ ...fields, ...since }).index({ colour: 1 }));
    const whole = ['1', '2'].map((id) => ({ id, companyId: ACME, colour: 'blue', owner: null, tags: ['new'] }));
    expect(await after.get('1')).toEqual(whole[0]);
    for (const where of [{ colour: 'blue' }, { owner: null, colour: { not: 'red' } }])
      expect(await after.find(where, { sort: [['id', 'asc']] })).toEqual(whole);
    expect(await after.update({ id: '1', owner: null }, { set: { colour: 'blue' } })).toEqual(whole[0]);

    const unique = await things(new Schema({ ...fields, ...since }).index({ colour: 1 }, { unique: true }));
    await expect(unique.find({})).rejects.toMatchObject({ kind: 'conflict', message: 'colour is already taken' });
  });

  it('keeps a unique field unique when two processes write at once', async () => {
    const writers = ['one', 'two'].map((name) => writer(name, 150));
    await Promise.all(writers.map(({ process: child }) => once(child, 'close')));
    const told = writers.flatMap(({ said }) => said);
    expect(told).toHaveLength(300);
    expect(new Set(told.filter((line) => line.startsWith('+')))).toHaveProperty('size', 150);
    const notes = (await opened()).tenantCollection(NOTES).of(ACME);
    expect(await notes.count({})).toBe(150);
    expect(new Set((await notes.find({})).map(({ slug }) => slug)).size).toBe(150);
  });

  it('says so when a commit fails, loses nothing that was acknowledged and works again when there is room', async () => {
    const { process: child, said } = writer('limited', 1000, '1500');
    const [code] = (await once(child, 'close')) as [number | null];

    expect(code).toBe(0);
    expect(said).toHaveLength(1000);
    expect(said.filter((line) => line === '!unavailable').length).toBeGreaterThan(10);
    const acknowledged = acknowledgedIn(said);
    expect(acknowledged.length).toBeGreaterThan(10);
    const notes = (await opened()).tenantCollection(NOTES).of(ACME);
    for (const number of acknowledged) expect(await notes.get(`limited-${number}`)).not.toBeNull();
    await expect(notes.insert(aNote({ id: 'more' }))).resolves.toBeUndefined();
  });

  it('refuses everything once it is closed', async () => {
    const store = await opened();
    const notes = store.tenantCollection(NOTES).of(ACME);
    await notes.insert(aNote({ id: 'kept' }));
    await store.close();
    const refusal = { name: 'AppError', kind: 'unavailable' };
    const asked = [notes.get('kept'), notes.find({}), notes.count({}), notes.insert(aNote()), store.check()];
    expect(await Promise.allSettled(asked)).toMatchObject(asked.map(() => ({ status: 'rejected', reason: refusal })));
  });

  it('says which folder it could not open, and why, and so of one that holds something else', async () => {
    const [file, other] = [join(folder, 'file'), join(folder, 'other')];
    await writeFile(file, 'not a folder');
    await mkdir(other);
    await writeFile(join(other, 'data.mdb'), 'x'.repeat(100_000));
    for (const path of [file, join(file, 'below'), other]) {
      const message = expect.stringContaining(path) as unknown;
      await expect(opened(path)).rejects.toMatchObject({ kind: 'unavailable', message });
    }
  });

  it('removes in a sweep what has expired, and nothing else', async () => {
    const store = await opened();
    const tickets = store.collection(TICKETS);
    const now = clock.now();
    const all = Array.from({ length: 300 }, (_, index) => ({ id: String(index), expiresAt: index < 250 ? now : null }));
    await Promise.all(all.map((each) => tickets.insert({ ...each, code: each.id })));
    expect(await store.sweep()).toBe(0);
    clock.advance(60_000);
    expect(await store.sweep()).toBe(250);
    expect(await store.sweep()).toBe(0);
    expect(await tickets.count({})).toBe(50);
    clock.set(now);
    expect(await tickets.get('0')).toBeNull();
  });

  it('answers others while it looks through many documents', async () => {
    const notes = (await opened()).tenantCollection(NOTES).of(ACME);
    await Promise.all(manyNotes(3_000, (index) => ({ name: `note ${index}` })).map((note) => notes.insert(note)));
    const finding = notes.find({ name: { contains: 'note' } });
    expect(await turnsDuring(finding)).toBeGreaterThan(2);
    const found = await finding;
    expect(found).toHaveLength(3_000);
    expect(await notes.count({ name: { contains: 'note' } })).toBe(3_000);
    const slugs = found.map(({ slug }) => String(slug)).sort();
    expect(new Set(slugs).size).toBe(3_000);
    for (const direction of ['asc', 'desc'] as const) {
      const sorted = await notes.find({ name: { contains: 'note' } }, { sort: [['slug', direction]] });
      expect(sorted.map(({ slug }) => slug)).toEqual(direction === 'asc' ? slugs : slugs.toReversed());
    }
  });

  it("does not look at other companies' documents, nor at all of a company's when there is an index", async () => {
    const opening = vi.spyOn(LmdbFiles, 'open');
    const store = await opened();
    const files = await (opening.mock.results[0]?.value as Promise<LmdbFiles>);
    opening.mockRestore();
    const companies = Array.from({ length: 20 }, (_, index) => asId<CompanyId>(String(index).padStart(24, '0')));
    for (const companyId of companies) {
      const mine = store.tenantCollection(NOTES).of(companyId);
      const all = manyNotes(100, (index) => ({ companyId, at: new Date(index), owner: `o${index}` }));
      await Promise.all(all.map((each) => mine.insert(each)));
    }
    const notes = store.tenantCollection(NOTES).of(asId<CompanyId>('0'.repeat(24)));
    const all = store.tenantCollection(NOTES).ofAll();
    const reading = vi.spyOn(files.documents, 'get');
    const readBy = async (ask: () => Promise<unknown>): Promise<number> => {
      reading.mockClear();
      await ask();
      return reading.mock.calls.length;
    };
    expect(await readBy(() => notes.get('nobody'))).toBe(1);
    expect(await readBy(() => notes.find({ owner: 'o7' }))).toBe(1);
    expect(await readBy(() => notes.find({ at: { gte: new Date(95) } }))).toBe(5);
    expect(await readBy(() => notes.find({ name: 'unknown' }))).toBe(100);
    expect(await readBy(() => notes.count({}))).toBe(0);
    expect(await readBy(() => all.find({ owner: 'o7' }))).toBe(20);
    expect(await readBy(() => all.find({ owner: 'o7', at: { lt: new Date(5) } }))).toBe(0);
  });
});

/** What notes have for values, and conditions on them. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  owner: fc.constantFrom('ann', 'bob', 'x'.repeat(400), `${'x'.repeat(400)}y`, null),
  at: fc.oneof(
    fc.integer({ min: -3, max: 3 }).map((time) => new Date(time)),
    fc.constant(null),
  ),
  size: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(null, 1e308, -1e308, 0.5)),
};
const companyId = fc.constantFrom(ACME, GLOBEX);
const conditionOn = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const known = value.filter((each) => each !== null);
  const bounds = fc.record({ gt: known, gte: known, lt: known, lte: known }, { requiredKeys: [] });
  return fc.oneof(
    value,
    value.map((not) => ({ not })),
    fc.array(value, { maxLength: 3 }).map((list) => ({ in: list })),
    bounds.filter((range) => Object.keys(range).length > 0),
  );
};
const conditions = Object.fromEntries(Object.entries(VALUES).map(([field, value]) => [field, conditionOn(value)]));
const where = fc.record({ ...conditions, companyId }, { requiredKeys: [] }) as fc.Arbitrary<Where<Note>>;
const direction = fc.constantFrom('asc', 'desc');
const fields = fc.uniqueArray(fc.constantFrom('owner', 'at', 'size', 'slug', 'id'), { maxLength: 3 });
const sort = fc.oneof(
  fields.chain((some) => fc.tuple(...some.map((field) => fc.tuple(fc.constant(field), direction)))),
  // As an index has it, so that its own order is used.
  direction.map((way) => ['owner', 'at'].map((field) => [field, way])),
  direction.map((way) => [['at', way]]),
);

describe('questions to LmdbDocumentStore', () => {
  it('have the same answers by whatever index as by looking at every document', async () => {
    const { store, close } = await aStore();
    onTestFinished(close);
    const rules = new SchemaRules(NOTES);
    const all = fc
      .sample(fc.record({ ...VALUES, companyId }), { numRuns: 150, seed: 7 })
      .map((fields) => aNote(fields));
    await Promise.all(all.map((note) => store.collection(NOTES).insert(note)));
    const documents = (await store.collection(NOTES).find({})) as readonly unknown[] as readonly PlainDocument[];
    expect(documents).toHaveLength(150);

    const company = fc.constantFrom(ACME, null);
    const question = fc.record({ where, sort, skip: fc.nat(5), limit: fc.nat(20), company });
    await fc.assert(
      fc.asyncProperty(question, async ({ where: asked, sort: order, skip, limit, company: asker }) => {
        const notes = asker === null ? store.collection(NOTES) : store.tenantCollection(NOTES).of(asker);
        // The id decides between equals, so that there is one right answer.
        const full = [
          ...order.filter(([field]) => field !== 'id'),
          ['id', order[0]?.[1] ?? 'asc'],
        ] as unknown as FindOptions<Note>['sort'] & object;
        const fits = matcherOf(conditionsOf(rules.kinds, asked));
        const seen = documents.filter((each) => fits(each) && (asker === null || each['companyId'] === asker));
        const right = [...seen].sort(comparatorOf(sortKeysOf(rules.kinds, full)));
        const found = await notes.find(asked, { sort: full, skip, limit });
        expect(found.map(({ id }) => id)).toEqual(right.slice(skip, skip + limit).map(({ id }) => id));
        expect(await notes.count(asked)).toBe(right.length);
      }),
      { numRuns: process.env['TEST_LONG'] === '1' ? 600 : 100, seed: 11 },
    );
  });
});
