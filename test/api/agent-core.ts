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
import { Scheduler } from '../../src/features/agent/schedule/scheduler.js';
import { TaskRepository } from '../../src/features/agent/tasks/task.repository.js';
import type { AgentTask } from '../../src/features/agent/tasks/task.schema.js';
import type { WebhookFacade } from '../../src/features/settings/webhook/webhook.facade.js';
import { LeaseKeeper } from '../../src/queue/lease-keeper.js';
import {
  Collection,
  DocumentStore,
  TenantCollection,
  type CollectionDefinition,
  type StoredDocument,
  type TenantDocument,
} from '../../src/ports/document-store.js';
import type { JobHandlers } from '../../src/ports/job-queue.js';
import { JOB_POLICIES } from '../../src/ports/jobs.js';
import type { ChartImages } from '../../src/answering/chart-images.js';
import type { ImageSweeper } from '../../src/answering/image-sweeper.js';
import { asId, type CompanyId, type TaskId } from '../../src/shared/ids.js';
import type { ManualClock } from '../support/manual-clock.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const WRITES: readonly unknown[] = ['insert', 'update', 'remove'] satisfies (keyof Collection<StoredDocument>)[];

/** A process that is killed after so many writes: from then on nothing it does reaches the store. */
export class MortalStore extends DocumentStore {
  writesLeft = Number.POSITIVE_INFINITY;

  constructor(private readonly store: DocumentStore) {
    super();
  }

  override collection<T extends StoredDocument>(definition: CollectionDefinition<T>): Collection<T> {
    return this.mortal(this.store.collection(definition));
  }

  override tenantCollection<T extends TenantDocument>(definition: CollectionDefinition<T>): TenantCollection<T> {
    const tenants = this.store.tenantCollection(definition);
    return { of: (companyId) => this.mortal(tenants.of(companyId)), ofAll: () => this.mortal(tenants.ofAll()) };
  }

  override check(): Promise<void> {
    return this.store.check();
  }

  private mortal<T extends StoredDocument>(collection: Collection<T>): Collection<T> {
    return new Proxy(collection, {
      get: (inner, name) => {
        const method = Reflect.get(inner, name) as (...args: unknown[]) => unknown;
        return (...args: unknown[]): unknown => {
          if (WRITES.includes(name)) this.writesLeft -= 1;
          return this.writesLeft < 0 ? Promise.reject(new Error('killed')) : method.apply(inner, args);
        };
      },
    });
  }
}

/** What of an instance schedules runs and does them, without the rest of the service. Its runs end well at once. */
export class AgentCore {
  readonly scheduler: Scheduler;
  private readonly runReconciler: RunReconciler;
  /** As the service has it, without the pause before a second attempt. */
  private readonly jobs = new InProcessJobQueue(silent, {
    ...JOB_POLICIES,
    'agent.run': { ...JOB_POLICIES['agent.run'], backoffMs: 1 },
  });

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
    this.scheduler = Object.assign(new Scheduler(tasks, runs, starter, conditions, clock), { log: silent });
    this.runReconciler = Object.assign(new RunReconciler(tasks, leases, announcer, this.jobs), { log: silent });
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
    await this.scheduler.tick();
    await this.jobs.idle();
    await this.scheduler.claimAll();
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
  const nobody = { leaseOwner: null, leaseUntil: null, deletedAt: null, restorableUntil: null };
  const notYet = { runId: null, seed: null, lastRunAt: null, scheduleNote: null, skip: null, skippedAt: null };
  return {
    ...{ id: TASK, companyId: COMPANY, createdBy: asId('b'.repeat(24)), createdAt: now, updatedAt: now },
    ...{ name: 'Watch', prompt: 'How warm?', datasources: [asId('d'.repeat(24))], datasourceNames: ['Sensors'] },
    ...{ mode: 'solve', thinking: false, status: 'ready', notifyEmails: [], failuresInARow: 0, ...notYet, ...nobody },
    ...{ automationEnabled: true, automationInterval: minutes, automationAt: null, condition: { type: 'always' } },
    ...{ nextRunAt: new Date(now.getTime() + minutes * 60_000), scheduledAt: now },
  };
}

/** All runs of the task, oldest first. */
export function runsIn(store: DocumentStore): Promise<readonly AgentRun[]> {
  return new RunRepository(store).allWhere(COMPANY, { taskId: TASK }, { sort: [['id', 'asc']] });
}
