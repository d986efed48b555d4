import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type {
  PreviousRun,
  TaskAssignment,
  TaskOutcome,
  TaskSubject,
} from '../../../answering/tasks/task-assignment.js';
import { TaskWork } from '../../../answering/tasks/task-work.js';
import { untilAborted } from '../../../shared/until-aborted.js';
import { AppConfig } from '../../../config/app-config.js';
import { StoreAway } from '../../../ports/document-store.js';
import { JobQueue } from '../../../ports/job-queue.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import { Log } from '../../../ports/log.js';
import type { NumberedTaskStep, TaskStep } from '../../../ports/task-step.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { LeaseKeeper, LeaseLost } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { AppError, isAppError, messageOf } from '../../../shared/app-error.js';
import { Deadline } from '../../../shared/deadline.js';
import type { RunId } from '../../../shared/ids.js';
import { ContextFilesFacade } from '../../context-files/context-files.facade.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { CompanyModels } from '../../models/company-models.facade.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.schema.js';
import { RunAnnouncer } from './run-closing.js';
import { type HeldRun, MOST_ATTEMPTS, RunLedger } from './run-ledger.js';
import { nextStep } from './run-records.js';
import { RunRepository } from './run.repository.js';
import type { SeenVersions } from './run.schema.js';

/** Gathers all that a run is told and may use. */
@Injectable()
export class AssignmentBuilder {
  constructor(
    private readonly datasources: DatasourceFacade,
    private readonly contextFiles: ContextFilesFacade,
    private readonly runs: RunRepository,
    private readonly config: AppConfig,
    private readonly models: CompanyModels,
  ) {}

  /**
   * @throws AppError `not_found` or `conflict`, naming the first datasource that can't be asked; `rate_limited` when the company's tokens
   *   are spent.
   */
  async build(
    task: AgentTask,
    signal: AbortSignal,
  ): Promise<{ readonly assignment: TaskAssignment; readonly versions: SeenVersions }> {
    const found = await this.datasources.findAll(task.companyId, task.datasources);
    const subjects = found.map((datasource, index) => subjectOf(datasource, task.datasourceNames[index] ?? ''));
    return {
      versions: versionsOf(found),
      assignment: {
        companyId: task.companyId,
        prompt: task.prompt,
        mode: task.mode,
        thinking: task.thinking,
        subjects,
        passagesFor: (question) => this.contextFiles.passagesFor(task.companyId, question, signal),
        previous: await this.previous(task),
        queryTimeoutMs: this.config.limits.queryTimeoutMs,
        answerer: await this.models.answererFor({ companyId: task.companyId, userId: task.createdBy }),
      },
    };
  }

  private async previous({ companyId, id }: AgentTask): Promise<PreviousRun | null> {
    const last = await this.runs.lastDone(companyId, id);
    return last?.finishedAt == null ? null : { finishedAt: last.finishedAt, figures: last.figures };
  }
}

/** Datasources that are gone have no version. */
export function versionsOf(datasources: readonly (ReadableDatasource | null)[]): SeenVersions {
  return Object.fromEntries(datasources.flatMap((each) => (each === null ? [] : [[each.id, each.version]])));
}

function subjectOf(datasource: ReadableDatasource | null, name: string): TaskSubject {
  if (datasource === null) {
    throw new AppError('not_found', `the datasource "${name}" was deleted, and the task can't be run without it`);
  }
  const { table, profile, context, semantics } = datasource;
  if (table === null || profile === null) {
    throw new AppError('conflict', `the datasource "${datasource.name}" ${WITHOUT_ROWS[datasource.state]}`);
  }
  return { datasourceId: datasource.id, name: datasource.name, context, semantics, table, profile };
}

const WITHOUT_ROWS: Readonly<Record<ReadableDatasource['state'], string>> = {
  pending: 'has no rows yet: its import is waiting to begin',
  running: 'has no rows yet: its import is running',
  failed: 'has no rows: its import failed, and its page says why',
  ready: 'has no rows',
};

/** The run has used up its time. */
class RunTooLong extends AppError {
  constructor(limitMs: number) {
    super('timed_out', `the run took longer than ${Math.round(limitMs / 6_000) / 10} minutes`);
  }
}

type Run = JobPayloads['agent.run'];

