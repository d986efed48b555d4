import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import { weatherIn } from './weather.builder.js';

const METRIC = `metrics:
  - name: dry heat
    synonyms: [heat]
    plan:
      measures: [{ aggregate: avg, column: temp_max }]
      filters: [{ column: precipitation, operator: '<', value: 1 }]
`;

describe.skipIf(chromiumPath === undefined)('what a datasource means, in the console', () => {
  let house: Console;
  let folder: string;
  beforeAll(async () => {
    house = await Console.shared();
    folder = await mkdtemp(join(tmpdir(), 'das-meaning-'));
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('is proposed, corrected, saved, taken away as a file and brought back', async () => {
    const { datasource } = await weatherIn(house);
    const ada = await house.at(`/datasources/${datasource}?tab=meaning`);
    const { page } = ada;
    await ada.sees('A first draft');
    const heat = page.getByRole('region', { name: 'Meaning of temp_max' });
    await expect.poll(() => heat.getByLabel('Combine rows by').inputValue()).toBe('average');
    expect(
      await page.getByRole('region', { name: 'Meaning of precipitation' }).getByLabel('Combine rows by').inputValue(),
    ).toBe('sum');
    await heat.getByLabel('Description').fill('Highest of the day');
    await heat.getByLabel('Other names').fill('heat of the day,');
    await heat.getByLabel('Unit').fill('x'.repeat(31));
    await ada.button('Save').click();
    await ada.sees('The changes were not saved');
    await heat.getByText(/must have at most 30/).waitFor();
    await heat.getByLabel('Unit').fill('°C');
    await ada.button('Save').click();
    await ada.sees('This is version 1.');
    expect(await ada.barriers()).toEqual([]);

    const saved = page.waitForEvent('download');
    await ada.button('Export YAML').click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toContain('description: Highest of the day');
    const path = join(folder, 'meaning.yaml');
    await writeFile(path, `${text}${METRIC.replace('temp_max', 'nothing')}`);
    await ada.chooseFile(path);
    await ada.sees(/there is no column "nothing"/);
    await writeFile(path, `${text}${METRIC}`);
    await ada.chooseFile(path);
    await ada.sees('This is version 2.');
    await ada.sees('dry heat, heat');
    await expect.poll(() => heat.getByText('heat of the day').isVisible()).toBe(true);
    expect(await ada.barriers()).toEqual([]);
    expect(ada.troubles).toEqual([]);
  });

  it('says in the details how its numbers are used, and is shown to who may not change it', async () => {
    const { datasource } = await weatherIn(house);
    const ada = await house.at(`/datasources/${datasource}?tab=details`, { scheme: 'dark' });
    const { page } = ada;
    const use = page.getByLabel('Use of wind');
    await expect.poll(() => use.inputValue()).toBe('average');
    await expect.poll(() => page.getByLabel('Use of precipitation').inputValue()).toBe('sum');
    await use.selectOption('sum');
    await ada.sees('wind: sum.');
    expect(await ada.barriers()).toEqual([]);
    await page.reload();
    await expect.poll(() => use.inputValue()).toBe('sum');
    const bob = await house.at(`/datasources/${datasource}?tab=details`, { width: 390 }, await house.plainUser('bob'));
    const row = bob.page.getByRole('row', { name: /^wind/ });
    await expect.poll(() => row.innerText()).toContain('sum');
    await expect.poll(() => row.getByRole('combobox').count()).toBe(0);
    expect(await bob.overflows()).toBe(false);
    expect(await bob.barriers()).toEqual([]);

    await bob.turns({ width: 360 });
    await bob.open(`/datasources/${datasource}?tab=meaning`);
    await bob.sees('Managers and the creator of the datasource can change it.');
    await expect.poll(() => bob.page.getByLabel('What the table contains').isDisabled()).toBe(true);
    await expect.poll(() => bob.button('Save').count()).toBe(0);
    expect(await bob.overflows()).toBe(false);
    expect(await bob.barriers()).toEqual([]);
    expect([...ada.troubles, ...bob.troubles]).toEqual([]);
  });
});
