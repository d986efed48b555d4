import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import { isAppError } from '../../src/shared/app-error.js';
import { ACME, NOTES, aNote } from './document-store.kinds.js';

/**
 * Stores notes `<name>-0`, `<name>-1` … with slugs `slug-0`, `slug-1` … in the folder and tells on its standard output what became
 * of each: `+<number>` once it is acknowledged, `-<number>` when the slug was taken,
 * `!<kind>` when the store failed. Started by tests: folder, name, how many.
 */
const [folder = '', name = '', count = '0'] = process.argv.slice(2);
const store = new LmdbDocumentStore(folder, new SystemClock());
await store.open();
const notes = store.tenantCollection(NOTES).of(ACME);

async function write(number: number): Promise<void> {
  try {
    await notes.insert(aNote({ id: `${name}-${number}`, slug: `slug-${number}`, config: { text: 'x'.repeat(2_000) } }));
    process.stdout.write(`+${number}\n`);
  } catch (error) {
    if (!isAppError(error)) throw error;
    process.stdout.write(error.kind === 'conflict' ? `-${number}\n` : `!${error.kind}\n`);
  }
}

for (let number = 0; number < Number(count); number += 10) {
  await Promise.all(Array.from({ length: 10 }, (_, offset) => write(number + offset)));
}
await store.close();
