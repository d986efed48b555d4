import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClient } from '../support/test-client.js';
import { openConversation } from '../api/world.builder.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';

describe.skipIf(chromiumPath === undefined)('the bin in the console', () => {
  let house: Console;
  let client: TestClient;
  let datasource: string;
  beforeAll(async () => {
    house = await Console.shared();
    client = await TestClient.signIn(house.url, house.manager.email, house.manager.password);
    datasource = String((await client.post('/secure/datasource/sample')).body['datasource_id']);
  });
  afterAll(() => house[Symbol.asyncDispose]());

  it('has what was deleted, which comes back at once by the toast, or from its page', async () => {
    await openConversation(client, datasource);
    const ada = await house.at(`/datasources/${datasource}`, { width: 390, scheme: 'dark' });
    const { page } = ada;
    const remove = async (): Promise<void> => {
      await page.getByRole('tab', { name: 'Details' }).click();
      await ada.button('Delete datasource').click();
      await ada.sees('It stays in the bin for 30 days:');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    };
    await remove();
    await ada.sees('“Weather (sample)” is in the bin.');
    await ada.button('Undo').click();
    await ada.sees('“Weather (sample)” is back.');
    await page.getByRole('link', { name: 'Weather (sample)' }).first().click();
    await remove();

    await ada.open('/bin');
    await ada.title('Bin').waitFor();
    await ada.sees('gone in 30 days');
    expect(await ada.barriers()).toEqual([]);
    expect(await ada.overflows()).toBe(false);
    await ada.button('Restore Weather (sample)').click();
    await ada.sees('The bin is empty');
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('lets one remove what is in it for good', async () => {
    const id = await openConversation(client, datasource);
    await client.delete('/secure/assistant/conversation', { id });
    const ada = await house.at('/bin');
    await ada.button(/^Delete for good: About/).click();
    await ada.sees('This can’t be undone:');
    expect(await ada.barriers()).toEqual([]);
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await ada.sees('The bin is empty');
    expect((await client.post(`/secure/bin/${id}/restore`)).status).toBe(404);
    expect(ada.troubles).toEqual([]);
  });
});
