import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import type { TaskId } from '../../../shared/ids.js';
import { turnWhenSet, type WeeklyTime } from '../../../shared/planned-turns.js';
import type { Principal } from '../../../shared/principal.js';
import { RecipientsFacade } from '../../deliveries/recipients.facade.js';
import { DatasourceFacade } from '../../datasource/datasource.facade.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { rhythmOf, type AgentTask } from '../tasks/task.types.js';
import { assertCondition, assertInterval } from './condition-rules.js';
import type { RunCondition } from './condition.types.js';

/** What a caller wants of a schedule; without a condition the task's own stays. */
export interface ScheduleDraft {
  readonly taskId: TaskId;
  readonly interval: number;
  /** Counts in place of the interval; null: the interval does. Left out of a pause, it stays. */
  readonly at: WeeklyTime | null;
  readonly enabled: boolean;
  readonly condition: RunCondition | null;
  /** Null: those who are named stay. */
  readonly notifyEmails: readonly string[] | null;
}

/** Sets schedules, pauses them and resumes them. Every user of the company may: they all may run the task, too. */
@Injectable()
export class ScheduleService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly datasources: DatasourceFacade,
    private readonly recipients: RecipientsFacade,
    private readonly clock: Clock,
  ) {}

  /** A pause keeps the interval; resuming, or another interval, counts from now. @throws AppError `not_found`, `invalid_input`, `conflict`, `forbidden` */
  async schedule(by: Principal, draft: ScheduleDraft): Promise<AgentTask> {
    for (;;) {
      const task = await this.tasks.get(by.companyId, draft.taskId);
      assertInterval(draft.interval, task.thinking);
      if (draft.condition?.type === 'threshold') await this.assertFits(task, draft.condition);
      const notifyEmails =
        draft.notifyEmails === null
          ? task.notifyEmails
          : await this.recipients.checked(by, draft.notifyEmails, task.notifyEmails);
      const { automationEnabled, automationInterval, nextRunAt } = task;
      const changed = await this.tasks.swap(
        task,
        { automationEnabled, automationInterval, nextRunAt },
        { ...this.changeOf(task, draft), notifyEmails },
      );
      // Null: somebody changed the schedule at this moment, or it paused itself.
      if (changed !== null) return changed;
    }
  }

  private changeOf(task: AgentTask, { interval, at, enabled, condition }: ScheduleDraft): Partial<AgentTask> {
    const now = this.clock.now();
    const before = task.automationEnabled ? rhythmOf(task) : null;
    const nextRunAt = turnWhenSet(before, enabled ? (at ?? interval) : null, now);
    return {
      automationEnabled: enabled,
      automationInterval: interval,
      ...(enabled || at !== null ? { automationAt: at } : {}),
      ...(condition === null ? {} : { condition }),
      ...(nextRunAt === undefined ? {} : { nextRunAt, scheduledAt: now }),
      scheduleNote: null,
      failuresInARow: 0,
      updatedAt: now,
    };
  }

  /** A deleted datasource is no reason to refuse a condition on another. */
  private async assertFits({ companyId, datasources }: AgentTask, condition: RunCondition): Promise<void> {
    const found = await this.datasources.findAll(companyId, datasources);
    assertCondition(
      condition,
      found.filter((datasource) => datasource !== null),
    );
  }
}
