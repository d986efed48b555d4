import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../support/test-client.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { SignIn, Visitor } from './visitor.js';
import { importedIn, weatherIn } from './weather.builder.js';

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

describe.skipIf(chromiumPath === undefined)('boards in the console', () => {
  let house: Console;
  let client: TestClient;
  let datasource: string;
  /** No manager. */
  let eve: SignIn;
  beforeAll(async () => {
    house = await Console.shared();
    ({ client, datasource } = await weatherIn(house));
    eve = await house.plainUser('eve');
  });
  afterAll(() => house[Symbol.asyncDispose]());

  /** With a chart, a figure and a note. */
  async function aBoard(title: string): Promise<string> {
    const { body } = await client.post('/secure/board', { title, notes: 'Two stations.' });
    const { id } = body['board'] as { id: string };
    const tile = `/secure/board/${id}/tile`;
    await client.post(tile, { datasource_id: datasource, plan: PLAN, chart: CHART, title: 'Warmth' });
    await client.post(tile, { datasource_id: datasource, plan: COUNT, title: 'Days' });
    await client.post(tile, { text: '## How to read this' });
    return id;
  }

  async function places(id: string): Promise<readonly Place[]> {
    const { body } = await client.get(`/secure/board/${id}`);
    return (body['board'] as { tiles: Place[] }).tiles.map(({ title, x, y, w }) => ({ title, x, y, w }));
  }

  const charts = ({ page }: Visitor) => page.locator('[role=img][aria-label^="Chart: "] svg');

  it('are made of answers that are pinned', async () => {
    const { body } = await client.post('/secure/assistant/conversation', { title: 'Pins', datasource_id: datasource });
    const conversation = String(body['id']);
    await client.post('/secure/assistant/chat', {
      conversation_id: conversation,
      message: 'average temp_max by location',
    });
    const ada = await house.at(`/assistant/${conversation}`);
    await ada.button('Pin to board').click();
    const dialog = ada.page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Board' }).click();
    await ada.page.getByRole('option', { name: 'A new board' }).click();
    await ada.pastes('Title of the new board', 'Pinned here');
    await dialog.getByRole('button', { name: 'Pin', exact: true }).click();
    await dialog.getByRole('link', { name: 'Open the board' }).click();
    await ada.title('Pinned here').waitFor();
    await ada.page.getByRole('region', { name: 'Average temp_max by location' }).waitFor();
    await charts(ada).waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('are arranged by keys and by mouse, and stay so', async () => {
    const id = await aBoard('Arranged');
    const ada = await house.at(`/boards/${id}`);
    await ada.button('Edit').click();
    // The note lies below it, and takes its place.
    await ada.button(/^Move Days/).press('ArrowDown');
    await expect.poll(async () => (await places(id)).find(({ title }) => title === 'Days')?.y, PATIENCE).toBe(3);
    await ada.button(/^Move Warmth/).press('Shift+ArrowRight');
    await expect.poll(async () => (await places(id)).find(({ title }) => title === 'Warmth')?.w, PATIENCE).toBe(7);
    await ada.sees(/7 columns wide/);

    const days = ada.page.getByRole('region', { name: 'Days' });
    const before = (await places(id)).find(({ title }) => title === 'Days');
    const grip = await ada.button(/^Move Days/).boundingBox();
    await ada.page.mouse.move(grip!.x + 8, grip!.y + 8);
    await ada.page.mouse.down();
    await ada.page.mouse.move(grip!.x - 250, grip!.y + 20, { steps: 12 });
    await ada.page.mouse.up();
    await expect
      .poll(async () => (await places(id)).find(({ title }) => title === 'Days'), PATIENCE)
      .not.toEqual(before);
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Done').click();
    await days.waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('are looked at through a time and filters, by oneself or by everybody', async () => {
    const id = await aBoard('Viewed');
    const ada = await house.at(`/boards/${id}`);
    const days = ada.page.getByRole('region', { name: 'Days' });
    await days.getByText('2,922').waitFor();
    await ada.button('Filter').click();
    await ada.page.getByRole('combobox', { name: 'Column' }).click();
    await ada.page.getByRole('option', { name: 'location' }).click();
    const values = ada.page.getByLabel('Values').and(ada.page.locator('input')).first();
    await values.fill('Seattle');
    await values.press('Enter');
    await ada.button('Add the filter').click();
    await days.getByText('1,461').waitFor();
    // It stands in the address, and the board is as it was.
    await ada.page.reload();
    await days.getByText('1,461').waitFor();
    expect((await client.get(`/secure/board/${id}`)).body['board']).toMatchObject({ filters: [] });
    await ada.button('Keep for everyone').click();
    await ada.button('Keep for everyone').waitFor({ state: 'detached' });
    expect((await client.get(`/secure/board/${id}`)).body['board']).toMatchObject({
      filters: [{ column: 'location', values: ['Seattle'] }],
    });
    expect(ada.troubles).toEqual([]);
  });

  it('let whoever reads them be alerted of a figure', async () => {
    const id = await aBoard('Watched');
    const visitor = await house.at(`/boards/${id}`, {}, eve);
    const { page } = visitor;
    await visitor.button('Actions for Days').click();
    await page.getByRole('menuitem', { name: 'Alert me' }).click();
    const dialog = page.getByRole('dialog', { name: 'Alert me' });
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Days');
    await expect.poll(() => dialog.getByLabel('Limit').inputValue()).toBe('2922');
    expect(await visitor.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await dialog.waitFor({ state: 'hidden' });
    // Of a chart there is no one figure.
    await expect.poll(() => visitor.button('Actions for Warmth').count()).toBe(0);
    await visitor.open('/alerts');
    await page.getByRole('link', { name: /Days/ }).click();
    await visitor.title('Days').waitFor();
    await page.getByRole('region', { name: 'What is watched' }).getByText('2,922', { exact: true }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  it('are not changed by those who may not', async () => {
    const id = await aBoard('Of the manager');
    const visitor = await house.at(`/boards/${id}`, {}, eve);
    await visitor.title('Of the manager').waitFor();
    await visitor.button('Refresh').waitFor();
    await expect.poll(() => visitor.button('Edit').count()).toBe(0);
    await visitor.button('More').click();
    await expect.poll(() => visitor.page.getByRole('menuitem').allTextContents()).toEqual(['Print or save as PDF']);
  });

  it('are shown by a link to whoever has it, until it is revoked', async () => {
    const id = await aBoard('For everybody');
    const ada = await house.at(`/boards/${id}`);
    await ada.button('More').click();
    await ada.page.getByRole('menuitem', { name: 'Share by link' }).click();
    await ada.button('Create link').click();
    const address = (await ada.page.locator('code').filter({ hasText: '/shared#' }).textContent()) ?? '';
    expect(await ada.barriers()).toEqual([]);

    await using stranger = await house.visit({ width: 390, scheme: 'dark' });
    await stranger.open(new URL(address).pathname + new URL(address).hash);
    await stranger.title('For everybody').waitFor();
    await charts(stranger).waitFor();
    await stranger.page.getByRole('region', { name: 'Days' }).getByText('2,922').waitFor();
    expect(await stranger.barriers()).toEqual([]);
    expect(await stranger.overflows()).toBe(false);
    expect(await stranger.page.content()).not.toContain(datasource);
    expect(stranger.troubles).toEqual([]);

    await ada.button(/^Revoke the link/).click();
    await ada.sees('The link was revoked');
    await stranger.page.reload();
    await stranger.sees(/expired or was revoked/);
  });

  it('say plainly that a datasource is gone', async () => {
    const sales = 'shop,day,sold\nA,2024-01-01,5\nA,2024-01-02,6\n';
    const gone = await importedIn(client, 'Gone', sales, { metafield: 'shop', timefield: 'day' });
    const { body } = await client.post('/secure/board', { title: 'Orphaned' });
    const { id } = body['board'] as { id: string };
    await client.post(`/secure/board/${id}/tile`, { datasource_id: gone, plan: COUNT, title: 'Days' });
    await client.delete('/secure/datasource', { id: gone });
    const ada = await house.at(`/boards/${id}`);
    await ada.page
      .getByRole('region', { name: 'Days' })
      .getByText('The datasource of this tile was deleted.')
      .waitFor();
  });

  it('go to the bin, and come back', async () => {
    const id = await aBoard('Thrown away');
    const ada = await house.at(`/boards/${id}`);
    await ada.button('More').click();
    await ada.page.getByRole('menuitem', { name: 'Delete' }).click();
    await ada.sees('It stays in the bin for 30 days:');
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await ada.sees('“Thrown away” is in the bin.');
    await ada.button('Undo').click();
    await ada.sees('“Thrown away” is back.');
    await ada.page.getByRole('link', { name: /Thrown away/ }).click();
    await ada.title('Thrown away').waitFor();
    await charts(ada).waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('show the last days of rows that end long ago, and say which', async () => {
    const id = await aBoard('Last week');
    await client.patch(`/secure/board/${id}`, { range: { last: 7, unit: 'day' } });
    const ada = await house.at(`/boards/${id}`);
    const days = ada.page.getByRole('region', { name: 'Days' });
    await days.getByText('14', { exact: true }).waitFor();
    await days.getByText(/25 – 31 Dec 2015/).waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('are printed in light colours from a dark page, which is dark again, without what is not on paper', async () => {
    const id = await aBoard('On paper');
    const ada = await house.at(`/boards/${id}`, { scheme: 'dark' });
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

  it('are whole and without barriers in every window', async () => {
    const id = await aBoard('In every window');
    const ada = await house.at(`/boards/${id}`, LOOKS[0]);
    await charts(ada).waitFor();
    await ada.page.getByRole('region', { name: 'Days' }).getByText('2,922').waitFor();
    expect(await ada.faultsIn(LOOKS)).toEqual([]);
    await ada.button('Edit').click();
    await ada.button('Change Warmth').waitFor();
    expect(await ada.faultsIn(LOOKS)).toEqual([]);
    await ada.open('/boards');
    await ada.title('Boards').waitFor();
    await ada.page.getByRole('list', { name: 'Boards' }).waitFor();
    expect(await ada.faultsIn(LOOKS)).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });
});
