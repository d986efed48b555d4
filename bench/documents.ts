/**
 * How fast the embedded document store finds a document by its id among 100,000 of ten companies, against LMDB by itself with the same
 * documents: `npx tsx bench/documents.ts`
 */
import { join } from 'node:path';
import { open } from 'lmdb';
import { Schema } from 'mongoose';
import { LmdbDocumentStore } from '../src/adapters/embedded/lmdb-document-store.js';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import type { TenantDocument } from '../src/ports/document-store.js';
import { asId, type CompanyId } from '../src/shared/ids.js';
import { aFolder } from '../test/contracts/row-engine.fixture.js';
import { timeOf } from './timing.js';

interface Entry extends TenantDocument {
  readonly owner: string;
  readonly status: string;
  readonly at: Date;
  readonly hits: number;
  readonly note: unknown;
}

const schema = new Schema({
  companyId: { type: String, required: true },
  owner: { type: String, required: true },
  status: { type: String, enum: ['ready', 'busy'], default: 'ready' },
  at: { type: Date, required: true },
  hits: { type: Number, default: 0 },
  note: { type: Schema.Types.Mixed },
});
schema.index({ companyId: 1, at: -1 });
schema.index({ companyId: 1, owner: 1, at: -1 });

const DOCUMENTS = 100_000;
const LOOK_UPS = 200_000;
const companyOf = (index: number): CompanyId => asId<CompanyId>(String(index % 10).padStart(24, '0'));

function entryOf(index: number): Entry {
  return {
    id: `entry-${index}`,
    companyId: companyOf(index),
    owner: `owner-${Math.floor(index / 10) % 500}`,
    status: 'ready',
    at: new Date(1_700_000_000_000 + index * 1000),
    hits: 0,
    note: { text: `note ${index}`, list: [1, 2, 3], nested: { a: true } },
  };
}

/** Does something so many times, `atOnce` in parallel. */
async function all(times: number, atOnce: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < times; index += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, times - index) }, (_, offset) => work(index + offset)));
}

await using folder = await aFolder();
const store = new LmdbDocumentStore(folder.path, new SystemClock());
await store.open();
const entries = store.tenantCollection<Entry>({ name: 'entries', schema });
await all(DOCUMENTS, 500, (index) => entries.of(companyOf(index)).insert(entryOf(index)));
const bare = open<Entry, string>({ path: join(folder.path, 'bare') });
await all(DOCUMENTS, 500, (index) => bare.put(`entry-${index}`, entryOf(index)));

const took = await timeOf(() =>
  all(LOOK_UPS, 100, (index) => entries.of(companyOf(index)).get(`entry-${index % DOCUMENTS}`)),
);
const tookBare = await timeOf(() =>
  all(LOOK_UPS, 100, (index) => Promise.resolve(bare.get(`entry-${index % DOCUMENTS}`))),
);
const each = (milliseconds: number): string => `${((1000 * milliseconds) / LOOK_UPS).toFixed(1)} µs each`;
console.log(`look-up by id: ${each(took)}; LMDB by itself ${each(tookBare)}, ${(took / tookBare).toFixed(2)} times`);
await store.close();
await bare.close();
