/**
 * How punctually schedules are kept: tasks that are due at once on the built service, from the planned time to the recorded start, and
 * whether a turn was doubled. Against a bare timer that looks once a second and has nothing to do.
 * `npm run build && npx tsx bench/agents.ts [tasks]` (takes two minutes: the shortest interval is one)
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { aFolder } from '../test/contracts/row-engine.fixture.js';
import { eventually } from '../test/support/eventually.js';
import { ServiceProcess, signIn, WITH_ADMIN } from '../test/support/service-process.js';
import type { TestClient } from '../test/support/test-client.js';
import { writeRows } from './device-rows.js';
import { importFile } from './service.js';
import { line } from './timing.js';

const TASKS = Number(process.argv[2] ?? 100);

interface Run {
  readonly status: string;
  readonly planned_at: string;
  readonly started_at: string;
  readonly finished_at: string | null;
}

async function createTask(client: TestClient, datasource: string): Promise<string> {
  const { body } = await client.post('/secure/agent/task', {
    name: 'Watch',
    prompt: 'What is the average temperature by status?',
    datasources: [datasource],
    automation_enabled: true,
    automation_interval: 1,
  });
  return (body['task'] as { id: string }).id;
}

async function runsOf(client: TestClient, task: string): Promise<readonly Run[]> {
  const { body } = await client.get(`/secure/agent/taskhistory/${task}?page_size=100`);
  return body['history'] as Run[];
}

await using folder = await aFolder();
const csv = join(folder.path, 'rows.csv');
await writeRows(csv, 10_000);
await using service = await ServiceProcess.start({ DATA_DIR: join(folder.path, 'store'), ...WITH_ADMIN });
const client = await signIn(service);
const datasource = await importFile(client, csv);
const ticks: number[] = [];
const timer = setInterval(() => ticks.push(Date.now()), 1_000);
const tasks = await Promise.all(Array.from({ length: TASKS }, () => createTask(client, datasource)));
await pause(60_000);
const histories = await eventually(
  () => Promise.all(tasks.map((task) => runsOf(client, task))),
  // The first is the oldest: a later turn may have been skipped while it ran.
  (all) => all.every((runs) => runs.at(-1)?.finished_at != null),
  300_000,
);
clearInterval(timer);
const first = histories.map((runs) => runs.at(-1)!);
const planned = first.map((run) => Date.parse(run.planned_at));
const turns = histories.flatMap((runs, task) => runs.map(({ planned_at }) => `${task} ${planned_at}`));
const done = first.filter(({ status }) => status === 'done').length;
console.log(
  `${TASKS} tasks due within ${Math.max(...planned) - Math.min(...planned)} ms; ${done} done, ${turns.length - new Set(turns).size} turns doubled`,
);
const started = first.map((run, index) => Date.parse(run.started_at) - planned[index]!);
const bare = planned.map((time) => (ticks.find((tick) => tick >= time) ?? Number.NaN) - time);
console.log(line('planned to started', started));
console.log(line('baseline, a bare timer of a second', bare));
await service.stop();
