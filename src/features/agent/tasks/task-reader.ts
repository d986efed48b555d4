import { Injectable } from '@nestjs/common';
import { RunRepository } from '../run/run.repository.js';
import type { AgentTask, ShownTask } from './task.types.js';

/** Puts a task beside the run whose steps and answer it shows. */
@Injectable()
export class TaskReader {
  constructor(private readonly runs: RunRepository) {}

  async shown(task: AgentTask): Promise<ShownTask> {
    return { task, run: task.runId === null ? null : await this.runs.find(task.companyId, task.runId) };
  }

  /** All of one company. */
  async allShown(tasks: readonly AgentTask[]): Promise<readonly ShownTask[]> {
    const [first] = tasks;
    if (first === undefined) return [];
    const ids = tasks.flatMap(({ runId }) => (runId === null ? [] : [runId]));
    const runs = new Map((await this.runs.findAll(first.companyId, ids)).map((run) => [run.id, run]));
    return tasks.map((task) => ({ task, run: task.runId === null ? null : (runs.get(task.runId) ?? null) }));
  }
}
