import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Look, Visitor } from './visitor.js';
import { weatherIn } from './weather.builder.js';

const PATIENCE = { timeout: 45_000 };
const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temp_max', label: 'average temp_max' }],
  dimensions: [{ kind: 'bucket', column: 'date', bucket: 'month', label: 'month' }],
  filters: [{ kind: 'in', column: 'location', values: ['Seattle'], negated: false }],
};

describe.skipIf(chromiumPath === undefined)('what was understood, in the console', () => {
  let house: Console;
  let conversation: string;
  beforeAll(async () => {
    house = await Console.shared();
    const { client, datasource } = await weatherIn(house);
    const asked = { title: 'Chips', datasource_id: datasource };
    conversation = String((await client.post('/secure/assistant/conversation', asked)).body['id']);
    await client.post('/secure/assistant/chat', { conversation_id: conversation, plan: PLAN });
  });
  afterAll(() => house[Symbol.asyncDispose]());

  async function reads(look: Look = {}): Promise<Visitor> {
    const visitor = await house.at(`/assistant/${conversation}`, look);
    await visitor.title('Chips').waitFor();
    return visitor;
  }

  function chipsOf({ page }: Visitor): Locator {
    return page.getByRole('group', { name: 'What was understood' });
  }

  async function showsAnswer({ page }: Visitor, count: number): Promise<void> {
    await expect.poll(() => page.getByRole('group', { name: 'What was understood' }).count(), PATIENCE).toBe(count);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }

  it('is changed and asked again, by mouse and by keyboard', async () => {
    const ada = await reads();
    const { page } = ada;
    await showsAnswer(ada, 1);
    await chipsOf(ada).getByRole('button', { name: 'by month: change the group' }).click();
    await page.getByRole('menuitem', { name: 'year', exact: true }).click();
    await showsAnswer(ada, 2);
    await ada.sees('Average temp_max by year, where location is Seattle');
    const last = chipsOf(ada).last();
    await last.getByRole('button', { name: 'by year: change the group' }).waitFor();

    await last.getByRole('button', { name: 'average temp_max: change the figure' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Highest', exact: true }).press('Enter');
    await showsAnswer(ada, 3);
    await ada.sees('Highest temp_max by year, where location is Seattle');

    await chipsOf(ada).last().getByRole('button', { name: 'Ask again without: location is Seattle' }).press('Enter');
    await showsAnswer(ada, 4);
    await ada.sees('Highest temp_max by year');
    await chipsOf(ada).last().getByRole('button', { name: 'all time: change the period' }).click();
    await page.getByRole('menuitem', { name: /^Last quarter of the data \(Q4 2015\)/ }).click();
    await showsAnswer(ada, 5);
    await chipsOf(ada)
      .last()
      .getByRole('button', { name: /2015: change the period/ })
      .waitFor();
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('shows what was asked at the end, however far up that was done', async () => {
    const ada = await reads();
    const { page } = ada;
    await chipsOf(ada).first().waitFor();
    const count = await chipsOf(ada).count();
    await chipsOf(ada).first().getByRole('button', { name: 'Ask again without: by month' }).click();
    await showsAnswer(ada, count + 1);
    // A question that was asked stands at the top, with its answer beneath it.
    const above = (): Promise<number> =>
      page.evaluate<number>(
        `(([log, last]) => Math.abs(last.getBoundingClientRect().top - log.getBoundingClientRect().top))([document.querySelector('[role=log]'), [...document.querySelectorAll('[aria-label=Question]')].at(-1)])`,
      );
    await expect.poll(above, PATIENCE).toBeLessThan(40);
  });

  it('fits a narrow page, light and dark, and its chart can be another', async () => {
    const ada = await reads({ width: 390, scheme: 'dark' });
    const { page } = ada;
    const chart = chipsOf(ada).first().getByRole('button', { name: 'line chart: change the chart' });
    await chart.waitFor();
    const before = await chipsOf(ada).count();
    await chart.click();
    await page.getByRole('menuitem', { name: 'Bar chart' }).waitFor();
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('menuitem', { name: 'Bar chart' }).click();
    await showsAnswer(ada, before + 1);
    await chipsOf(ada).last().getByRole('button', { name: 'bar chart: change the chart' }).waitFor();
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(390);
  });
});
