import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATABASES_CA, postgresqlServer } from '../support/databases.js';
import { inConsole } from './scene.js';

inConsole('places in the console', { skipped: postgresqlServer === undefined }, (the) => {
  const url = postgresqlServer ?? new URL('postgresql://nowhere/');
  const table = `browser_sales_${process.pid}`;
  let admin: pg.Client;
  beforeAll(async () => {
    admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(`CREATE TABLE ${table} AS
      SELECT 's' || n % 3 AS store, timestamp '2026-01-01' + n * interval '1 hour' AS at, n * 1.5 AS amount FROM generate_series(1, 200) AS n`);
  });
  afterAll(async () => {
    await admin.query(`DROP TABLE ${table}`);
    await admin.end();
  });

  it('lead from a query to a datasource that is fetched again', async () => {
    const ada = await the.house.at('/datasources/new');
    const { page } = ada;
    // A first try may have left its row.
    await admin.query(`DELETE FROM ${table} WHERE store = 's9'`);
    await ada.tab('From a database');
    await ada.pastes('Server', url.host);
    await ada.pastes('Database', url.pathname.slice(1));
    await ada.pastes('User', url.username);
    await ada.pastes('Password', 'not-the-password');
    await ada.pastes('Query', `SELECT store, at, amount FROM ${table}`);
    await ada.pastes('Certificate authority', readFileSync(DATABASES_CA, 'utf8'));
    await ada.button('Fetch').click();
    await ada.sees(/password authentication failed/i);
    await ada.pastes('Password', url.password);
    await ada.button('Fetch').click();
    await ada.sees('3 columns');
    await expect.poll(() => page.getByRole('combobox', { name: 'Subject column' }).inputValue()).toBe('store');
    await ada.button('Create datasource').click();
    await ada.sees('200 rows');

    await ada.tab('Details');
    await ada.sees(`postgresql://${url.host}${url.pathname}`);
    await admin.query(`INSERT INTO ${table} VALUES ('s9', '2026-03-01', 1)`);
    await ada.button('Fetch now').click();
    await ada.sees('200 → 201');

    await ada.button(/^Change$/).click();
    const dialog = page.getByRole('dialog', { name: 'Where it comes from' });
    await expect.poll(() => dialog.getByLabel('Server').inputValue()).toBe(url.host);
    expect(await dialog.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    expect(await ada.barriers()).toEqual([]);
    await dialog.getByLabel('Query').fill(`SELECT store, at, amount, 7 AS lucky FROM ${table}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await ada.sees('Saved. It counts from the next fetch on.');
    await ada.button('Fetch now').click();
    await ada.sees('New columns: lucky');
    await page.getByLabel('Fetched again').selectOption({ label: 'Every day' });
    await ada.sees('Saved.');
    await expect.poll(() => page.getByRole('tab', { name: 'Insert rows' }).count()).toBe(0);
    expect(await page.content()).not.toContain(url.password);
    expect(await ada.faults()).toEqual([]);
  });
});
