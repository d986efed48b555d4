import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';

const ORDERS = 'nr,day,shop,price\n1,2024-01-01,North,10.5\n2,2024-01-02,South,20.5\n';
const MORE =
  'NR,Day,Shop name,PRICE,remark\n2,2024-01-02,South,21,\n3,2024-01-03,East,30.5,new\n4,2024-01-04,East,much,\n';

describe.skipIf(chromiumPath === undefined)('a further file in the console', () => {
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

  it.each([
    ['wide and light', {}],
    ['narrow and dark', { width: 390, height: 844, scheme: 'dark' as const }],
  ])('is brought to the columns of the datasource, and what became of it is told: %s', async (name, look) => {
    const ada = await house.at('/datasources/new', look);
    const { page } = ada;
    await ada.chooseFile(await fileOf('orders.csv', ORDERS));
    await page.getByLabel('Name', { exact: true }).fill(name);
    await ada.button('Create datasource').click();
    await ada.title(name).waitFor();
    await ada.sees('2 rows');

    await page.getByRole('tab', { name: 'Add a file' }).click();
    await ada.chooseFile(await fileOf('more.csv', MORE));
    // Columns of the same name are not asked about.
    await ada.sees('2 columns of the file have other names, or none, in the datasource.');
    await ada.sees('Choose which column is “shop”.');
    await expect.poll(() => page.getByRole('combobox', { name: 'Column for PRICE' }).count()).toBe(0);
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('combobox', { name: 'Column for Shop name' }).click();
    await page.getByRole('option', { name: 'shop' }).click();
    await ada.sees('They are added to the 2 existing rows.');
    await page.getByRole('combobox', { name: 'Key columns' }).click();
    await page.getByRole('option', { name: 'nr' }).click();
    await page.keyboard.press('Escape');
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Add and replace rows').click();

    await ada.sees('Added 1, replaced 1, left out 1.');
    await ada.sees('3 rows');
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('tab', { name: /Skipped lines/ }).click();
    await ada.sees('Not a number in "price"');
    expect(ada.troubles).toEqual([]);
  });

  it('that does not fit says why, and leaves the rows as they were', async () => {
    const ada = await house.at('/datasources/new');
    const { page } = ada;
    await ada.chooseFile(await fileOf('orders.csv', ORDERS));
    await ada.button('Create datasource').click();
    await ada.title('Orders').waitFor();
    await page.getByRole('tab', { name: 'Add a file' }).click();
    await ada.chooseFile(await fileOf('bad.csv', 'nr,day,shop,price\n1,2024-01-01,North,much\n'));
    await ada.button('Add rows').click();
    await ada.sees('The file was not added');
    await ada.sees(/No row fits: not a number in "price"/);
    await ada.sees('The last file failed');
    await ada.sees('2 rows');
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });
});
