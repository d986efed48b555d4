import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { LmdbDocumentStore } from '../../src/adapters/embedded/lmdb-document-store.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import type { AgentTask } from '../../src/features/agent/tasks/task.schema.js';
import { ManualClock } from '../support/manual-clock.js';
import { AgentCore, COMPANY, MortalStore, TASK, aScheduledTask, runsIn } from './agent-core.js';
import { MINUTE } from './agent-world.js';

const DAY = 24 * 60 * MINUTE;
const START = new Date('2026-03-01T08:00:00.123Z');
/** More of them make a long run: `AGENT_STORIES=500`. */
const STORIES = Number(process.env['AGENT_STORIES'] ?? 5);

/** What happens to an instance: time passes, the clock is set, or it dies after so many writes and another starts later. */
type Happening =
  | { readonly kind: 'pass' | 'set'; readonly ms: number }
  | { readonly kind: 'die'; readonly afterWrites: number; readonly away: number };

const kind = <K extends Happening['kind']>(of: K): fc.Arbitrary<K> => fc.constant(of);
const ms = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: kind('pass'), ms: ms(0, 3 * 60 * MINUTE) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('set'), ms: ms(-3 * DAY, 3 * DAY) }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('die'), afterWrites: ms(0, 9), away: ms(0, 2 * DAY) }) },
);
/** A run is ten writes from its claim to its end. */
const DYING: Happening[] = Array.from({ length: 10 }, (_, afterWrites) => ({ kind: 'die', afterWrites, away: MINUTE }));

const folder = await mkdtemp(join(tmpdir(), 'das-clock-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function aStore(name: string, clock: ManualClock, minutes: number): Promise<LmdbDocumentStore> {
  const store = new LmdbDocumentStore(join(folder, name), clock);
  await store.open();
  await new TaskRepository(store).insert(aScheduledTask(clock.now(), minutes));
  return store;
}

/** One task on a store of its own, and the instance of the moment. */
class Story implements AsyncDisposable {
  private core: AgentCore;

  private constructor(
    readonly store: LmdbDocumentStore,
    readonly clock: ManualClock,
    readonly minutes: number,
  ) {
    this.core = this.start();
  }

  static async begin(name: string, minutes: number): Promise<Story> {
    const clock = new ManualClock(START);
    return new Story(await aStore(name, clock, minutes), clock, minutes);
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
    await this.core.live();
  }

  async task(): Promise<AgentTask> {
    return (await new TaskRepository(this.store).find(COMPANY, TASK))!;
  }

  async turns(): Promise<readonly number[]> {
    return (await runsIn(this.store)).map(({ plannedAt }) => plannedAt!.getTime());
  }

  /** The clock was set back before, and the schedule may wait for turns that have been taken. */
  async wasAhead(): Promise<boolean> {
    return (await this.turns()).some((turn) => turn > this.clock.now().getTime());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.core.bury();
    await this.store.close();
  }

  private start(): AgentCore {
    return new AgentCore(new MortalStore(this.store), this.clock);
  }
}

it(
  'over days with outages and clock jumps, at whatever write the process dies, no turn is run twice or off its time, what was missed runs once, and nothing is stuck',
  { timeout: 240_000 },
  async () => {
    let stories = 0;
    const happenings = fc.array(happening, { minLength: 1, maxLength: 8 });
    const property = fc.asyncProperty(fc.constantFrom(1, 15, 60, 1440), happenings, async (minutes, all) => {
      stories += 1;
      await using story = await Story.begin(`story-${stories}`, minutes);
      for (const each of all) {
        const [before, began] = [await story.turns(), story.clock.now().getTime()];
        await story.go(each);
        const more = (await story.turns()).length - before.length;
        const passed = story.clock.now().getTime() - began;
        const isDue = each.kind !== 'set' && passed > minutes * MINUTE && !(await story.wasAhead());
        expect(more).toBeGreaterThanOrEqual(isDue ? 1 : 0);
        // A death is met at a turn of its own, and may be followed by another while nobody was there.
        expect(more).toBeLessThanOrEqual(each.kind === 'die' ? 2 : 1);
        await expectOrder(story);
      }
    });
    await fc.assert(property, { numRuns: STORIES, examples: [[15, DYING]] });
  },
);

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
  const store = await aStore('instances', clock, 1);
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
