import { expect, it } from 'vitest';
import { inConsole } from './scene.js';

const BY_LOCATION = {
  kind: 'aggregate',
  measures: [{ aggregate: 'avg', column: 'temp_max', label: 'average temp_max' }],
  dimensions: [
    { kind: 'column', column: 'location', label: 'location' },
    { kind: 'bucket', column: 'date', bucket: 'year', label: 'year' },
  ],
  filters: [{ kind: 'compare', column: 'temp_max', operator: '>', value: 20 }],
};

inConsole('the rows of a datasource in the console', { weather: true }, (the) => {
  it('are scrolled, found, sorted, filtered and taken away, and the address says which they are', async () => {
    const ada = await the.house.at(`/datasources/${the.datasource}?tab=rows`);
    const { page } = ada;
    const rows = page.getByRole('table', { name: 'Rows' });
    await ada.sees('2,922 rows');
    await ada.button('Details of row 1').first().waitFor();
    // Only those that can be seen are in the page.
    await expect.poll(() => rows.getByRole('row').count()).toBeLessThan(60);
    await expect.poll(() => rows.getAttribute('aria-rowcount')).toBe('2923');
    await page.getByRole('textbox', { name: 'Go to row' }).fill('2922');
    await page.keyboard.press('Enter');
    await ada.button('Details of row 2,922').click();
    const last = page.getByRole('dialog', { name: 'Row 2,922 of 2,922' });
    await last.getByText('31 Dec 2015', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    const focused = (): Promise<string> => page.evaluate("document.activeElement.getAttribute('aria-label')");
    await expect.poll(focused).toBe('Details of row 2,922');

    await page.getByRole('searchbox', { name: 'Search' }).fill('snow');
    await ada.sees(/^\d+ of 2,922 rows$/);
    await ada.button('temp_min: sort and filter').click();
    expect(await ada.barriers()).toEqual([]);
    await page
      .getByRole('textbox', { name: 'To', exact: true })
      .or(page.getByLabel('To', { exact: true }))
      .fill('-5');
    await ada.button('Apply').click();
    await ada.sees('temp_min is at most -5');
    await ada.button('temp_min: sort and filter').click();
    await ada.button('Lowest first').click();
    await page
      .getByRole('columnheader', { name: /temp_min/ })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await expect.poll(focused).toBe('temp_min: sort and filter');

    await ada.button('Details of row 1').first().click();
    const details = page.getByRole('dialog', { name: /^Row 1 of/ });
    await details.getByText('snow').waitFor();
    const coldest = await details
      .locator('dt', { hasText: 'temp_min' })
      .locator('xpath=following-sibling::dd[1]')
      .innerText();
    expect(Number(coldest)).toBeLessThan(-5);
    expect(await ada.barriers()).toEqual([]);
    await page.keyboard.press('Escape');

    const lines = (await ada.downloads(ada.button('Export CSV').click())).trimEnd().split('\r\n');
    expect(lines[0]).toBe('location,date,precipitation,temp_max,temp_min,wind,weather');
    expect(lines[1]).toContain(`,${coldest},`);
    expect(lines.slice(1).every((line) => line.endsWith(',snow'))).toBe(true);
    expect((await ada.downloads(ada.menu('Export in another format', 'Excel (XLSX)'))).slice(0, 2)).toBe('PK');

    await page.reload();
    await ada.sees('temp_min is at most -5');
    await ada.sees(`${String(lines.length - 1)} of 2,922 rows`);
    await ada.button('All rows').click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing of the kind');
    await ada.sees('No rows match');
    await ada.button('Show all rows').press('Enter');
    await ada.sees(/^2,922 rows$/);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    await ada.button('temp_min: sort and filter').click();
    await page.getByLabel('From').fill('7');
    await page.getByLabel('To', { exact: true }).fill('5');
    await page.keyboard.press('Enter');
    await ada.sees('temp_min is between 5 and 7');
  });

  it('stand behind every figure of an answer', async () => {
    const title = { title: 'Behind', datasource_id: the.datasource };
    const id = String((await the.client.post('/secure/assistant/conversation', title)).body['id']);
    await the.client.post('/secure/assistant/chat', {
      conversation_id: id,
      plan: { ...BY_LOCATION, having: [], order: [], limit: null },
    });
    const ada = await the.house.at(`/assistant/${id}`, { width: 390, scheme: 'dark' });
    const { page } = ada;
    const answer = page.getByRole('article', { name: 'Answer' });
    expect(JSON.parse(await ada.downloads(ada.menu('Save or copy', 'Notebook')))).toMatchObject({ nbformat: 4 });
    await answer.getByRole('button', { name: /^Table/ }).click();
    await answer
      .getByRole('row', { name: /^New York.*2012/ })
      .getByRole('link')
      .click();
    await ada.sees('temp_max is above 20');
    await ada.sees('location is New York');
    await ada.sees('date from 1 Jan 2012 until 1 Jan 2013');
    await ada.sees(/^\d+ of 2,922 rows$/);
    expect(await ada.faults()).toEqual([]);

    await page.goBack();
    await answer.getByRole('link', { name: 'Show these rows' }).first().click();
    await ada.sees('temp_max is above 20');
    await expect.poll(() => page.getByText('location is New York').count()).toBe(0);
  });
});
