import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../support/test-client.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Look, Visitor } from './visitor.js';
import { weatherIn } from './weather.builder.js';

const PATIENCE = { timeout: 45_000 };
const ROWS = 2922;
/** Answers of different heights: a chart, a figure, a list, a question back. */
const QUESTIONS = [
  'Average temp_max by month',
  'How many rows are there?',
  'list all rows',
  'Average wind by location',
  'What is the meaning of life?',
];
const BY_DAY = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temp_max', label: 'average temp_max' }],
  dimensions: [
    { kind: 'column', column: 'location', label: 'location' },
    { kind: 'bucket', column: 'date', bucket: 'day', label: 'day' },
  ],
};

/**
 * Where the last question begins below the top of the view, and how far the view can still be scrolled, as it is painted: an observer that
 * comes last in a frame sees what all others have done.
 */
const PLACE = `new Promise((resolve) => requestAnimationFrame(() => {
  const view = document.querySelector('[role=log]');
  const painted = new ResizeObserver(() => {
    painted.disconnect();
    const last = [...view.querySelectorAll('[aria-label=Question]')].at(-1);
    resolve({
      last: Math.round(last.getBoundingClientRect().top - view.getBoundingClientRect().top),
      left: Math.round(view.scrollHeight - view.scrollTop - view.clientHeight),
    });
  });
  painted.observe(view);
}))`;

/** The last answer becomes shorter, which scrolls the view back, and one above becomes longer before anybody could look. */
const UNREST = `(() => {
  const view = document.querySelector('[role=log]');
  const answers = [...view.querySelectorAll('[aria-label=Answer]')];
  answers.at(-1).style.display = 'none';
  view.querySelector(':scope > [aria-hidden]').style.height = '0';
  void view.scrollTop;
  answers.at(-2).style.paddingBottom = '600px';
})()`;

/** In one step: the page of messages may be asked for anew at any moment, and its first question then comes with an older page. */
const TO_FIRST = `(() => {
  const first = document.querySelector('[role=log] [aria-label=Question]');
  first.scrollIntoView();
  return first.id;
})()`;

