import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceProcess } from '../support/service-process.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-damaged-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const elsewhere = notApplicable(SHARED_SERVERS, 'it damages the files of the embedded stores');

describe.skipIf(elsewhere)('a start on a damaged data folder', () => {
  beforeAll(async () => {
    await using service = await ServiceProcess.start({ DATA_DIR: folder });
    await service.stop();
  }, 60_000);

  it.each([
    ['documents/data.mdb', /the document store \(documents\/data\.mdb\) is damaged: .+restore the data folder/],
    ['rows/engine.lock.duckdb', /engine\.lock\.duckdb is damaged: delete it/],
    ['jwt-secret', /jwt-secret is damaged: delete it/],
  ])(
    'is refused with a sentence when bytes of %s are flipped',
    async (name, sentence) => {
      const path = join(folder, name);
      const sound = await readFile(path);
      const damaged = Buffer.from(sound);
      for (let flip = 0; flip < 400; flip += 1)
        damaged[(flip * 7919 + 13) % damaged.length]! ^= 1 + ((flip * 37) % 254);
      await writeFile(path, damaged);
      const end = await ServiceProcess.startInVain({ DATA_DIR: folder });
      await writeFile(path, sound);
      expect(end.code).toBe(1);
      expect(end.stderr).toMatch(sentence);
    },
    30_000,
  );
});
