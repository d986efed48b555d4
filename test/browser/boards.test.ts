import { expect, it } from 'vitest';
import { inConsole } from './scene.js';
import type { Visitor } from './visitor.js';
import { importedIn } from './weather.builder.js';

const PATIENCE = { timeout: 20_000 };
const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temp_max', label: 'warmth' }],
  dimensions: [{ kind: 'column', column: 'location', label: 'location' }],
};
const CHART = { kind: 'bar', x: 'location', y: 'warmth' };
const LOOKS = [
  { width: 390, scheme: 'dark' },
  { width: 768, scheme: 'light' },
  { width: 1440, scheme: 'dark' },
] as const;
const COUNT = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'days' }] };

interface Place {
  readonly title: string | null;
  readonly x: number;
  readonly y: number;
  readonly w: number;
}

/** In place of the printer: notes the colours of the page, once its charts are drawn in them. */
const NOTES_WHAT_IS_PRINTED = `window.print = () => {
  const { dataset } = document.documentElement;
  dataset.printed = document.querySelector('[data-drawing="true"]') === null ? dataset.mantineColorScheme : 'too early';
}`;

inConsole('boards in the console', { weather: true }, (the) => {
  /** With a chart, a figure and a note. */
  async function aBoard(title: string): Promise<string> {
    const { body } = await the.client.post('/secure/board', { title, notes: 'Two stations.' });
    const { id } = body['board'] as { id: string };
    const tile = `/secure/board/${id}/tile`;
    await the.client.post(tile, { datasource_id: the.datasource, plan: PLAN, chart: CHART, title: 'Warmth' });
    await the.client.post(tile, { datasource_id: the.datasource, plan: COUNT, title: 'Days' });
    await the.client.post(tile, { text: '## How to read this' });
    return id;
  }

  async function placeOf(tile: string, id: string): Promise<Place | undefined> {
    const { body } = await the.client.get(`/secure/board/${id}`);
    return (body['board'] as { tiles: Place[] }).tiles.find(({ title }) => title === tile);
  }

  const charts = ({ page }: Visitor) => page.locator('[role=img][aria-label^="Chart: "] svg');

  it('are made of answers that are pinned, go to the bin, and come back', async () => {
    const { body } = await the.client.post('/secure/assistant/conversation', {
      title: 'Pins',
      datasource_id: the.datasource,
    });
    const conversation = String(body['id']);
    const message = 'average temp_max by location';
    await the.client.post('/secure/assistant/chat', { conversation_id: conversation, message });
    const ada = await the.house.at(`/assistant/${conversation}`);
    const { page } = ada;
    await ada.button('Pin to board').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Board' }).click();
    await page.getByRole('option', { name: 'A new board' }).click();
    await ada.pastes('Title of the new board', 'Pinned here');
    await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
    await dialog.getByRole('link', { name: 'Open the board' }).click();
    await ada.title('Pinned here').waitFor();
    await page.getByRole('region', { name: 'Average temp_max by location' }).waitFor();
    await charts(ada).waitFor();

    await ada.menu('More', 'Delete');
    await ada.sees('It stays in the bin for 30 days:');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await ada.sees('“Pinned here” is in the bin.');
    await ada.button('Undo').click();
    await ada.sees('“Pinned here” is back.');
    await page.getByRole('link', { name: /Pinned here/ }).click();
    await charts(ada).waitFor();
  });

  it('are looked at through filters, by oneself or by everybody, arranged by keys and by mouse, and shared', async () => {
    const id = await aBoard('Warm days');
    const ada = await the.house.at(`/boards/${id}`);
    const { page } = ada;
    const days = page.getByRole('region', { name: 'Days' });
    await days.getByText('2,922').waitFor();
    await ada.button('Filter').click();
    await ada.picks('Column', 'location');
    const values = page.getByLabel('Values').and(page.locator('input')).first();
    await values.fill('Seattle');
    await values.press('Enter');
    await ada.button('Add the filter').click();
    await days.getByText('1,461').waitFor();
    // It stands in the address, and the board is as it was.
    await page.reload();
    await days.getByText('1,461').waitFor();
    expect((await the.client.get(`/secure/board/${id}`)).body['board']).toMatchObject({ filters: [] });
    await ada.button('Keep for everyone').click();
    await ada.button('Keep for everyone').waitFor({ state: 'detached' });
    expect((await the.client.get(`/secure/board/${id}`)).body['board']).toMatchObject({
      filters: [{ column: 'location', values: ['Seattle'] }],
    });

    await ada.button('Edit').click();
    // The note lies below it, and takes its place.
    await ada.button(/^Move Days/).press('ArrowDown');
    await expect.poll(async () => (await placeOf('Days', id))?.y, PATIENCE).toBe(3);
    await ada.button(/^Move Warmth/).press('Shift+ArrowRight');
    await expect.poll(async () => (await placeOf('Warmth', id))?.w, PATIENCE).toBe(7);
    await ada.sees(/7 columns wide/);
    const before = await placeOf('Days', id);
    const grip = await ada.button(/^Move Days/).boundingBox();
    await page.mouse.move(grip!.x + 8, grip!.y + 8);
    await page.mouse.down();
    await page.mouse.move(grip!.x - 250, grip!.y + 20, { steps: 12 });
    await page.mouse.up();
    await expect.poll(() => placeOf('Days', id), PATIENCE).not.toEqual(before);
    await ada.button('Done').click();
    await days.waitFor();

    await ada.menu('More', 'Share by link');
    await ada.button('Create link').waitFor();
    await page.keyboard.press('Escape');
    await ada.button('More').and(page.locator(':focus')).waitFor();
    await ada.menu('More', 'Share by link');
    await ada.button('Create link').click();
    const address = (await page.locator('code').filter({ hasText: '/shared#' }).textContent()) ?? '';
    expect(await ada.barriers()).toEqual([]);
    await using stranger = await the.house.visit({ width: 390, scheme: 'dark' });
    await stranger.open(new URL(address).pathname + new URL(address).hash);
    await stranger.title('Warm days').waitFor();
    await charts(stranger).waitFor();
    await stranger.page.getByRole('region', { name: 'Days' }).getByText('1,461').waitFor();
    expect(await stranger.faults()).toEqual([]);
    expect(await stranger.page.content()).not.toContain(the.datasource);
    await ada.button(/^Revoke the link/).click();
    await ada.sees('The link was revoked');
    await page.locator('code').filter({ hasText: '/shared#' }).waitFor({ state: 'detached' });
    await stranger.page.reload();
    await stranger.sees(/expired or was revoked/);
  });

  /** The address of a page that shows an answer to whoever has it. */
  async function sharedAnswer(message: string): Promise<string> {
    const titled = { title: message, datasource_id: the.datasource };
    const { body } = await the.client.post('/secure/assistant/conversation', titled);
    const id = String(body['id']);
    await the.client.post('/secure/assistant/chat', { conversation_id: id, message });
    const { body: read } = await the.client.get(`/secure/assistant/history?conversation_id=${id}`);
    const [, answer] = read['history'] as readonly { readonly _id: string }[];
    const shared = await the.client.post('/secure/share', { conversation_id: id, message_id: answer?._id });
    return `/shared#${String(shared.body['token'])}`;
  }

  it('are beside answers that a link shows on a phone, with a table that is said once, and whole on paper', async () => {
    const few = 'list the 5 rows with the highest precipitation';
    await using stranger = await the.house.visit({ width: 390 });
    const { page } = stranger;
    await stranger.open(await sharedAnswer(few));
    await stranger.title(few).waitFor();
    expect(await page.getByRole('table').count()).toBe(1);
    expect(await stranger.faults()).toEqual([]);

    const many = 'average temp_max by month';
    await stranger.open(await sharedAnswer(many));
    await page.reload();
    await stranger.title(many).waitFor();
    const hasHidden = (box: { scrollHeight: number; clientHeight: number }): boolean =>
      box.scrollHeight > box.clientHeight;
    const table = page.locator('.mantine-ScrollArea-viewport').last();
    expect(await table.evaluate(hasHidden)).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await table.evaluate(hasHidden)).toBe(false);
  });

  it('say that they are gone to whoever changes one that was deleted elsewhere', async () => {
    const id = await aBoard('Gone soon');
    const ada = await the.house.at(`/boards/${id}`);
    await ada.button('Edit').click();
    await ada.button('Remove Days').waitFor();
    await the.client.delete(`/secure/board/${id}`);
    await ada.button('Remove Days').click();
    await ada.sees('This board does not exist');
  });

  it('are not changed by those who may not, whom they alert of a figure', async () => {
    const id = await aBoard('Of the manager');
    const eve = await the.house.at(`/boards/${id}`, {}, await the.house.plainUser('eve'));
    const { page } = eve;
    await eve.button('Refresh').waitFor();
    await expect.poll(() => eve.button('Edit').count()).toBe(0);
    await eve.button('More').click();
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Print or save as PDF']);
    await page.keyboard.press('Escape');
    // Of a chart there is no one figure.
    await expect.poll(() => eve.button('Actions for Warmth').count()).toBe(0);
    await eve.menu('Actions for Days', 'Alert me');
    const dialog = page.getByRole('dialog', { name: 'Alert me' });
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Days');
    await expect.poll(() => dialog.getByLabel('Limit').inputValue()).toBe('2922');
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await dialog.waitFor({ state: 'hidden' });
    // Of the datasource neither what only managers see, nor its deletion.
    await eve.goes(`/datasources/${the.datasource}?tab=details`);
    await page.getByLabel('Context').waitFor();
    expect(await page.getByRole('tab', { name: 'Verified' }).count()).toBe(0);
    await expect.poll(() => eve.button('Delete datasource').count()).toBe(0);
  });

  it('are whole and without barriers in every window, with the last days of old rows and what is gone', async () => {
    const id = await aBoard('In every window');
    const sales = 'shop,day,sold\nA,2024-01-01,5\nA,2024-01-02,6\n';
    const gone = await importedIn(the.client, 'Gone', sales, { metafield: 'shop', timefield: 'day' });
    await the.client.post(`/secure/board/${id}/tile`, { datasource_id: gone, plan: COUNT, title: 'Sold' });
    await the.client.delete('/secure/datasource', { id: gone });
    await the.client.patch(`/secure/board/${id}`, { range: { last: 7, unit: 'day' } });
    const ada = await the.house.at(`/boards/${id}`, LOOKS[0]);
    const { page } = ada;
    await charts(ada).waitFor();
    const days = page.getByRole('region', { name: 'Days' });
    await days.getByText('14', { exact: true }).waitFor();
    await days.getByText(/25 – 31 Dec 2015/).waitFor();
    await page.getByRole('region', { name: 'Sold' }).getByText('The datasource of this tile was deleted.').waitFor();
    expect(await ada.faultsIn(LOOKS)).toEqual([]);
    await ada.button('Edit').click();
    await ada.button('Change Warmth').waitFor();
    expect(await ada.faultsIn(LOOKS.slice(0, 1))).toEqual([]);
    await ada.open('/boards');
    await page.getByRole('list', { name: 'Boards' }).waitFor();
    expect(await ada.faultsIn(LOOKS.slice(0, 1))).toEqual([]);
  });

  it('are printed in light colours from a dark page, which is dark again, without what is not on paper', async () => {
    const id = await aBoard('On paper');
    const ada = await the.house.at(`/boards/${id}`, { scheme: 'dark' });
    const { page } = ada;
    await charts(ada).waitFor();
    const dark = page.locator('html[data-mantine-color-scheme="dark"]');
    await expect.poll(() => dark.count()).toBe(1);
    await page.evaluate(NOTES_WHAT_IS_PRINTED);
    const byMenu = async (): Promise<void> => {
      await ada.button('More').first().click();
      await page.getByRole('menuitem', { name: 'Print or save as PDF' }).click();
    };
    const byKeys = (): Promise<void> => page.keyboard.press('Control+P');
    for (const prints of [byMenu, byKeys]) {
      await page.evaluate('delete document.documentElement.dataset.printed');
      await prints();
      await page.locator('html[data-printed="light"]').waitFor();
      await expect.poll(() => dark.count()).toBe(1);
    }
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => ada.button('Refresh').isVisible(), PATIENCE).toBe(false);
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  });
});
