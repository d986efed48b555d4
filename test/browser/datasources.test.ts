import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { inConsole } from './scene.js';

const WEATHER = resolve('samples/weather.csv');
const ORDERS = 'nr,day,shop,price\n1,2024-01-01,North,10.5\n2,2024-01-02,South,20.5\n';
const MORE =
  'NR,Day,Shop name,PRICE,remark\n2,2024-01-02,South,21,\n3,2024-01-03,East,30.5,new\n4,2024-01-04,East,much,\n';

inConsole('datasources in the console', {}, (the) => {
  it('lead from a file to its summary, its plot, more rows and the end', async () => {
    const ada = await the.house.at('/');
    const { page } = ada;
    await ada.sees('No datasources yet');
    await page.getByRole('link', { name: 'New datasource' }).first().click();
    await ada.chooseFile('broken.zip', 'PK\u0003\u0004 but not really');
    await ada.sees('This file can’t be used');
    await ada.button('Choose another file').click();
    await ada.chooseFile(WEATHER);
    await ada.sees('2012-01-01');
    await ada.sees(/UTF-8 · separated by commas/);
    // Guessed from the file: the time, the subject, the measures.
    await expect.poll(() => page.getByRole('combobox', { name: 'Time column' }).inputValue()).toBe('date');
    await expect.poll(() => page.getByRole('combobox', { name: 'Subject column' }).inputValue()).toBe('location');
    await expect.poll(() => page.getByRole('checkbox', { name: 'temp_max is measured' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('checkbox', { name: 'weather is measured' }).isDisabled()).toBe(true);
    await ada.sees(/Sunday,? 1 January 2012/);
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Weather');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Create datasource').click();

    await ada.title('Weather').waitFor();
    await page.getByRole('region', { name: 'Column temp_max' }).getByRole('img').waitFor();
    await ada.sees('2,922 rows');
    expect(await ada.barriers()).toEqual([]);

    await ada.tab('Explore');
    await page.getByRole('img', { name: /^precipitation from/ }).waitFor();
    await ada.picks('location', 'Seattle');
    await ada.sees('1,461 values');
    const text = await ada.downloads(ada.button('Export CSV').click());
    expect(text).toMatch(/^location,date,precipitation/);
    expect(text).not.toContain('New York');

    await ada.tab('Insert rows');
    await ada.pastes('Rows', 'location,date,temp_max\nSeattle,2016-01-01,7.5\nSeattle,soon,8\n');
    await ada.button('Insert 2 rows').click();
    await ada.sees('Inserted: 1 row. Skipped: 1 row.');
    await ada.sees('2,923 rows');
    expect(await ada.barriers()).toEqual([]);
    // What was inserted is not inserted again with what was not.
    const pasted = page.getByRole('textbox', { name: 'Rows', exact: true });
    await ada.sees('The skipped rows are still above');
    expect(await pasted.inputValue()).toBe('location,date,temp_max\nSeattle,soon,8');
    await pasted.fill('location,date,temp_max\nSeattle,2016-01-02,8');
    await ada.button('Insert 1 row').click();
    await ada.sees('1 row was inserted.');
    await expect.poll(() => pasted.inputValue()).toBe('');
    await ada.sees('2,924 rows');

    await ada.tab('Details');
    await page.getByLabel('Context', { exact: true }).fill('Daily weather.');
    await ada.button('Save').click();
    await ada.sees('Saved.');
    await page.getByLabel('Use of wind').selectOption('sum');
    await ada.sees('wind: sum.');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Delete datasource').click();
    await ada.sees('All conversations about it');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await ada.sees('No datasources yet');
  });

  it('ask which number is the month, on a line where the readings differ, instead of guessing it', async () => {
    const ada = await the.house.at('/datasources/new');
    const { page } = ada;
    const rows = 'when,who,n\n3/3/2024 9:05 AM,a,1\n4/5/2024 11:30 PM,a,1\n';
    await ada.chooseFile('days.csv', rows);
    await ada.sees('Which number is the month?');
    await page.getByRole('radio', { name: /Saturday,? 4 May 2024.* 23:30/ }).waitFor();
    await expect.poll(() => ada.button('Create datasource').isDisabled()).toBe(true);
    await ada.button('Show the first 2 rows').click();
    await page.getByRole('table', { name: 'First rows of the file' }).getByText('4/5/2024 11:30 PM').waitFor();
    await page.getByRole('radio', { name: /Friday,? 5 April 2024.* 23:30/ }).check();
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Create datasource').click();
    await ada.title('Days').waitFor();
    await ada.sees(/5 Apr 2024/);
  });

  it('take another name and type of a column, show shares as they are, and find one column of many', async () => {
    const long = 'Strongly_agree_without_any_reservation_whatsoever_and_with_joy';
    const many = Array.from({ length: 20 }, (_, n) => `column_${String(n)}`);
    const line = (n: number): string =>
      [n % 4 === 0 ? 'No' : long, n % 4 === 0 ? 'tba' : '"37,000"', ...many.map((_, m) => n * m)].join(',');
    const name = 'opinion_about_the_quality_of_the_service_in_general';
    const text = [`${name},price,${many.join(',')}`, ...Array.from({ length: 40 }, (_, n) => line(n))].join('\n');
    const ada = await the.house.at('/datasources/new', { width: 390 });
    const { page } = ada;
    await ada.chooseFile('survey.csv', text);
    const measured = page.getByRole('checkbox', { name: 'price is measured' });
    await expect.poll(() => measured.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Type of price' }).selectOption('Number');
    await ada.sees('values that do not fit count as missing');
    await expect.poll(() => measured.isChecked()).toBe(true);
    const named = page.getByRole('textbox', { name: 'Name of price' });
    const type = page.getByRole('combobox', { name: 'Type of price' });
    const [nameBox, typeBox] = await Promise.all([named, type].map((field) => field.boundingBox()));
    expect(nameBox?.width).toBeGreaterThan(120);
    expect(typeBox?.width).toBeGreaterThan(100);
    await named.fill('column_1');
    await ada.sees('Two columns are called “column_1”.');
    await named.fill('Price in €');
    expect(await named.getAttribute('title')).toBe('Price in €');
    await page.getByRole('combobox', { name: 'Use of price' }).selectOption('sum');
    await ada.button('Create datasource').click();
    const price = page.getByRole('region', { name: 'Column Price in €' });
    await price.locator('dd', { hasText: '37,000' }).first().waitFor();
    await price.getByText('25% missing').waitFor();

    const opinion = page.getByRole('region', { name: `Column ${name}` });
    await opinion.getByText('75%').waitFor();
    expect(await ada.overflows()).toBe(false);
    const [bar, place] = await Promise.all(
      [opinion.locator('li > div').first(), opinion.locator('li').first()].map((part) => part.boundingBox()),
    );
    expect(bar!.width / place!.width).toBeCloseTo(0.75, 2);
    const isCut = (label: { scrollWidth: number; clientWidth: number }): boolean =>
      label.scrollWidth > label.clientWidth;
    expect(await opinion.getByText('Subject', { exact: true }).evaluate(isCut)).toBe(false);
    await page.getByLabel('Find a column').fill('Column_19');
    await page.getByRole('region', { name: 'Column column_1', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('region', { name: /^Column / }).count()).toBe(1);
  });

  it('have a first choice of time and subject with which no row is lost', async () => {
    const ada = await the.house.at('/datasources/new');
    const rows = Array.from(
      { length: 12 },
      (_, n) => `${n % 2 === 0 ? `2024-01-0${(n % 9) + 1}` : '31.01.2024'},${n === 3 ? 'ok' : ''},m${n % 2},${n}`,
    );
    await ada.chooseFile('machines.csv', `Datum,Bemerkung,Maschine,Wert\n${rows.join('\n')}`);
    await ada.button('Create datasource').click();
    await ada.sees('12 rows');
  });

  it('say why an import failed, and what to do', async () => {
    const ada = await the.house.at('/datasources/new');
    await ada.chooseFile('hopeless.csv', `device,at\n${',2024-01-01\n'.repeat(20)}`);
    await ada.button('Create datasource').click();
    await ada.page.getByRole('alert').getByText('The import failed').waitFor();
    await ada.sees('No row was stored.');
    await ada.page.getByRole('link', { name: 'Datasources', exact: true }).first().click();
    await ada.sees('Import failed');
    expect(await ada.barriers()).toEqual([]);
  });

  it('take a further file, brought to their columns, tell what became of it, and stay as they are when none of it fits', async () => {
    const ada = await the.house.at('/datasources/new', { width: 390, height: 844, scheme: 'dark' });
    const { page } = ada;
    await ada.chooseFile('orders.csv', ORDERS);
    await ada.button('Create datasource').click();
    await ada.title('Orders').waitFor();
    await ada.sees('2 rows');
    await ada.tab('Add a file');
    await ada.chooseFile('more.csv', MORE);
    // Columns of the same name are not asked about.
    await ada.sees('2 columns of the file have other names, or none, in the datasource.');
    await ada.sees('Choose which column is “shop”.');
    await expect.poll(() => page.getByRole('combobox', { name: 'Column for PRICE' }).count()).toBe(0);
    expect(await ada.barriers()).toEqual([]);
    await ada.picks('Column for Shop name', 'shop');
    await ada.sees('They are added to the 2 existing rows.');
    await ada.picks('Key columns', 'nr');
    await page.keyboard.press('Escape');
    await ada.button('Add and replace rows').click();
    await ada.sees('Added 1, replaced 1, left out 1.');
    await ada.sees('3 rows');
    await page.getByRole('tab', { name: /Skipped lines/ }).click();
    await ada.sees('Not a number in "price"');
    expect(await ada.downloads(ada.button('Download all as CSV').click())).toContain('East,much');
    expect(await ada.barriers()).toEqual([]);

    await ada.tab('Add a file');
    await ada.chooseFile('bad.csv', 'nr,day,shop,price\n1,2024-01-01,North,much\n');
    await ada.button('Add rows').click();
    await ada.sees('The file was not added');
    await ada.sees(/No row fits: not a number in "price"/);
    await ada.sees('The last file failed');
    await ada.sees('3 rows');
  });
});
