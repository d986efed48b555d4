import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConversation } from '../api/world.builder.js';
import { MailSink } from '../support/mail-sink.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import { weatherIn } from './weather.builder.js';

const PATIENCE = { timeout: 20_000 };
const LOOKS = [
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 390 },
  { scheme: 'dark', width: 1440 },
] as const;

describe.skipIf(chromiumPath === undefined)('alerts and schedules in the console', () => {
  let sink: MailSink;
  let house: Console;
  let weather: Awaited<ReturnType<typeof weatherIn>>;
  beforeAll(async () => {
    sink = await MailSink.start();
    house = await Console.start(sink.environment);
    weather = await weatherIn(house);
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await sink[Symbol.asyncDispose]();
  });

  it('makes an alert of an answer, fires it, and shows that it has', async () => {
    const conversation = await openConversation(weather.client, weather.datasource);
    const ada = await house.at(`/assistant/${conversation}`);
    const { page } = ada;
    await page.getByRole('textbox', { name: 'Your question' }).fill('what is the average temp_max?');
    await page.keyboard.press('Enter');
    await ada.button('Alert me').click();
    const dialog = page.getByRole('dialog', { name: 'Alert me' });
    await dialog.getByLabel('Name').fill('Warm');
    await dialog.getByLabel('Limit').fill('-50');
    await dialog.getByLabel('Notify by email').fill(house.manager.email);
    expect(await ada.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('link', { name: /Warm/ }).click();
    await ada.title('Warm').waitFor();
    await ada.sees('Nothing has happened yet.');
    await ada.button('Check now').click();
    const history = page.getByRole('list', { name: 'History' });
    await history.getByText(/above -50/).waitFor();
    await expect.poll(() => sink.received.length, PATIENCE).toBe(1);
    expect(await ada.barriers()).toEqual([]);

    await ada.button('Change').click();
    const form = page.getByRole('dialog', { name: 'Change the alert' });
    await form.getByLabel('When the figure').selectOption('no_data');
    await form.getByText('At a time of day').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await ada.sees('every weekday at 08:00, Europe/Berlin');
    await ada.sees('no data');
    await ada.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ada.sees('No alerts yet');
    expect(ada.troubles).toEqual([]);
  });

  it('schedules a task at a time of day, with the words for it', async () => {
    const ada = await house.at('/tasks/new');
    const { page } = ada;
    await page.getByLabel('Name').fill('Morning look');
    await page.getByLabel('What do you want to know?').fill('average temp_max by location');
    await page.getByPlaceholder('Search by name').click();
    await page.getByRole('option', { name: 'Weather' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: 'Run automatically' }).click({ force: true });
    await page.getByText('At a time of day').click();
    await page.locator('input[type=time]').fill('07:30');
    await page.getByText('Fri', { exact: true }).click();
    await page.getByLabel('Notify by email').first().fill('someone@elsewhere.example');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Create task').click();
    await ada.title('Morning look').waitFor();
    await ada.sees('every Mon, Tue, Wed and Thu at 07:30, Europe/Berlin');
    await ada.sees('someone@elsewhere.example');
    expect(ada.troubles).toEqual([]);
  });

  it('is usable in every window', async () => {
    const { id } = (
      await weather.client.post('/secure/alerts', {
        name: 'A long name of an alert on the highest temperature of all days',
        datasource_id: weather.datasource,
        dbquery: 'SELECT max(temp_max) FROM data',
        condition: { type: 'above', value: 1 },
      })
    ).body['alert'] as { id: string };
    await weather.client.post(`/secure/alerts/${id}/check`, {});
    const ada = await house.at('/alerts', LOOKS[0]);
    await ada.sees('A long name');
    expect(await ada.faultsIn(LOOKS)).toEqual([]);
    await ada.page
      .getByRole('link', { name: /A long name/ })
      .first()
      .click();
    await ada.page.getByRole('list', { name: 'History' }).waitFor();
    expect(await ada.faultsIn(LOOKS)).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('sends a board by email at a time that is set in its menu', async () => {
    const { client, datasource } = weather;
    const { id } = (await client.post('/secure/board', { title: 'By email' })).body['board'] as { id: string };
    const plan = { kind: 'aggregate', measures: [{ aggregate: 'count', column: null, label: 'days' }] };
    await client.post(`/secure/board/${id}/tile`, { datasource_id: datasource, plan, title: 'Days' });
    const ada = await house.at(`/boards/${id}`, { width: 390 });
    await ada.button('More').click();
    await ada.page.getByRole('menuitem', { name: 'Send by email' }).click();
    const dialog = ada.page.getByRole('dialog', { name: 'Send by email' });
    await dialog.getByText('Sat', { exact: true }).click();
    await dialog.locator('input[type=time]').fill('07:30');
    expect(await ada.barriers()).toEqual([]);
    expect(await ada.overflows()).toBe(false);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await ada.sees(/^The next email goes out on/);
    expect((await client.get(`/secure/board/${id}`)).body['board']).toMatchObject({
      mail_enabled: true,
      mail_at: { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], time: '07:30', time_zone: 'Europe/Berlin' },
      notify_emails: [house.manager.email],
    });
    expect(ada.troubles).toEqual([]);
  });
});
