import { InProcessEventStream } from '../../src/adapters/embedded/in-process-event-stream.js';
import { InProcessJobQueue } from '../../src/adapters/embedded/in-process-job-queue.js';
import { ProcessInstance } from '../../src/adapters/system/process-instance.js';
import { RandomIdSource } from '../../src/adapters/system/random-id-source.js';
import { RunAnnouncer, RunClosing } from '../../src/features/agent/run/run-closing.js';
import { RunLedger } from '../../src/features/agent/run/run-ledger.js';
import { RunReconciler } from '../../src/features/agent/run/run-worker.js';
import { RunRecords, RunRemover } from '../../src/features/agent/run/run-records.js';
import type { RecipientsFacade } from '../../src/features/deliveries/mail.facade.js';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { RunStarter } from '../../src/features/agent/run/run.service.js';
import type { AgentRun } from '../../src/features/agent/run/run.schema.js';
import { ConditionCheck } from '../../src/features/agent/schedule/condition-check.js';
import { Scheduler, ScheduleReconciler } from '../../src/features/agent/schedule/scheduler.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import type { AgentTask } from '../../src/features/agent/tasks/task.schema.js';
import type { WebhookFacade } from '../../src/features/settings/webhook/webhook.facade.js';
import { LeaseKeeper } from '../../src/queue/lease-keeper.js';
import {
  Collection,
  DocumentStore,
  TenantCollection,
  type Change,
  type CollectionDefinition,
  type FindOptions,
  type StoredDocument,
  type TenantDocument,
  type Where,
} from '../../src/ports/document-store.js';
import type { JobHandlers } from '../../src/ports/job-queue.js';
import type { ChartImages } from '../../src/answering/chart-images.js';
import type { ImageSweeper } from '../../src/answering/image-sweeper.js';
import { asId, type CompanyId, type TaskId } from '../../src/shared/ids.js';
import type { ManualClock } from '../support/manual-clock.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A process that is killed after so many writes: from then on nothing it does reaches the store. */
export class MortalStore extends DocumentStore {
  writesLeft = Number.POSITIVE_INFINITY;

  constructor(private readonly store: DocumentStore) {
    super();
  }

  override collection<T extends StoredDocument>(definition: CollectionDefinition<T>): Collection<T> {
    return new MortalCollection(this, this.store.collection(definition));
  }

  override tenantCollection<T extends TenantDocument>(definition: CollectionDefinition<T>): TenantCollection<T> {
    return new MortalTenants(this, this.store.tenantCollection(definition));
  }

  override check(): Promise<void> {
    return this.store.check();
  }

  /** @throws Error when the process is dead. */
  spend(writes: number): void {
    this.writesLeft -= writes;
    if (this.writesLeft < 0) throw new Error('killed');
  }
}

class MortalTenants<T extends TenantDocument> extends TenantCollection<T> {
  constructor(
    private readonly process: MortalStore,
    private readonly inner: TenantCollection<T>,
  ) {
    super();
  }

  override of(companyId: CompanyId): Collection<T> {
    return new MortalCollection(this.process, this.inner.of(companyId));
  }

  override ofAll(): Collection<T> {
    return new MortalCollection(this.process, this.inner.ofAll());
  }
}

class MortalCollection<T extends StoredDocument> extends Collection<T> {
  constructor(
    private readonly process: MortalStore,
    private readonly inner: Collection<T>,
  ) {
    super();
  }

  override async insert(document: T): Promise<void> {
    this.process.spend(1);
    await this.inner.insert(document);
  }

  override async get(id: string): Promise<T | null> {
    this.process.spend(0);
    return this.inner.get(id);
  }

  override async find(where: Where<T>, options?: FindOptions<T>): Promise<readonly T[]> {
    this.process.spend(0);
    return this.inner.find(where, options);
  }

  override async count(where: Where<T>): Promise<number> {
    this.process.spend(0);
    return this.inner.count(where);
  }

  override async update(where: Where<T>, change: Change<T>): Promise<T | null> {
    this.process.spend(1);
    return this.inner.update(where, change);
  }

