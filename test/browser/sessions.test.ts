import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { inConsole } from './scene.js';

const WEATHER = resolve('samples/weather.csv');

inConsole('sessions in the console', {}, (the) => {
  it('refuse a wrong password in words, lead on to the address that was asked for, and need no mouse', async () => {
    await using ada = await the.house.visit({ width: 360 });
    const { page } = ada;
    await ada.open('/datasources/new');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email');
    await ada.signIn({ ...the.house.manager, password: 'not it' });
    await page.getByRole('alert').getByText('Invalid email or password.').waitFor();
    await ada.button('Forgot your password?').click();
    const noMail = 'This service sends no mail: a manager of your company can give you a link.';
    await page.getByRole('alert').getByText(noMail, { exact: true }).waitFor();
    expect(the.house.takeTroubles()).toEqual([expect.stringMatching(/^503: .*forgotten-password$/)]);
    await page.getByLabel('Password', { exact: true }).fill(the.house.manager.password);
    await page.keyboard.press('Enter');
    await ada.title('New datasource').waitFor();
    await page.reload();
    await ada.title('New datasource').waitFor();
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await ada.button('Navigation').click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Datasources' }).waitFor();
    expect(await ada.faults()).toEqual([]);
  });

  it('keep what was typed when they end or the line is cut, and leave nothing to the next user of the browser', async () => {
    const bob = await the.house.otherCompany('Contoso');
    await using visitor = await the.house.visit();
    const { page } = visitor;
    await visitor.open('/datasources/new');
    await visitor.signIn(the.house.manager);
    await visitor.title('New datasource').waitFor();
    await visitor.context.setOffline(true);
    await visitor.chooseFile(WEATHER);
    await visitor.sees(/^The connection was lost/);
    await visitor.context.setOffline(false);
    await visitor.button('Try again').click();
    await visitor.sees('2012-01-01');

    await page.getByLabel('Name', { exact: true }).fill('Typed before the end');
    visitor.troubles.length = 0;
    await endSessionOf(page);
    await visitor.sees('Your session has ended');
    expect(await visitor.barriers()).toEqual([]);
    await visitor.signIn(the.house.manager);
    await visitor.button('Create datasource').click();
    await visitor.title('Typed before the end').waitFor();
    await visitor.sees('Northwind');
    const link = new URL(page.url()).pathname;

    const other = await visitor.context.newPage();
    await other.goto(`${the.house.url}/datasources`);
    await other.getByRole('heading', { level: 1, name: 'Datasources' }).waitFor();
    await visitor.signOut();
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await other.close();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate('JSON.stringify(localStorage) + document.body.innerText')).not.toMatch(
      /Northwind|ada@|Typed before/,
    );
    await visitor.signIn(bob);
    await visitor.sees('Contoso');
    await visitor.sees('No datasources yet');
    expect(await page.content()).not.toMatch(/Northwind|ada@|Typed before/);

    // The way back, and the link itself.
    await page.goBack().catch(() => null);
    await visitor.open(link);
    await visitor.sees('This datasource does not exist');
    expect(await page.content()).not.toMatch(/Northwind|ada@|Typed before|weather/i);
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
