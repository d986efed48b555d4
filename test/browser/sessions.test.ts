import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { SignIn } from './visitor.js';

const WEATHER = resolve('samples/weather.csv');

describe.skipIf(chromiumPath === undefined)('sessions in the console', () => {
  let house: Console;
  let bob: SignIn;
  beforeAll(async () => {
    house = await Console.shared();
    bob = await house.otherCompany('Contoso');
  });
  afterAll(() => house[Symbol.asyncDispose]());

  it('refuses a wrong password in words, and lets the right one in', async () => {
    await using ada = await house.visit({ width: 360 });
    await ada.open('/');
    expect(await ada.barriers()).toEqual([]);
    await ada.signIn({ ...house.manager, password: 'not it' });
    await ada.page.getByRole('alert').getByText('Invalid email or password.').waitFor();
    await ada.signIn(house.manager);
    await ada.title('Datasources').waitFor();
    await ada.page.getByRole('button', { name: 'Navigation' }).click();
    await ada.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Datasources' }).waitFor();
    expect(await ada.barriers()).toEqual([]);
    expect(await ada.overflows()).toBe(false);
    expect(ada.troubles).toEqual([]);
  });

  it('leads on to the address that was asked for, also after a reload', async () => {
    await using ada = await house.visit();
    await ada.open('/datasources/new');
    await ada.signIn(house.manager);
    await ada.title('New datasource').waitFor();
    await ada.page.reload();
    await ada.title('New datasource').waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('can be used with the keyboard alone, and skips to the content', async () => {
    await using ada = await house.visit();
    await ada.open('/');
    await ada.page.getByLabel('Email').focus();
    await ada.page.keyboard.type(house.manager.email);
    await ada.page.keyboard.press('Tab');
    await ada.page.keyboard.type(house.manager.password);
    await ada.page.keyboard.press('Enter');
    await ada.title('Datasources').waitFor();
    await ada.page.evaluate('document.activeElement?.blur()');
    await ada.page.keyboard.press('Tab');
    expect(await ada.page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await ada.page.keyboard.press('Enter');
    expect(await ada.page.evaluate('document.activeElement.id')).toBe('content');
    expect(ada.troubles).toEqual([]);
  });

  it('shows nothing of one company to the next user of the same browser', async () => {
    await using visitor = await house.visit();
    await visitor.open('/datasources/new');
    await visitor.signIn(house.manager);
    await visitor.chooseFile(WEATHER);
    await visitor.button('Create datasource').click();
    await visitor.title('Weather').waitFor();
    await visitor.sees('Northwind');
    const link = new URL(visitor.page.url()).pathname;

    await visitor.signOut();
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await visitor.page.evaluate('JSON.stringify(localStorage) + document.body.innerText')).not.toMatch(
      /Northwind|ada@|Weather/,
    );
    await visitor.signIn(bob);
    await visitor.sees('Contoso');
    await visitor.sees('No datasources yet');
    expect(await visitor.page.content()).not.toMatch(/Northwind|ada@|Weather/);

    // The way back, and the link itself.
    await visitor.page.goBack().catch(() => null);
    await visitor.open(link);
    await visitor.sees('This datasource does not exist');
    expect(await visitor.page.content()).not.toMatch(/Northwind|ada@|weather/i);
    expect(visitor.troubles).toEqual([]);
  });

  it('asks to sign in over the page when the session ends, and keeps what was typed', async () => {
    await using ada = await house.visit();
    await ada.open('/datasources/new');
    await ada.signIn(house.manager);
    await ada.chooseFile(WEATHER);
    await ada.page.getByLabel('Name', { exact: true }).fill('Typed before the end');
    await endSessionOf(ada.page);
    await ada.sees('Your session has ended');
    expect(await ada.barriers()).toEqual([]);
    await ada.signIn(house.manager);
    await ada.button('Create datasource').click();
    await ada.title('Typed before the end').waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('follows a sign-out in another tab', async () => {
    await using ada = await house.visit();
    await ada.open('/');
    await ada.signIn(house.manager);
    await ada.title('Datasources').waitFor();
    const other = await ada.context.newPage();
    await other.goto(`${house.url}/datasources`);
    await other.getByRole('heading', { level: 1, name: 'Datasources' }).waitFor();
    await ada.signOut();
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(ada.troubles).toEqual([]);
  });

  it('says that the connection is lost, and that it is there again', async () => {
    await using ada = await house.visit();
    await ada.open('/datasources/new');
    await ada.signIn(house.manager);
    await ada.title('New datasource').waitFor();
    await ada.context.setOffline(true);
    await ada.chooseFile(WEATHER);
    await ada.sees(/^The connection was lost/);
    await ada.context.setOffline(false);
    await ada.button('Try again').click();
    await ada.sees('2012-01-01');
  });
});

/** As if it had been ended by a manager: the token is good for nothing any more. */
async function endSessionOf(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { localStorage } = globalThis as unknown as { localStorage: { getItem(key: string): string | null } };
    const kept = localStorage.getItem('data-analytics.session') ?? '{}';
    const { token } = JSON.parse(kept) as { token: string };
    await fetch('/api/v1/secure/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  });
}
