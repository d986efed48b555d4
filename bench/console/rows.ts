import type { Page } from 'playwright-core';
import { type Figure, quantile } from './figures.js';
import { perSecond, worst } from './plot.js';
import { framesOf } from './page-clock.js';
import { reader, type World } from './world.js';

const SCROLL_MS = 5000;
/** Pixels that a turn of the wheel scrolls. */
const TURN = 300;

/** How smoothly the list of all rows is scrolled by the wheel, from its middle on. */
export async function rows(world: World): Promise<readonly Figure[]> {
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
  const idle = await framesOf(page, SCROLL_MS);
  const [scrolled] = await Promise.all([framesOf(page, SCROLL_MS), scroll(page)]);
  const name = `Scrolling ${world.rows.toLocaleString('en')} rows for 5 s`;
  return [
    {
      name: `${name}: frames a second`,
      value: perSecond(scrolled),
      baseline: `${perSecond(idle)}: the same page idle`,
      aim: '60',
    },
    {
      name: `${name}: the slowest hundredth, the worst frame`,
      value: `${quantile(scrolled, 0.99).toFixed(0)} ms, ${worst(scrolled)}`,
      baseline: `${quantile(idle, 0.99).toFixed(0)} ms, ${worst(idle)}: the same page idle`,
    },
  ];
}

async function scroll(page: Page): Promise<void> {
  const end = performance.now() + SCROLL_MS;
  while (performance.now() < end) await page.mouse.wheel(0, TURN);
}
