import type { CDPSession, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import type { TestClient } from '../support/test-client.js';
import { inConsole } from './scene.js';
import type { Look, Visitor } from './visitor.js';
import { importedIn } from './weather.builder.js';

const FIRST = Date.UTC(2025, 0, 1);
const MINUTE_MS = 60_000;
/** Thirty days of minutes: more than one question brings. */
const ROWS = 30 * 1440;

inConsole('a plot in the console', {}, (the) => {
  let path: string;
  beforeAll(async () => {
    path = `/datasources/${await sensorsIn(the.client)}?tab=explore&value=level`;
  });

  async function atPlot(look: Look = {}): Promise<Visitor> {
    const visitor = await the.house.at(path, { touch: true, ...look });
    await visitor.page.locator('.u-over').waitFor();
    return visitor;
  }

  it('is zoomed by the wheel, about the pointer, and moved by dragging', async () => {
    const ada = await atPlot();
    const { page } = ada;
    await ada.sees(`${ROWS.toLocaleString('en')} values`);
    await ada.sees(/lowest and highest value in every 2\d\.\d minutes/);
    const { x, y, width } = await placeOf(page);
    await ada.sees('Drag to move');
    await page.mouse.move(x + width / 4, y);
    await ada.sees(/^8 Jan 2025,? .* UTC: mean 1\d\.\d+, .* to .*, from 2\d rows/);
    await page.mouse.wheel(0, -1500);
    const near = await viewAt(page);
    // What was under the pointer still is.
    expect(at(near, 0.25)).toBeCloseTo(FIRST + 7.5 * 1440 * MINUTE_MS, -7);
    expect(near.to - near.from).toBeLessThan(5 * 1440 * MINUTE_MS);
    await ada.sees(/lowest and highest value in every [1-5](\.\d)? minutes?/);

    await page.mouse.down();
    await page.mouse.move(x + width / 2, y, { steps: 8 });
    await page.mouse.up();
    const earlier = await viewAt(page, near);
    const length = near.to - near.from;
    expect((near.from - earlier.from) / length).toBeCloseTo(0.25, 1);
    expect((earlier.to - earlier.from) / length).toBeCloseTo(1, 3);

    // Everything there is, however often the wheel is turned back.
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, 3000);
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBeNull();
  });

  it('shows single rows where it is near enough, what was loaded while more is, and tries again what fails', async () => {
    const ada = await atPlot({ scheme: 'dark' });
    const { page } = ada;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/data/plot', async (route) => {
      await held;
      await route.continue();
    });
    const { x, y, width } = await placeOf(page);
    await page.mouse.move(x + width / 2, y);
    await page.mouse.wheel(0, -2500);
    await ada.sees('Loading detail');
    await viewAt(page);
    await expect.poll(() => inkOf(page)).toBeGreaterThan(500);
    release();
    await page.getByText('Loading detail').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('status').last().textContent()).not.toContain('band');
    await expect.poll(() => inkOf(page)).toBeGreaterThan(500);
    await page.unroute('**/data/plot');

    await page.getByRole('application').focus();
    await page.keyboard.press('0');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBeNull();
    await page.route('**/data/plot', (route) =>
      route.fulfill({ status: 400, json: { error: true, message: 'no plots today' } }),
    );
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await ada.sees('More detail could not be loaded');
    await expect.poll(() => inkOf(page)).toBeGreaterThan(500);
    expect(await ada.barriers()).toEqual([]);
    await page.unroute('**/data/plot');
    await ada.button('Try again').click();
    await page.getByText('More detail could not be loaded').waitFor({ state: 'detached' });
    await page.getByText('Loading detail').waitFor({ state: 'detached' });
  });

  it('is moved with keys, and told in words', async () => {
    const ada = await atPlot();
    const { page } = ada;
    await page.getByRole('application', { name: /^Plot of level: left and right move/ }).focus();
    for (const _ of [1, 2, 3, 4]) await page.keyboard.press('ArrowUp');
    const near = await viewAt(page);
    expect(near.to - near.from).toBeCloseTo((30 * 1440 * MINUTE_MS) / 1.5 ** 4, -7);
    await page.keyboard.press('ArrowRight');
    const later = await viewAt(page, near);
    expect((later.from - near.from) / (near.to - near.from)).toBeCloseTo(0.1, 2);
    await page.keyboard.press('Shift+ArrowLeft');
    const earlier = await viewAt(page, later);
    expect((later.from - earlier.from) / (near.to - near.from)).toBeCloseTo(1, 2);
    await page.keyboard.press('End');
    const last = await viewAt(page, earlier);
    expect(last.to).toBe(FIRST + (ROWS - 1) * MINUTE_MS);
    await page.getByRole('img', { name: /^level from .* to .*30 Jan.* between/ }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /values from .* to 30 Jan/ })
      .waitFor();
    expect(await ada.barriers()).toEqual([]);
    await page.keyboard.press('0');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBeNull();
    // The same with buttons.
    await ada.button('Zoom in').click();
    const closer = await viewAt(page);
    await ada.button('Later').click();
    expect((await viewAt(page, closer)).from).toBeGreaterThan(closer.from);
  });

  it('is moved and pinched with fingers, which still scroll the page', async () => {
    const ada = await atPlot({ width: 360, height: 740 });
    const { page } = ada;
    const fingers = await page.context().newCDPSession(page);
    const { x, y, width } = await placeOf(page);
    const middle = x + width / 2;
    await drag(fingers, y, [
      [middle - 20, middle + 20],
      [middle - 120, middle + 120],
    ]);
    const near = await viewAt(page);
    expect(near.to - near.from).toBeCloseTo((30 * 1440 * MINUTE_MS) / 6, -8);
    await drag(fingers, y, [[middle + 100], [middle - 100]]);
    const later = await viewAt(page, near);
    expect((later.from - near.from) / (near.to - near.from)).toBeCloseTo(200 / width, 1);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.u-over')).touchAction")).toBe('pan-y');
    expect(await ada.overflows()).toBe(false);
  });
});

