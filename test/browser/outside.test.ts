import { afterAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { CLIENT, TestProvider } from '../support/oidc-provider.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { Console } from './console.js';
import { inConsole } from './scene.js';

const PATIENCE = { timeout: 45_000 };
const WORDS = Array.from({ length: 40 }, (_, index) => `word${String.fromCharCode(97 + (index % 26))} of it. `);
/** Words that follow a query go out as they come; before one, they may still be taken back. */
const STORY = [
  {
    calls: [
      { name: 'run_query', arguments: JSON.stringify({ sql: 'SELECT count(*) AS rows FROM data', purpose: 'rows' }) },
    ],
  },
  { content: WORDS, pieceAfterMs: 100 },
];

let provider: TestProvider;
let sink: MailSink;
let double: OpenAiDouble;

/** A service that has all of them beside it. */
async function open(): Promise<Console> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  provider = await TestProvider.start(`${address}/sign-in/callback`);
  provider.knows({ sub: 'grace', email: 'grace@northwind.example', email_verified: true, given_name: 'Grace' });
  provider.knows({ sub: 'mallory', email: 'mallory@northwind.example', email_verified: false });
  sink = await MailSink.start();
  double = await OpenAiDouble.start();
  return Console.start({
    ...{ PORT: String(port), PUBLIC_URL: address, OIDC_PRIVATE_ISSUERS: 'true' },
    ...{ ...sink.environment, OPENAI_BASE_URL: double.baseUrl, OPENAI_MODEL: 'double' },
  });
}

