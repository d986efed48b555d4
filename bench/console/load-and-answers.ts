import type { Page } from 'playwright-core';
import { ask, conversationOn } from '../service.js';
import { median, timeOf } from '../timing.js';
import { PAGE_CLOCK, timesOf } from './page-clock.js';
import { milliseconds, print, reader, turnsOf, type World } from './world.js';

interface Load {
  /** On the wire, compressed, with headers. */
  readonly bytes: number;
  readonly usable: number;
}

const LOADS = 7;

/** The sign-in page: with nothing in the browser's cache, and a second time. */
export async function firstLoad({ house }: World): Promise<void> {
  const loads = await turnsOf(LOADS, async () => {
    await using visitor = await house.visit();
    await visitor.page.addInitScript(PAGE_CLOCK);
    const cold = await loadOf(visitor.page, `${house.url}/`);
    return { cold, warm: await loadOf(visitor.page, `${house.url}/`) };
  });
  const bare = await turnsOf(LOADS, async () => {
    await using visitor = await house.visit();
    await visitor.page.goto(`${house.url}/health`);
    return await firstPaintOf(visitor.page);
  });
  const baseline = `${milliseconds(bare)}: first paint of /health as text`;
  const kilobytes = median(loads.map(({ cold }) => cold.bytes)) / 1000;
  print('First load: on the wire', `${kilobytes.toFixed(0)} KB`);
  for (const cache of ['cold', 'warm'] as const) {
    const usable = loads.map((load) => load[cache].usable);
    print(`First load, ${cache} cache: the sign-in form can be used`, milliseconds(usable), baseline);
  }
}

async function loadOf(page: Page, url: string): Promise<Load> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send('Network.enable');
  await page.goto(url, { waitUntil: 'networkidle' });
  const { usable } = await timesOf(page, 'usable');
  await session.detach();
  return { bytes, usable };
}

function firstPaintOf(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((found) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') found(startTime);
    }).observe({ type: 'paint', buffered: true });
  })`);
}

const QUESTIONS = 10;
const MONTHS = ['January', 'February', 'March'];

/** From the key that sends a question to its answer on the page, and the same questions without a page. */
export async function answers(world: World): Promise<void> {
  const { client, datasource } = world;
  const paged = await conversationOn(client, datasource, 'In the page');
  const bare = await conversationOn(client, datasource, 'Without a page');
  await using visitor = await reader(world, `/assistant/${paged}`);
  const { page } = visitor;
  const took = await turnsOf(QUESTIONS, async (turn) => {
    const message = `Average temperature by sensor in ${MONTHS[turn % MONTHS.length] ?? ''}`;
    await send(page, message);
    const { asked, firstWord, answered } = await timesOf(page, 'answered');
    const alone = await timeOf(() => ask(client, bare, message));
    return { firstWord: firstWord - asked, answered: answered - asked, alone };
  });
  const baseline = `${milliseconds(took.map(({ alone }) => alone))}: POST chat from Node, to its end`;
  print('Answer: from the key to the first word', milliseconds(took.map(({ firstWord }) => firstWord)), baseline);
  print('Answer: from the key to the whole of it', milliseconds(took.map(({ answered }) => answered)), baseline);
}

/** Asks a question in the page, once it can be asked. */
export async function send(page: Page, question: string): Promise<void> {
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.getByRole('textbox', { name: 'Your question' }).fill(question);
  await page.keyboard.press('Enter');
}