async function sensorsIn(client: TestClient): Promise<string> {
  const lines = Array.from({ length: ROWS }, (_, minute) => {
    const time = new Date(FIRST + minute * MINUTE_MS).toISOString();
    return `tank,${time},${(10 + 5 * Math.sin(minute / 700) + ((minute * 7919) % 100) / 100).toFixed(2)}`;
  });
  const config = { metafield: 'sensor', timefield: 'time', timeformat: undefined };
  return importedIn(client, 'Tank', `sensor,time,level\n${lines.join('\n')}\n`, config);
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** The left edge, and the middle of its height. */
async function placeOf(page: Page): Promise<Place> {
  await page.locator('.u-over').scrollIntoViewIfNeeded();
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('there is no plot');
  return { x: box.x, y: box.y + box.height / 2, width: box.width };
}

interface View {
  readonly from: number;
  readonly to: number;
}

/** The stretch in the address, when it is there and another one than `before`. */
async function viewAt(page: Page, before?: View): Promise<View> {
  const read = (): View => {
    const { searchParams: search } = new URL(page.url());
    return { from: Date.parse(search.get('from') ?? ''), to: Date.parse(search.get('to') ?? '') };
  };
  return eventually(read, ({ from, to }) => to > from && from !== before?.from, 10_000);
}

function at({ from, to }: View, part: number): number {
  return from + part * (to - from);
}

/** How many pixels of the canvas are drawn on. */
function inkOf(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.uplot canvas');
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    let ink = 0;
    for (let place = 3; place < data.length; place += 4) if (data[place] > 200) ink += 1;
    return ink;
  })()`);
}

/** Fingers on one line, from their first places to their last. */
async function drag(
  session: CDPSession,
  y: number,
  [from = [], to = []]: readonly (readonly number[])[],
): Promise<void> {
  const STEPS = 8;
  for (let step = 0; step <= STEPS; step += 1) {
    const touchPoints = from.map((x, id) => ({ id, x: x + (((to[id] ?? x) - x) * step) / STEPS, y }));
    await session.send('Input.dispatchTouchEvent', { type: step === 0 ? 'touchStart' : 'touchMove', touchPoints });
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
