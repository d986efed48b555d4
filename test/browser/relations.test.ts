import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClient } from '../support/test-client.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import { importedIn } from './weather.builder.js';

const CUSTOMERS = 'id,city,since\n1,Hamburg,2020-01-01\n2,Munich,2020-01-02\n3,Hamburg,2020-01-03\n';
const ORDERS = 'customer_id,revenue,day\n1,10,2024-01-01\n1,20,2024-01-02\n2,5,2024-01-03\n3,7,2024-01-04\n';

describe.skipIf(chromiumPath === undefined)('several datasources, in the console', () => {
  let house: Console;
  let orders: string;
  beforeAll(async () => {
    house = await Console.shared();
    const client = await TestClient.signIn(house.url, house.manager.email, house.manager.password);
    await importedIn(client, 'Customers', CUSTOMERS, { timefield: 'since', metafield: 'city', values: ['id'] });
    orders = await importedIn(client, 'Orders', ORDERS, {
      timefield: 'day',
      metafield: 'customer_id',
      values: ['revenue'],
    });
  });
  afterAll(() => house[Symbol.asyncDispose]());

  it('are related by a person, asked together, and told apart in the answer', async () => {
    const ada = await house.at(`/datasources/${orders}?tab=relations`);
    const { page } = ada;
    await ada.sees('No relations yet');
    await page.getByRole('combobox', { name: 'Other datasource' }).fill('Cust');
    await page.getByRole('option', { name: 'Customers' }).click();
    await ada.button('Find relations').click();
    const card = page.getByRole('region', { name: /Orders – Customers|Customers – Orders/ });
    await card.getByText(/Each row of Orders has at most one row in Customers/).waitFor();
    expect(await ada.barriers()).toEqual([]);
    await card.getByRole('button', { name: 'Confirm' }).click();
    await card.getByText('Confirmed', { exact: true }).waitFor();

    await ada.open('/assistant');
    await ada.button('New conversation').first().click();
    const chosen = page.getByRole('combobox', { name: 'Datasources' });
    for (const name of ['Orders', 'Customers']) {
      await chosen.fill(name);
      await page.getByRole('option', { name }).click();
    }
    await ada.sees('Their rows are joined along confirmed');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Start').click();
    await ada.sees('Ask about Orders, Customers in your own words.');
    await page.getByRole('textbox', { name: /question/i }).fill('total revenue by city');
    await page.keyboard.press('Enter');
    await ada.sees('joined with customers');
    await page.getByText(/The figures are of Orders, joined with Customers/).waitFor();
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('fit a narrow, dark screen', async () => {
    const ada = await house.at(`/datasources/${orders}?tab=relations`, { width: 390, scheme: 'dark' });
    await ada.page.getByText(/Each row of Orders has at most one/).waitFor();
    expect(await ada.overflows()).toBe(false);
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });
});
