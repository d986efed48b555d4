import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { MailSink } from '../support/mail-sink.js';
import { CLIENT, TestProvider } from '../support/oidc-provider.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';

/** A port that nobody has just now: the provider has to know where it sends people back to before the service is there. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

describe.skipIf(chromiumPath === undefined)('signing in with one’s company in the console', () => {
  let provider: TestProvider;
  let sink: MailSink;
  let house: Console;
  beforeAll(async () => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    provider = await TestProvider.start(`${address}/sign-in/callback`);
    provider.knows({ sub: 'grace', email: 'grace@northwind.example', email_verified: true, given_name: 'Grace' });
    provider.knows({ sub: 'mallory', email: 'mallory@northwind.example', email_verified: false });
    sink = await MailSink.start();
    const environment = { PORT: String(port), PUBLIC_URL: address, OIDC_PRIVATE_ISSUERS: 'true' };
    house = await Console.start({ ...environment, ...sink.environment });
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    await sink[Symbol.asyncDispose]();
  });

  it('is set up by a manager, and lets those in whom the provider knows', async () => {
    await using ada = await house.visit({ scheme: 'dark', width: 390 });
    await ada.open('/settings');
    await ada.signIn(house.manager);
    const form = ada.page.getByRole('form', { name: 'Sign-in with your company' });
    await form.getByLabel('Issuer').fill(provider.issuer);
    await form.getByLabel('Client ID').fill(CLIENT.id);
    await form.getByLabel('Client secret').fill(CLIENT.secret);
    await form.getByLabel('Domains of your email addresses').fill('northwind.example');
    await form.getByRole('switch', { name: 'Let in everyone the provider knows' }).click({ force: true });
    await form.getByRole('button', { name: 'Save' }).click();
    await ada.sees('The sign-in was saved.');
    await form.getByText('A link that leads straight to it').waitFor();
    expect(await ada.barriers()).toEqual([]);
    expect(await ada.overflows()).toBe(false);
    const link = await form.getByText('/sign-in?company=').innerText();

    await using grace = await house.visit({ scheme: 'dark', width: 390 });
    const { page } = grace;
    await grace.open('/datasources');
    await grace.button('Sign in with your company').click();
    await grace.sees('Enter your email address first.');
    expect(await grace.barriers()).toEqual([]);
    expect(await grace.overflows()).toBe(false);
    await page.getByLabel('Email').fill('grace@northwind.example');
    await grace.button('Sign in with your company').click();
    const atProvider = async (who: string): Promise<void> => {
      await page.locator('input[name=login]').fill(who);
      await page.locator('input[name=password]').fill('x');
      await page.locator('button[type=submit]').click();
      await page.locator('button[type=submit]').click();
    };
    await atProvider('grace');
    await grace.title('Datasources').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.evaluate("sessionStorage.getItem('company-sign-in')")).toBeNull();
    await page.getByRole('button', { name: 'Account of grace@northwind.example' }).waitFor();

    await using mallory = await house.visit();
    await mallory.open(new URL(link).pathname + new URL(link).search);
    await mallory.button('Sign in with your company').click();
    await mallory.page.locator('input[name=login]').fill('mallory');
    await mallory.page.locator('input[name=password]').fill('x');
    await mallory.page.locator('button[type=submit]').click();
    await mallory.page.locator('button[type=submit]').click();
    await mallory.sees('your provider does not say that your e-mail address is verified');
    expect(await mallory.barriers()).toEqual([]);
    await mallory.page.getByRole('link', { name: 'Back to sign-in' }).click();
    await mallory.button('Sign in with your company').waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('leads out of a forgotten password by mail', async () => {
    const bob = await house.plainUser('bob');
    await using visitor = await house.visit({ width: 390, scheme: 'dark' });
    const { page } = visitor;
    await visitor.open('/');
    await visitor.button('Forgot your password?').click();
    await visitor.sees('Enter your email address first.');
    await page.getByLabel('Email').fill(bob.email);
    await visitor.button('Forgot your password?').click();
    await visitor.sees('a mail with a link for a new password is on its way');
    expect(await visitor.barriers()).toEqual([]);
    expect(await visitor.overflows()).toBe(false);
    const [mail] = await eventually(
      () => sink.received.filter(({ envelopeTo }) => envelopeTo.includes(bob.email)),
      (found) => found.length === 1,
    );
    await visitor.open(/\/invitation#\w{64}/.exec(mail?.text ?? '')?.[0] ?? '');
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('battery staple');
    await visitor.button('Save the password').click();
    await visitor.title('Datasources').waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});
