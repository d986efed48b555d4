import { expect, it } from 'vitest';
import { inConsole } from './scene.js';
import type { Visitor } from './visitor.js';
import { importedIn } from './weather.builder.js';

const METRIC = `metrics:
  - name: dry heat
    synonyms: [heat]
    plan:
      measures: [{ aggregate: avg, column: temp_max }]
      filters: [{ column: precipitation, operator: '<', value: 1 }]
`;
const ASKED = 'average temp_max by location';
const CUSTOMERS = 'id,city,since\n1,Hamburg,2020-01-01\n2,Munich,2020-01-02\n3,Hamburg,2020-01-03\n';
const ORDERS = 'customer_id,revenue,day\n1,10,2024-01-01\n1,20,2024-01-02\n2,5,2024-01-03\n3,7,2024-01-04\n';

inConsole('what datasources mean, in the console', { weather: true }, (the) => {
  it('is proposed, corrected, saved, taken away as a file and brought back', async () => {
    const ada = await the.house.at(`/datasources/${the.datasource}?tab=meaning`);
    const { page } = ada;
    await ada.sees('A first draft');
    const heat = page.getByRole('region', { name: 'Meaning of temp_max' });
    await expect.poll(() => heat.getByLabel('Combine rows by').inputValue()).toBe('average');
    await heat.getByLabel('Other names').fill('heat of the day,');
    await heat.getByLabel('Unit').fill('x'.repeat(31));
    await ada.button('Save').click();
    await ada.sees('The changes were not saved');
    await heat.getByText(/must have at most 30/).waitFor();
    await heat.getByLabel('Unit').fill('°C');
    await ada.button('Save').press('Enter');
    await ada.sees('This is version 1.');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Save');

    const text = await ada.downloads(ada.button('Export YAML').click());
    expect(text).toContain('°C');
    await ada.chooseFile('meaning.yaml', `${text}${METRIC.replace('temp_max', 'nothing')}`);
    await ada.sees(/there is no column "nothing"/);
    await ada.chooseFile('meaning.yaml', `${text}${METRIC}`);
    await ada.sees('This is version 2.');
    await ada.sees('dry heat, heat');
    await expect.poll(() => heat.getByText('heat of the day').isVisible()).toBe(true);
    expect(await ada.barriers()).toEqual([]);
  });

  it('is not lost by a click on another tab', async () => {
    const ada = await the.house.at(`/datasources/${the.datasource}?tab=meaning`);
    const { page } = ada;
    const contents = page.getByLabel('What the table contains');
    await contents.fill('Two cities, day by day');
    page.once('dialog', (asked) => void asked.dismiss());
    await ada.tab('Summary');
    await page.getByRole('tab', { name: 'Meaning', selected: true }).waitFor();
    expect(await contents.inputValue()).toBe('Two cities, day by day');
    page.once('dialog', (asked) => void asked.accept());
    await ada.tab('Summary');
    await page.getByRole('tab', { name: 'Summary', selected: true }).waitFor();
  });

  it('is in answers that are rated, verified, evaluated and given again', async () => {
    const titled = { title: 'Looks', datasource_id: the.datasource };
    const { body } = await the.client.post('/secure/assistant/conversation', titled);
    const ada = await the.house.at(`/assistant/${String(body['id'])}`);
    const { page } = ada;
    await asks(ada, ASKED);
    await ada.button('Bad answer').click();
    await page.getByLabel('Correction').fill('only rainy days');
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor();

    await ada.open(`/datasources/${the.datasource}?tab=verified`);
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
    await page.getByRole('region', { name: 'Questions' }).getByText('Verified', { exact: true }).click();
    // What it asks is said in words, and how it answers is no Markdown any more.
    await card.getByText(ASKED).nth(1).waitFor();
    expect(await card.textContent()).not.toMatch(/\*\*|"kind"/);
    await card.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('This can’t be undone').waitFor();
    expect(await ada.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await ada.open(`/assistant/${String(body['id'])}`);
    await asks(ada, ASKED);
    await ada.sees(/Verified by/);
    await asks(ada, 'average temp_max in Seattle');
    await ada.button('Verify').nth(1).click();
    await expect.poll(() => dialog.getByLabel('Answer').inputValue()).toContain('**{average temp_max}**');
  });

  it('is in how they are related, when a person has confirmed it, and they are asked together', async () => {
    await importedIn(the.client, 'Customers', CUSTOMERS, { timefield: 'since', metafield: 'city', values: ['id'] });
    const config = { timefield: 'day', metafield: 'customer_id', values: ['revenue'] };
    const orders = await importedIn(the.client, 'Orders', ORDERS, config);
    const ada = await the.house.at(`/datasources/${orders}?tab=relations`);
    const { page } = ada;
    await ada.sees('No relations yet');
    await page.getByRole('combobox', { name: 'Other datasource' }).fill('Cust');
    await page.getByRole('option', { name: 'Customers' }).click();
    await ada.button('Find relations').click();
    const card = page.getByRole('region', { name: /Orders – Customers|Customers – Orders/ });
    await card.getByText(/Each row of Orders has at most one row in Customers/).waitFor();
    await card.getByRole('button', { name: 'Confirm' }).click();
    await card.getByText('Confirmed', { exact: true }).waitFor();
    expect(await ada.barriers()).toEqual([]);

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Assistant' }).click();
    await ada.button('New conversation').first().click();
    const chosen = page.getByRole('combobox', { name: 'Datasources' });
    for (const name of ['Orders', 'Customers']) {
      await chosen.fill(name);
      await page.getByRole('option', { name }).click();
    }
    await ada.sees('Their rows are joined along confirmed');
    await ada.button('Start').click();
    await ada.sees('Ask about Orders, Customers in your own words.');
    await asks(ada, 'total revenue by city');
    await ada.sees('joined with customers');
    await page.getByText(/The figures are of Orders, joined with Customers/).waitFor();
  });
});

async function asks({ page }: Visitor, question: string): Promise<void> {
  // While an answer is being written, nothing is sent.
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await page.getByRole('textbox', { name: /question/i }).fill(question);
  await page.keyboard.press('Enter');
}
