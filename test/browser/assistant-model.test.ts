import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OpenAiDouble } from '../support/openai-double.js';
import type { TestClient } from '../support/test-client.js';
import { chromiumPath } from './chromium.js';
import { Console } from './console.js';
import type { Visitor } from './visitor.js';
import { weatherIn } from './weather.builder.js';

const WORDS = Array.from({ length: 40 }, (_, index) => `word${String.fromCharCode(97 + (index % 26))} of it. `);

/** Words that follow a query go out as they come; before one, they may still be taken back. */
const STORY = [
  {
    calls: [
      { name: 'run_query', arguments: JSON.stringify({ sql: 'SELECT count(*) AS rows FROM data', purpose: 'rows' }) },
    ],
  },
  { content: WORDS, pieceAfterMs: 150 },
];

const PATIENCE = { timeout: 45_000 };

describe.skipIf(chromiumPath === undefined)('an answer that takes its time', () => {
  let double: OpenAiDouble;
  let house: Console;
  let client: TestClient;
  let datasource: string;
  beforeAll(async () => {
    double = await OpenAiDouble.start();
    house = await Console.start({ OPENAI_BASE_URL: double.baseUrl, OPENAI_MODEL: 'double' });
    ({ client, datasource } = await weatherIn(house));
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await double[Symbol.asyncDispose]();
  });

  async function inConversation(title: string): Promise<Visitor> {
    const { body } = await client.post('/secure/assistant/conversation', { title, datasource_id: datasource });
    const visitor = await house.at(`/assistant/${String(body['id'])}`);
    await visitor.title(title).waitFor();
    return visitor;
  }

  async function asks({ page }: Visitor, question: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Your question' }).fill(question);
    await page.keyboard.press('Enter');
  }

  it('goes on where it was after a reload in the middle, while the next question is typed', async () => {
    double.append(...STORY);
    const ada = await inConversation('Reloaded');
    const { page } = ada;
    await asks(ada, 'Tell me a story');
    await ada.sees(/worda of it/);
    await page.reload();
    const answer = page.getByRole('article', { name: 'Answer' });
    // Whole from its first word, and still being written.
    await expect.poll(() => answer.textContent(), PATIENCE).toMatch(/^worda of it\. wordb of it/);
    await ada.button('Stop the answer').waitFor();
    await page.getByRole('textbox', { name: 'Your question' }).fill('What I ask next');
    await ada.button('Send').waitFor({ timeout: 30_000 });
    expect((await answer.textContent())?.match(/of it\./g)).toHaveLength(WORDS.length);
    await expect.poll(() => page.getByRole('textbox', { name: 'Your question' }).inputValue()).toBe('What I ask next');
    expect(ada.troubles).toEqual([]);
  });

  it('has no link to anywhere but our own pages, whoever wrote the address', async () => {
    const addresses = 'a@e.test, a&#64;e.test, mailto:b@e.test, xmpp:c@e.test, www.e.test and https://e.test/x';
    double.append({ content: [`Write to ${addresses}. That is all.`] });
    const ada = await inConversation('Addresses');
    await asks(ada, `Who is ${addresses}?`);
    await ada.sees(/That is all/);
    await ada.button('Send').waitFor();
    const links = await ada.page
      .locator('main a[href]')
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    expect(links.filter((href) => !href.startsWith('http://127.0.0.1'))).toEqual([]);
  });

  it('ends when it is stopped, and keeps what was written', async () => {
    double.append(...STORY);
    const ada = await inConversation('Stopped');
    await asks(ada, 'Tell me a story');
    await ada.sees(/wordb of it/);
    await ada.button('Stop the answer').click();
    await ada.sees(/was stopped/i);
    await ada.button('Send').waitFor();
    const text = (await ada.page.getByRole('article', { name: 'Answer' }).textContent()) ?? '';
    expect(text).toContain('worda of it');
    expect(text.match(/of it\./g)?.length ?? 0).toBeLessThan(WORDS.length);
  });

  it('says what went wrong when there is none, and the next question can be asked', async () => {
    double.clear();
    double.append({ status: 400, message: 'no such model' });
    const ada = await inConversation('Failed');
    await asks(ada, 'Anything?');
    await ada.page.getByRole('article', { name: 'Answer' }).getByRole('alert').waitFor();
    double.append({ content: 'All is well again.' });
    await asks(ada, 'And now?');
    await ada.sees('All is well again.');
  });
});