describe.skipIf(chromiumPath === undefined)('a conversation in the console', () => {
  let house: Console;
  let client: TestClient;
  let datasource: string;
  beforeAll(async () => {
    house = await Console.shared();
    ({ client, datasource } = await weatherIn(house));
  });
  afterAll(() => house[Symbol.asyncDispose]());

  async function conversation(title: string): Promise<string> {
    return String(
      (await client.post('/secure/assistant/conversation', { title, datasource_id: datasource })).body['id'],
    );
  }

  async function opens(id: string, look: Look = {}): Promise<Visitor> {
    const visitor = await house.at(`/assistant/${id}`, look);
    await visitor.page.getByRole('log').waitFor();
    return visitor;
  }

  function placeOf({ page }: Visitor): Promise<{ readonly last: number; readonly left: number }> {
    return page.evaluate(PLACE);
  }

  it(
    'keeps its place through twenty questions on a slow machine, and loads what was before',
    { timeout: 300_000 },
    async () => {
      const id = await conversation('Twenty');
      for (let turn = 0; turn < 17; turn += 1) {
        const message = QUESTIONS[turn % QUESTIONS.length];
        await client.post('/secure/assistant/chat', { conversation_id: id, message });
      }
      const ada = await opens(id);
      const { page } = ada;
      const debugging = await page.context().newCDPSession(page);
      await debugging.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      const answers = page.getByRole('article', { name: 'Answer' });
      await expect.poll(() => answers.count(), PATIENCE).toBe(10);
      await expect.poll(() => page.locator('[data-drawing=true]').count(), PATIENCE).toBe(0);
      expect(Math.abs((await placeOf(ada)).last)).toBeLessThanOrEqual(1);

      for (let turn = 17; turn < 20; turn += 1) {
        await page.getByRole('button', { name: 'Send' }).waitFor();
        const count = await answers.count();
        await page.getByRole('textbox', { name: 'Your question' }).fill(QUESTIONS[turn % QUESTIONS.length] ?? '');
        await page.keyboard.press('Enter');
        await expect.poll(() => answers.count(), PATIENCE).toBe(count + 1);
        await expect.poll(async () => Math.abs((await placeOf(ada)).last), PATIENCE).toBeLessThanOrEqual(1);
        await page.getByRole('button', { name: 'Send' }).waitFor();
        await expect.poll(() => page.locator('[data-drawing=true]').count(), PATIENCE).toBe(0);
        expect(Math.abs((await placeOf(ada)).last)).toBeLessThanOrEqual(1);
      }

      await page.evaluate(UNREST);
      await expect.poll(async () => Math.abs((await placeOf(ada)).last), PATIENCE).toBeLessThanOrEqual(1);

      // What is read stays when older messages come above it. The last answer is still hidden.
      const marked = await page.evaluate(TO_FIRST);
      await expect.poll(() => answers.count(), PATIENCE).toBe(19);
      await expect
        .poll(() => page.getByRole('button', { name: 'Earlier messages' }).getAttribute('data-loading'), PATIENCE)
        .not.toBe('true');
      await expect(page.locator(`[id="${String(marked)}"]`).isVisible()).resolves.toBe(true);

      await ada.button('Newest').click();
      await expect.poll(() => page.getByRole('button', { name: 'Newest' }).count(), PATIENCE).toBe(0);
      await debugging.detach();
      expect(ada.troubles).toEqual([]);
    },
  );

  it('shows and saves the whole result of an answer, and runs its query changed', async () => {
    const id = await conversation('Whole');
    await client.post('/secure/assistant/chat', { conversation_id: id, plan: BY_DAY });
    const ada = await opens(id);
    const { page } = ada;
    const answer = page.getByRole('article', { name: 'Answer' });
    await answer.getByText('by week, because there are more values than can be seen').waitFor();
    await answer.getByRole('button', { name: /^Table/ }).click();
    await ada.sees('1 to 100 of 2,922');
    await ada.button('Next rows').click();
    await ada.sees('101 to 200 of 2,922');
    expect(await ada.barriers()).toEqual([]);
    const saved = page.waitForEvent('download');
    await answer.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.length).toBe(ROWS + 1);

    await answer.getByRole('button', { name: 'Query', exact: true }).click();
    await answer.getByRole('button', { name: 'Edit', exact: true }).click();
    const query = page.getByRole('textbox', { name: 'Query' });
    await query.fill('SELECT count(*) AS days FROM data WHERE wind > 9');
    await ada.button('Run the query').click();
    await answer.getByRole('columnheader', { name: 'days' }).waitFor();
    expect(await ada.barriers()).toEqual([]);
    await query.fill('DROP TABLE data');
    await ada.button('Run the query').click();
    await ada.sees('The query failed');
  });

  it('says that the rows have changed since', async () => {
    const id = await conversation('Changed');
    await client.post('/secure/assistant/chat', { conversation_id: id, plan: BY_DAY });
    const data = [{ date: '2016-01-01', location: 'Seattle', temp_max: '1' }];
    await client.patch('/secure/datasource/insert', { datasource_id: datasource, data });
    const ada = await opens(id, { width: 390, scheme: 'dark' });
    await ada.page
      .getByRole('article', { name: 'Answer' })
      .getByRole('button', { name: /^Table/ })
      .click();
    await ada.sees('The data has changed since this answer: 2,922 rows then, 2,923 now.');
    expect(await ada.overflows()).toBe(false);
    expect(await ada.barriers()).toEqual([]);
  });

  it('is named after its first question, keeps drafts, and asks again what was edited', async () => {
    const id = await conversation('About Weather');
    const ada = await opens(id);
    const { page } = ada;
    const field = page.getByRole('textbox', { name: 'Your question' });
    await field.fill('Average wind by location');
    await page.keyboard.press('Enter');
    await ada.title('Average wind by location').waitFor();
    const answers = page.getByRole('article', { name: 'Answer' });
    await ada.button(/^Ask again$/).click();
    await expect.poll(() => answers.count(), PATIENCE).toBe(2);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await ada.button('Edit the question').first().click();
    await expect.poll(() => field.inputValue()).toBe('Average wind by location');
    await field.fill('Average wind by weather');
    await page.getByRole('link', { name: 'Datasources' }).first().click();
    await ada.title('Datasources').waitFor();
    await page.goBack();
    await expect.poll(() => field.inputValue(), PATIENCE).toBe('Average wind by weather');
  });

  it('lets one go elsewhere while a question is on its way', async () => {
    const ada = await opens(await conversation('Left'));
    const { page } = ada;
    let arrive = (): void => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/chatstream', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.getByRole('textbox', { name: 'Your question' }).fill('Average wind by location');
    const asked = page.waitForRequest('**/chatstream');
    await page.keyboard.press('Enter');
    await asked;
    await page.getByRole('link', { name: 'Datasources' }).first().click();
    await ada.title('Datasources').waitFor();
    const answered = page.waitForResponse('**/chatstream');
    arrive();
    await (await answered).finished();
    for (let turn = 0; turn < 10; turn++)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    expect(new URL(page.url()).pathname).toBe('/datasources');
  });
});