inConsole('the console beside a provider, a mail server and a model', { weather: true, open }, (the) => {
  afterAll(async () => {
    for (const server of [provider, sink, double]) await server[Symbol.asyncDispose]();
  });

  it('lets those in whom the provider knows, once a manager has set it up', async () => {
    const ada = await the.house.at('/settings', { scheme: 'dark', width: 390 });
    const form = ada.page.getByRole('form', { name: 'Sign-in with your company' });
    await form.getByLabel('Issuer').fill(provider.issuer);
    await form.getByLabel('Client ID').fill(CLIENT.id);
    await form.getByLabel('Client secret').fill(CLIENT.secret);
    await form.getByLabel('Domains of your email addresses').fill('northwind.example');
    await form.getByRole('switch', { name: 'Let in everyone the provider knows' }).click({ force: true });
    await form.getByRole('button', { name: 'Save' }).click();
    await ada.sees('The sign-in was saved.');
    await form.getByText('A link that leads straight to it').waitFor();
    expect(await ada.faults()).toEqual([]);
    const link = new URL(await form.getByText('/sign-in?company=').innerText());

    await using visitor = await the.house.visit({ scheme: 'dark', width: 390 });
    const { page } = visitor;
    const signsInAs = async (who: string): Promise<void> => {
      await visitor.button('Sign in with your company').click();
      await page.locator('input[name=login]').fill(who);
      await page.locator('input[name=password]').fill('x');
      await page.locator('button[type=submit]').click();
      await page.locator('button[type=submit]').click();
    };
    await visitor.open(link.pathname + link.search);
    await signsInAs('mallory');
    await visitor.sees('your provider does not say that your e-mail address is verified');
    expect(await visitor.barriers()).toEqual([]);
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await visitor.button('Sign in with your company').waitFor();

    await visitor.context.clearCookies();
    await visitor.open('/datasources');
    await visitor.button('Sign in with your company').click();
    await visitor.sees('Enter your email address first.');
    await page.getByLabel('Email').fill('grace@northwind.example');
    await signsInAs('grace');
    await visitor.title('Datasources').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.evaluate("sessionStorage.getItem('company-sign-in')")).toBeNull();
    await page.getByRole('button', { name: 'Account of grace@northwind.example' }).waitFor();
    // What the provider's own pages say is its affair.
    visitor.troubles.length = 0;
  });

  it('leads out of a forgotten password by mail', async () => {
    const bob = await the.house.plainUser('bob');
    await using visitor = await the.house.visit({ width: 390, scheme: 'dark' });
    const { page } = visitor;
    await visitor.open('/');
    await visitor.button('Forgot your password?').click();
    await visitor.sees('Enter your email address first.');
    await page.getByLabel('Email').fill(bob.email);
    await visitor.button('Forgot your password?').click();
    await visitor.sees('a mail with a link for a new password is on its way');
    expect(await visitor.faults()).toEqual([]);
    // The first was his invitation.
    const mails = (): readonly ReceivedMail[] =>
      sink.received.filter(({ envelopeTo }) => envelopeTo.includes(bob.email));
    const [, mail] = await eventually(mails, ({ length }) => length === 2);
    await visitor.open(/\/invitation#\w{64}/.exec(mail?.text ?? '')?.[0] ?? '');
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('battery staple');
    await visitor.button('Save the password').click();
    await visitor.title('Datasources').waitFor();
  });

  it('sends a board by email at a time that is set in its menu', async () => {
    const { id } = (await the.client.post('/secure/board', { title: 'By email' })).body['board'] as { id: string };
    const ada = await the.house.at(`/boards/${id}`, { width: 390 });
    await ada.menu('More', 'Send by email');
    const dialog = ada.page.getByRole('dialog', { name: 'Send by email' });
    await dialog.getByText('Sat', { exact: true }).click();
    await dialog.locator('input[type=time]').fill('07:30');
    expect(await ada.faults()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await ada.sees(/^The next email goes out on/);
    expect((await the.client.get(`/secure/board/${id}`)).body['board']).toMatchObject({
      mail_enabled: true,
      mail_at: { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], time: '07:30', time_zone: 'Europe/Berlin' },
      notify_emails: [the.house.manager.email],
    });
  });

  it('goes on with an answer after a reload in its middle, stops one, and says what went wrong', async () => {
    const titled = { title: 'A story', datasource_id: the.datasource };
    const { body } = await the.client.post('/secure/assistant/conversation', titled);
    const ada = await the.house.at(`/assistant/${String(body['id'])}`);
    const { page } = ada;
    const field = page.getByRole('textbox', { name: 'Your question' });
    const answer = page.getByRole('article', { name: 'Answer' }).last();
    const asks = async (question: string): Promise<void> => {
      await ada.button('Send').waitFor();
      await field.fill(question);
      await page.keyboard.press('Enter');
    };
    const told = async (): Promise<number> => (await answer.textContent())?.match(/of it\./g)?.length ?? 0;
    double.append(...STORY);
    await asks('Tell me a story');
    await ada.sees(/worda of it/);
    await page.reload();
    // Whole from its first word, and still being written.
    await expect.poll(() => answer.textContent(), PATIENCE).toMatch(/^worda of it\. wordb of it/);
    await ada.button('Stop the answer').waitFor();
    await field.fill('What I ask next');
    await ada.button('Send').waitFor({ timeout: 30_000 });
    expect(await told()).toBe(WORDS.length);
    await expect.poll(() => field.inputValue()).toBe('What I ask next');

    double.append(...STORY);
    await asks('And another one');
    await expect.poll(() => page.getByRole('article', { name: 'Answer' }).count(), PATIENCE).toBe(2);
    await answer.getByText(/wordb of it/).waitFor();
    await ada.button('Stop the answer').click();
    await ada.sees(/^The answer was stopped\.$/);
    await ada.button('Send').waitFor();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Your question');
    expect(await answer.textContent()).toContain('worda of it');
    expect(await told()).toBeLessThan(WORDS.length);

    double.clear();
    double.append({ status: 400, message: 'no such model' });
    await asks('Anything?');
    await answer.getByRole('alert').waitFor();

    // No link to anywhere but our own pages, whoever wrote the address.
    const addresses = 'a@e.test, a&#64;e.test, mailto:b@e.test, xmpp:c@e.test, www.e.test and https://e.test/x';
    double.append({ content: [`Write to ${addresses}. That is all.`] });
    await asks(`Who is ${addresses}?`);
    await ada.sees(/That is all/);
    await ada.button('Send').waitFor();
    const links = await page
      .locator('main a[href]')
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    expect(links.filter((href) => !href.startsWith('http://127.0.0.1'))).toEqual([]);
  });
});
