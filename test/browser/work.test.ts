import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConversation } from '../api/world.builder.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import { weatherIn } from './weather.builder.js';

const PATIENCE = { timeout: 45_000 };

describe.skipIf(chromiumPath === undefined)('files, tasks and the company in the console', () => {
  let house: Console;
  let weather: Awaited<ReturnType<typeof weatherIn>>;
  beforeAll(async () => {
    house = await Console.shared();
    weather = await weatherIn(house);
  });
  afterAll(() => house[Symbol.asyncDispose]());

  const textFile = (name: string, text: string): { name: string; mimeType: string; buffer: Buffer } => ({
    ...{ name, mimeType: 'text/plain', buffer: Buffer.from(text) },
  });

  it('takes several files, shows what became of each, and deletes one', async () => {
    const ada = await house.at('/files');
    const { page } = ada;
    await ada.sees('No files yet');
    await page
      .locator('input[type=file]')
      .setInputFiles([
        textFile('handbook.txt', 'The warranty period is two years.'),
        textFile('words.txt', 'A rainy day is one whose weather is rain.'),
      ]);
    const list = page.getByRole('list', { name: 'Context files' });
    await expect.poll(() => list.getByText('Ready').count(), PATIENCE).toBe(2);
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([77, 90, 0, 1]) }]);
    await ada.sees('The files were not uploaded');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Delete words.txt').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => list.getByRole('listitem').count(), PATIENCE).toBe(1);
    expect(ada.troubles).toEqual([]);
  });

  it('makes a key, shows it once, and revokes it', async () => {
    const ada = await house.at('/datasources');
    const { page } = ada;
    await ada.button(/^Account of/).click();
    await page.getByRole('menuitem', { name: 'API keys' }).click();
    await ada.sees('No keys yet');
    await page.getByLabel('Name').fill('Nightly report');
    await page.getByLabel('Write').check();
    await ada.button('Create key').click();
    const secret = page.getByText(/^dk_[0-9a-f]{24}_[0-9a-f]{64}$/);
    await secret.waitFor();
    const list = page.getByRole('list', { name: 'API keys' });
    await list.getByText('Never used').waitFor();
    await expect.poll(() => list.textContent()).toContain('ReadAskWrite');
    expect(await ada.barriers()).toEqual([]);

    const key = (await secret.textContent()) ?? '';
    const answer = await fetch(`${house.url}/api/v1/secure/currentuser`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
    await page.reload();
    await list.getByText('Used just now').waitFor();
    await expect.poll(() => page.getByText(key).count()).toBe(0);

    await ada.button('Revoke Nightly report').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await ada.sees('No keys yet');
    expect(ada.troubles).toEqual([]);
  });

  it('makes a task with a schedule, runs it, shows its steps and keeps its runs', async () => {
    const ada = await house.at('/tasks');
    const { page } = ada;
    await ada.sees('No tasks yet');
    await page.getByRole('link', { name: 'New task' }).first().click();
    await page.getByLabel('Name').fill('Weekly look');
    await page.getByLabel('What do you want to know?').fill('average temp_max by location');
    await page.getByPlaceholder('Search by name').click();
    await page.getByRole('option', { name: 'Weather' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: 'Run automatically' }).click({ force: true });
    await page.getByLabel('How often').fill('90');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Create task').click();
    await ada.title('Weekly look').waitFor();
    await ada.sees('every 90 minutes');
    await ada.sees('This task has not run yet.');
    await ada.button('Run now').click();
    const runs = page.getByRole('region', { name: 'Runs' });
    await runs.getByText('Done').first().waitFor();
    // Open already when the page has seen it run.
    const steps = ada.button(/^Steps/);
    if ((await steps.getAttribute('aria-expanded')) !== 'true') await steps.click();
    await page.getByRole('list', { name: 'Steps' }).getByRole('listitem').first().waitFor();
    expect(await ada.barriers()).toEqual([]);

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('dialog').getByRole('switch', { name: 'Run automatically' }).click({ force: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await ada.sees('none, runs on demand');
    await page.reload();
    await page.getByRole('region', { name: 'Runs' }).getByText('Done').first().waitFor();
    await ada.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ada.sees('No tasks yet');
    expect(ada.troubles).toEqual([]);
  });

  it('shows managers their users and settings, with what can’t be accepted', async () => {
    const ada = await house.at('/users', { scheme: 'dark' });
    const { page } = ada;
    await ada.sees(house.manager.email);
    await ada.sees('Invite someone');
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('link', { name: 'Settings' }).click();
    const assistant = page.getByRole('form', { name: 'Assistant' });
    await assistant.getByLabel('Instructions').fill('Say “units” for pieces.');
    await assistant.getByRole('button', { name: 'Save' }).click();
    await ada.sees('The settings were saved');
    await page.reload();
    await expect.poll(() => assistant.getByLabel('Instructions').inputValue()).toBe('Say “units” for pieces.');
    const webhook = page.getByRole('form', { name: 'Webhook' });
    await webhook.getByLabel('Address').fill('https://localhost/hook');
    await webhook.getByRole('button', { name: 'Save' }).click();
    await ada.sees('The settings were not saved');
    await ada.sees(/^Address must /);
    await webhook.getByLabel('Address').fill('https://hooks.example.com/analytics');
    await webhook.getByRole('button', { name: 'Save' }).click();
    await ada.sees('Copy this secret now');
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('shows managers what the answers of the month took, by day, user and model', async () => {
    const { client, datasource } = weather;
    const conversation = await openConversation(client, datasource);
    await client.post('/secure/assistant/chat', { conversation_id: conversation, message: 'How many rows are there?' });
    const ada = await house.at('/settings');
    const usage = ada.page.getByRole('region', { name: 'Usage' });
    await expect.poll(() => usage.getByRole('row').count(), PATIENCE).toBe(3);
    await usage.getByText('Users').click();
    await expect.poll(() => usage.getByText(house.manager.email).count(), PATIENCE).toBe(1);
    await usage.getByText('Models').click();
    await expect.poll(() => usage.getByText('built-in analyst').count(), PATIENCE).toBe(1);
    await expect
      .poll(() => usage.getByRole('row', { name: /^Total/ }).textContent())
      .toMatch(/^Total[1-9]\d*000(US)?\$0\.00$/);
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('tells who is no manager that users and settings are for managers', async () => {
    const cy = await house.at('/settings', {}, await house.plainUser('cy'));
    await cy.sees('This page is for managers');
    await expect.poll(() => cy.page.getByRole('form').count()).toBe(0);
    expect(await cy.barriers()).toEqual([]);
    await cy.open('/users');
    await cy.sees('This page is for managers');
    expect(cy.troubles).toEqual([]);
  });

  it('says of an address that names nothing', async () => {
    const ada = await house.at('/tasks/xyz');
    await ada.sees('This task does not exist');
    await ada.open('/datasources/xyz');
    await ada.sees('This datasource does not exist');
    await ada.open('/assistant/xyz');
    await ada.sees('Conversation not found');
    expect(ada.troubles).toEqual([]);
  });

  it('fits a narrow screen', async () => {
    const ada = await house.at('/files', { width: 360 });
    await ada.title('Context files').waitFor();
    expect(await ada.overflows()).toBe(false);
    for (const [path, title] of [
      ['/tasks', 'Agent tasks'],
      ['/tasks/new', 'New task'],
      ['/users', 'Users'],
      ['/settings', 'Settings'],
    ] as const) {
      await ada.open(path);
      await ada.title(title).waitFor();
      expect(await ada.overflows(), path).toBe(false);
    }
  });
});
