import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Visitor } from './visitor.js';
import { weatherIn } from './weather.builder.js';

const PATIENCE = { timeout: 45_000 };

/** Whether the one can be seen whole in the other. */
async function isWithin(inner: Locator, outer: Locator): Promise<boolean> {
  const [one, other] = [await inner.boundingBox(), await outer.boundingBox()];
  return one !== null && other !== null && one.y >= other.y && one.y + one.height <= other.y + other.height;
}

describe.skipIf(chromiumPath === undefined)('the assistant in the console', () => {
  let house: Console;
  beforeAll(async () => {
    house = await Console.shared();
    await weatherIn(house);
  });
  afterAll(() => house[Symbol.asyncDispose]());

  async function begins(visitor: Visitor, title: string): Promise<void> {
    await visitor.button('New conversation').last().click();
    await visitor.page.getByPlaceholder('Search by name').click();
    await visitor.page.getByRole('option', { name: 'Weather' }).click();
    await visitor.page.getByLabel('Title').fill(title);
    await visitor.button('Start').click();
    await visitor.title(title).waitFor();
  }

  async function asks({ page }: Visitor, question: string): Promise<void> {
    // While an answer is being written, nothing is sent.
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
  }

  it('answers with words, chart, table, query and what they rest on', async () => {
    const ada = await house.at('/assistant');
    const { page } = ada;
    await begins(ada, 'First look');
    await asks(ada, 'Average temp_max by location');
    const answer = page.getByRole('article', { name: 'Answer' });
    const chart = answer.getByRole('img', { name: /^Chart/ });
    const drawn = chart.locator('svg');
    await drawn.waitFor();
    // Its place changes, and the window does not.
    const widen = (width: string): Promise<void> =>
      chart.evaluate(({ style }: { readonly style: { width: string } }, to) => void (style.width = to), width);
    await widen('300px');
    await expect.poll(async () => (await drawn.boundingBox())?.width).toBeLessThanOrEqual(300);
    await widen('');
    await expect.poll(async () => (await drawn.boundingBox())?.width).toBeGreaterThan(300);
    await ada.button('Table (2 rows)').click();
    await answer.getByRole('columnheader', { name: 'location' }).last().waitFor();
    await ada.button('Query').click();
    await ada.sees(/GROUP BY/);
    await ada.button('Details').click();
    await ada.sees('Rows read');
    expect(await ada.barriers()).toEqual([]);

    const saved = page.waitForEvent('download');
    await ada.button('CSV').click();
    expect(await readFile(await (await saved).path(), 'utf8')).toMatch(/^\ufefflocation,average temp_max\r\n/);
    const picture = page.waitForEvent('download');
    await ada.button('PNG').click();
    const bytes = await readFile(await (await picture).path());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(ada.troubles).toEqual([]);
  });

  it('suggests what can be asked, understands a question that leans on the last, and keeps all of it', async () => {
    const ada = await house.at('/assistant');
    const { page } = ada;
    await begins(ada, 'Suggested');
    await ada.sees('You could ask');
    await ada.button('Total precipitation by location').first().click();
    const answers = page.getByRole('article', { name: 'Answer' });
    await expect.poll(() => answers.count(), PATIENCE).toBe(1);
    await asks(ada, 'and by year?');
    await expect.poll(() => answers.count(), PATIENCE).toBe(2);
    await expect.poll(() => page.getByRole('article', { name: 'Question' }).count(), PATIENCE).toBe(2);
    await page.reload();
    await expect.poll(() => answers.count(), PATIENCE).toBe(2);
    expect(ada.troubles).toEqual([]);
  });

  it('renames, pins, finds and deletes conversations', async () => {
    const ada = await house.at('/assistant');
    const { page } = ada;
    await begins(ada, 'To be renamed');
    const menu = ada.button('More actions');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Another name');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await ada.title('Another name').waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('link').first().getByText('Another name').waitFor();
    await page.getByLabel('Search conversations').fill('ANOTHER');
    await expect.poll(() => list.getByRole('link').count(), PATIENCE).toBe(1);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ada.sees('Ask your data');
    expect(ada.troubles).toEqual([]);
  });

  it('shows a long table to its end, by the keyboard too', async () => {
    const ada = await house.at('/assistant');
    await begins(ada, 'Long table');
    await asks(ada, 'Average wind by month');
    await ada.button(/^Table \(\d\d rows\)$/).click();
    const box = ada.page.getByRole('article', { name: 'Answer' }).locator('[data-scrollarea-viewport]').last();
    const last = box.getByRole('row').last();
    await expect.poll(async () => (await box.boundingBox())?.height, PATIENCE).toBeLessThan(400);
    await box.focus();
    await ada.page.keyboard.press('End');
    await expect.poll(() => isWithin(last, box), PATIENCE).toBe(true);
    expect(await ada.barriers()).toEqual([]);
  });

  it('fits a narrow screen, and says so of what is not there', async () => {
    const ada = await house.at('/assistant', { width: 360 });
    await ada.sees('Conversations');
    expect(await ada.overflows()).toBe(false);
    await begins(ada, 'Narrow');
    await asks(ada, 'Average wind by location');
    await ada.page.getByRole('article', { name: 'Answer' }).getByRole('table').first().waitFor();
    await ada.button('Send').waitFor();
    expect(await ada.overflows()).toBe(false);
    expect(await ada.barriers()).toEqual([]);
    await ada.open(`/assistant/${'0'.repeat(24)}`);
    await ada.sees('Conversation not found');
  });
});
