import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { inConsole } from './scene.js';
import type { Look, Visitor } from './visitor.js';
import { importedIn } from './weather.builder.js';

const PATIENCE = { timeout: 45_000 };
/** A slow machine, and as many questions as somebody asks in a morning. */
const LONG = process.env['TEST_LONG'] === '1';
const ASKED_BEFORE = LONG ? 17 : 11;
const ASKED_HERE = LONG ? 3 : 2;
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
const IN_SEATTLE = {
  ...BY_DAY,
  dimensions: [{ kind: 'bucket', column: 'date', bucket: 'month', label: 'month' }],
  filters: [{ kind: 'in', column: 'location', values: ['Seattle'], negated: false }],
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

inConsole('answers in the console', { weather: true }, (the) => {
  /** A test that is tried once more has inserted one. */
  let rows = 2922;
  const said = (count: number): string => count.toLocaleString('en-GB');

  /** A conversation in which this was asked. */
  async function asked(title: string, ...questions: readonly object[]): Promise<string> {
    const { body } = await the.client.post('/secure/assistant/conversation', { title, datasource_id: the.datasource });
    const id = String(body['id']);
    for (const question of questions) {
      await the.client.post('/secure/assistant/chat', { conversation_id: id, ...question });
    }
    return id;
  }

  async function opens(id: string, look: Look = {}): Promise<Visitor> {
    const visitor = await the.house.at(`/assistant/${id}`, look);
    await visitor.page.getByRole('log').waitFor();
    return visitor;
  }

  const answersOf = ({ page }: Visitor): Locator => page.getByRole('article', { name: 'Answer' });

  /** Types a question, and resolves when it has been answered whole. */
  async function asks(visitor: Visitor, question: string): Promise<void> {
    const { page } = visitor;
    // While an answer is being written, nothing is sent.
    await page.getByRole('button', { name: 'Send' }).waitFor();
    const count = await answersOf(visitor).count();
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
    await expect.poll(() => answersOf(visitor).count(), PATIENCE).toBe(count + 1);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  }

  it('have words, chart, whole table, query and what they rest on, and say that the rows have changed since', async () => {
    const ada = await opens(await asked('Whole', { plan: BY_DAY }));
    const { page } = ada;
    const answer = answersOf(ada);
    await answer.getByText('by week, because there are more values than can be seen').waitFor();
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

    await ada.button(/^Table/).click();
    await ada.sees(`1 to 100 of ${said(rows)}`);
    await ada.button('Next rows').click();
    await ada.sees(`101 to 200 of ${said(rows)}`);
    await ada.button('Details').click();
    await ada.sees('Rows read');
    const text = await ada.downloads(ada.menu('Save or copy', 'CSV'));
    expect(text).toMatch(/^location,day,average temp_max\r\n/);
    expect(text.trimEnd().split('\r\n')).toHaveLength(rows + 1);
    expect((await ada.downloads(ada.menu('Save or copy', 'PNG'))).slice(1, 4)).toBe('PNG');

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

    const data = [{ date: '2016-01-01', location: 'Seattle', temp_max: '1' }];
    const inserted = await the.client.patch('/secure/datasource/insert', { datasource_id: the.datasource, data });
    expect(inserted.status).toBe(200);
    rows += 1;
    await page.reload();
    await answer.getByRole('button', { name: /^Table/ }).click();
    await ada.sees(`The data has changed since this answer: ${said(rows - 1)} rows then, ${said(rows)} now.`);
  });

  it('have charts whose names are tilted where they would lie on each other', async () => {
    const customers = ['Bakery Miller', 'Harbour Café', 'Northern Oil', 'Shepherd Ltd', 'Smith & Sons'];
    const lines = customers.map((name, at) => `2024-01-0${String(at + 1)},${name},${String(at + 1)}`);
    const config = { timefield: 'day', metafield: 'customer', values: ['revenue'] };
    const text = ['day,customer,revenue', ...lines].join('\n');
    const datasource = { title: 'Names', datasource_id: await importedIn(the.client, 'Orders', text, config) };
    const id = String((await the.client.post('/secure/assistant/conversation', datasource)).body['id']);
    await the.client.post('/secure/assistant/chat', { conversation_id: id, message: 'total revenue by customer' });
    const ada = await opens(id);
    const name = answersOf(ada).locator('svg text', { hasText: 'Harbour Café' });
    await expect.poll(() => name.getAttribute('transform'), PATIENCE).not.toContain('rotate');
    await ada.returns(`/assistant/${id}`, { width: 390 });
    await expect.poll(() => name.getAttribute('transform'), PATIENCE).toContain('rotate');
  });

  it('come in conversations that suggest questions, lean on the last one, and are named, found and deleted', async () => {
    const ada = await the.house.at('/assistant', { width: 390 });
    const { page } = ada;
    await ada.button('New conversation').last().click();
    await page.getByPlaceholder('Search by name').click();
    await page.getByRole('option', { name: 'Weather' }).click();
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Start').click();
    await ada.sees('You could ask');
    await ada.button('Total precipitation by location').first().click();
    const answers = answersOf(ada);
    await ada.title('Total precipitation by location').waitFor();
    await expect.poll(() => answers.count(), PATIENCE).toBe(1);
    await asks(ada, 'and by year?');
    await asks(ada, 'Average wind by month');
    expect(await ada.overflows()).toBe(false);

    // A long table is shown to its end, by the keyboard too.
    await ada.turns({});
    const long = answers.last();
    await long.getByRole('button', { name: /^Table \(\d\d rows\)$/ }).click();
    const box = long.locator('[data-scrollarea-viewport]').last();
    await expect.poll(async () => (await box.boundingBox())?.height, PATIENCE).toBeLessThan(400);
    await box.focus();
    await page.keyboard.press('End');
    await expect.poll(() => isWithin(box.getByRole('row').last(), box), PATIENCE).toBe(true);
    await long.getByRole('button', { name: 'Save or copy' }).click();
    expect(await ada.downloads(page.getByRole('menuitem', { name: 'CSV' }).click())).toMatch(
      /^\ufeffmonth,average wind\r\n/,
    );

    await ada
      .button(/^Ask again$/)
      .last()
      .click();
    await expect.poll(() => answers.count(), PATIENCE).toBe(4);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    // What was edited is kept as a draft.
    const field = page.getByRole('textbox', { name: 'Your question' });
    await ada.button('Edit the question').first().click();
    await expect.poll(() => field.inputValue()).toBe('Total precipitation by location');
    await field.fill('Average wind by weather');
    await page.getByRole('link', { name: 'Datasources' }).first().click();
    await ada.title('Datasources').waitFor();
    await page.goBack();
    await expect.poll(() => field.inputValue(), PATIENCE).toBe('Average wind by weather');
    await page.reload();
    await expect.poll(() => field.inputValue(), PATIENCE).toBe('Average wind by weather');
    await expect.poll(() => answers.count(), PATIENCE).toBe(4);

    const menu = ada.button('More actions');
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Another name');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await ada.title('Another name').waitFor();
    await menu.click();
    const notebook = await ada.downloads(page.getByRole('menuitem', { name: 'Save as notebook' }).click());
    for (const said of ['# Another name', '## Total precipitation by location']) expect(notebook).toContain(said);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('link').first().getByText('Another name').waitFor();
    await page.getByLabel('Search conversations').fill('ANOTHER');
    await expect.poll(() => list.getByRole('link').count(), PATIENCE).toBe(1);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ada.sees('Ask your data');
  });

  it('offer what can be asked instead, by a click that leaves what is being typed', async () => {
    const ada = await the.house.at(`/assistant/${await asked('Back', { message: 'What is the meaning of life?' })}`);
    const { page } = ada;
    const field = page.getByRole('textbox', { name: 'Your question' });
    await field.fill('half a question');
    const offered = answersOf(ada).getByRole('listitem').getByRole('button').first();
    const words = await offered.innerText();
    await offered.press('Enter');
    const questions = page.getByRole('article', { name: 'Question' });
    await questions.last().getByText(words).waitFor();
    expect(await field.inputValue()).toBe('half a question');
    await expect.poll(() => answersOf(ada).count(), PATIENCE).toBe(2);
    await page.getByRole('button', { name: 'Send' }).waitFor();

    // A pasted table is folded.
    await asks(ada, Array.from({ length: 40 }, (_, row) => `Seattle\t${String(row)}`).join('\n'));
    await expect.poll(async () => (await questions.last().boundingBox())?.height).toBeLessThan(400);
    await questions.last().getByRole('button', { name: 'Show all' }).click();
    await expect.poll(async () => (await questions.last().boundingBox())?.height).toBeGreaterThan(800);
  });

  it('let one go elsewhere while a question is on its way', async () => {
    const ada = await opens(await asked('Left'));
    const { page } = ada;
    let arrive = (): void => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await page.route('**/chatstream', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.getByRole('textbox', { name: 'Your question' }).fill('Average wind by location');
    const sent = page.waitForRequest('**/chatstream');
    await page.keyboard.press('Enter');
    await sent;
    // It stands there before the service has it.
    await page.getByRole('article', { name: 'Question' }).getByText('Average wind by location').waitFor();
    await page.getByRole('link', { name: 'Datasources' }).first().click();
    await ada.title('Datasources').waitFor();
    const answered = page.waitForResponse('**/chatstream');
    arrive();
    await (await answered).finished();
    for (let turn = 0; turn < 10; turn++)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    expect(new URL(page.url()).pathname).toBe('/datasources');
  });

  it('keep their place while more is asked and drawn, and load what was before', { timeout: 300_000 }, async () => {
    const questions = Array.from({ length: ASKED_BEFORE + ASKED_HERE }, (_, n) => QUESTIONS[n % QUESTIONS.length]!);
    const before = questions.slice(0, ASKED_BEFORE).map((message) => ({ message }));
    const ada = await opens(await asked('Many', ...before));
    const { page } = ada;
    const debugging = await page.context().newCDPSession(page);
    if (LONG) await debugging.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const answers = answersOf(ada);
    const fromTop = async (): Promise<number> => {
      const { last } = await page.evaluate<{ readonly last: number }>(PLACE);
      return Math.abs(last);
    };
    const isDrawn = (): Promise<void> =>
      expect.poll(() => page.locator('[data-drawing=true]').count(), PATIENCE).toBe(0);
    await expect.poll(() => answers.count(), PATIENCE).toBe(10);
    await isDrawn();
    expect(await fromTop()).toBeLessThanOrEqual(1);

    for (const question of questions.slice(ASKED_BEFORE)) {
      await asks(ada, question);
      // The newest page of messages has come instead.
      await expect.poll(() => answers.count(), PATIENCE).toBe(10);
      await isDrawn();
      expect(await fromTop()).toBeLessThanOrEqual(1);
    }
    await page.evaluate(UNREST);
    await expect.poll(fromTop, PATIENCE).toBeLessThanOrEqual(1);

    // What is read stays when older messages come above it. The last answer is still hidden.
    const marked = await page.evaluate(TO_FIRST);
    await expect.poll(() => answers.count(), PATIENCE).toBe(questions.length - 1);
    await expect.poll(() => page.locator('button[data-loading=true]').count(), PATIENCE).toBe(0);
    await expect(page.locator(`[id="${String(marked)}"]`).isVisible()).resolves.toBe(true);
    await ada.button('Newest').click();
    await expect.poll(() => page.getByRole('button', { name: 'Newest' }).count(), PATIENCE).toBe(0);
    await debugging.detach();
  });

  it('say what was understood, which is changed and asked again, by mouse and by keyboard', async () => {
    const ada = await opens(await asked('Chips', { plan: IN_SEATTLE }), { width: 390, scheme: 'dark' });
    const { page } = ada;
    const chips = page.getByRole('group', { name: 'What was understood' });
    const showsAnswer = async (count: number): Promise<void> => {
      await expect.poll(() => chips.count(), PATIENCE).toBe(count);
      await page.getByRole('button', { name: 'Send' }).waitFor();
    };
    await showsAnswer(1);
    await chips.getByRole('button', { name: 'by month: change the group' }).click();
    await page.getByRole('menuitem', { name: 'year', exact: true }).click();
    await showsAnswer(2);
    await ada.sees('Average temp_max by year, where location is Seattle');

    const last = chips.last();
    await last.getByRole('button', { name: 'average temp_max: change the figure' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Highest', exact: true }).press('Enter');
    await showsAnswer(3);
    await ada.sees('Highest temp_max by year, where location is Seattle');
    await last.getByRole('button', { name: 'Ask again without: location is Seattle' }).press('Enter');
    await showsAnswer(4);
    await last.getByRole('button', { name: 'all time: change the period' }).click();
    await page.getByRole('menuitem', { name: /^Last quarter of the data \(Q\d 201\d\)/ }).waitFor();
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('menuitem', { name: /^Last quarter of the data/ }).click();
    await showsAnswer(5);
    await last.getByRole('button', { name: /201\d: change the period/ }).waitFor();

    // However far up it is asked, the question stands at the top, with its answer beneath it.
    // The view stays where a hand has scrolled it, whatever grows meanwhile.
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -20_000);
    await expect.poll(() => page.evaluate("document.querySelector('[role=log]').scrollTop"), PATIENCE).toBe(0);
    await chips.first().getByRole('button', { name: 'line chart: change the chart' }).click();
    await page.getByRole('menuitem', { name: 'Bar chart' }).click();
    await showsAnswer(6);
    await last.getByRole('button', { name: 'bar chart: change the chart' }).waitFor();
    const above = async (): Promise<number> => Math.abs((await page.evaluate<{ last: number }>(PLACE)).last);
    await expect.poll(above, PATIENCE).toBeLessThan(40);
    expect(await ada.overflows()).toBe(false);
  });
});

/** Boxes are scrolled by whole pixels, and rows are as high as their letters. */
const ROUNDING = 1;

/** Whether the one can be seen whole in the other. */
async function isWithin(inner: Locator, outer: Locator): Promise<boolean> {
  const [one, other] = [await inner.boundingBox(), await outer.boundingBox()];
  if (one === null || other === null) return false;
  return one.y >= other.y - ROUNDING && one.y + one.height <= other.y + other.height + ROUNDING;
}
