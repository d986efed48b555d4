import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { JobQueue } from '../../../ports/job-queue.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import { Log } from '../../../ports/log.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { type Lease, LeaseKeeper, LeaseLost, NO_LEASE } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { isAppError, messageOf, onKind } from '../../../shared/app-error.js';
import { turnAfter } from '../../../shared/planned-turns.js';
import { EvaluationFacade } from './evaluation.facade.js';
import { EvaluationRepository, UNENDED } from './evaluation.repository.js';
import type { AskedQuestion, Evaluation, EvaluationId, EvaluationSchedule } from './evaluation.schema.js';
import { GoldenAsker } from './golden-asker.js';

type Run = JobPayloads['evaluation.run'];

/** What was found out is written down this often. */
const RECORD_MS = 1000;
const DUE_AT_ONCE = 100;

/** Asks the questions of evaluations one after the other. A run that was cut off goes on where it was. */
@Injectable()
export class EvaluationWorker extends JobProcessor<'evaluation.run'> {
  override readonly job = 'evaluation.run';
  private readonly active = new Set<EvaluationId>();

  constructor(
    private readonly evaluations: EvaluationRepository,
    private readonly asker: GoldenAsker,
    private readonly leases: LeaseKeeper,
    private readonly log: Log,
  ) {
    super();
  }

  override async run({ companyId, runId }: Run, signal: AbortSignal): Promise<void> {
    if (this.active.has(runId)) return;
    this.active.add(runId);
    try {
      const run = await this.evaluations.find(companyId, runId);
      const taken = run === null ? null : await this.take(run);
      if (taken !== null) await this.work(taken, signal);
    } finally {
      this.active.delete(runId);
    }
  }

  /** Called once, when nothing will retry, so that no evaluation stays `running` for ever. */
  override async giveUp({ companyId, runId }: Run, error: Error): Promise<void> {
    await this.end({ companyId, id: runId }, this.sentenceOf(error, runId));
  }

  private async take(run: Evaluation): Promise<Evaluation | null> {
    if (!(UNENDED.state.in as readonly string[]).includes(run.state) || !this.leases.mayTake(run)) return null;
    const { state, leaseOwner } = run;
    return this.evaluations.swap(run, { state, leaseOwner }, { state: 'running', ...this.leases.lease() });
  }

  private async work(run: Evaluation, job: AbortSignal): Promise<void> {
    const renew = async (lease: Lease): Promise<boolean> => (await this.change(run, lease)) !== null;
    using kept = this.leases.keep({ context: { evaluationId: run.id }, renew }, job);
    try {
      const questions = await this.ask(run, kept.signal);
      await this.change(run, { questions, state: 'done', endedAt: this.leases.now(), ...NO_LEASE });
    } catch (error) {
      // Whoever took it away, or stopped it, has the last word on it; what the queue cut off is found again.
      if (job.aborted || error instanceof LeaseLost || kept.signal.reason instanceof LeaseLost) return;
      await this.end(run, this.sentenceOf(error, run.id));
    }
  }

  private async ask(run: Evaluation, signal: AbortSignal): Promise<readonly AskedQuestion[]> {
    let { questions } = run;
    let recorded = performance.now();
    for (const [place, asked] of run.questions.entries()) {
      if (asked.judged.length > 0) continue;
      signal.throwIfAborted();
      const judged = await this.asker.judge(run, asked.id, signal);
      questions = questions.with(place, { ...asked, judged });
      if (performance.now() - recorded < RECORD_MS) continue;
      recorded = performance.now();
      if ((await this.change(run, { questions })) === null) throw new LeaseLost('it was stopped');
    }
    return questions;
  }

  /** Null when it is not ours any more. */
  private change(run: Evaluation, set: Partial<Evaluation>): Promise<Evaluation | null> {
    return this.evaluations.swap(run, { state: 'running', leaseOwner: this.leases.owner }, set);
  }

  private async end(run: Pick<Evaluation, 'companyId' | 'id'>, error: string): Promise<void> {
    const set = { state: 'failed', error, endedAt: this.leases.now(), ...NO_LEASE } as const;
    await this.evaluations.swap(run, UNENDED, set);
  }

  /** What users may know. Anything unforeseen is logged whole. */
  private sentenceOf(error: unknown, evaluationId: EvaluationId): string {
    if (isAppError(error)) return error.message;
    this.log.error('an evaluation failed', { evaluationId, reason: messageOf(error), err: error });
    return 'the evaluation could not be finished';
  }
}

/** Starts evaluations whose turn has come, and puts to work those that nobody works on: cut off, or ordered by the command line. */
@Injectable()
export class EvaluationReconciler extends Reconciler {
  protected override readonly failure = 'evaluations could not be looked up';

  constructor(
    private readonly evaluations: EvaluationRepository,
    private readonly records: EvaluationFacade,
    private readonly leases: LeaseKeeper,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  /** Somebody at a command line waits for it. */
  @Interval(2_000)
  soon(): Promise<void> {
    return this.tick();
  }

  override async reconcile(): Promise<void> {
    const due = { enabled: true, nextRunAt: { lte: this.leases.now() } };
    for (const schedule of await this.evaluations.schedules.anywhere(due, { limit: DUE_AT_ONCE }))
      await this.take(schedule);
    for (const run of await this.evaluations.anywhere(UNENDED)) {
      if (!this.leases.isAbandoned(run)) continue;
      const { companyId, id } = run;
      await this.jobs.enqueue('evaluation.run', id, { companyId, runId: id });
    }
  }

  /** Claimed by compare-and-set. A turn that finds nothing to ask, or one still running, is passed over. */
  private async take(schedule: EvaluationSchedule): Promise<void> {
    const { companyId, datasourceId, nextRunAt, interval } = schedule;
    if (nextRunAt === null) return;
    const next = turnAfter(this.leases.now(), nextRunAt, interval);
    if ((await this.evaluations.schedules.swap(schedule, { nextRunAt }, { nextRunAt: next })) === null) return;
    const order = { companyId, datasourceId, trigger: 'schedule', models: [null], semantics: null } as const;
    await this.records.start(order).catch(onKind('conflict', () => null));
  }
}
