import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { OBJECT_AREAS, type ObjectKey, type ObjectStore, type StoredObject } from '../ports/object-store.js';
import { isAppError } from '../shared/app-error.js';
import { Checksum } from '../shared/checksum.js';
import type { KindReport } from './document-move.js';

const ALL = Number.MAX_SAFE_INTEGER;

/** Copies the files that the target does not have yet, and those of another size anew. */
export async function copyObjects(from: ObjectStore, to: ObjectStore): Promise<number> {
  let copied = 0;
  for await (const { key, size } of everyObject(from)) {
    const there = await to.stat(key);
    if (there?.size === size) continue;
    if (there !== null) await to.remove(key);
    await copy(from, to, key);
    copied += 1;
  }
  return copied;
}

/** Reads every file of both sides again. */
export async function verifyObjects(from: ObjectStore, to: ObjectStore): Promise<KindReport> {
  const found = new Checksum();
  const problems: string[] = [];
  for await (const { key } of everyObject(from)) {
    const [wanted, copied] = [await digestAt(from, key), await digestAt(to, key)];
    if (copied !== null) found.add(copied);
    if (wanted !== copied) problems.push(`${key.companyId}/${key.area}/${key.name} is missing or differs`);
  }
  return { name: 'files', count: found.count, checksum: found.digits, problems };
}

export async function hasObjects(store: ObjectStore): Promise<boolean> {
  for await (const _object of everyObject(store)) return true;
  return false;
}

async function* everyObject(store: ObjectStore): AsyncGenerator<StoredObject> {
  for (const area of OBJECT_AREAS) yield* store.list(area);
}

async function copy(from: ObjectStore, to: ObjectStore, key: ObjectKey): Promise<void> {
  await to.write(key, await from.read(key), ALL);
}

async function digestAt(store: ObjectStore, key: ObjectKey): Promise<string | null> {
  try {
    return await digestOfStream(await store.read(key));
  } catch (error) {
    if (isAppError(error, 'not_found')) return null;
    throw error;
  }
}

async function digestOfStream(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
