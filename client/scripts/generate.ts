// Writes src/schema.d.ts from the API document of the built service. `--check` only says whether it is what it should be.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { schemaTypes } from './schema-types.js';

const FILE = fileURLToPath(new URL('../src/schema.d.ts', import.meta.url));

const types = await schemaTypes();
const isCurrent = types === (await readFile(FILE, 'utf8').catch(() => ''));
if (process.argv.includes('--check')) {
  console.log(isCurrent ? 'The client is up to date.' : 'The client is stale: run "npm run client:generate".');
  process.exit(isCurrent ? 0 : 1);
}
if (!isCurrent) await writeFile(FILE, types);
console.log(isCurrent ? 'The client was up to date.' : 'Wrote client/src/schema.d.ts.');
process.exit(0);
