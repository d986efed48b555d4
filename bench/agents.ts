/**
 * How punctually schedules are kept: tasks that are due at once on the built service, from the planned time to the recorded start and
 * to the end of the run, and whether a turn was doubled. Against a bare timer that looks once a second and has nothing to do.
 * `npm run build && npx tsx bench/agents.ts [tasks]` (takes two minutes: the shortest interval is one)
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../test/support/eventually.js';
import { ServiceProcess } from '../test/support/service-process.js';
import { TestClient } from '../test/support/test-client.js';

const TASKS = Number(process.argv[2] ?? 100);
const SIGN_IN = { email: 'bench@example.com', password: 'a-long-password' };
const CSV = [
  'device,at,temperature',
  ...Array.from({ length: 10_000 }, (_, row) => {
    const at = new Date(Date.UTC(2024, 0, 1, 0, row)).toISOString().slice(0, 19).replace('T', ' ');
    return `device-${row % 20},${at},${20 + (row % 100) / 10}`;
  }),
].join('\n');

interface Run {
  readonly status: string;
  readonly planned_at: string;
  readonly started_at: string;
  readonly finished_at: string | null;
}

/** How late a timer of a second is for the same times. */
class BareTimer implements Disposable {
  private readonly ticks: number[] = [];
  private readonly timer = setInterval(() => this.ticks.push(Date.now()), 1_000);

  latenessFor(planned: number): number {
    return (this.ticks.find((tick) => tick >= planned) ?? Number.NaN) - planned;
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }
}

async function datasourceOf(client: TestClient): Promise<string> {
  const { body: upload } = await client.upload(CSV);
  const { body } = await client.put('/secure/datasource', {
    name: 'Sensors',
    type: 'csv',
    filename: upload['filename'],
    config: { is_timeseries: true, timefield: 'at', metafield: 'device' },
  });
  const id = String(body['datasource_id']);
  await eventually(
    () => client.get(`/secure/datasource?id=${id}`),
    (answer) => !(answer.body['datasource'] as { updating: boolean }).updating,
  );
  return id;
}

async function createTask(client: TestClient, datasource: string): Promise<string> {
  const { body } = await client.post('/secure/agent/task', {
    name: 'Watch',
    prompt: 'What is the average temperature by device?',
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

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;
}

function line(name: string, ms: readonly number[]): string {
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => quantile(ms, share).toFixed(0));
  return `${name}: p50 ${p50} ms, p95 ${p95} ms, most ${most} ms`;
}

const folder = await mkdtemp(join(tmpdir(), 'das-bench-agents-'));
try {
  await using service = await ServiceProcess.start({
    DATA_DIR: folder,
    BOOTSTRAP_EMAIL: SIGN_IN.email,
    BOOTSTRAP_PASSWORD: SIGN_IN.password,
    RATE_LIMIT: '0',
  });
  const client = await TestClient.signIn(service.url, SIGN_IN.email, SIGN_IN.password);
  const datasource = await datasourceOf(client);
  using timer = new BareTimer();
  const tasks = await Promise.all(Array.from({ length: TASKS }, () => createTask(client, datasource)));
  await new Promise((wake) => setTimeout(wake, 60_000));
  const histories = await eventually(
    () => Promise.all(tasks.map((task) => runsOf(client, task))),
    // The first is the oldest: a later turn may have been skipped while it ran.
    (all) => all.every((runs) => runs.at(-1)?.finished_at != null),
    300_000,
  );
  const first = histories.map((runs) => runs.at(-1)!);
  const planned = first.map((run) => Date.parse(run.planned_at));
  const started = first.map((run, index) => Date.parse(run.started_at) - planned[index]!);
  const ended = first.map((run, index) => Date.parse(run.finished_at ?? '') - planned[index]!);
  const bare = planned.map((time) => timer.latenessFor(time));
  const turns = histories.flatMap((runs, task) => runs.map(({ planned_at }) => `${task} ${planned_at}`));
  const spread = Math.max(...planned) - Math.min(...planned);
  const done = first.filter(({ status }) => status === 'done').length;
  console.log(
    `${TASKS} tasks due within ${spread} ms; ${done} done, ${turns.length - new Set(turns).size} turns doubled`,
  );
  console.log(line('planned to started', started));
  console.log(line('planned to ended', ended));
  console.log(line('baseline, a bare timer of a second', bare));
  console.log(`p95 started over baseline: ${(quantile(started, 0.95) / quantile(bare, 0.95)).toFixed(2)}`);
  await service.stop();
} finally {
  await rm(folder, { recursive: true, force: true });
}
