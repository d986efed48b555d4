import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import { ManualClock } from '../support/manual-clock.js';
import { AgentCore, MortalStore, aScheduledTask, runsIn } from './agent-core.js';
import { MINUTE } from './agent-world.js';

/** The claim of the turn, and the record of its run. */
const BEGUN = 2;

let folder: string;
let store: LmdbDocumentStore;
const clock = new ManualClock();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-instances-'));
  store = new LmdbDocumentStore(join(folder, 'documents'), clock);
  await store.open();
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

function anInstance(): AgentCore {
  return new AgentCore(new MortalStore(store), clock, false);
}

it('a run that one of several instances has begun is worked on at once by whichever comes to it', async () => {
  await new TaskRepository(store).insert(aScheduledTask(clock.now(), 1));
  clock.advance(2 * MINUTE);
  const [beginning, other] = [anInstance(), anInstance()];
  beginning.store.writesLeft = BEGUN;
  await beginning.live();
  expect(await runsIn(store)).toMatchObject([{ status: 'running', attempts: 0 }]);

  // No time has passed: nobody waits for a lease to end.
  await other.live();
  expect(await runsIn(store)).toMatchObject([{ status: 'done', attempts: 1 }]);
  await beginning.bury();
  await other.bury();
});
