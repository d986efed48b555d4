import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { Log } from '../../../ports/log.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { turnAfter } from '../../../shared/planned-turns.js';
import { RunRepository } from '../run/run.repository.js';
import { RunStarter } from '../run/run-starter.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { rhythmOf, type AgentTask } from '../tasks/task.types.js';

const MINUTE = 60_000;

/** Writes down skipped runs that were cut off, and brings schedules back that a clock far ahead has sent into the future. */
@Injectable()
export class ScheduleReconciler extends Reconciler {
  protected override readonly failure = 'schedules could not be looked up';

  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
    private readonly starter: RunStarter,
    private readonly clock: Clock,
    protected override readonly log: Log,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const task of await this.tasks.allSkipping()) await this.starter.recordSkip(task);
    // Clocks of several instances are never quite the same: a minute is no jump.
    const ahead = new Date(this.clock.now().getTime() + MINUTE);
    for (const task of await this.tasks.allScheduledAfter(ahead)) await this.bringBack(task);
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
    return seed?.plannedAt?.getTime() === turn.getTime() || this.runs.wasPlanned(companyId, id, turn);
  }
}
