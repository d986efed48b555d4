import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import { CONTEXT_FILES } from '../../src/features/context-files/context-file.schema.js';
import { PASSAGE_BATCHES } from '../../src/features/context-files/passages/passage-batch.schema.js';
import { listed, putFiles } from '../api/context-files.builder.js';
import { eventually } from '../support/eventually.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

const KILLS = process.env['TEST_LONG'] === '1' ? 40 : 1;

/** Long enough to be met by a kill while it is read, embedded and stored. */
const NOVEL = Array.from(
  { length: 4_000 },
  (_, n) => `On day ${n} the keeper of the lighthouse wrote into his book that ${n * 7} ships had passed in the night.`,
).join('\n\n');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-kill-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(): Promise<ServiceProcess> {
  return ServiceProcess.start({ DATA_DIR: folder, ...WITH_ADMIN });
}

const elsewhere = notApplicable(
  SHARED_SERVERS,
  'it kills the process at the files of its own engines; chaos.test.ts kills instances that share servers',
);

describe.skipIf(elsewhere)(`after each of ${KILLS} kills while a context file is processed`, () => {
  it(
    'every file that was taken is ready, and none has its passages twice',
    async () => {
      let taken = 0;
      for (let round = 0; round <= KILLS; round += 1) {
        await using service = await start();
        const client = await signIn(service);
        const files = await eventually(
          () => listed(client),
          (all) => all.every(({ metadata }) => metadata.status !== 'pending'),
          90_000,
        );
        expect(files.map(({ metadata }) => metadata.status)).toEqual(files.map(() => 'ready'));
        expect(files).toHaveLength(taken);
        if (round === KILLS) break;
        const { status } = await putFiles(client, [{ name: `${round}.txt`, content: NOVEL }]);
        expect(status).toBe(200);
        taken += 1;
        // Each kill meets the processing at another moment.
        await new Promise((wake) => setTimeout(wake, 300 + ((round + 1) % 4) * 400));
        await service.kill();
      }

      const store = new LmdbDocumentStore(join(folder, 'documents'), new SystemClock());
      await store.open();
      const files = await store.tenantCollection(CONTEXT_FILES).ofAll().find({});
      const batches = await store.tenantCollection(PASSAGE_BATCHES).ofAll().find({});
      await store.close();
      for (const file of files) {
        const own = batches.filter(({ fileId }) => fileId === file.id);
        expect(new Set(own.map(({ attempt }) => attempt))).toEqual(new Set([file.attempt]));
        expect(own.reduce((sum, { passages }) => sum + passages.length, 0)).toBe(file.passages);
      }
      const names = await readdir(join(folder, 'objects'), { recursive: true });
      expect(names.filter((name) => /documents\/[^~]+$/.test(name))).toHaveLength(taken);
    },
    120_000 + KILLS * 60_000,
  );
});
