import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** The built console; null when it has not been built. */
export function builtConsole(folder: string = FOLDER): { readonly folder: string; readonly page: string } | null {
  try {
    return { folder, page: readFileSync(join(folder, 'index.html'), 'utf8') };
  } catch {
    // Not built: the API works without it, and `/` says how to.
    return null;
  }
}
