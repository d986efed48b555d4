import { open, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Schema } from 'mongoose';
import { LmdbDocumentStore } from '../src/adapters/embedded/lmdb-document-store.js';
import { SystemClock } from '../src/adapters/system/system-clock.js';
import type { Collection, TenantDocument } from '../src/ports/document-store.js';
import { asId, type CompanyId } from '../src/shared/ids.js';

// How fast the embedded document store is, with 100,000 documents of ten companies in it.
// Writes are compared with what the disk does alone: append a line to a file and flush it. Run: npx tsx bench/documents.ts

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
const companies = Array.from({ length: 10 }, (_, index) => asId<CompanyId>(String(index).padStart(24, '0')));
const companyOf = (index: number): CompanyId => companies[index % companies.length] ?? asId<CompanyId>('');

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

/** Calls `work` so many times, `atOnce` in parallel, and tells how often a second. */
async function rate(
  name: string,
  times: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  const begun = performance.now();
  for (let index = 0; index < times; index += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, times - index) }, (_, offset) => work(index + offset)));
  }
  const perSecond = times / ((performance.now() - begun) / 1000);
  const each = (1_000_000 / perSecond).toFixed(1);
  console.log(
    `${name.padEnd(58)} ${Math.round(perSecond).toLocaleString('en').padStart(9)} /s ${each.padStart(9)} µs each`,
  );
  return perSecond;
}

async function flushedAppends(folder: string): Promise<number> {
  await using file = await open(join(folder, 'baseline'), 'a');
  return await rate('baseline: append a line to a file and flush it', 300, 1, async (index) => {
    await file.write(`${JSON.stringify(entryOf(index))}\n`);
    await file.datasync();
  });
}

async function measure(entries: (index: number) => Collection<Entry>, folder: string): Promise<void> {
  const ratio = (name: string, rate: number, base: number): void => {
    console.log(`${name}: ${(rate / base).toFixed(2)}`);
  };
  await rate('insert, 500 in parallel', DOCUMENTS, 500, (index) => entries(index).insert(entryOf(index)));
  const baseline = await flushedAppends(folder);
  const alone = await rate('insert, one after the other', 300, 1, (index) =>
    entries(index).insert({ ...entryOf(index), id: `more-${index}` }),
  );
  await rate('get by id', 200_000, 100, (index) => entries(index).get(`entry-${index % DOCUMENTS}`));
  await rate('update by id and condition, one after the other', 300, 1, (index) =>
    entries(index).update({ id: `entry-${index}`, status: 'ready' }, { increment: { hits: 1 } }),
  );
  await rate('update by id and condition, 50 in parallel', 10_000, 50, (index) =>
    entries(index).update({ id: `entry-${index}`, status: 'ready' }, { increment: { hits: 1 } }),
  );
  await rate("newest 20 of a company's 10,000 (index gives the order)", 2_000, 1, (index) =>
    entries(index).find(
      {},
      {
        sort: [
          ['at', 'desc'],
          ['id', 'desc'],
        ],
        limit: 20,
      },
    ),
  );
  await rate('newest 20 of one owner (index, equality and order)', 2_000, 1, (index) =>
    entries(index * 10).find({ owner: `owner-${index % 500}` }, { sort: [['at', 'desc']], limit: 20 }),
  );
  await rate("count of a company's documents", 500, 1, (index) => entries(index).count({}));
  await rate("part of a text nobody indexed, in a company's 10,000", 20, 1, (index) =>
    entries(index).find({ owner: { contains: '499' } }, { limit: 20, sort: [['hits', 'asc']] }),
  );
  ratio('flushed inserts per flushed append, one after the other', alone, baseline);
}

const folder = await mkdtemp(join(tmpdir(), 'bench-documents-'));
const store = new LmdbDocumentStore(folder, new SystemClock());
await store.open();
const entries = store.tenantCollection<Entry>({ name: 'entries', schema });
await measure((index) => entries.of(companyOf(index)), folder);
await store.close();
await rm(folder, { recursive: true });
