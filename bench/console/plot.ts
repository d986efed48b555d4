import type { Page } from 'playwright-core';
import type { Visitor } from '../../test/browser/visitor.js';
import { milliseconds, quantile, timeOf, times, type Figure } from './figures.js';
import { framesOf, timesOf } from './page-clock.js';
import { reader, type World } from './world.js';

const TURNS = 7;
const PAN_MS = 3000;
const POINTS = 2000;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A plot of every row: first paint, zoom, and how smoothly it is moved. */
export async function plot(world: World): Promise<readonly Figure[]> {
  await using visitor = await reader(world, `/datasources/${world.datasource}`);
  const { page } = visitor;
  const first = await times(TURNS, () => firstPaint(visitor));
  const bareAll = await times(TURNS, () => timeOf(() => bareSeries(world, '', '')));
  const place = await placeOf(page);
  const zooms = await times(TURNS, (turn) => zoom(page, place, turn));
  const bareDay = await times(TURNS, (turn) => timeOf(() => bareSeries(world, dayOf(turn), dayOf(turn + 1))));
  await page.mouse.move(place.x, place.y + 300);
  const idle = await framesOf(page, PAN_MS);
  const [moved] = await Promise.all([framesOf(page, PAN_MS), pan(page, place)]);
  const rows = world.rows.toLocaleString('en');
  return [
    {
      name: `Plot of ${rows} rows: from the click to its first paint`,
      value: milliseconds(first),
      baseline: `${milliseconds(bareAll)}: POST data/plot from Node`,
    },
    {
      name: 'Zoom: from the wheel to the next paint, of what is loaded',
      value: milliseconds(zooms.map(({ painted }) => painted)),
      baseline: 'one frame is 17 ms',
    },
    {
      name: 'Zoom: from the wheel to its detail, loaded and painted',
      value: milliseconds(zooms.map(({ detailed }) => detailed)),
      baseline: `${milliseconds(bareDay)}: POST data/plot from Node, of a day`,
    },
    {
      name: 'Panning for 3 s: frames a second',
      value: perSecond(moved),
      baseline: `${perSecond(idle)}: the same page idle`,
      aim: '60',
    },
    { name: 'Panning for 3 s: worst frame', value: worst(moved), baseline: `${worst(idle)}: the same page idle` },
    {
      name: 'Panning for 3 s: the slowest hundredth of frames',
      value: `${quantile(moved, 0.99).toFixed(0)} ms`,
      baseline: `${quantile(idle, 0.99).toFixed(0)} ms: the same page idle`,
    },
  ];
}

export function perSecond(frames: readonly number[]): string {
  return ((1000 * frames.length) / frames.reduce((sum, length) => sum + length, 0)).toFixed(1);
}

export function worst(frames: readonly number[]): string {
  return `${Math.max(...frames).toFixed(0)} ms`;
}

/** With nothing in the page's own cache; its files are in the browser's. */
async function firstPaint({ page }: Visitor): Promise<number> {
  await page.goto(page.url().replace(/\?.*/, ''));
  await page.getByRole('img', { name: 'Distribution of load' }).waitFor();
  await page.getByRole('tab', { name: 'Explore' }).click();
  const { clicked, plotted } = await timesOf(page, 'plotted');
  return plotted - clicked;
}

async function placeOf(page: Page): Promise<Place> {
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
  const body = { datasource_id: datasource, value: 'temperature', asset: '', from, to, points: POINTS };
  return client.call(client.api.POST('/api/v1/secure/data/plot', { body }));
}
