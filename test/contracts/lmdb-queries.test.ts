import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { comparatorOf, matcherOf } from '../../src/adapters/embedded/document-matching.js';
import { conditionsOf, sortKeysOf } from '../../src/adapters/documents/conditions.js';
import { SchemaRules, type PlainDocument } from '../../src/adapters/documents/schema-rules.js';
import type { FindOptions, Where } from '../../src/ports/document-store.js';
import { ManualClock } from '../support/manual-clock.js';
import { ACME, GLOBEX, NOTES, aNote, type Note } from './document-store.kinds.js';

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
