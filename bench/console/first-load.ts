import type { Page } from 'playwright-core';
import { median, milliseconds, times, type Figure } from './figures.js';
import { PAGE_CLOCK, timesOf } from './page-clock.js';
import type { World } from './world.js';

interface Load {
  /** On the wire, compressed, with headers. */
  readonly bytes: number;
  readonly firstPaint: number;
  readonly usable: number;
}

const TURNS = 7;

/** The sign-in page: with nothing in the browser's cache, and a second time. */
export async function firstLoad({ house }: World): Promise<readonly Figure[]> {
  const loads = await times(TURNS, async () => {
    await using visitor = await house.visit();
    await visitor.page.addInitScript(PAGE_CLOCK);
    const cold = await loadOf(visitor.page, `${house.url}/`);
    return { cold, warm: await loadOf(visitor.page, `${house.url}/`) };
  });
  const bare = await times(TURNS, async () => {
    await using visitor = await house.visit();
    await visitor.page.goto(`${house.url}/health`);
    return await firstPaintOf(visitor.page);
  });
  const baseline = `${milliseconds(bare)}: first paint of /health as text`;
  return (['cold', 'warm'] as const).flatMap((cache) => {
    const those = loads.map((load) => load[cache]);
    return [
      {
        name: `First load, ${cache} cache: on the wire`,
        value: `${(median(those.map(({ bytes }) => bytes)) / 1000).toFixed(0)} KB`,
        ...(cache === 'cold' ? { aim: 'under 350 KB' } : {}),
      },
      {
        name: `First load, ${cache} cache: first contentful paint`,
        value: milliseconds(those.map(({ firstPaint }) => firstPaint)),
        baseline,
      },
      {
        name: `First load, ${cache} cache: the sign-in form can be used`,
        value: milliseconds(those.map(({ usable }) => usable)),
        baseline,
      },
    ];
  });
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
  return { bytes, usable, firstPaint: await firstPaintOf(page) };
}

function firstPaintOf(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((found) => {
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') found(startTime);
    }).observe({ type: 'paint', buffered: true });
  })`);
}
