import { mkdir, mkdtemp, open as openFile, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import * as lmdb from 'lmdb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LmdbArchive } from '../../src/adapters/embedded/lmdb-archive.js';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { ACME, NOTES, manyNotes } from './document-store.kinds.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20_261_122);
const ROUNDS = process.env['TEST_LONG'] === '1' ? 5_000 : 10;
const SENTENCE =
  /the document store \(documents\/data\.mdb\) is damaged: .+; stop the service and restore the data folder from a backup \(docs\/operations\.md\)/;
const PAGE = 4096;

let root: string;
let sound: string;
let notes: readonly unknown[];
let count = 0;
const open: LmdbDocumentStore[] = [];

async function opened(folder: string): Promise<LmdbDocumentStore> {
  const store = new LmdbDocumentStore(folder, new ManualClock());
  await store.open();
  open.push(store);
  return store;
}

function listed(store: LmdbDocumentStore): Promise<readonly unknown[]> {
  return store
    .tenantCollection(NOTES)
    .of(ACME)
    .find({}, { sort: [['slug', 'asc']] });
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'damage-'));
  sound = join(root, 'sound');
  const store = await opened(sound);
  const all = store.tenantCollection(NOTES).of(ACME);
  const texts = (index: number): object => ({ name: index % 40 === 0 ? 'long '.repeat(3_000) : `note ${index}` });
  await Promise.all(manyNotes(400, texts).map((note) => all.insert(note)));
  await all.remove({ name: 'note 7' });
  notes = await listed(store);
  await store.close();
}, 60_000);
afterEach(() => Promise.all(open.splice(0).map((store) => store.close())));
afterAll(() => rm(root, { recursive: true, force: true }));

/** A copy with the bytes that are left when they are changed. */
async function copied(change: (bytes: Buffer) => Buffer = (bytes) => bytes): Promise<string> {
  const folder = join(root, String((count += 1)));
  await mkdir(folder);
  await writeFile(join(folder, 'data.mdb'), change(await readFile(join(sound, 'data.mdb'))));
  return folder;
}

function damaged(flips: readonly (readonly [at: number, by: number])[]): Promise<string> {
  return copied((bytes) => {
    for (const [at, by] of flips) bytes[at % bytes.length]! ^= by;
    return bytes;
  });
}

/** Where the letters of the name of a note stand that are no structure, so that LMDB itself goes on. */
function placesIn(bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf('note 11'); at >= 0; at = bytes.indexOf('note 11', at + 1)) places.push(at);
  return places;
}

/** Refused with the sentence, or all of it there: what is free may change. */
async function expectToldOrWhole(folder: string): Promise<'told' | 'whole'> {
  let store: LmdbDocumentStore;
  try {
    store = await opened(folder);
  } catch (error) {
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(SENTENCE) as unknown });
    return 'told';
  }
  expect(await listed(store)).toEqual(notes);
  // Pages that are free by mistake would be written now.
  const more = store.tenantCollection(NOTES).of(ACME);
  for (const note of manyNotes(20, (index) => ({ id: `more-${index}`, slug: `zz-${index}` }))) await more.insert(note);
  await store.check();
  expect((await listed(store)).slice(0, notes.length)).toEqual(notes);
  return 'whole';
}

const flip = (at: fc.Arbitrary<number>): fc.Arbitrary<[number, number]> =>
  fc.tuple(at, fc.integer({ min: 1, max: 255 }));
const anywhere = fc.nat({ max: 2 ** 30 });
/** A few bytes at places of a page, of the pages up to the given one. */
const fewIn = (pages: number, places: number): fc.Arbitrary<[number, number][]> =>
  fc.array(flip(fc.tuple(fc.nat(pages), fc.nat(places)).map(([page, at]) => page * PAGE + at)), {
    minLength: 1,
    maxLength: 3,
  });
const KINDS: readonly (readonly [string, fc.Arbitrary<[number, number][]>, number])[] = [
  ['400 bytes anywhere', fc.array(flip(anywhere), { minLength: 400, maxLength: 400 }), 5],
  ['a few bytes anywhere', fewIn(2 ** 18, PAGE - 1), ROUNDS],
  ['a few bytes of the first two pages', fewIn(1, 175), ROUNDS],
  ['a few bytes of the heads of pages', fewIn(2 ** 18, 40), ROUNDS],
];

describe('the documents in a damaged file', () => {
  it.each(KINDS)(
    'are all there, or not opened with a sentence, after %s',
    async (_name, flips, runs) => {
      let told = 0;
      const property = fc.asyncProperty(flips, async (some) => {
        const folder = await damaged(some);
        if ((await expectToldOrWhole(folder)) === 'told') told += 1;
        await Promise.all(open.splice(0).map((store) => store.close()));
        await rm(folder, { recursive: true });
      });
      await fc.assert(property, { seed: SEED, numRuns: runs });
      expect(told).toBeGreaterThan(runs / 5);
    },
    600_000,
  );

  it('are not opened when it is cut short', async () => {
    for (const part of [0.999, 0.5, 0.01]) {
      const folder = await copied((bytes) => bytes.subarray(0, Math.floor(bytes.length * part)));
      expect(await expectToldOrWhole(folder)).toBe('told');
    }
  });

  it('are not taken for a source of a move', async () => {
    const folder = await damaged(Array.from({ length: 400 }, (_, index) => [index * 997, 255]));
    await expect(LmdbArchive.open(folder)).rejects.toMatchObject({
      message: expect.stringMatching(SENTENCE) as unknown,
    });
  });

  it('are refused, and the store is not ready, when it is damaged while it is open', async () => {
    const folder = await copied();
    const store = await opened(folder);
    await store.check();
    await using file = await openFile(join(folder, 'data.mdb'), 'r+');
    for (const at of placesIn(await file.readFile())) await file.write('m', at);
    const refusal = { kind: 'unavailable', message: expect.stringMatching(SENTENCE) as unknown };
    await expect(listed(store)).rejects.toMatchObject(refusal);
    await expect(store.check()).rejects.toMatchObject(refusal);
  });

  it('get their checksums when a version without any has written them', async () => {
    const folder = await copied();
    const options = { maxDbs: 8, overlappingSync: false, eventTurnBatching: false };
    const older = lmdb.open({ path: folder, keyEncoding: 'binary', ...options });
    for (const name of ['documents', 'entries', 'notes']) {
      const values = older.openDB<Buffer, Buffer>(name, { encoding: 'binary', keyEncoding: 'binary' });
      for (const { key, value } of [...values.getRange({})]) values.putSync(key, value.subarray(5));
    }
    await older.close();

    const first = await opened(folder);
    expect(await listed(first)).toEqual(notes);
    await first.close();
    const bytes = await readFile(join(folder, 'data.mdb'));
    expect(placesIn(bytes).length).toBeGreaterThan(0);
    for (const at of placesIn(bytes)) bytes[at] = 0x6d;
    await writeFile(join(folder, 'data.mdb'), bytes);
    expect(await expectToldOrWhole(folder)).toBe('told');
  });
});