  override async remove(where: Where<T>): Promise<number> {
    this.process.spend(1);
    return this.inner.remove(where);
  }
}

/** What of an instance schedules runs and does them, without the rest of the service. Its runs end well at once. */
export class AgentCore {
  readonly scheduler: Scheduler;
  private readonly runReconciler: RunReconciler;
  private readonly scheduleReconciler: ScheduleReconciler;
  private readonly jobs = new InProcessJobQueue(silent);

  constructor(
    readonly store: MortalStore,
    clock: ManualClock,
    isAlone = true,
  ) {
    const [tasks, runs] = [new TaskRepository(store), new RunRepository(store)];
    const leases = new LeaseKeeper(new ProcessInstance(isAlone), clock, silent);
    const records = new RunRecords(tasks, runs, new InProcessEventStream(clock), clock);
    const starter = new RunStarter(tasks, records, leases, this.jobs, new RandomIdSource(clock));
    const webhook = { announce: () => Promise.resolve() } as unknown as WebhookFacade;
    const recipients = { report: () => Promise.resolve(null) } as unknown as RecipientsFacade;
    const announcer = new RunAnnouncer(tasks, runs, webhook, recipients, silent);
    const closing = new RunClosing(
      tasks,
      records,
      new RunRemover(runs, {} as ChartImages, {} as ImageSweeper, this.jobs),
      announcer,
      clock,
    );
    const ledger = new RunLedger(tasks, runs, records, closing, leases);
    const nothing = {} as never;
    const conditions = new ConditionCheck(nothing, nothing, runs, silent);
    this.scheduler = new Scheduler(tasks, starter, conditions, clock, silent);
    this.runReconciler = new RunReconciler(tasks, leases, announcer, this.jobs, silent);
    this.scheduleReconciler = new ScheduleReconciler(tasks, runs, starter, clock, silent);
    const handlers: Pick<JobHandlers, 'agent.run'> = {
      'agent.run': {
        run: async (payload) => {
          const held = await ledger.take(payload);
          if (held !== null) await ledger.finish(held, { status: 'done', answer: 'done', figures: [], error: null });
        },
        giveUp: (payload, error) => ledger.giveUp(payload, error.message),
      },
    };
    this.jobs.start(handlers as JobHandlers);
  }

  /** What happens at a start and every 30 seconds, and then every second. */
  async live(): Promise<void> {
    await this.runReconciler.tick();
    await this.scheduleReconciler.tick();
    await this.jobs.idle();
    await this.scheduler.tick();
    await this.jobs.idle();
  }

  /** Nothing more comes from it. */
  async bury(): Promise<void> {
    this.store.writesLeft = 0;
    await this.jobs.stop(0);
  }
}

export const COMPANY = asId<CompanyId>('c'.repeat(24));
export const TASK = asId<TaskId>('a'.repeat(24));

export function aScheduledTask(now: Date, minutes: number): AgentTask {
  return {
    id: TASK,
    companyId: COMPANY,
    createdBy: asId('b'.repeat(24)),
    name: 'Watch',
    prompt: 'How warm?',
    datasources: [asId('d'.repeat(24))],
    datasourceNames: ['Sensors'],
    mode: 'solve',
    thinking: false,
    status: 'ready',
    runId: null,
    seed: null,
    lastRunAt: null,
    leaseOwner: null,
    leaseUntil: null,
    automationEnabled: true,
    automationInterval: minutes,
    automationAt: null,
    notifyEmails: [],
    condition: { type: 'always' },
    nextRunAt: new Date(now.getTime() + minutes * 60_000),
    scheduledAt: now,
    scheduleNote: null,
    failuresInARow: 0,
    skip: null,
    skippedAt: null,
    deletedAt: null,
    restorableUntil: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** All runs of the task, oldest first. */
export async function runsIn(store: DocumentStore): Promise<readonly AgentRun[]> {
  const { entries } = await new RunRepository(store).pageOf(COMPANY, { taskId: TASK }, { index: 0, size: 10_000 }, [
    ['id', 'desc'],
  ]);
  return [...entries].reverse();
}
