import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConversation } from '../api/world.builder.js';
import { MailSink } from '../support/mail-sink.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Look, Visitor } from './visitor.js';
import { weatherIn } from './weather.builder.js';

const PATIENCE = { timeout: 20_000 };

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

  async function signedIn(path: string, look: Look = {}): Promise<Visitor> {
    const visitor = await house.visit(look);
    await visitor.open(path);
    await visitor.signIn(house.manager);
    return visitor;
  }

  it('makes an alert of an answer, fires it, and shows that it has', async () => {
    const conversation = await openConversation(weather.client, weather.datasource);
    await using ada = await signedIn(`/assistant/${conversation}`);
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
    await using ada = await signedIn('/tasks/new');
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

  it.each([
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('is usable in %s at %d', async (scheme, width) => {
    const { id } = (
      await weather.client.post('/secure/alerts', {
        name: 'A long name of an alert on the highest temperature of all days',
        datasource_id: weather.datasource,
        dbquery: 'SELECT max(temp_max) FROM data',
        condition: { type: 'above', value: 1 },
      })
    ).body['alert'] as { id: string };
    await weather.client.post(`/secure/alerts/${id}/check`, {});
    await using ada = await signedIn('/alerts', { scheme, width });
    await ada.sees('A long name');
    expect(await ada.barriers()).toEqual([]);
    await ada.page
      .getByRole('link', { name: /A long name/ })
      .first()
      .click();
    await ada.page.getByRole('list', { name: 'History' }).waitFor();
    expect(await ada.barriers()).toEqual([]);
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await ada.page.evaluate(wider)).toBeLessThanOrEqual(0);
    expect(ada.troubles).toEqual([]);
  });
});
