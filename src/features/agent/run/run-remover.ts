import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChartImages } from '../../../answering/chart-images.js';
import type { TaskStep } from '../../../ports/task-step.js';
import type { CompanyId, TaskId } from '../../../shared/ids.js';
import { RunRepository } from './run.repository.js';
import { imagesOf } from './run-records.js';
import type { AgentRun } from './run.types.js';
import { ImageSweeper } from '../../../answering/image-sweeper.js';

const KEPT_RUNS = 1_000;
const KEPT_SKIPS = 200;
const BATCH = 100;

/** Removes runs with the images that belong to them, and keeps histories bounded. */
@Injectable()
export class RunRemover implements OnModuleInit {
  constructor(
    private readonly runs: RunRepository,
    private readonly charts: ChartImages,
    private readonly sweeper: ImageSweeper,
  ) {}

  /** The images of runs in the history stay. */
  onModuleInit(): void {
    this.sweeper.alsoShown((companyId) => this.shown(companyId));
  }

  /** Removes the oldest runs of a task beyond 1,000, and of skipped ones beyond 200, so that these don't push out results. */
  async prune(companyId: CompanyId, taskId: TaskId): Promise<void> {
    const [all, skipped] = await Promise.all([
      this.runs.count(companyId, taskId),
      this.runs.countSkipped(companyId, taskId),
    ]);
    await this.removeOldest(companyId, taskId, 'skipped', skipped - KEPT_SKIPS);
    await this.removeOldest(companyId, taskId, 'run', all - skipped - KEPT_RUNS);
  }

  async removeAll(companyId: CompanyId, taskId: TaskId): Promise<void> {
    for (;;) {
      const { entries } = await this.runs.history(companyId, taskId, { index: 0, size: BATCH });
      if (entries.length === 0) return;
      await this.remove(entries);
    }
  }

  async removeImages(companyId: CompanyId, steps: readonly TaskStep[], answer = ''): Promise<void> {
    for (const name of imagesOf(steps, answer)) await this.charts.remove(companyId, name);
  }

  private async *shown(companyId: CompanyId): AsyncGenerator<string> {
    for await (const { steps, answer } of this.runs.allOf(companyId)) yield* imagesOf(steps, answer);
  }

  private async removeOldest(
    companyId: CompanyId,
    taskId: TaskId,
    which: 'skipped' | 'run',
    count: number,
  ): Promise<void> {
    if (count > 0) await this.remove(await this.runs.oldest(companyId, taskId, which, count));
  }

  /** Images first, so that an interrupted removal still knows their names. */
  private async remove(runs: readonly AgentRun[]): Promise<void> {
    for (const run of runs) {
      await this.removeImages(run.companyId, run.steps, run.answer);
      await this.runs.remove(run);
    }
  }
}
