import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BuiltInAnalyst } from '../../src/analyst/built-in-analyst.js';
import { VegaChartRenderer } from '../../src/adapters/charts/vega-chart-renderer.js';
import { RandomIdSource } from '../../src/adapters/system/random-id-source.js';
import { ChartImages } from '../../src/answering/chart-images.js';
import type { TaskAssignment, TaskOutcome, TaskSubject } from '../../src/answering/tasks/task-assignment.js';
import { TaskWork } from '../../src/answering/tasks/task-work.js';
import type { ChatModel } from '../../src/ports/chat-model.js';
import type { RowReader } from '../../src/ports/row-reader.js';
import type { ColumnType } from '../../src/ports/table.js';
import type { TaskStep } from '../../src/ports/task-step.js';
import { asId } from '../../src/shared/ids.js';
import { ManualClock } from '../support/manual-clock.js';
import { rememberingImports } from '../support/remembered-imports.js';
import { openDuckDb } from './duckdb-store.fixture.js';
import { aSource, aTable, QUIET } from './row-engine.fixture.js';

export interface TaskWorld extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly reader: RowReader;
  readonly weather: TaskSubject;
  readonly sales: TaskSubject;
  /** The same columns as `sales`, other rows. */
  readonly otherSales: TaskSubject;
  work(model?: ChatModel, rows?: RowReader): TaskWork;
}

type Columns = readonly (readonly [string, ColumnType])[];

const WEATHER: Columns = [
  ['location', 'text'],
  ['date', 'time'],
  ['precipitation', 'number'],
  ['temp_max', 'number'],
  ['temp_min', 'number'],
  ['wind', 'number'],
  ['weather', 'text'],
];
const SALES: Columns = [
  ['day', 'time'],
  ['shop', 'text'],
  ['product', 'text'],
  ['revenue', 'number'],
  ['units', 'integer'],
];

/** Real rows of weather, and of two chains of shops, on the embedded adapters, charts included. */
export async function openTaskWorld(): Promise<TaskWorld> {
  const store = await openDuckDb();
  const { folder, engine, reader, objects } = store;
  const charts = new VegaChartRenderer();
  const clock = new ManualClock(new Date('2024-03-04T10:00:00.000Z'));
  const images = new ChartImages(objects, new RandomIdSource(clock), charts);
  const load = async (name: string, text: string, columns: Columns): Promise<TaskSubject> => {
    const table = aTable();
    const source = await aSource(folder, [{ text }], {
      columns: columns.map(([column, type]) => ({ name: column, type })),
      timeField: columns.find(([, type]) => type === 'time')?.[0] ?? '',
      metaField: columns.find(([, type]) => type === 'text')?.[0] ?? '',
      timeFormat: '%Y-%m-%d',
      values: columns.filter(([, type]) => type === 'number' || type === 'integer').map(([column]) => column),
    });
    const { profile } = await rememberingImports(() => engine.load(table, source, QUIET));
    return { datasourceId: table.datasourceId, name, context: '', table, profile };
  };
  const weather = await readFile(join(import.meta.dirname, '../../samples/weather.csv'), 'utf8');
  return {
    clock,
    reader,
    weather: await load('Weather', weather, WEATHER),
    sales: await load('Sales North', salesCsv(1), SALES),
    otherSales: await load('Sales South', salesCsv(2), SALES),
    work: (model = new BuiltInAnalyst(), rows = reader) =>
      new TaskWork({ builtIn: new BuiltInAnalyst(), choose: () => model }, rows, images, clock),
    [Symbol.asyncDispose]: async () => {
      charts.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Half a year of three shops and four products, with a day of great sales, three days without any, and some missing revenue. */
function salesCsv(factor: number): string {
  const lines = ['day,shop,product,revenue,units'];
  for (let day = 0; day < 181; day += 1) {
    if (day >= 100 && day < 103) continue;
    const date = new Date(Date.UTC(2024, 0, 1) + day * 86_400_000).toISOString().slice(0, 10);
    for (const [index, shop] of ['Harbour', 'Market', 'Station'].entries()) {
      const units = 5 + ((day * 7 + index * 3) % 11) + (day === 140 ? 60 : 0);
      const product = ['Bike', 'Helmet', 'Lamp', 'Lock'][(day + index) % 4] ?? '';
      const revenue = (day + index) % 50 === 0 ? '' : (units * (10 + index * 4) * factor * (1 + day / 400)).toFixed(2);
      lines.push([date, shop, product, revenue, units].join(','));
    }
  }
  return `${lines.join('\n')}\n`;
}

export function anAssignment(
  parts: Partial<TaskAssignment> & Pick<TaskAssignment, 'prompt' | 'subjects'>,
): TaskAssignment {
  return {
    companyId: asId('a'.repeat(24)),
    mode: 'solve',
    thinking: false,
    passagesFor: () => Promise.resolve([]),
    previous: null,
    queryTimeoutMs: 10_000,
    ...parts,
  };
}

export interface DoneWork extends TaskOutcome {
  readonly steps: readonly TaskStep[];
}

/** Waits for the whole run. */
export async function doneWork(
  work: TaskWork,
  assignment: TaskAssignment,
  signal = new AbortController().signal,
): Promise<DoneWork> {
  const steps: TaskStep[] = [];
  const running = work.run(assignment, signal);
  for (;;) {
    const next = await running.next();
    if (next.done === true) return { ...next.value, steps };
    steps.push(next.value);
  }
}
