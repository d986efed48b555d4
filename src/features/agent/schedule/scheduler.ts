import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { KeyedSemaphore } from '../../../shared/keyed-semaphore.js';
import { Clock } from '../../../ports/clock.js';
import { Log } from '../../../ports/log.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { messageOf } from '../../../shared/app-error.js';
import type { TaskId } from '../../../shared/ids.js';
import { aheadOf, turnAfter } from '../../../shared/planned-turns.js';
import { RunRepository } from '../run/run.repository.js';
import { RunStarter, type Turn } from '../run/run.service.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { type AgentTask, rhythmOf } from '../tasks/task.schema.js';
import { ConditionCheck } from './condition-check.js';

const DUE_AT_ONCE = 1_000;
const CHECKS_AT_ONCE = 4;
const STILL_RUNNING = 'the run before it was still running';

/**
 * Looks every second for tasks whose turn has come, of all companies, and claims each by compare-and-set: of many schedulers on
 * one store one succeeds. Turns missed meanwhile are one; the next is where it would have been.
 */
@Injectable()
export class Scheduler {
  private round: Promise<void> | null = null;
  /** Conditions are checked beside the rounds, few at once: slow ones must not hold up other tasks, or the rows' engine. */
  private readonly checks = new Map<TaskId, Promise<void>>();
  private readonly lanes = new KeyedSemaphore(CHECKS_AT_ONCE);
  private isAway = false;

  constructor(
    private readonly tasks: TaskRepository,
    private readonly starter: RunStarter,
    private readonly conditions: ConditionCheck,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  @Interval(1_000)
  async everySecond(): Promise<void> {
    if (this.round === null) await this.tick();
  }

  /** Resolves when every task that was due by now has been claimed, by whomever. */
  async tick(): Promise<void> {
    while (this.round !== null) await this.round;
    this.round = this.look().finally(() => (this.round = null));
    await this.round;
    await Promise.all(this.checks.values());
  }

  private async look(): Promise<void> {
    try {
      // Those whose conditions are being checked stay due until they are claimed, and must not hide the others.
      const due = await this.tasks.anywhere(
        { nextRunAt: { lte: this.clock.now() }, deletedAt: null },
        { sort: [['nextRunAt', 'asc']], limit: DUE_AT_ONCE + this.checks.size },
      );
      for (const task of due) if (!needsNoCheck(task)) this.check(task);
      await Promise.all(due.filter(needsNoCheck).map((task) => this.claim(task)));
      this.isAway = false;
    } catch (error) {
      // Every second again: told once until it is over.
      if (!this.isAway) this.log.warn('due tasks could not be looked up', { reason: messageOf(error) });
      this.isAway = true;
    }
  }

  private check(task: AgentTask): void {
    if (this.checks.has(task.id)) return;
    const checked = this.lanes.run('checks', () => this.claim(task)).finally(() => this.checks.delete(task.id));
    this.checks.set(task.id, checked);
  }

  /** Never rejects: what could not be claimed stays due. */
  private async claim(task: AgentTask): Promise<void> {
    try {
      await this.starter.recordSkip(task);
      if (task.nextRunAt !== null) await this.take(task, this.turn(task, task.nextRunAt));
    } catch (error) {
      this.log.warn('a due task could not be claimed', { taskId: task.id, reason: messageOf(error) });
    }
  }

  private async take(task: AgentTask, turn: Turn): Promise<void> {
    if (task.status === 'running') {
      await this.starter.skip(task, { ...turn, expected: { ...turn.expected, status: 'running' } }, STILL_RUNNING);
      return;
    }
    const { met, reason } = await this.conditions.verdictOn(task);
    if (met) await this.starter.begin(task, turn, reason);
    else await this.starter.skip(task, turn, reason ?? '');
  }

  private turn(task: AgentTask, plannedAt: Date): Turn {
    const { nextRunAt, updatedAt } = task;
    const now = this.clock.now();
    return {
      plannedAt,
      expected: { nextRunAt, updatedAt },
      set: { nextRunAt: turnAfter(now, plannedAt, rhythmOf(task)), scheduledAt: now },
    };
  }
}

/** What is claimed without looking at any rows. */
function needsNoCheck({ condition, status }: AgentTask): boolean {
  return condition.type === 'always' || status === 'running';
}

/** Writes down skipped runs that were cut off, and brings schedules back that a clock far ahead has sent into the future. */
@Injectable()
export class ScheduleReconciler extends Reconciler {
  protected override readonly failure = 'schedules could not be looked up';

  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
    private readonly starter: RunStarter,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    const skipping = { skippedAt: { gt: new Date(0) }, deletedAt: null };
    for (const task of await this.tasks.anywhere(skipping)) await this.starter.recordSkip(task);
    const ahead = { scheduledAt: aheadOf(this.clock.now()), deletedAt: null };
    for (const task of await this.tasks.anywhere(ahead)) await this.bringBack(task);
  }

  /** To the first turn from now on that was not taken while the clock was ahead: none is taken twice. */
  private async bringBack(task: AgentTask): Promise<void> {
    const { companyId, id, nextRunAt } = task;
    const rhythm = rhythmOf(task);
    const now = this.clock.now();
    let next = nextRunAt === null ? null : turnAfter(now, nextRunAt, rhythm);
    while (next !== null && nextRunAt !== null && next < nextRunAt && (await this.wasTaken(task, next))) {
      next = turnAfter(next, next, rhythm);
    }
    await this.tasks.swap({ companyId, id }, { nextRunAt }, { nextRunAt: next, scheduledAt: now });
  }

  private async wasTaken({ companyId, id, seed }: AgentTask, turn: Date): Promise<boolean> {
    return (
      seed?.plannedAt?.getTime() === turn.getTime() ||
      (await this.runs.countOf(companyId, { taskId: id, plannedAt: turn })) > 0
    );
  }
}
