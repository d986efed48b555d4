import { expect, it } from 'vitest';
import { openConversation } from '../api/world.builder.js';
import { inConsole } from './scene.js';

const PATIENCE = { timeout: 45_000 };
const LOOKS = [
  { scheme: 'light', width: 390 },
  { scheme: 'dark', width: 1440 },
] as const;

inConsole('files, tasks and alerts in the console', { weather: true }, (the) => {
  it('takes several files, shows what became of each, and deletes one', async () => {
    const ada = await the.house.at('/files', { width: 360 });
    const { page } = ada;
    await ada.sees('No files yet');
    const files = ['The warranty period is two years.', 'A rainy day is one whose weather is rain.'].map((text, n) => ({
      ...{ name: ['handbook.txt', 'words.txt'][n]!, mimeType: 'text/plain', buffer: Buffer.from(text) },
    }));
    await page.locator('input[type=file]').setInputFiles(files);
    const list = page.getByRole('list', { name: 'Context files' });
    await expect.poll(() => list.getByText('Ready').count(), PATIENCE).toBe(2);
    await ada.chooseFile('tool.exe', 'MZ\u0000\u0001');
    await ada.sees('The files were not uploaded');
    await ada.chooseFile('nothing.txt', '');
    await ada.sees(/^nothing\.txt is empty\.$/);
    expect(await ada.faults()).toEqual([]);
    expect(await list.getByText(/ago|now/).count()).toBe(2);
    // Who neither uploaded it nor is a manager is not offered to delete it.
    const eve = await the.house.at('/files', {}, await the.house.plainUser('eve'));
    await eve.sees('handbook.txt');
    expect(await eve.page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
    await ada.button('Delete words.txt').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => list.getByRole('listitem').count(), PATIENCE).toBe(1);
  });

  it('makes a task with a schedule, runs it, shows its steps and keeps its runs', async () => {
    const ada = await the.house.at('/tasks');
    const { page } = ada;
    await ada.sees('No tasks yet');
    await page.getByRole('link', { name: 'New task' }).first().click();
    await page.getByLabel('Name').fill('Weekly look');
    await page.getByLabel('What do you want to know?').fill('average temp_max by location');
    await page.getByPlaceholder('Search by name').click();
    await page.getByRole('option', { name: 'Weather' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('switch', { name: 'Run automatically' }).click({ force: true });
    await page.getByText('At a time of day').click();
    await page.locator('input[type=time]').fill('07:30');
    await page.getByText('Fri', { exact: true }).click();
    expect(await ada.barriers()).toEqual([]);
    await ada.button('Create task').click();
    await ada.title('Weekly look').waitFor();
    await ada.sees('every Mon, Tue, Wed and Thu at 07:30, Europe/Berlin');
    await ada.sees('This task has not run yet.');
    await ada.button('Run now').click();
    const runs = page.getByRole('region', { name: 'Runs' });
    await runs.getByText('Done').first().waitFor();
    // Open already when the page has seen it run.
    const steps = ada.button(/^Steps/);
    if ((await steps.getAttribute('aria-expanded')) !== 'true') await steps.click();
    await page.getByRole('list', { name: 'Steps' }).getByRole('listitem').first().waitFor();
    expect(await ada.barriers()).toEqual([]);

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('dialog').getByRole('switch', { name: 'Run automatically' }).click({ force: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await ada.sees('none, runs on demand');
    await page.reload();
    await runs.getByText('Done').first().waitFor();
    await ada.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ada.sees('No tasks yet');
  });

  it('makes an alert of an answer, fires it, and shows that it has', async () => {
    const conversation = await openConversation(the.client, the.datasource);
    const ada = await the.house.at(`/assistant/${conversation}`);
    const { page } = ada;
    await page.getByRole('textbox', { name: 'Your question' }).fill('what is the average temp_max?');
    await page.keyboard.press('Enter');
    await ada.button('Alert me').click();
    const dialog = page.getByRole('dialog', { name: 'Alert me' });
    await dialog.getByLabel('Name').fill('Warm');
    await dialog.getByLabel('Limit').fill('-50');
    expect(await ada.barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create alert' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('link', { name: /Warm/ }).click();
    await ada.title('Warm').waitFor();
    // It was so when the alert was made.
    await page
      .getByRole('list', { name: 'History' })
      .getByText(/above -50/)
      .waitFor();
    await ada.button('Check now').click();
    expect(await ada.faultsIn(LOOKS)).toEqual([]);
    await ada.button('Change').click();
    const form = page.getByRole('dialog', { name: 'Change the alert' });
    await form.getByLabel('When the figure').selectOption('no_data');
    await form.getByText('At a time of day').click();
    await form.getByRole('button', { name: 'Save' }).click();
    await ada.sees('every weekday at 08:00, Europe/Berlin');
    await ada.sees('no data');
    await ada.button('Delete').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await ada.sees('No alerts yet');
  });

  it('says of an address that names nothing', async () => {
    const ada = await the.house.at('/tasks/xyz');
    await ada.sees('This task does not exist');
    await ada.open('/assistant/xyz');
    await ada.sees('Conversation not found');
    await ada.open('/nowhere');
    await ada.sees('This page does not exist');
  });
});
