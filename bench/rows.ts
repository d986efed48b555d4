/**
 * What rows cost, turn by turn beside each other: on one machine, and on the second of two instances over MongoDB and a bucket on this machine.
 * `TEST_MONGODB_URI=… npx tsx bench/rows.ts [--rows 1000000] [--turns 40]`: 17 million rows are a base of 200 MB.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { AnalysisPlan } from '../src/ports/analysis-plan.js';
import type { TypedRow } from '../src/ports/row-engine.js';
import type { RowReader } from '../src/ports/row-reader.js';
import { distant, openBeside } from '../test/contracts/duckdb-store.fixture.js';
import { QUIET } from '../test/contracts/row-engine.fixture.js';
import { AS_SERVED, deviceOf, FIRST_TIME, openDevices, sourceOf } from './device-rows.js';
import { line, timeOf } from './timing.js';

const text = { type: 'string' } as const;
const { values: given } = parseArgs({
  options: { rows: { ...text, default: '1000000' }, turns: { ...text, default: '40' } },
});
const DAY_MS = 86_400_000;
const LIMITS = { maxRows: 1000, timeoutMs: 120_000 };
const AVERAGE: AnalysisPlan = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temperature', label: 'average' }],
  dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
  ...{ filters: [], having: [], order: [], limit: null },
};
const SQL = 'SELECT device, avg(temperature) FROM data GROUP BY device';
const MEASURES = { humidity: 50.5, pressure: 1000.25, voltage: 3.3, load: 0.5, errors: 3, status: 'ok' };

await using one = await openDevices(Number(given.rows));
await using common = await distant();
await using writer = await openBeside(common, AS_SERVED);
await using reader = await openBeside(common, AS_SERVED);
const { table } = one;
await writer.engine.load(table, sourceOf(join(one.store.folder, 'rows.csv')), QUIET);

/** Where there are two instances, one writes and the other reads. */
const SUBJECTS = [
  { name: 'one machine', writer: one.store.engine, reader: one.store.reader },
  { name: 'second instance', writer: writer.engine, reader: reader.reader },
];
type Subject = (typeof SUBJECTS)[number];

let row = 0;

function laterRows(count: number): readonly TypedRow[] {
  return Array.from({ length: count }, () => {
    row += 1;
    const ts = new Date(FIRST_TIME + 400 * DAY_MS + row * 1000);
    return { ts, device: deviceOf(row), temperature: row / 7, ...MEASURES };
  });
}

const plot = (at: RowReader, asset: string | null): Promise<unknown> =>
  at.plot(table, { from: null, to: null, column: 'temperature', points: 1000, asset });

/** In this order; how many turns each has, as a part of all. An instance that has nothing finds what was inserted in batches. */
const OPERATIONS: Readonly<Record<string, readonly [number, (subject: Subject, turn: number) => Promise<unknown>]>> = {
  'plot of one asset': [1, (subject, turn) => plot(subject.reader, deviceOf(turn * 7))],
  'plot of all assets': [0.5, (subject) => plot(subject.reader, null)],
  'average by device': [0.5, (subject) => subject.reader.analyze(table, AVERAGE, LIMITS)],
  'SQL statement': [0.5, (subject) => subject.reader.query(table, SQL, LIMITS)],
  'insert of 1,000 rows': [2.5, (subject) => subject.writer.append(table, laterRows(1000))],
  'insert of 1 row': [1, (subject) => subject.writer.append(table, laterRows(1))],
};

for (const [name, [part, work]] of Object.entries(OPERATIONS)) {
  const times = SUBJECTS.map((): number[] => []);
  const turns = Math.ceil(Number(given.turns) * part);
  for (let turn = 0; turn <= turns; turn += 1)
    for (const [index, subject] of SUBJECTS.entries()) times[index]?.push(await timeOf(() => work(subject, turn)));
  // The first turn warms up.
  for (const [index, own] of times.entries()) console.log(line(`${name}, ${SUBJECTS[index]?.name}`, own.slice(1)));
}
const firsts: number[] = [];
for (let turn = 0; turn < Math.ceil(Number(given.turns) / 4); turn += 1) {
  await using fresh = await openBeside(common, AS_SERVED);
  firsts.push(await timeOf(() => plot(fresh.reader, deviceOf(7))));
}
console.log(line('first plot on an instance that has nothing', firsts));
