import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Visitor } from './visitor.js';
import { weatherIn } from './weather.builder.js';

const ASKED = 'average temp_max by location';

describe.skipIf(chromiumPath === undefined)('verified answers, in the console', () => {
  let house: Console;
  beforeAll(async () => {
    house = await Console.shared();
  });
  afterAll(() => house[Symbol.asyncDispose]());

  async function asks({ page }: Visitor): Promise<void> {
    // While an answer is being written, nothing is sent.
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await page.getByRole('textbox', { name: 'Your question' }).fill(ASKED);
    await page.keyboard.press('Enter');
  }

  it('are rated, verified, given to others, and evaluated', async () => {
    const { client, datasource } = await weatherIn(house);
    const titled = { title: 'Looks', datasource_id: datasource };
    const { body } = await client.post('/secure/assistant/conversation', titled);
    const conversation = String(body['id']);
    const ada = await house.at(`/assistant/${conversation}`);
    const { page } = ada;
    await asks(ada);
    await ada.button('Bad answer').click();
    await page.getByLabel('Correction').fill('only rainy days');
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor();
    expect(await ada.barriers()).toEqual([]);

    await ada.open(`/datasources/${datasource}?tab=verified`);
    await page.getByText('To review').click();
    const card = page.getByRole('article', { name: ASKED });
    await card.getByText('only rainy days').waitFor();
    await card.getByRole('button', { name: 'Verify' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Question').waitFor();
    expect(await ada.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await ada.sees('Verified.');
    await page.getByRole('button', { name: 'Evaluate' }).click();
    await ada.sees(/Nothing got worse/);
    expect(await ada.barriers()).toEqual([]);

    await ada.open(`/assistant/${conversation}`);
    await asks(ada);
    await ada.sees(/Verified by/);
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });
});
