import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerMails } from '../../src/answering/answer-mail.js';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { RunReconciler } from '../../src/features/agent/run/run-worker.js';
import { DeliveryRepository } from '../../src/features/deliveries/deliveries.facade.js';
import { type Mail, MailFacade } from '../../src/features/deliveries/mail.facade.js';
import { AppError } from '../../src/shared/app-error.js';
import type { CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { aServiceWithMail } from './a-service.js';
import { MINUTE, ScriptedWork, historyOf, runTask, schedule, shortenPauses, taskOf } from './agent-world.js';
import { aTaskBody, createTask, importedDatasource } from './world.builder.js';

/** The same service, with companies of the test's own. */
let api: TestApi;
let companyId: CompanyId;
const lines: string[] = [];

shortenPauses();
const [service, sink] = await aServiceWithMail({
  environment: { LOG_LEVEL: 'debug', PUBLIC_URL: '' },
  onLog: (line) => lines.push(line),
});
const deliveries = service.get(DeliveryRepository);

beforeEach(async () => {
  api = service.anew();
  companyId = await api.companyId('acme');
  lines.length = 0;
  sink.received.length = 0;
  sink.answer = () => null;
});
afterEach(() => vi.restoreAllMocks());

const MAIL = {
  to: 'ada@example.com',
  subject: 'You are invited',
  text: 'Come in: https://data.example.com/join#canary-of-a-link',
  event: 'invitation',
} as const;

const send = (mail: Partial<Mail> = {}): Promise<void> => api.get(MailFacade).send({ companyId, ...MAIL, ...mail });
const statesOf = async (about: string, company = companyId): Promise<unknown> =>
  (await api.get(MailFacade).about(company, [about])).get(about) ?? [];
const receivers = (): readonly string[] => sink.received.flatMap(({ envelopeTo }) => envelopeTo).sort();

/** How deliveries wait, are tried again and survive a restart: see webhook.test.ts. */
describe('mail', () => {
  it('is stored so that who reads the store does not find its links, and keeps its words to itself', async () => {
    sink.answer = () => ({ code: 451 });
    await send();
    const stored = await eventually(
      () => deliveries.allWhere(companyId, {}),
      ([delivery]) => delivery?.lastError != null && delivery.leaseOwner === null,
    );
    expect(stored).toMatchObject([{ status: 'pending', lastError: 'the mail server answered 451' }]);
    expect(JSON.stringify(stored)).not.toContain('canary');
    sink.answer = () => null;
    await api.drain();
    expect(sink.received).toMatchObject([{ subject: MAIL.subject, envelopeTo: [MAIL.to] }]);
    expect(sink.received[0]?.text).toContain(MAIL.text);
    const sent = { channel: 'mail', status: 'delivered', body: {}, leaseOwner: null };
    expect(await deliveries.allWhere(companyId, {})).toMatchObject([sent]);
    expect(lines.join('')).not.toMatch(/canary|ada@example/);
  });

  it('goes to each address alone, and about one thing once', async () => {
    const order = { to: ['ada@example.com', 'bob@example.com', 'ada@example.com'], about: 'a'.repeat(24) };
    await Promise.all([send(order), send(order)]);
    await send(order);
    await api.drain();
    expect(receivers()).toEqual(['ada@example.com', 'bob@example.com']);
    expect(sink.received.map(({ raw }) => raw.includes('bob@example.com')).sort()).toEqual([false, true]);
    const states = order.to.slice(0, 2).map((to) => ({ to, status: 'delivered', error: null }));
    expect(await statesOf(order.about)).toEqual(states);
    expect(await statesOf(order.about, await api.companyId('globex'))).toEqual([]);
  });

  it('that is refused for good is told as failed, which is no error of the service, and the others go out', async () => {
    sink.answer = (to) => (to === 'gone@example.com' ? { code: 550 } : null);
    await send({ to: ['gone@example.com', 'ada@example.com'], about: 'b'.repeat(24) });
    await api.drain();
    expect(await statesOf('b'.repeat(24))).toEqual([
      { to: 'ada@example.com', status: 'delivered', error: null },
      { to: 'gone@example.com', status: 'failed', error: 'the mail server answered 550' },
    ]);
    const told = lines
      .map((line) => JSON.parse(line) as { msg: string; level: number })
      .filter(({ level }) => level > 30);
    expect(told).toMatchObject([
      { msg: 'a mail was not sent', level: 40, event: 'invitation', attempts: 1, companyId },
    ]);
  });

  it('has addresses that are some, one line of subject, and no more attached than a mailbox takes', async () => {
    const bcc = 'ada@example.com\r\nBcc: eve@example.com';
    for (const to of ['ada', bcc, 'ada@example.com,eve@example.com', 'Ada <ada@example.com>', 'ada@example.com\0'])
      await expect(send({ to }), to).rejects.toMatchObject({ kind: 'invalid_input' });
    const attachments = [{ filename: 'a.png', type: 'image/png', content: Buffer.alloc(5 * 1024 * 1024) }];
    await expect(send({ attachments })).rejects.toMatchObject({ kind: 'too_large' });
    await send({ subject: `Hello\r\nBcc: eve@example.com\u2028${'x'.repeat(500)}` });
    await api.drain();
    expect(sink.received[0]?.subject).toBe(`Hello Bcc: eve@example.com ${'x'.repeat(200)}`.slice(0, 200));
  });
});

describe('a task that names recipients', () => {
  let ada: TestClient;
  let boss: TestClient;
  let datasource: string;
  let member: string;
  beforeEach(async () => {
    member = `ada-${companyId}@example.com`;
    boss = await api.signIn('acme', { role: 'manager', email: `boss-${companyId}@example.com` });
    ada = await api.signIn('acme', { email: member });
    datasource = await importedDatasource(api, ada);
  });

  async function ran(client: TestClient, fields: object): Promise<string> {
    const prompt = 'average temperature by device as a bar chart';
    const id = await createTask(client, datasource, { prompt, ...fields });
    await runTask(client, id);
    await api.drain();
    return id;
  }

  it('mails the result with its figures and its chart as a picture, once, whatever is cut off after it was ordered', async () => {
    const runs = api.get(RunRepository);
    const swap = runs.swap.bind(runs);
    const cut = vi.spyOn(runs, 'swap').mockImplementation((run, expected, set) => {
      if (set?.unannounced === false) return Promise.reject(new Error('killed'));
      return swap(run, expected, set);
    });
    const task = await ran(ada, { name: 'Heat <b>of</b> *all*', mode: 'report', notify_emails: [member] });
    cut.mockRestore();
    api.clock.advance(MINUTE);
    for (let turn = 0; turn < 2; turn += 1) await api.get(RunReconciler).tick();
    await api.drain();
    expect(sink.received).toMatchObject([{ envelopeTo: [member], subject: 'Heat <b>of</b> *all*' }]);
    const { html = '', attachments } = sink.received[0]!;
    expect(html).toContain('Heat &lt;b&gt;of&lt;/b&gt; *all*');
    expect(html).not.toMatch(/<a |visualizations|https?:/);
    expect(html).toContain('Key figures');
    expect(html).not.toContain('<h2>Figures</h2>');
    const contentId = `<${String(/<img src="cid:([\w.-]+)"/.exec(html)?.[1])}>`;
    const picture = { contentId, mimeType: 'image/png', disposition: 'inline' };
    expect(attachments).toContainEqual(expect.objectContaining(picture));
    const mails = [{ to: member, status: 'delivered', error: null }];
    expect(await historyOf(ada, task)).toMatchObject([{ mails }]);
  });

  it('writes the figures of an answer as they are read', async () => {
    await ran(ada, { name: 'Warmth', prompt: 'average temperature times 1000 by device', notify_emails: [member] });
    const [, figures = ''] = sink.received[0]!.text!.split('## Figures');
    expect(figures).toMatch(/: \*\*[\d,]+(\.\d{1,4})?\*\*/);
    expect(figures).not.toMatch(/\d{5}|\.\d{5}/);
  });

  it('tells them that it failed', async () => {
    new ScriptedWork(api).script.push({ fails: new AppError('unavailable', 'the model is away') });
    await ran(ada, { name: 'Heat', notify_emails: [member] });
    expect(sink.received).toMatchObject([{ subject: 'Failed: Heat' }]);
    expect(sink.received[0]?.text).toContain('the model is away');
  });

  it('is named people of the company by everybody, and others by managers alone', async () => {
    new ScriptedWork(api);
    await api.signIn('globex', { email: `eve-${companyId}@example.com` });
    const outsiders = ['someone@elsewhere.example', `eve-${companyId}@example.com`];
    for (const outsider of outsiders) {
      const body = aTaskBody(datasource, { notify_emails: [outsider] });
      expect(await ada.post('/secure/agent/task', body)).toMatchObject({ status: 403, body: { error: true } });
    }
    const task = await ran(boss, { notify_emails: [member.toUpperCase(), ...outsiders, member] });
    expect(receivers()).toEqual([member, ...outsiders].sort());
    // Who was named by a manager stays when somebody else sends the list again, and nobody joins them.
    const again = (emails: object): ReturnType<TestClient['post']> =>
      schedule(ada, task, { automation_enabled: false, ...emails });
    const kept = { status: 200, body: { task: { notify_emails: outsiders } } };
    expect(await again({ notify_emails: outsiders })).toMatchObject(kept);
    const joined = { notify_emails: [...outsiders, 'more@elsewhere.example'] };
    expect(await again(joined)).toMatchObject({ status: 403 });
    expect(await again({})).toMatchObject(kept);
  });

  it('sends no more than a thousand mails a day', async () => {
    new ScriptedWork(api);
    vi.spyOn(deliveries, 'countOf').mockResolvedValue(1000);
    const task = await ran(ada, { notify_emails: [member] });
    expect(await deliveries.allWhere(companyId, {})).toEqual([]);
    expect(await taskOf(ada, task)).toMatchObject({ status: 'ready' });
  });
});

it('the answer of a task has nothing in its mail that is fetched from elsewhere or leads somewhere', async () => {
  const markdown = [
    '# Hi <script>alert(1)</script>',
    '![spy](https://evil.example/pixel.png?data=1) [click](https://evil.example) [js](javascript:alert(1))',
    '<img src=https://evil.example/a.png> <iframe src="https://evil.example"></iframe>',
    '![chart](/api/v1/secure/assistant/visualizations/unknown.png)',
    '| a | b |\n|---|---|\n| <i>1</i> | 2 |',
  ].join('\n\n');
  const link = { label: 'Open', url: 'https://data.example.com/tasks/1' };
  const { html, text, attachments } = await api.get(AnswerMails).write(companyId, { markdown, charts: [], link });
  expect(html.replace(link.url, '')).not.toMatch(/<(script|iframe|img|i)\b|(src|href)="(?!")[^"]|javascript:/);
  expect(html).toContain('<table>');
  expect(text).toContain('Open: https://data.example.com/tasks/1');
  expect(attachments).toEqual([]);
});
