import type { Console } from '../../test/browser/console.js';
import type { Visitor } from '../../test/browser/visitor.js';
import { TestClient } from '../../test/support/test-client.js';
import { randomFrom } from '../device-rows.js';
import { importFile } from '../service.js';
import { median } from '../timing.js';
import { PAGE_CLOCK } from './page-clock.js';

/** A service with a datasource of very many rows, and who asks it. */
export interface World {
  readonly house: Console;
  /** Of Node: asks the same as the page does, without a page. */
  readonly client: TestClient;
  readonly datasource: string;
  readonly rows: number;
}

const SENSORS = 10;
const FIRST_TIME = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;
const ROWS_A_PIECE = 50_000;

/** Ten sensors, a row each minute: at 1,440,000 rows a hundred days. */
export async function preparedWorld(house: Console, rows: number): Promise<World> {
  const client = await TestClient.signIn(house.url, house.manager.email, house.manager.password);
  const config = { metafield: 'sensor', timefield: 'time', values: ['temperature', 'load'] };
  return { house, client, datasource: await importFile(client, fileOf(rows), config), rows };
}

/** Blobs lie outside the heap, which many rows would fill. */
function fileOf(rows: number): Blob {
  const random = randomFrom(42);
  const pieces = [new Blob(['sensor,time,temperature,load\n'])];
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let text = '';
    for (let row = from; row < Math.min(from + ROWS_A_PIECE, rows); row += 1) text += lineOf(row, random);
    pieces.push(new Blob([text]));
  }
  return new Blob(pieces);
}

function lineOf(row: number, random: () => number): string {
  const minute = Math.floor(row / SENSORS);
  const sensor = row % SENSORS;
  const temperature = 20 + sensor + 8 * Math.sin((minute / 1440) * 2 * Math.PI) + 2 * random();
  const load = Math.floor(random() ** 3 * 1000);
  const time = new Date(FIRST_TIME + minute * MINUTE_MS).toISOString();
  return `S${sensor},${time},${temperature.toFixed(2)},${load}\n`;
}

/** Somebody who is signed in, whose page takes its own time. */
export async function reader({ house }: World, path: string): Promise<Visitor> {
  const visitor = await house.visit();
  await visitor.page.addInitScript(PAGE_CLOCK);
  await visitor.open(path);
  await visitor.signIn(house.manager);
  await visitor.isIn();
  return visitor;
}

/** One after the other. */
export async function turnsOf<T>(count: number, work: (turn: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let turn = 0; turn < count; turn += 1) results.push(await work(turn));
  return results;
}

/** `12 ms`, with the slowest of them in brackets. */
export function milliseconds(values: readonly number[]): string {
  return `${median(values).toFixed(0)} ms (max ${Math.max(...values).toFixed(0)})`;
}

export function print(name: string, value: string, baseline = ''): void {
  console.log(`${name.padEnd(56)} ${value.padStart(22)}   ${baseline}`);
}