/** Works on runs and records them step by step. May be called twice for the same; one call does it. */
@Injectable()
export class RunWorker extends JobProcessor<'agent.run'> implements BeforeApplicationShutdown {
  override readonly job = 'agent.run';
  /** Of one attempt; whoever does the work knows more, and normally ends it sooner. */
  readonly wholeMs: number = 10 * 60_000;
  private readonly active = new Set<RunId>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly ledger: RunLedger,
    private readonly assignments: AssignmentBuilder,
    private readonly taskWork: TaskWork,
    private readonly log: Log,
  ) {
    super();
  }

  /** @throws Error when the run is to be tried again. */
  override async run(payload: Run, signal: AbortSignal): Promise<void> {
    if (this.active.has(payload.runId)) return;
    this.active.add(payload.runId);
    try {
      const held = await this.ledger.take(payload);
      if (held !== null) await this.work(held, signal);
    } finally {
      this.active.delete(payload.runId);
    }
  }

  /** The last word on a run that could not even be taken up. */
  override giveUp(payload: Run, error: Error): Promise<void> {
    return this.ledger.giveUp(payload, this.sentenceOf(error, payload.runId));
  }

  /** What runs is found again at the next start, or by another instance. */
  beforeApplicationShutdown(): void {
    this.stopping.abort(new LeaseLost('the service is stopping'));
  }

  private async work(held: HeldRun, job: AbortSignal): Promise<void> {
    const { wholeMs } = this;
    using time = new Deadline(wholeMs);
    using kept = this.ledger.keep(held, AbortSignal.any([job, this.stopping.signal, time.signal]));
    let outcome: TaskOutcome;
    try {
      const { assignment, versions } = await untilAborted(this.assignments.build(held.task, kept.signal), kept.signal);
      await this.ledger.note(held, versions);
      outcome = await this.drive(held, assignment, kept.signal);
    } catch (error) {
      // Whoever took the run away has the last word on it. Without the store it is interrupted, as by a crash, and begun again.
      if (job.aborted || error instanceof LeaseLost || error instanceof StoreAway) return;
      await this.fail(held, error === time.signal.reason ? new RunTooLong(wholeMs) : error);
      return;
    }
    await this.ledger.finish(held, { status: 'done', answer: outcome.answer, figures: outcome.figures, error: null });
  }

  private async drive(held: HeldRun, assignment: TaskAssignment, signal: AbortSignal): Promise<TaskOutcome> {
    const work = this.taskWork.run(assignment, signal);
    let { steps } = held.run;
    try {
      for (;;) {
        const { done, value } = await untilAborted(work.next(), signal);
        if (done === true) return value;
        steps = await this.record(held, steps, value);
      }
    } finally {
      // Not waited for: work that does not hear the signal must not hold up the end.
      work.return({ answer: '', figures: [] }).catch(() => undefined);
    }
  }

  private async record(
    held: HeldRun,
    steps: readonly NumberedTaskStep[],
    step: TaskStep,
  ): Promise<readonly NumberedTaskStep[]> {
    const next = nextStep(steps, step);
    if (next === null) return steps;
    const grown = [...steps, next];
    if (!(await this.ledger.add(held, grown))) throw new LeaseLost('the run is not ours any more');
    return grown;
  }

  /** A schedule's run is tried once more; nobody waits for it who could do that. */
  private async fail(held: HeldRun, error: unknown): Promise<void> {
    const sentence = this.sentenceOf(error, held.run.id);
    const again =
      held.run.trigger === 'schedule' && held.run.attempts < MOST_ATTEMPTS && !(error instanceof RunTooLong);
    if (!again) {
      await this.ledger.finish(held, { status: 'error', error: sentence });
      return;
    }
    if (await this.ledger.failAttempt(held, sentence)) throw new Error(sentence, { cause: error });
  }

  /** What users may know. Anything unforeseen is logged whole. */
  private sentenceOf(error: unknown, runId: RunId): string {
    if (isAppError(error)) return error.message;
    this.log.error('a run failed', { runId, reason: messageOf(error), err: error });
    return 'the run could not be finished';
  }
}

/** Puts back to work the runs that nobody works on, and tells what was not told. */
@Injectable()
export class RunReconciler extends Reconciler {
  protected override readonly failure = 'interrupted runs could not be looked up';

  constructor(
    private readonly tasks: TaskRepository,
    private readonly leases: LeaseKeeper,
    private readonly announcer: RunAnnouncer,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const task of await this.tasks.anywhere({ status: 'running', deletedAt: null })) {
      if (task.runId === null || !this.leases.isAbandoned(task)) continue;
      const { companyId, id, runId } = task;
      await this.jobs.enqueue('agent.run', runId, { companyId, taskId: id, runId });
    }
    await this.announcer.announceForgotten(this.leases.now());
  }
}
