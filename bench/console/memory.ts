import type { CDPSession, Page } from 'playwright-core';
import { conversationOn } from '../service.js';
import { send } from './load-and-answers.js';
import { timesOf } from './page-clock.js';
import { placeOf } from './plot.js';
import { print, reader, turnsOf, type World } from './world.js';

const QUESTION_EVERY = 5;
/** Before it begins each page has been seen, so that what is loaded once is not counted. */
const ROUNDS_BEFORE = 6;
const STOPS = 4;

/** Rounds through the pages, with questions and plots, as somebody makes who works with it for an hour. */
export async function memory(world: World, rounds: number): Promise<void> {
  await conversationOn(world.client, world.datasource, 'Long use');
  await using visitor = await reader(world, '/datasources');
  const { page } = visitor;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  await turnsOf(ROUNDS_BEFORE, (turn) => round(page, turn));
  const held = [await heldBy(page, session)];
  for (let stop = 0; stop < STOPS; stop += 1) {
    await turnsOf(Math.ceil(rounds / STOPS), (turn) => round(page, turn));
    held.push(await heldBy(page, session));
  }
  for (const [index, name] of ['Heap in MB', 'Nodes', 'Listeners'].entries())
    print(
      `${name} at the start and each quarter of ${rounds} rounds`,
      held.map((figures) => figures[index]?.toFixed(index === 0 ? 1 : 0)).join(', '),
    );
}

/** Megabytes, nodes and listeners that the page holds after everything that nobody needs was let go of. */
async function heldBy(page: Page, session: CDPSession): Promise<readonly number[]> {
  await page.getByRole('link', { name: 'Datasources' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Datasources' }).waitFor();
  await page.waitForLoadState('networkidle');
  // What is only held by finalizers goes with the next collection.
  for (let turn = 0; turn < 3; turn += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN;
  return [of('JSHeapUsedSize') / 1e6, of('Nodes'), of('JSEventListeners')];
}

/** Every page once; a plot is zoomed and moved; now and then a question is asked. */
async function round(page: Page, turn: number): Promise<void> {
  await page.getByRole('link', { name: 'Datasources' }).first().click();
  await page.getByRole('link', { name: 'Devices' }).first().click();
  await page.getByRole('img', { name: 'Distribution of load' }).waitFor();
  await page.getByRole('tab', { name: 'Explore' }).click();
  await moveThePlot(page, turn);
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('link', { name: 'Assistant' }).click();
  await page.getByRole('link', { name: 'Long use' }).first().click();
  await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  if (turn % QUESTION_EVERY === 0) {
    await send(page, `${turn % 2 === 0 ? 'Average' : 'Median'} load by sensor`);
    await timesOf(page, 'answered');
  }
  for (const place of ['Context files', 'Agent tasks', 'Users', 'Settings']) {
    await page.getByRole('link', { name: place }).click();
    await page.getByRole('heading', { level: 1, name: place }).waitFor();
  }
}

async function moveThePlot(page: Page, turn: number): Promise<void> {
  await page.getByRole('img', { name: /^temperature from/ }).waitFor();
  const { x: middle, y, width } = await placeOf(page);
  const x = middle + width * (0.06 * (turn % 10) - 0.3);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -900);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL((url) => url.searchParams.has('from'));
}
