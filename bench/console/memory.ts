import type { CDPSession, Page } from 'playwright-core';
import { times, type Figure } from './figures.js';
import { timesOf } from './page-clock.js';
import { reader, type World } from './world.js';

/** What the page holds after everything that nobody needs was let go of. */
interface Held {
  readonly megabytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

const QUESTION_EVERY = 5;
/** Before it begins each page has been seen, so that what is loaded once is not counted. */
const ROUNDS_BEFORE = 6;
const STOPS = 4;

/** Rounds through the pages, with questions and plots, as somebody makes who works with it for an hour. */
export async function memory(world: World, rounds: number): Promise<readonly Figure[]> {
  const { client, datasource } = world;
  const body = { title: 'Long use', datasource_id: datasource };
  await client.call(client.api.POST('/api/v1/secure/assistant/conversation', { body }));
  await using visitor = await reader(world, '/datasources');
  const { page } = visitor;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.enable');
  await times(ROUNDS_BEFORE, (turn) => round(page, turn));
  const held = [await heldBy(page, session)];
  for (let stop = 0; stop < STOPS; stop += 1) {
    await times(Math.ceil(rounds / STOPS), (turn) => round(page, turn));
    held.push(await heldBy(page, session));
  }
  const row = (name: string, figure: (one: Held) => string, aim?: string): Figure => ({
    name: `${name} at the start and each quarter of ${rounds} rounds`,
    value: '',
    baseline: held.map(figure).join(', '),
    ...(aim === undefined ? {} : { aim }),
  });
  return [
    row('Heap', ({ megabytes }) => `${megabytes.toFixed(1)} MB`, 'does not grow from quarter to quarter'),
    row('Nodes', ({ nodes }) => String(nodes), 'the same'),
    row('Listeners', ({ listeners }) => String(listeners), 'the same'),
  ];
}

async function heldBy(page: Page, session: CDPSession): Promise<Held> {
  await page.getByRole('link', { name: 'Datasources' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Datasources' }).waitFor();
  await page.waitForLoadState('networkidle');
  // What is only held by finalizers goes with the next collection.
  for (let turn = 0; turn < 3; turn += 1) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? NaN;
  return { megabytes: of('JSHeapUsedSize') / 1e6, nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

/** Every page once; a plot is zoomed and moved; now and then a question is asked. */
async function round(page: Page, turn: number): Promise<void> {
  await page.getByRole('link', { name: 'Datasources' }).first().click();
  await page.getByRole('link', { name: 'Sensors' }).first().click();
  await page.getByRole('img', { name: 'Distribution of load' }).waitFor();
  await page.getByRole('tab', { name: 'Explore' }).click();
  await moveThePlot(page, turn);
  await page.getByRole('tab', { name: 'Details' }).click();
  await page.getByRole('link', { name: 'Assistant' }).click();
  await page.getByRole('link', { name: 'Long use' }).first().click();
  await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  if (turn % QUESTION_EVERY === 0) await ask(page, turn);
  for (const place of ['Context files', 'Agent tasks', 'Users', 'Settings']) {
    await page.getByRole('link', { name: place }).click();
    await page.getByRole('heading', { level: 1, name: place }).waitFor();
  }
}

async function moveThePlot(page: Page, turn: number): Promise<void> {
  await page.getByRole('img', { name: /^temperature from/ }).waitFor();
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('there is no plot');
  const [x, y] = [box.x + box.width * (0.2 + 0.06 * (turn % 10)), box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -900);
  await page.mouse.down();
  await page.mouse.move(x + 120, y, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL((url) => url.searchParams.has('from'));
}

async function ask(page: Page, turn: number): Promise<void> {
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page
    .getByRole('textbox', { name: 'Your question' })
    .fill(`${turn % 2 === 0 ? 'Average' : 'Median'} load by sensor`);
  await page.keyboard.press('Enter');
  await timesOf(page, 'answered');
}
