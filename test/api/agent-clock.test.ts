import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import type { AgentTask } from '../../src/features/agent/tasks/task.schema.js';
import { ManualClock } from '../support/manual-clock.js';
import { AgentCore, COMPANY, MortalStore, TASK, aScheduledTask, runsIn } from './agent-core.js';
import { MINUTE } from './agent-world.js';

const DAY = 24 * 60 * MINUTE;
const START = new Date('2026-03-01T08:00:00.123Z');
const INTERVALS = [1, 15, 60, 1440];
/** More of them make a long run: `AGENT_STORIES=500`. */
const STORIES = Number(process.env['AGENT_STORIES'] ?? 5);

/** What happens to an instance: time passes, the clock is set, or it dies after so many writes and another starts later. */
type Happening =
  | { readonly kind: 'pass' | 'set'; readonly ms: number }
  | { readonly kind: 'die'; readonly afterWrites: number; readonly away: number };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 3 * 60 * MINUTE }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -3 * DAY, max: 3 * DAY }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('die' as const),
      afterWrites: fc.integer({ min: 0, max: 9 }),
      away: fc.integer({ min: 0, max: 2 * DAY }),
    }),
  },
);

const folder = await mkdtemp(join(tmpdir(), 'das-clock-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** One task on a store of its own, and the instance of the moment. */
class Story implements AsyncDisposable {
  readonly clock = new ManualClock(START);
  private core: AgentCore;

  private constructor(
    readonly store: LmdbDocumentStore,
    readonly minutes: number,
  ) {
    this.core = this.start();
  }

  static async begin(name: string, minutes: number): Promise<Story> {
    const store = new LmdbDocumentStore(join(folder, name), new ManualClock(START));
    await store.open();
    await new TaskRepository(store).insert(aScheduledTask(START, minutes));
    return new Story(store, minutes);
  }

  async go(what: Happening): Promise<void> {
    if (what.kind === 'die') {
      this.clock.advance(this.minutes * MINUTE);
      this.core.store.writesLeft = what.afterWrites;
      await this.core.live();
      await this.core.bury();
      this.clock.advance(what.away);
      this.core = this.start();
    } else {
      this.clock.advance(what.ms);
    }
  }

  live(): Promise<void> {
    return this.core.live();
  }

  async task(): Promise<AgentTask> {
    return (await new TaskRepository(this.store).find(COMPANY, TASK))!;
  }

  async turns(): Promise<readonly number[]> {
    return (await runsIn(this.store)).map(({ plannedAt }) => plannedAt!.getTime());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.core.bury();
    await this.store.close();
  }

  private start(): AgentCore {
    return new AgentCore(new MortalStore(this.store), this.clock);
  }
}

describe('over days with outages and clock jumps, at whatever write the process dies', () => {
  it(
    'no turn is run twice or off its time, what was missed runs once, and nothing is stuck',
    { timeout: 240_000 },
    async () => {
      let stories = 0;
      const property = fc.asyncProperty(
        fc.constantFrom(...INTERVALS),
        fc.array(happening, { minLength: 1, maxLength: 8 }),
        async (minutes, happenings) => {
          stories += 1;
          await using story = await Story.begin(`story-${stories}`, minutes);
          for (const each of happenings) {
            const before = await story.turns();
            const now = story.clock.now();
            await story.go(each);
            await story.live();
            const after = await story.turns();
            // A death is met at a turn of its own, and may be followed by another while nobody was there.
            const most = each.kind === 'die' ? 2 : 1;
            expect(after.length - before.length).toBeLessThanOrEqual(most);
            expect(after.length - before.length).toBeGreaterThanOrEqual(
              each.kind !== 'set' &&
                story.clock.now().getTime() - now.getTime() > minutes * MINUTE &&
                !(await wasAhead(story))
                ? 1
                : 0,
            );
            await expectOrder(story);
          }
        },
      );
      await fc.assert(property, { numRuns: STORIES });
    },
  );
});

/** The clock was set back before, and the schedule may wait for turns that have been taken. */
async function wasAhead(story: Story): Promise<boolean> {
  return (await story.turns()).some((turn) => turn > story.clock.now().getTime());
}

async function expectOrder(story: Story): Promise<void> {
  const [task, turns, now] = [await story.task(), await story.turns(), story.clock.now().getTime()];
  const interval = story.minutes * MINUTE;
  expect(new Set(turns).size).toBe(turns.length);
  for (const turn of turns) expect(Math.abs(turn - START.getTime()) % interval).toBe(0);
  expect(task).toMatchObject({ status: 'ready', seed: null, skip: null, automationEnabled: true });
  const next = task.nextRunAt!.getTime();
  expect(Math.abs(next - START.getTime()) % interval).toBe(0);
  expect(next).toBeGreaterThan(now);
  // As soon as it can be: turns that were taken while the clock was ahead are all it may wait for. A minute is no jump.
  const taken = turns.filter((turn) => turn > now).length;
  expect(next - now).toBeLessThanOrEqual((taken + 1) * interval + MINUTE);
  for (const { status } of await runsIn(story.store)) expect(status).toBe('done');
}

it('a run that one of several instances has begun is worked on at once by whichever comes to it', async () => {
  const clock = new ManualClock();
  const store = new LmdbDocumentStore(join(folder, 'instances'), clock);
  await store.open();
  await new TaskRepository(store).insert(aScheduledTask(clock.now(), 1));
  clock.advance(2 * MINUTE);
  const [beginning, other] = [1, 2].map(() => new AgentCore(new MortalStore(store), clock, false));
  // The claim of the turn, and the record of its run.
  beginning!.store.writesLeft = 2;
  await beginning!.live();
  expect(await runsIn(store)).toMatchObject([{ status: 'running', attempts: 0 }]);

  // No time has passed: nobody waits for a lease to end.
  await other!.live();
  expect(await runsIn(store)).toMatchObject([{ status: 'done', attempts: 1 }]);
  await beginning!.bury();
  await other!.bury();
  await store.close();
});
