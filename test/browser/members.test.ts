import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';

describe.skipIf(chromiumPath === undefined)('the people of a company in the console', () => {
  let house: Console;
  beforeAll(async () => {
    house = await Console.shared();
  });
  afterAll(() => house[Symbol.asyncDispose]());

  it('are invited by a link, which lets one in who then has an account', async () => {
    const ada = await house.at('/users', { width: 390 });
    await ada.title('Users').waitFor();
    const form = ada.page.getByRole('form', { name: 'Invite' });
    await form.getByLabel('Email').fill('grace@northwind.example');
    await form.getByRole('button', { name: 'Create link' }).click();
    const link = await form.locator('code').innerText();
    await ada.page.getByRole('list', { name: 'Open links' }).getByText('grace@northwind.example').waitFor();
    expect(await ada.barriers()).toEqual([]);
    expect(await ada.overflows()).toBe(false);

    await using grace = await house.visit({ scheme: 'dark', width: 390 });
    await grace.open(new URL(link).pathname + new URL(link).hash);
    await grace.page.getByRole('heading', { name: 'Join Northwind' }).waitFor();
    expect(await grace.barriers()).toEqual([]);
    expect(await grace.overflows()).toBe(false);
    await grace.page.getByLabel('First name').fill('Grace');
    await grace.page.getByLabel('Password', { exact: true }).fill('a good password');
    await grace.page.getByRole('button', { name: 'Join' }).click();
    await grace.title('Datasources').waitFor();
    await grace.open(new URL(link).pathname + new URL(link).hash);
    await grace.page.getByRole('alert').getByText('This link was used already').waitFor();

    await ada.page.reload();
    await ada.page.getByRole('button', { name: 'Actions for grace@northwind.example' }).click();
    await ada.page.getByRole('menuitem', { name: 'Block' }).click();
    await ada.page.getByText('Blocked', { exact: true }).waitFor();

    await ada.open('/audit');
    await ada.title('Audit log').waitFor();
    await ada.page.getByText('Invited someone').waitFor();
    expect(await ada.barriers()).toEqual([]);
    expect(await ada.overflows()).toBe(false);
    expect(ada.troubles).toEqual([]);
  });

  it('change their own password, and see where they are signed in', async () => {
    const bob = await house.plainUser('bob');
    await using here = await house.visit({ scheme: 'dark' });
    await using there = await house.visit();
    for (const visitor of [there, here]) {
      await visitor.open('/account');
      await visitor.signIn(bob);
      await visitor.title('Your account').waitFor();
    }
    await here.page.reload();
    await here.page.getByRole('button', { name: /^End the session of/ }).waitFor();
    expect(await here.barriers()).toEqual([]);
    const form = here.page.getByRole('form', { name: 'Password' });
    await form.getByLabel('Current password').fill(bob.password);
    await form.getByLabel('New password').fill('battery staple');
    await form.getByRole('button', { name: 'Change password' }).click();
    await here.page.getByText('You are signed out everywhere else').waitFor();
    await here.page.getByRole('button', { name: /^End the session of/ }).waitFor({ state: 'detached' });
    await there.open('/datasources');
    await there.signIn({ ...bob, password: 'battery staple' });
    await there.title('Datasources').waitFor();
    expect(here.troubles).toEqual([]);
  });
});
