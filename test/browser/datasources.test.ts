import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Visitor } from './visitor.js';

const WEATHER = resolve('samples/weather.csv');

describe.skipIf(chromiumPath === undefined)('datasources in the console', () => {
  let house: Console;
  let folder: string;
  beforeAll(async () => {
    house = await Console.shared();
    folder = await mkdtemp(join(tmpdir(), 'das-files-'));
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function fileOf(name: string, text: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  }

  it('decides day and month from all rows, and asks only when none tells, on one where the readings differ', async () => {
    const ada = await house.at('/datasources/new');
    const { page } = ada;
    const rows = ['3/3/2024 9:05 AM', '4/5/2024 11:30 PM'];
    const csv = (times: readonly string[]): string => ['when,who,n', ...times.map((time) => `${time},a,1`)].join('\n');
    await ada.chooseFile(await fileOf('open.csv', csv(rows)));
    await ada.sees('Which number is the month?');
    await page.getByRole('radio', { name: /Friday,? 5 April 2024.* 23:30/ }).waitFor();
    await page.getByRole('radio', { name: /Saturday,? 4 May 2024.* 23:30/ }).waitFor();
    await ada.sees('Choose which number is the month.');
    await ada.button('Show the first 2 rows').click();
    await page.getByRole('table', { name: 'First rows of the file' }).getByText('4/5/2024 11:30 PM').waitFor();
    expect(await ada.barriers()).toEqual([]);

    await ada.open('/datasources/new');
    await ada.chooseFile(await fileOf('told.csv', csv([...rows, '4/25/2024 1:00 PM'])));
    await ada.sees(/is read as/);
    await page.getByText(/Friday,? 5 April 2024|Sunday,? 3 March 2024/).waitFor();
    await expect.poll(() => page.getByText('Which number is the month?').count()).toBe(0);
  });

  it('leads from a file to its plot, its rows, more rows and its end', async () => {
    const ada = await house.at('/');
    const { page } = ada;
    await ada.title('Datasources').waitFor();
    await ada.sees('No datasources yet');
    await page.getByRole('link', { name: 'New datasource' }).first().click();

    await ada.chooseFile(WEATHER);
    await ada.sees('2012-01-01');
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

    await page.getByRole('tab', { name: 'Explore' }).click();
    await page.getByRole('img', { name: /^precipitation from/ }).waitFor();
    await ada.sees('2,922 values');
    await page.getByRole('combobox', { name: 'location' }).click();
    await page.getByRole('option', { name: 'Seattle' }).click();
    await ada.sees('1,461 values');
    await markStretch(ada);
    // Looking closer: fewer values, and the stretch is in the address.
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^201\d-/);
    const link = page.url();
    expect(await ada.barriers()).toEqual([]);
    await page.reload();
    await page.getByRole('img', { name: /^precipitation of Seattle from/ }).waitFor();
    expect(page.url()).toBe(link);

    const saved = page.waitForEvent('download');
    await ada.button('Export CSV').click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toMatch(/^location,date,precipitation/);
    expect(text).not.toContain('New York');

    await page.getByRole('tab', { name: 'Insert rows' }).click();
    await ada.pastes('Rows', 'location,date,temp_max\nSeattle,2016-01-01,7.5\nSeattle,soon,8\n');
    await ada.button('Insert 2 rows').click();
    await ada.sees('Inserted: 1 row. Skipped: 1 row.');
    await ada.sees('2,923 rows');
    expect(await ada.barriers()).toEqual([]);

    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByLabel('Context', { exact: true }).fill('Daily weather.');
    await ada.button('Save').click();
    await ada.sees('Saved.');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Delete datasource').click();
    await ada.sees('All conversations about it');
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await ada.sees('No datasources yet');
    expect(ada.troubles).toEqual([]);
  });

  it('asks which number is the month instead of guessing it', async () => {
    const ada = await house.at('/datasources/new');
    await ada.chooseFile(await fileOf('days.csv', 'shop,day,sold\nA,03/04/2024,5\nB,04/05/2024,6\n'));
    await ada.sees('Which number is the month?');
    await expect.poll(() => ada.button('Create datasource').isDisabled()).toBe(true);
    await ada.page.getByRole('radio', { name: /Monday,? 4 March 2024/ }).check();
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Create datasource').click();
    await ada.title('Days').waitFor();
    await ada.sees(/4 Mar 2024/);
    expect(ada.troubles).toEqual([]);
  });

  it('shows lines that were skipped, and has them all', async () => {
    const ada = await house.at('/datasources/new');
    await ada.chooseFile(
      await fileOf(
        'gaps.csv',
        `device,time,value\n${'A,2024-01-01 10:00:00,1\n'.repeat(30)}A,never,2\nA,2024-01-01 10:02:00,3\n`,
      ),
    );
    await ada.button('Create datasource').click();
    await ada.page.getByRole('tab', { name: 'Skipped lines (1)' }).click();
    await ada.sees('A,never,2');
    const saved = ada.page.waitForEvent('download');
    await ada.button('Download all as CSV').click();
    expect(await readFile(await (await saved).path(), 'utf8')).toContain('A,never,2');
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('fits a narrow screen, shows shares as they are, and finds one column of many', async () => {
    const long = 'Strongly_agree_without_any_reservation_whatsoever_and_with_joy';
    const many = Array.from({ length: 20 }, (_, n) => `column_${String(n)}`);
    const line = (n: number): string => `${n % 4 === 0 ? 'No' : long},${many.map((_, m) => String(n * m)).join(',')}`;
    const name = 'opinion_about_the_quality_of_the_service_in_general';
    const text = `${name},${many.join(',')}\n${Array.from({ length: 40 }, (_, n) => line(n)).join('\n')}\n`;
    const ada = await house.at('/datasources/new', { width: 390 });
    await ada.chooseFile(await fileOf('survey.csv', text));
    await ada.button('Create datasource').click();
    const opinion = ada.page.getByRole('region', { name: `Column ${name}` });
    await opinion.getByText('75%').waitFor();
    expect(await ada.overflows()).toBe(false);
    const [bar, place] = await Promise.all(
      [opinion.locator('li > div').first(), opinion.locator('li').first()].map((part) => part.boundingBox()),
    );
    expect(bar!.width / place!.width).toBeCloseTo(0.75, 2);
    const isCut = (label: { scrollWidth: number; clientWidth: number }): boolean =>
      label.scrollWidth > label.clientWidth;
    expect(await opinion.getByText('Subject', { exact: true }).evaluate(isCut)).toBe(false);
    await ada.page.getByLabel('Find a column').fill('Column_19');
    await ada.page.getByRole('region', { name: 'Column column_1', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => ada.page.getByRole('region', { name: /^Column / }).count()).toBe(1);
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('says why an import failed, and what to do', async () => {
    const ada = await house.at('/datasources/new');
    await ada.chooseFile(await fileOf('hopeless.csv', `device,at,value\n${',2024-01-01,1\n'.repeat(20)}`));
    await ada.button('Create datasource').click();
    await ada.page.getByRole('alert').getByText('The import failed').waitFor();
    await ada.sees('No row was stored.');
    expect(await ada.barriers()).toEqual([]);
    await ada.page.getByRole('link', { name: 'Datasources', exact: true }).first().click();
    await ada.sees('Import failed');
    expect(ada.troubles).toEqual([]);
  });

  it('says why a file can’t be used, and takes another', async () => {
    const ada = await house.at('/datasources/new');
    await ada.chooseFile(await fileOf('broken.zip', 'PK\u0003\u0004 but not really'));
    await ada.sees('This file can’t be used');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Choose another file').click();
    await ada.chooseFile(WEATHER);
    await ada.sees('2012-01-01');
    expect(ada.troubles).toEqual([]);
  });

  it('takes another name and type of a column, and shows what that makes of its rows', async () => {
    const ada = await house.at('/datasources/new');
    const { page } = ada;
    const rows = Array.from(
      { length: 12 },
      (_, n) => `2024-01-${String(n + 10)},a,${n % 3 === 0 ? 'tba' : '"37,000"'}`,
    );
    await ada.chooseFile(await fileOf('prices.csv', ['day,shop,price', ...rows].join('\n')));
    const measured = page.getByRole('checkbox', { name: 'price is measured' });
    await expect.poll(() => measured.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Type of price' }).selectOption('Number');
    await ada.sees('values that do not fit count as missing');
    await expect.poll(() => measured.isChecked()).toBe(true);
    await page.getByRole('textbox', { name: 'Name of price' }).fill('shop');
    await ada.sees('Two columns are called “shop”.');
    await page.getByRole('textbox', { name: 'Name of price' }).fill('Price in €');
    await page.getByRole('combobox', { name: 'Use of price' }).selectOption('sum');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Create datasource').click();
    const card = page.getByRole('region', { name: 'Column Price in €' });
    await card.locator('dd', { hasText: '37,000' }).first().waitFor();
    await card.getByText('33.3% missing').waitFor();
    expect(ada.troubles).toEqual([]);
  });
});

async function markStretch({ page }: Visitor): Promise<void> {
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('the plot has no place to drag on');
  const y = box.y + box.height / 2;
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, y, { steps: 8 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
}
