import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { schemaTypes } from '../../client/scripts/schema-types.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const elsewhere = notApplicable(SHARED_SERVERS, 'the document is the same in every way');

it.skipIf(elsewhere)(
  'the client is made from the document of this service',
  async () => {
    const kept = await readFile('client/src/schema.d.ts', 'utf8');
    // Not the whole text: a difference of thousands of lines tells less than this sentence.
    expect(kept === (await schemaTypes()), 'client/src/schema.d.ts is stale: run "npm run client:generate"').toBe(true);
  },
  300_000,
);
