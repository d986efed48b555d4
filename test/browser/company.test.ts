import { beforeAll, expect, it } from 'vitest';
import { openConversation } from '../api/world.builder.js';
import { TestClient } from '../support/test-client.js';
import { inConsole } from './scene.js';

const PATIENCE = { timeout: 45_000 };

inConsole('a company in the console', {}, (the) => {
  beforeAll(async () => {
    the.datasource = String((await the.client.post('/secure/datasource/sample')).body['datasource_id']);
  });

  it('invites people by a link, who then have an account of their own', async () => {
    const ada = await the.house.at('/users', { width: 390 });
    await ada.title('Users').waitFor();
    const form = ada.page.getByRole('form', { name: 'Invite' });
    await form.getByLabel('Email').fill('grace@northwind.example');
    await form.getByRole('button', { name: 'Create link' }).click();
    const link = new URL(await form.locator('code').innerText());
    await ada.page.getByRole('list', { name: 'Open links' }).getByText('grace@northwind.example').waitFor();
    expect(await ada.faults()).toEqual([]);

    await using grace = await the.house.visit({ scheme: 'dark', width: 390 });
    await grace.open(link.pathname + link.hash);
    await grace.page.getByRole('heading', { name: 'Join Northwind' }).waitFor();
    expect(await grace.faults()).toEqual([]);
    await grace.page.getByLabel('First name').fill('Grace');
    await grace.page.getByLabel('Password', { exact: true }).fill('a good password');
    await grace.button('Join').click();
    await grace.title('Datasources').waitFor();
    await grace.open(link.pathname + link.hash);
    await grace.page.getByRole('alert').getByText('This link was used already').waitFor();

    // She is no manager, and signed in elsewhere too, until she has another password.
    await TestClient.signIn(the.house.url, 'grace@northwind.example', 'a good password');
    await grace.open('/settings');
    await grace.sees('This page is for managers');
    await expect.poll(() => grace.page.getByRole('form').count()).toBe(0);
    await grace.open('/account');
    const elsewhere = grace.button(/^End the session of/);
    await elsewhere.waitFor();
    expect(await grace.barriers()).toEqual([]);
    await grace.page.getByLabel('Current password').fill('a good password');
    await grace.page.getByLabel('New password').fill('battery staple');
    await grace.button('Change password').click();
    await grace.sees('You are signed out everywhere else');
    await elsewhere.waitFor({ state: 'detached' });

    await ada.page.reload();
    await ada.menu('Actions for grace@northwind.example', 'Block');
    await ada.page.getByText('Blocked', { exact: true }).waitFor();
    await ada.open('/audit');
    await ada.title('Audit log').waitFor();
    await ada.sees('Invited someone');
    expect(await ada.faults()).toEqual([]);
  });

  it('has settings, with what can’t be accepted, and what the answers of the month took', async () => {
    const conversation = await openConversation(the.client, the.datasource);
    await the.client.post('/secure/assistant/chat', {
      conversation_id: conversation,
      message: 'How many rows are there?',
    });
    const ada = await the.house.at('/settings', { scheme: 'dark' });
    const { page } = ada;
    const assistant = page.getByRole('form', { name: 'Assistant' });
    await assistant.getByLabel('Instructions').fill('Say “units” for pieces.');
    await assistant.getByRole('button', { name: 'Save' }).click();
    await ada.sees('The settings were saved');
    await assistant.getByLabel('Language').fill('German');
    page.once('dialog', (asked) => void asked.dismiss());
    await page.getByRole('link', { name: 'Alerts' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings');
    await assistant.getByLabel('Language').fill('');
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

    const usage = page.getByRole('region', { name: 'Usage' });
    await expect.poll(() => usage.getByRole('row').count(), PATIENCE).toBe(3);
    await usage.getByText('Users').click();
    await expect.poll(() => usage.getByText(the.house.manager.email).count(), PATIENCE).toBe(1);
    await usage.getByText('Models').click();
    await expect.poll(() => usage.getByText('built-in analyst').count(), PATIENCE).toBe(1);
    await expect
      .poll(() => usage.getByRole('row', { name: /^Total/ }).textContent())
      .toMatch(/^Total[1-9]\d*000(US)?\$0\.00$/);
    expect(await ada.barriers()).toEqual([]);
  });

  it('makes a key, shows it once, and revokes it', async () => {
    const ada = await the.house.at('/datasources');
    const { page } = ada;
    await ada.menu(/^Account of/, 'API keys');
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
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${the.house.url}/api/v1/secure/currentuser`, { headers })).status).toBe(200);
    await page.reload();
    await list.getByText('Used just now').waitFor();
    await expect.poll(() => page.getByText(key).count()).toBe(0);
    await ada.button('Revoke Nightly report').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await ada.sees('No keys yet');
  });

  it('has what was deleted in its bin, from where it comes back, or goes for good', async () => {
    const conversation = await openConversation(the.client, the.datasource);
    await the.client.delete('/secure/assistant/conversation', { id: conversation });
    await the.client.delete('/secure/datasource', { id: the.datasource });
    const ada = await the.house.at('/bin', { width: 390 });
    await ada.title('Bin').waitFor();
    await ada.sees('gone in 30 days');
    expect(await ada.overflows()).toBe(false);
    await ada.button('Restore Weather (sample)').click();
    await ada.button('Restore Weather (sample)').waitFor({ state: 'detached' });
    await ada.button(/^Delete for good: About/).click();
    await ada.sees('This can’t be undone:');
    expect(await ada.barriers()).toEqual([]);
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await ada.sees('The bin is empty');
    expect((await the.client.post(`/secure/bin/${conversation}/restore`)).status).toBe(404);
  });
});
