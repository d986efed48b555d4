import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { bucketFolderOf } from './way.js';

/** What the bucket's server writes for each object that it keeps; the other two are about it. */
const OBJECT = '._S3rver_object';
/** The checksum of an object in a folder. */
const SUM = '~crc32';

/** The names of the files that the service keeps as objects, or of those in a folder of them, wherever they lie in this way. */
export async function storedObjects(dataDir: string, folder = ''): Promise<readonly string[]> {
  const bucket = await bucketFolderOf(dataDir);
  const path = join(bucket ?? join(dataDir, 'objects'), folder);
  const all = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = all.filter((entry) => entry.isFile()).map(({ name }) => name);
  if (bucket === null) return names.filter((name) => !name.endsWith(SUM));
  return names.filter((name) => name.endsWith(OBJECT)).map((name) => name.slice(0, -OBJECT.length));
}
