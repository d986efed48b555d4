import { vi } from 'vitest';
import type { TaskAssignment, TaskOutcome } from '../../src/answering/tasks/task-assignment.js';
import { TaskWork } from '../../src/answering/tasks/task-work.js';
import { Scheduler } from '../../src/features/agent/schedule/scheduler.js';
import { JOB_POLICIES } from '../../src/ports/jobs.js';
import { RowEngine } from '../../src/ports/row-engine.js';
import type { TaskStep } from '../../src/ports/task-step.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { ROWS_CSV, aDatasourceBody } from './world.builder.js';

export const MINUTE = 60_000;
const PAUSE_MS = 300;

export type Body = Record<string, unknown>;

/** What one run does: these steps, and then an answer, a failure, or nothing until it is ended. */
export interface ScriptedRun {
  readonly steps?: readonly TaskStep[];
  readonly answer?: string;
  readonly fails?: Error;
  readonly hangs?: boolean;
  /** Does not even hear its signal. */
  readonly isDeaf?: boolean;
}

/** Stands for the work itself, so that tests decide what a run does and when. */
export class ScriptedWork {
  readonly assignments: TaskAssignment[] = [];
  readonly script: ScriptedRun[] = [];
  private waiting: (() => void)[] = [];

  constructor(api: TestApi) {
    for (const work of api.everywhere(TaskWork)) {
      vi.spyOn(work, 'run').mockImplementation((assignment, signal) => this.play(assignment, signal));
    }
  }

  /** Resolves when this many runs have done their steps. */
  async reached(runs: number): Promise<void> {
    while (this.played < runs) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private played = 0;

  private async *play(assignment: TaskAssignment, signal: AbortSignal): AsyncGenerator<TaskStep, TaskOutcome> {
    this.assignments.push(assignment);
    const run = this.script.shift() ?? {};
    yield* run.steps ?? [];
    this.played += 1;
    for (const wake of this.waiting.splice(0)) wake();
    if (run.isDeaf === true) await new Promise(() => undefined);
    if (run.hangs === true) await aborted(signal);
    if (run.fails !== undefined) throw run.fails;
    return { answer: run.answer ?? 'done', figures: [{ key: 'k', label: 'figure', value: this.assignments.length }] };
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
  });
}

export function aStep(fields: Partial<TaskStep> = {}): TaskStep {
  const at = new Date('2026-01-01T00:00:00Z');
  const asked = { title: 'Asked', content: 'an answer', dbquery: 'SELECT 1', visualization: '' };
  return { type: 'query', ...asked, startedAt: at, finishedAt: at, ...fields };
}

/** Before a second attempt of a run or a mail. */
export function shortenPauses(): void {
  for (const job of ['agent.run', 'mail.deliver'] as const) Object.assign(JOB_POLICIES[job], { backoffMs: PAUSE_MS });
}

export async function taskOf(client: TestClient, id: string): Promise<Body> {
  const { body } = await client.get(`/secure/agent/task/${id}`);
  return body['task'] as Body;
}

export async function historyOf(client: TestClient, id: string, query = ''): Promise<readonly Body[]> {
  const { body } = await client.get(`/secure/agent/taskhistory/${id}${query}`);
  return body['history'] as Body[];
}

export function runTask(client: TestClient, id: string): Promise<TestResponse> {
  return client.get(`/secure/agent/task/run/${id}`);
}

export function schedule(client: TestClient, id: string, fields: object = {}): Promise<TestResponse> {
  return client.post('/secure/agent/task/schedule', { task_id: id, automation_interval: 15, ...fields });
}

/** Moves the clock, and lets the schedules and their runs do what is due then. */
export async function pass(api: TestApi, ms: number): Promise<void> {
  api.clock.advance(ms);
  await settle(api);
}

export async function settle(api: TestApi): Promise<void> {
  await api.get(Scheduler).claimAll();
  await api.drain();
}

/** A datasource without rows yet, and the way to let them arrive. */
export async function anImportThatWaits(api: TestApi, client: TestClient): Promise<[string, () => Promise<void>]> {
  const rows = api.get(RowEngine);
  const load = rows.load.bind(rows);
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const spy = vi.spyOn(rows, 'load').mockImplementation(async (...what) => {
    await gate;
    return load(...what);
  });
  const { body: upload } = await client.upload(ROWS_CSV);
  const { body } = await client.put('/secure/datasource', aDatasourceBody(String(upload['filename'])));
  const arrive = async (): Promise<void> => {
    open();
    await api.drain();
    spy.mockRestore();
  };
  return [String(body['datasource_id']), arrive];
}

export const refusal = (status: number, message: string): object => ({ status, body: { error: true, message } });
