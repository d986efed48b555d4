import { expect, it } from 'vitest';
import { inConsole } from './scene.js';

inConsole('the first run of the console', {}, (the) => {
  it('leads with one click to a first answer, with three hints, and asks every datasource', async () => {
    await using ada = await the.house.visit();
    const { page } = ada;
    const menu = page.getByRole('navigation', { name: 'Main' });
    await ada.open('/');
    await ada.signIn(the.house.manager);
    await ada.sees('No datasources yet');
    expect(await ada.barriers()).toEqual([]);
    await ada.turns({ width: 390 });
    const sample = await ada.button('Try the sample data').boundingBox();
    expect(Math.abs((sample?.x ?? 0) + (sample?.width ?? 0) / 2 - 195)).toBeLessThan(2);
    await ada.turns({});
    await menu.getByRole('link', { name: 'Assistant' }).click();
    await page.getByRole('link', { name: 'Upload a file' }).waitFor();
    await ada.button('Try the sample data').click();
    const answer = page.getByRole('article', { name: 'Answer' });
    await answer.getByText(/has the highest average temp_max/).waitFor();
    await answer.getByRole('img', { name: /^Chart/ }).waitFor();
    await ada.sees('Hint 1 of 3');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Next').click();
    await ada.sees('Hint 2 of 3');
    await ada.button('Next').click();
    await ada.button('Done').click();
    await expect.poll(() => page.getByText(/^Hint/).count()).toBe(0);

    await menu.getByRole('link', { name: 'Datasources' }).click();
    await ada.button('Ask Weather (sample)').click();
    await ada.sees('Ask about Weather (sample)');
    const begun = page.url();
    await page.getByRole('link', { name: 'Weather (sample)', exact: true }).click();
    await ada.title(/^Weather/).waitFor();
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    await ada.sees('Ask about Weather (sample)');
    // Nothing was asked in it yet.
    expect(page.url()).toBe(begun);
  });
});
