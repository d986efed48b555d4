// Writes src/schema.d.ts from the API document of the built service.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { schemaTypes } from './schema-types.js';

const FILE = fileURLToPath(new URL('../src/schema.d.ts', import.meta.url));

const types = await schemaTypes();
const isCurrent = types === (await readFile(FILE, 'utf8').catch(() => ''));
if (!isCurrent) await writeFile(FILE, types);
console.log(isCurrent ? 'The client was up to date.' : 'Wrote client/src/schema.d.ts.');
process.exit(0);
