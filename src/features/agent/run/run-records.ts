import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChartImages, picturesIn } from '../../../answering/chart-images.js';
import { ImageSweeper } from '../../../answering/image-sweeper.js';
import { stepOf } from '../../../answering/tasks/task-steps.js';
import { Clock } from '../../../ports/clock.js';
import type { Where } from '../../../ports/document-store.js';
import { EventStream } from '../../../ports/event-stream.js';
import { JobQueue } from '../../../ports/job-queue.js';
import type { AgentTaskEvent } from '../../../ports/stream-event.js';
import type { NumberedTaskStep, TaskStep } from '../../../ports/task-step.js';
import type { CompanyId, RunId, TaskId } from '../../../shared/ids.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.schema.js';
import { RunRepository } from './run.repository.js';
import type { AgentRun, RunEnding, RunSeed, RunStatus } from './run.schema.js';

/** Writes the record of a run that its task names, and tells what happens to it. */
@Injectable()
export class RunRecords {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
    private readonly events: EventStream,
    private readonly clock: Clock,
  ) {}

  /** The record of the run in progress; made now when whoever began the run died before they could. */
  async ofRunning(task: AgentTask): Promise<AgentRun | null> {
    if (task.seed === null) return null;
    return (await this.runs.find(task.companyId, task.seed.runId)) ?? this.write(task, task.seed, 'running');
  }

  /** The record as it stands, be it made now or by somebody before; null when the task was deleted meanwhile. */
  async write(task: AgentTask, seed: RunSeed, status: 'running' | 'skipped'): Promise<AgentRun | null> {
    await this.runs.insertOnce(recordOf(task, seed, status));
    const written = await this.runs.find(task.companyId, seed.runId);
    if (written === null || (await this.tasks.find(task.companyId, task.id)) !== null) return written;
    // Whoever removed the task's runs may have come before this one.
    await this.runs.remove(written);
    return null;
  }

  /** Ends the run if it still is as expected; null: it is not. What went wrong is its last step, too. */
  async end(run: AgentRun, expected: Where<AgentRun>, ending: RunEnding): Promise<AgentRun | null> {
    const now = this.clock.now();
    const steps = ending.error === null ? null : await this.stepsWith(run, ending.error, now);
    return this.runs.swap(run, expected, {
      ...ending,
      ...(steps === null ? {} : { steps }),
      unannounced: ending.status !== 'stopped',
      finishedAt: now,
    });
  }

  tell(
    { companyId, id: taskId, status }: Pick<AgentTask, 'companyId' | 'id' | 'status'>,
    runId: RunId,
    action: AgentTaskEvent['action'],
    step: NumberedTaskStep | null = null,
  ): void {
    this.events.publish({ type: 'agent-task', companyId, taskId, runId, action, status, step, at: this.clock.now() });
  }

  private async stepsWith(run: AgentRun, error: string, now: Date): Promise<readonly NumberedTaskStep[]> {
    const steps = (await this.runs.find(run.companyId, run.id))?.steps ?? [];
    const next = nextStep(steps, troubleStep('The run failed', error, now));
    return next === null ? steps : [...steps, next];
  }
}

function recordOf({ companyId, id }: AgentTask, { runId, ...seed }: RunSeed, status: RunStatus): AgentRun {
  return {
    ...seed,
    id: runId,
    companyId,
    taskId: id,
    status,
    attempts: 0,
    steps: [],
    answer: '',
    error: null,
    figures: [],
    versions: {},
    unannounced: false,
    finishedAt: status === 'skipped' ? seed.startedAt : null,
  };
}

const MOST_STEPS = 200;
const MORE = {
  title: 'Further steps are not recorded',
  content: `A run keeps its first ${MOST_STEPS - 1} steps.`,
};

/** The step with its place in the run; null when the run has as many as are kept. */
export function nextStep(steps: readonly NumberedTaskStep[], step: TaskStep): NumberedTaskStep | null {
  if (steps.length >= MOST_STEPS) return null;
  const index = steps.length + 1;
  return { ...(index === MOST_STEPS ? stepOf('check', MORE, step) : step), index };
}

/** A step that says what went wrong. */
export function troubleStep(title: string, content: string, at: Date): TaskStep {
  return stepOf('error', { title, content }, { startedAt: at, finishedAt: at });
}

/** File names of the charts that stand in steps and in an answer. */
export function imagesOf(steps: readonly TaskStep[], answer: string): readonly string[] {
  const shown = steps.map(({ visualization }) => visualization);
  return [...new Set([...shown, ...picturesIn(answer)])].filter((name) => name !== '');
}

const KEPT_RUNS = 1_000;
const KEPT_SKIPS = 200;

/** Removes runs with the images that belong to them, and keeps histories bounded. */
@Injectable()
export class RunRemover implements OnModuleInit {
  constructor(
    private readonly runs: RunRepository,
    private readonly charts: ChartImages,
    private readonly sweeper: ImageSweeper,
    private readonly jobs: JobQueue,
  ) {}

  /** The images of runs in the history stay. */
  onModuleInit(): void {
    this.sweeper.alsoShown((companyId) => this.shown(companyId));
  }

  /** Removes the oldest runs of a task beyond 1,000, and of skipped ones beyond 200, so that these don't push out results. */
  async prune(companyId: CompanyId, taskId: TaskId): Promise<void> {
    const [all, skipped] = await Promise.all([
      this.runs.countOf(companyId, { taskId }),
      this.runs.countOf(companyId, { taskId, status: 'skipped' }),
    ]);
    const surplus = [
      ['skipped', skipped - KEPT_SKIPS],
      [{ in: ['done', 'error', 'stopped'] }, all - skipped - KEPT_RUNS],
    ] as const;
    for (const [status, limit] of surplus) {
      if (limit <= 0) continue;
      const oldest = await this.runs.allWhere(companyId, { taskId, status }, { sort: [['id', 'asc']], limit });
      for (const run of oldest) await this.remove(run);
    }
  }

  /** Whoever works on it hears that it has ended. */
  async cancel(id: RunId): Promise<void> {
    await this.jobs.cancel('agent.run', id);
  }

  async removeAll(companyId: CompanyId, taskId: TaskId): Promise<void> {
    for await (const run of this.runs.allOf(companyId, { taskId })) await this.remove(run);
  }

  async removeImages(companyId: CompanyId, steps: readonly TaskStep[], answer = ''): Promise<void> {
    for (const name of imagesOf(steps, answer)) await this.charts.remove(companyId, name);
  }

  private async *shown(companyId: CompanyId): AsyncGenerator<string> {
    for await (const { steps, answer } of this.runs.allOf(companyId)) yield* imagesOf(steps, answer);
  }

  /** Images first, so that an interrupted removal still knows their names. */
  private async remove(run: AgentRun): Promise<void> {
    await this.removeImages(run.companyId, run.steps, run.answer);
    await this.runs.remove(run);
  }
}
