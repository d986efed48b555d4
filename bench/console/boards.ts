import { milliseconds, times, type Figure } from './figures.js';
import { reader, type World } from './world.js';

const TILES = 12;
const TURNS = 5;
const AGGREGATES = ['avg', 'min', 'max', 'sum'] as const;
const BUCKETS = ['hour', 'day', 'week'] as const;

/** From the click on a board to the last of its twelve charts: read for the first time, and when they were read before. */
export async function boards(world: World): Promise<readonly Figure[]> {
  for (let turn = 0; turn < TURNS; turn += 1) await aBoard(world, turn);
  await using visitor = await reader(world, '/boards');
  const { page } = visitor;
  const open = async (turn: number): Promise<number> => {
    await page.getByRole('link', { name: titleOf(turn) }).waitFor();
    const begin = performance.now();
    await page.getByRole('link', { name: titleOf(turn) }).click();
    await page
      .locator('[role=img] svg')
      .nth(TILES - 1)
      .waitFor();
    const took = performance.now() - begin;
    await page.getByRole('link', { name: 'Boards' }).first().click();
    return took;
  };
  // Loads what draws charts.
  await open(0);
  const first = await times(TURNS - 1, (turn) => open(turn + 1));
  const again = await times(TURNS - 1, (turn) => open(turn + 1));
  return [
    { name: `Board of ${String(TILES)} tiles: read for the first time`, value: milliseconds(first), aim: '2,000 ms' },
    { name: `Board of ${String(TILES)} tiles: opened again`, value: milliseconds(again), aim: '2,000 ms' },
  ];
}

function titleOf(turn: number): string {
  return `Twelve charts ${String(turn)}`;
}

async function aBoard({ client, datasource }: World, turn: number): Promise<void> {
  const { board } = await client.call(client.api.POST('/api/v1/secure/board', { body: { title: titleOf(turn) } }));
  for (let tile = 0; tile < TILES; tile += 1) {
    const aggregate = AGGREGATES[tile % AGGREGATES.length] ?? 'avg';
    const bucket = BUCKETS[tile % BUCKETS.length] ?? 'day';
    const body = {
      datasource_id: datasource,
      plan: {
        kind: 'aggregate',
        measures: [{ aggregate, column: tile % 2 === 0 ? 'temperature' : 'load', label: 'figure' }],
        dimensions: [{ kind: 'bucket', column: 'time', bucket, label: 'time' }],
      },
      chart: { kind: 'line', x: 'time', y: 'figure' },
      title: `Tile ${String(tile)}`,
    } as const;
    await client.call(client.api.POST('/api/v1/secure/board/{id}/tile', { params: { path: { id: board.id } }, body }));
  }
}
