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
import type { CollectionDefinition, FindOptions, TenantDocument, Where } from '../../src/ports/document-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { documentStoreContract } from './document-store.contract.js';
import { ACME, aNote, GLOBEX, manyNotes, type Note, NOTES, TICKETS } from './document-store.kinds.js';

describe('LmdbDocumentStore', () => {
  documentStoreContract(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'));
    const clock = new ManualClock();
    const store = new LmdbDocumentStore(folder, clock);
    await store.open();
    return {
      store,
      clock,
      close: async () => {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
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

  /** A process that writes, and what it says. */
  function writer(name: string, count: number): { readonly process: ChildProcess; readonly said: string[] } {
    const { path, execArgv } = childEntry(import.meta.url, './lmdb-writer.process');
    const args = [...execArgv, path, folder, name, String(count)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const said: string[] = [];
    createInterface(child.stdout).on('line', (line) => said.push(line));
    return { process: child, said };
  }

  async function toldAtLeast(said: readonly string[], count: number): Promise<void> {
    await eventually(
      () => said.length,
      (length) => length >= count,
    );
  }

  it('has every acknowledged write after the writer is killed, and whoever had it open beside goes on', async () => {
    const after = 300;
    const beside = (await opened()).tenantCollection(NOTES).of(ACME);
    const { process: child, said } = writer('killed', 100_000);
    await toldAtLeast(said, after);
    child.kill('SIGKILL');
    await once(child, 'close');
    await beside.insert(aNote({ id: 'mine', slug: 'slug-mine' }));
    expect(await beside.get('mine')).not.toBeNull();
    await open.pop()?.close();

    const notes = (await opened()).tenantCollection(NOTES).of(ACME);
    const acknowledged = said.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
    expect(acknowledged.length).toBeGreaterThanOrEqual(after);
    for (const number of acknowledged) {
      expect((await notes.get(`killed-${number}`))?.slug).toBe(`slug-${number}`);
    }
    // What was not acknowledged may be there, whole: the entries of the indexes and the documents agree.
    const all = await notes.find({});
    expect(await notes.count({})).toBe(all.length);
    expect(await notes.count({ slug: { gte: 'slug' } })).toBe(all.length);
  });

  it('gives documents of an earlier version the fields that came since', async () => {
    const fields = { companyId: { type: String, required: true }, name: { type: String } };
    const before: CollectionDefinition<Note> = { name: 'things', schema: new Schema(fields) };
    const since = { owner: { type: String, default: null }, tags: { type: [String], default: ['new'] } };
    const now: CollectionDefinition<Note> = { name: 'things', schema: new Schema({ ...fields, ...since }) };
    const { id, name } = aNote();
    const earlier = await opened();
    await earlier.tenantCollection(before).of(ACME).insert({ id, name, companyId: ACME });
    await open.pop()?.close();

    const things = (await opened()).tenantCollection(now).of(ACME);
    const whole = { id, name, companyId: ACME, owner: null, tags: ['new'] };
    expect(await things.get(id)).toEqual(whole);
    expect(await things.find({ owner: null })).toEqual([whole]);
    expect(await things.update({ id, owner: null }, { set: { name: 'other' } })).toEqual({ ...whole, name: 'other' });
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
    const { path, execArgv } = childEntry(import.meta.url, './lmdb-writer.process');
    // A bound on the size of files stands for the full disk: the kernel refuses to write any further.
    const limited = ['-c', 'ulimit -S -f 1500; exec "$@"', 'bash', process.execPath, ...execArgv];
    const child = spawn('bash', [...limited, path, folder, 'limited', '1000'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const said: string[] = [];
    createInterface(child.stdout).on('line', (line) => said.push(line));
    const [code] = (await once(child, 'close')) as [number | null];

    expect(code).toBe(0);
    expect(said).toHaveLength(1000);
    expect(said.filter((line) => line === '!unavailable').length).toBeGreaterThan(10);
    const acknowledged = said.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
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
    await expect(notes.get('kept')).rejects.toMatchObject(refusal);
    await expect(notes.find({})).rejects.toMatchObject(refusal);
    await expect(notes.count({})).rejects.toMatchObject(refusal);
    await expect(notes.insert(aNote())).rejects.toMatchObject(refusal);
    await expect(store.check()).rejects.toMatchObject(refusal);
  });

  it('says which folder it could not open, and why, and so of one that holds something else', async () => {
    const [file, other] = [join(folder, 'file'), join(folder, 'other')];
    await writeFile(file, 'not a folder');
    await mkdir(other);
    await writeFile(join(other, 'data.mdb'), 'x'.repeat(100_000));
    for (const path of [file, join(file, 'below'), other]) {
      await expect(opened(path)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining(path) as unknown,
      });
    }
  });

  it('makes the entries of an index that is declared later, and forgets one that is no longer', async () => {
    interface Thing extends TenantDocument {
      readonly colour: string;
    }
    const fields = { companyId: { type: String, required: true }, colour: { type: String, required: true } };
    const plain = { name: 'things', schema: new Schema(fields) };
    const first = await opened();
    const before = first.tenantCollection<Thing>(plain).of(ACME);
    for (const id of ['1', '2', '3']) await before.insert({ id, companyId: ACME, colour: id === '3' ? 'red' : 'blue' });
    await first.close();

    const indexed = { name: 'things', schema: new Schema(fields).index({ colour: 1 }) };
    const second = await opened();
    const after = second.tenantCollection<Thing>(indexed).of(ACME);
    expect((await after.find({ colour: 'blue' }, { sort: [['id', 'asc']] })).map(({ id }) => id)).toEqual(['1', '2']);
    await second.close();

    const unique = { name: 'things', schema: new Schema(fields).index({ colour: 1 }, { unique: true }) };
    const third = (await opened()).tenantCollection<Thing>(unique).of(ACME);
    await expect(third.find({})).rejects.toMatchObject({ kind: 'conflict', message: 'colour is already taken' });
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
    let turns = 0;
    let asking = true;
    const count = async (): Promise<void> => {
      while (asking) {
        await new Promise((resolve) => setImmediate(resolve));
        turns += 1;
      }
    };
    const counting = count();
    const found = await notes.find({ name: { contains: 'note' } });
    asking = false;
    await counting;
    expect(turns).toBeGreaterThan(2);
    expect(new Set(found.map(({ id }) => id)).size).toBe(3_000);
    for (const direction of ['asc', 'desc'] as const) {
      const sorted = await notes.find({ name: { contains: 'note' } }, { sort: [['slug', direction]] });
      const slugs = sorted.map(({ slug }) => String(slug));
      expect(slugs).toEqual(direction === 'asc' ? [...slugs].sort() : [...slugs].sort().reverse());
      expect(new Set(slugs).size).toBe(3_000);
      expect(slugs).toHaveLength(3_000);
    }
    expect(found).toHaveLength(3_000);
    expect(await notes.count({ name: { contains: 'note' } })).toBe(3_000);
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

const owner = fc.constantFrom('ann', 'bob', 'x'.repeat(400), `${'x'.repeat(400)}y`, null);
const at = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map((time) => new Date(time)),
  fc.constant(null),
);
const size = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(null, 1e308, -1e308, 0.5));
const bounds = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc
    .record({ gt: value, gte: value, lt: value, lte: value }, { requiredKeys: [] })
    .filter((range) => Object.keys(range).length > 0);
const condition = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> => {
  const known = value.filter((each) => each !== null);
  return fc.oneof(
    value,
    value.map((not) => ({ not })),
    fc.array(value, { maxLength: 3 }).map((list) => ({ in: list })),
    bounds(known),
  );
};
const where = fc.record(
  { owner: condition(owner), at: condition(at), size: condition(size), companyId: fc.constantFrom(ACME, GLOBEX) },
  { requiredKeys: [] },
) as fc.Arbitrary<Where<Note>>;
const direction = fc.constantFrom('asc', 'desc');
const sort = fc.oneof(
  fc.uniqueArray(fc.tuple(fc.constantFrom('owner', 'at', 'size', 'slug', 'id'), direction), {
    selector: ([field]) => field,
    maxLength: 3,
  }),
  // As an index has it, so that its own order is used.
  direction.map((way) => [
    ['owner', way],
    ['at', way],
  ]),
  direction.map((way) => [['at', way]]),
);

describe('questions to LmdbDocumentStore', () => {
  it('have the same answers by whatever index as by looking at every document', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'documents-'));
    const store = new LmdbDocumentStore(folder, new ManualClock());
    await store.open();
    onTestFinished(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });
    const rules = new SchemaRules(NOTES);
    const all = fc
      .sample(fc.record({ owner, at, size, companyId: fc.constantFrom(ACME, GLOBEX) }), { numRuns: 150, seed: 7 })
      .map((fields) => aNote(fields));
    await Promise.all(all.map((note) => store.collection(NOTES).insert(note)));
    const documents = (await store.collection(NOTES).find({})) as readonly unknown[] as readonly PlainDocument[];
    expect(documents).toHaveLength(150);

    const question = fc.record({
      where,
      sort,
      skip: fc.nat(5),
      limit: fc.nat(20),
      company: fc.constantFrom(ACME, null),
    });
    await fc.assert(
      fc.asyncProperty(question, async ({ where: asked, sort: order, skip, limit, company }) => {
        const notes = company === null ? store.collection(NOTES) : store.tenantCollection(NOTES).of(company);
        // The id decides between equals, so that there is one right answer.
        const full = [
          ...order.filter(([field]) => field !== 'id'),
          ['id', order[0]?.[1] ?? 'asc'],
        ] as unknown as FindOptions<Note>['sort'] & object;
        const fits = matcherOf(conditionsOf(rules.kinds, asked));
        const seen = documents.filter((each) => fits(each) && (company === null || each['companyId'] === company));
        const right = [...seen].sort(comparatorOf(sortKeysOf(rules.kinds, full)));
        const found = await notes.find(asked, { sort: full, skip, limit });
        expect(found.map(({ id }) => id)).toEqual(right.slice(skip, skip + limit).map(({ id }) => id));
        expect(await notes.count(asked)).toBe(right.length);
      }),
      { numRuns: process.env['TEST_LONG'] === '1' ? 600 : 100, seed: 11 },
    );
  });
});
