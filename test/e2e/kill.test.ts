import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UploadSweeper } from '../../src/features/datasource/upload/upload.sweeper.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../support/service-process.js';
import { startTestApi } from '../support/test-api.js';
import { notApplicable, SHARED_SERVERS } from '../support/way.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { ContextFiles, Fetches } from './kill.files.js';
import { type Going, Imports } from './kill.imports.js';
import { Additions, COMPACT_AFTER_ROWS, Insertions } from './kill.rows.js';

const KILLS = process.env['TEST_LONG'] === '1' ? 100 : 2;
const SEED = Number(process.env['TEST_SEED'] ?? 20_261_120);
/** By then most of what a round begins is done. */
const LATEST_KILL_MS = 1_500;

/** The datasource that a file of rows belongs to. */
const OWNER = /rows\/([0-9a-f]{24})[.]\d+[.]/;
/** Drafts, part files, and uploads that are rows by now. */
const LEFT_OVER = /importing|job\.|\.part|objects\/.*\/uploads\/.+/;

/** Each part of the time has a kill. */
function momentIn(part: number): fc.Arbitrary<number> {
  const [min, max] = [part, part + 1].map((end) => Math.floor((end * LATEST_KILL_MS) / KILLS));
  return fc.noBias(fc.integer({ min: min!, max: max! }));
}

const elsewhere = notApplicable(
  SHARED_SERVERS,
  'it kills the process at the files of its own engines; chaos.test.ts kills instances that share servers',
);

describe.skipIf(elsewhere)(`after each of ${KILLS} kills during everything that a service does`, () => {
  let root: string;
  let folder: string;
  let place: WebhookReceiver;
  let imports: Imports;
  let insertions: Insertions;
  let additions: Additions;
  let contextFiles: ContextFiles;
  let fetches: Fetches;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'das-kill-'));
    place = await WebhookReceiver.start('127.0.0.1');
  });
  afterAll(async () => {
    await place[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  });

  /** Each try begins with nothing. */
  async function allAnew(): Promise<readonly Going[]> {
    folder = await mkdtemp(join(root, 'data-'));
    imports = new Imports(KILLS);
    insertions = new Insertions(folder, KILLS);
    additions = new Additions();
    contextFiles = new ContextFiles();
    fetches = new Fetches(place);
    return [imports, insertions, additions, contextFiles, fetches];
  }

  function start(): Promise<ServiceProcess> {
    return ServiceProcess.start({
      DATA_DIR: folder,
      COMPACT_AFTER_ROWS: String(COMPACT_AFTER_ROWS),
      PLACE_NETWORKS: '127.0.0.1',
      ...WITH_ADMIN,
    });
  }

  /** All that was stored of rows and uploads. */
  async function storedFiles(): Promise<readonly string[]> {
    const all = await readdir(folder, { recursive: true, withFileTypes: true });
    return all.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  }

  it(
    'nothing is stuck, and what was acknowledged is there, once',
    async () => {
      const all = await allAnew();
      // The latest first, so that the earliest find something that is there.
      const each = fc.tuple(...Array.from({ length: KILLS }, (_, round) => momentIn(KILLS - 1 - round)));
      const [moments = []] = fc.sample(each, { numRuns: 1, seed: SEED });
      console.info(`the moments of the kills: TEST_SEED=${SEED}`);
      for (let round = 0; round <= KILLS; round += 1) {
        await using service = await start();
        const client = await signIn(service);
        if (round > 0) await Promise.all(all.map((one) => one.expectKept(client, round)));
        if (round === KILLS) break;
        await Promise.all(all.map((one) => one.begin(client, round)));
        const going = Promise.all(all.map((one) => one.go(client, round)));
        await new Promise((wake) => setTimeout(wake, moments[round]));
        await service.kill();
        await going;
      }
      expect(imports.deleted.size).toBeGreaterThan(0);
    },
    180_000 + KILLS * 90_000,
  );

  it('no half-made file is left, and after a day no upload that nobody used', async () => {
    const old = new Date(Date.now() - 2 * 86_400_000);
    for (const path of await storedFiles()) await utimes(path, old, old);
    await using api = await startTestApi({ dataDir: folder });
    await api.drain();
    await contextFiles.expectOnce(api);
    api.clock.advance(25 * 3_600_000);
    await api.get(UploadSweeper).sweep();
    expect((await storedFiles()).filter((name) => LEFT_OVER.test(name))).toEqual([]);
    const owners = [...imports.there, ...[insertions, additions, fetches].map(({ datasource }) => datasource)];
    const found = async (): Promise<unknown> =>
      new Set((await storedFiles()).flatMap((name) => OWNER.exec(name)?.[1] ?? []));
    await expect.poll(found).toEqual(new Set(owners));
  }, 120_000);
});
