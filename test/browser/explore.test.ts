import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import { weatherIn } from './weather.builder.js';

describe.skipIf(chromiumPath === undefined)('exploring a datasource in the console', () => {
  let house: Console;
  let datasource: string;
  beforeAll(async () => {
    house = await Console.shared();
    ({ datasource } = await weatherIn(house));
  });
  afterAll(() => house[Symbol.asyncDispose]());

  it('draws several figures by group and in steps, closer where somebody drags, and the address keeps it all', async () => {
    const ada = await house.at(`/datasources/${datasource}?tab=explore`);
    const { page } = ada;
    await page.getByText('Lines', { exact: true }).click();
    // As its role says: rain adds up, a temperature does not.
    await page.getByRole('img', { name: /^Total of precipitation: between/ }).waitFor();
    await page.getByRole('combobox', { name: 'Values' }).click();
    await page.getByRole('option', { name: 'temp_max' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('img', { name: /^Average of temp_max: between/ }).waitFor();
    await page.getByRole('combobox', { name: 'Split by' }).click();
    await page.getByRole('option', { name: 'location' }).click();
    await page.getByRole('combobox', { name: 'Step' }).click();
    await page.getByRole('option', { name: 'month' }).click();
    await page.getByRole('img', { name: /^Total of precipitation, 2 series/ }).waitFor();
    await ada.sees('One point for each month, in UTC.');
    await page.getByRole('combobox', { name: 'Figure' }).click();
    await page.getByRole('option', { name: 'Highest' }).click();
    const rain = page.getByRole('region', { name: 'Highest of precipitation' });
    await expect.poll(() => rain.getByRole('listitem').allInnerTexts()).toEqual(['New York', 'Seattle']);
    await page.getByText('Bars', { exact: true }).click();
    await rain.getByRole('img').waitFor();
    await page.reload();
    await page.getByRole('img', { name: /^Highest of temp_max, 2 series/ }).waitFor();
    await expect.poll(() => page.getByRole('radio', { name: 'Bars' }).isChecked()).toBe(true);

    // Looks closer where somebody drags, at all figures, and at everything again.
    await page.getByText('Lines', { exact: true }).click();
    const over = page.getByRole('region', { name: 'Highest of temp_max' }).locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = (await over.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=201[23]-/);
    expect(new URL(page.url()).searchParams.get('to')).toMatch(/^2013-1|^2014-0/);
    await over.dblclick();
    await page.waitForURL((url) => !url.searchParams.has('from'));
    await page.getByText('Scatter', { exact: true }).click();
    await page
      .getByRole('img', { name: /^Highest of temp_max against Highest of precipitation, 2 series: between/ })
      .waitFor();
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('filters the whole page by a value of the summary, and keeps notes on ranges', async () => {
    const ada = await house.at(`/datasources/${datasource}?tab=summary`, { width: 390 });
    const { page } = ada;
    await page.getByRole('region', { name: 'Column location' }).getByRole('button', { name: 'Seattle' }).click();
    await ada.sees('location is Seattle');
    await page.getByTitle('1,461 rows').first().waitFor();
    expect(await ada.overflows()).toBe(false);
    await page.getByRole('tab', { name: 'Rows', exact: true }).click();
    await ada.sees('1,461 of 2,922 rows');
    await page.getByRole('tab', { name: 'Explore' }).click();
    await page.getByRole('img', { name: /^Total of precipitation: between/ }).waitFor();
    expect(await ada.overflows()).toBe(false);
    await ada.button('Remove the filter location is Seattle').click();
    await page.getByRole('application', { name: /^Plot of precipitation/ }).waitFor();
    expect(new URL(page.url()).searchParams.has('where')).toBe(false);

    const stretch = 'draw=line&from=2013-01-01T00:00:00.000Z&to=2013-02-01T00:00:00.000Z';
    await ada.open(`/datasources/${datasource}?tab=explore&${stretch}`);
    await ada.button('Add note').click();
    await page.getByRole('textbox', { name: 'Note' }).fill('New gauge');
    await ada.button('Save').click();
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByText('New gauge').waitFor();
    expect(await ada.overflows()).toBe(false);
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Remove the note “New gauge”').click();
    await notes.waitFor({ state: 'detached' });
    expect(ada.troubles).toEqual([]);
  });
});
