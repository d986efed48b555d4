import { expect, it } from 'vitest';
import { inConsole } from './scene.js';

inConsole('exploring a datasource in the console', { weather: true }, (the) => {
  it('draws several figures by group and in steps, closer where somebody drags, and the address keeps it all', async () => {
    const ada = await the.house.at(`/datasources/${the.datasource}?tab=explore`);
    const { page } = ada;
    await page.getByText('Lines', { exact: true }).click();
    // As its role says: rain adds up, a temperature does not.
    await page.getByRole('img', { name: /^Total of precipitation: between/ }).waitFor();
    await ada.picks('Values', 'temp_max');
    await page.keyboard.press('Escape');
    await page.getByRole('img', { name: /^Average of temp_max: between/ }).waitFor();
    await ada.picks('Split by', 'location');
    await ada.picks('Step', 'month');
    await page.getByRole('img', { name: /^Total of precipitation, 2 series/ }).waitFor();
    await ada.sees('One point for each month, in UTC.');
    await ada.picks('Figure', 'Highest');
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
  });

  it('filters the whole page by a value of the summary, and keeps notes on ranges', async () => {
    const ada = await the.house.at(`/datasources/${the.datasource}?tab=summary`, { width: 390 });
    const { page } = ada;
    await page.getByRole('region', { name: 'Column location' }).getByRole('button', { name: 'Seattle' }).click();
    await ada.sees('location is Seattle');
    await page.getByTitle('1,461 rows').first().waitFor();
    expect(await ada.overflows()).toBe(false);
    await ada.tab('Rows');
    await ada.sees('1,461 of 2,922 rows');
    await ada.tab('Explore');
    await page.getByRole('img', { name: /^Total of precipitation: between/ }).waitFor();
    expect(await ada.overflows()).toBe(false);
    await ada.button('Remove the filter location is Seattle').click();
    await page.getByRole('application', { name: /^Plot of precipitation/ }).waitFor();
    expect(new URL(page.url()).searchParams.has('where')).toBe(false);

    const stretch = 'draw=line&from=2013-01-01T00:00:00.000Z&to=2013-02-01T00:00:00.000Z';
    await ada.open(`/datasources/${the.datasource}?tab=explore&${stretch}`);
    await ada.turns({});
    await ada.button('Add note').click();
    // Below the button, not over the navigation.
    const [note, add] = await Promise.all(
      [page.getByRole('dialog'), ada.button('Add note')].map((part) => part.boundingBox()),
    );
    expect(Math.abs((note?.x ?? 0) - (add?.x ?? 0))).toBeLessThan(20);
    await ada.turns({ width: 390 });
    await page.getByRole('textbox', { name: 'Note' }).fill('New gauge');
    await ada.button('Save').click();
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByText('New gauge').waitFor();
    expect(await ada.faults()).toEqual([]);
    await ada.button('Remove the note “New gauge”').click();
    await notes.waitFor({ state: 'detached' });
  });
});
