import type { Page } from 'playwright-core';
import type { Visitor } from '../../test/browser/visitor.js';
import { timeOf } from '../timing.js';
import { framesOf, timesOf } from './page-clock.js';
import { milliseconds, print, reader, turnsOf, type World } from './world.js';

const TURNS = 7;
const PAN_MS = 3000;
const SCROLL_MS = 5000;
/** Pixels that a turn of the wheel scrolls. */
const WHEEL_TURN = 300;
const POINTS = 2000;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A plot of every row: first paint, zoom, and how smoothly it is moved. */
export async function plot(world: World): Promise<void> {
  await using visitor = await reader(world, `/datasources/${world.datasource}`);
  const { page } = visitor;
  const first = await turnsOf(TURNS, () => firstPaint(visitor));
  const bareAll = await turnsOf(TURNS, () => timeOf(() => bareSeries(world, '', '')));
  const place = await placeOf(page);
  const zooms = await turnsOf(TURNS, (turn) => zoom(page, place, turn));
  const bareDay = await turnsOf(TURNS, (turn) => timeOf(() => bareSeries(world, dayOf(turn), dayOf(turn + 1))));
  const name = `Plot of ${world.rows.toLocaleString('en')} rows`;
  print(
    `${name}: from the click to its first paint`,
    milliseconds(first),
    `${milliseconds(bareAll)}: POST data/plot from Node`,
  );
  print('Zoom: from the wheel to the next paint, of what is loaded', milliseconds(zooms.map(({ painted }) => painted)));
  print(
    'Zoom: from the wheel to its detail, loaded and painted',
    milliseconds(zooms.map(({ detailed }) => detailed)),
    `${milliseconds(bareDay)}: POST data/plot from Node, of a day`,
  );
  await page.mouse.move(place.x, place.y + 300);
  await frames(page, 'Panning', PAN_MS, () => pan(page, place));
}

/** How smoothly the list of all rows is scrolled by the wheel, from its middle on. */
export async function rows(world: World): Promise<void> {
  await using visitor = await reader(world, `/datasources/${world.datasource}?tab=rows`);
  const { page } = visitor;
  const table = page.getByRole('table', { name: 'Rows' });
  await table.waitFor();
  await page.getByRole('textbox', { name: 'Go to row' }).fill(String(Math.floor(world.rows / 2)));
  await page.keyboard.press('Enter');
  await visitor
    .button(/^Details of row/)
    .nth(5)
    .waitFor();
  const box = await table.boundingBox();
  if (box === null) throw new Error('there are no rows');
  await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height, 400) / 2);
  await frames(page, `Scrolling ${world.rows.toLocaleString('en')} rows`, SCROLL_MS, async () => {
    const end = performance.now() + SCROLL_MS;
    while (performance.now() < end) await page.mouse.wheel(0, WHEEL_TURN);
  });
}

/** Tells of the frames while something is moved, beside those of the same page idle. */
async function frames(page: Page, name: string, ms: number, move: () => Promise<void>): Promise<void> {
  const idle = await framesOf(page, ms);
  const [moved] = await Promise.all([framesOf(page, ms), move()]);
  const [own, bare] = [moved, idle].map((lengths) => {
    const perSecond = (1000 * lengths.length) / lengths.reduce((sum, length) => sum + length, 0);
    return `${perSecond.toFixed(1)}, ${Math.max(...lengths).toFixed(0)} ms`;
  });
  print(`${name} for ${ms / 1000} s: frames a second, worst`, own ?? '', `${bare}: the same page idle`);
}

/** With nothing in the page's own cache; its files are in the browser's. */
async function firstPaint({ page }: Visitor): Promise<number> {
  await page.goto(page.url().replace(/\?.*/, ''));
  await page.getByRole('img', { name: 'Distribution of load' }).waitFor();
  await page.getByRole('tab', { name: 'Explore' }).click();
  const { clicked, plotted } = await timesOf(page, 'plotted');
  return plotted - clicked;
}

/** The middle of the plot. */
export async function placeOf(page: Page): Promise<Place> {
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('there is no plot');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width };
}

/** Some turns of the wheel to what was not seen before, and back to everything. */
async function zoom(page: Page, { x, y, width }: Place, turn: number): Promise<{ painted: number; detailed: number }> {
  await page.mouse.dblclick(x, y);
  await page.waitForURL((url) => !url.searchParams.has('from'));
  await page.mouse.move(x + ((turn + 0.5) / TURNS - 0.5) * 0.8 * width, y);
  let painted = 0;
  for (let step = 0; step < 5; step += 1) {
    await page.mouse.wheel(0, -500);
    const { wheeled, painted: at } = await timesOf(page, 'painted');
    painted = Math.max(painted, at - wheeled);
  }
  const { wheeled, detailed } = await timesOf(page, 'detailed');
  return { painted, detailed: detailed - wheeled };
}

/** To and fro over what is loaded, as fast as a hand does. */
async function pan(page: Page, { x, y, width }: Place): Promise<void> {
  const end = performance.now() + PAN_MS;
  await page.mouse.move(x, y);
  await page.mouse.down();
  while (performance.now() < end) {
    const phase = ((end - performance.now()) / 1000) * 2 * Math.PI;
    await page.mouse.move(x + Math.sin(phase) * 0.3 * width, y);
  }
  await page.mouse.up();
}

function dayOf(turn: number): string {
  return new Date(Date.UTC(2025, 0, 2 + turn)).toISOString();
}

function bareSeries({ client, datasource }: World, from: string, to: string): Promise<unknown> {
  const asked = { datasource_id: datasource, value: 'temperature', asset: '', from, to, points: POINTS };
  return client.post('/secure/data/plot', asked);
}
