import { createClient, type Client } from '../../client/src/index.js';
import type { Console } from '../../test/browser/console.js';
import type { Visitor } from '../../test/browser/visitor.js';
import { PAGE_CLOCK } from './page-clock.js';

/** A service with a datasource of very many rows, and who asks it. */
export interface World {
  readonly house: Console;
  /** Of Node: asks the same as the page does, without a page. */
  readonly client: Client;
  readonly datasource: string;
  readonly rows: number;
}

const SENSORS = 10;
const FIRST_TIME = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;
const ROWS_A_PIECE = 50_000;

/** Ten sensors, a row each minute: at 1,440,000 rows a hundred days. */
export async function preparedWorld(house: Console, rows: number): Promise<World> {
  const client = createClient({ baseUrl: house.url });
  await client.signIn(house.manager.email, house.manager.password);
  const upload = await client.uploadDatasourceFile(new File(piecesOf(rows), 'sensors.csv'));
  const config = { metafield: 'sensor', timefield: 'time', values: ['temperature', 'load'] };
  const body = { name: 'Sensors', type: 'csv', filename: upload.filename, config } as const;
  const { datasource_id: id } = await client.call(client.api.PUT('/api/v1/secure/datasource', { body }));
  const query = { params: { query: { id } } };
  for (;;) {
    const { datasource } = await client.call(client.api.GET('/api/v1/secure/datasource', query));
    if (!datasource.updating) return { house, client, datasource: id, rows: datasource.doc_count };
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

/** Blobs lie outside the heap, which many rows would fill. */
function piecesOf(rows: number): Blob[] {
  const random = randomFrom(42);
  const pieces = [new Blob(['sensor,time,temperature,load\n'])];
  for (let from = 0; from < rows; from += ROWS_A_PIECE) {
    let text = '';
    for (let row = from; row < Math.min(from + ROWS_A_PIECE, rows); row += 1) text += lineOf(row, random);
    pieces.push(new Blob([text]));
  }
  return pieces;
}

function lineOf(row: number, random: () => number): string {
  const minute = Math.floor(row / SENSORS);
  const sensor = row % SENSORS;
  const temperature = 20 + sensor + 8 * Math.sin((minute / 1440) * 2 * Math.PI) + 2 * random();
  const load = Math.floor(random() ** 3 * 1000);
  const time = new Date(FIRST_TIME + minute * MINUTE_MS).toISOString();
  return `S${sensor},${time},${temperature.toFixed(2)},${load}\n`;
}

/** The same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Somebody who is signed in, whose page takes its own time. */
export async function reader({ house }: World, path: string): Promise<Visitor> {
  const visitor = await house.visit();
  await visitor.page.addInitScript(PAGE_CLOCK);
  await visitor.open(path);
  await visitor.signIn(house.manager);
  await visitor.button(/^Account of/).waitFor();
  return visitor;
}
