import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerMails } from '../../src/answering/answer-mail.js';
import { RunReconciler } from '../../src/features/agent/run/run-worker.js';
import { RunRepository } from '../../src/features/agent/run/run.repository.js';
import { DeliveryRepository } from '../../src/features/deliveries/deliveries.facade.js';
import { DeliveryReconciler } from '../../src/features/deliveries/deliveries.module.js';
import { DELIVERIES } from '../../src/features/deliveries/delivery.schema.js';
import { type Mail, MailFacade, type MailState } from '../../src/features/deliveries/mail.facade.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { AppError } from '../../src/shared/app-error.js';
import { type CompanyId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { MailSink } from '../support/mail-sink.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { ScriptedWork } from './agent-world.js';
import { createTask, importedDatasource } from './world.builder.js';

/** The same service, with companies of the test's own. */
let api: TestApi;
let companyId: CompanyId;
const lines: string[] = [];

const sink = await MailSink.start();
const service = await startTestApi({
  environment: { ...sink.environment, LOG_LEVEL: 'debug', LOGIN_RATE_LIMIT: '0' },
  onLog: (line) => lines.push(line),
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

beforeEach(async () => {
  api = service.anew();
  companyId = await api.companyId('acme');
  lines.length = 0;
  sink.received.length = 0;
  sink.answer = () => null;
});

const MAIL = {
  to: 'ada@example.com',
  subject: 'You are invited',
  text: 'Come in: https://data.example.com/join#canary-of-a-link',
  event: 'invitation',
} as const;

function send(mail: Partial<Mail> = {}): Promise<void> {
  return api.get(MailFacade).send({ companyId, ...MAIL, ...mail });
}

async function statesOf(about: string, company = companyId, of = api): Promise<readonly MailState[]> {
  return (await of.get(MailFacade).about(company, [about])).get(about) ?? [];
}

describe('mail', () => {
  it('that was ordered goes out once, and keeps its words to itself', async () => {
    await send();
    await api.drain();
    await api.get(DeliveryReconciler).tick();
    await api.drain();
    expect(sink.received).toHaveLength(1);
    const ada = await api.signIn('acme');
    expect((await ada.get('/secure/capabilities')).body).toMatchObject({ mail: true });
    expect(sink.received[0]).toMatchObject({ subject: MAIL.subject, envelopeTo: [MAIL.to] });
    expect(sink.received[0]?.text).toContain(MAIL.text);
    const stored = await api.get(DocumentStore).tenantCollection(DELIVERIES).of(companyId).find({});
    expect(stored).toMatchObject([{ channel: 'mail', status: 'delivered', attempts: 1, body: {}, leaseOwner: null }]);
    expect(lines.join('')).not.toMatch(/canary|ada@example/);
  });

  it('is stored so that who reads the store does not find its links', async () => {
    sink.answer = () => ({ code: 451 });
    await send();
    const stored = await eventually(
      () => api.get(DocumentStore).tenantCollection(DELIVERIES).of(companyId).find({}),
      ([delivery]) => delivery?.lastError != null && delivery.leaseOwner === null,
    );
    expect(stored).toMatchObject([{ status: 'pending', lastError: 'the mail server answered 451' }]);
    expect(JSON.stringify(stored)).not.toContain('canary');
    sink.answer = () => null;
    await api.drain();
    expect(sink.received).toHaveLength(1);
  });

  it('goes to each address alone, and about one thing once', async () => {
    const order = { to: ['ada@example.com', 'bob@example.com', 'ada@example.com'], about: 'a'.repeat(24) };
    await Promise.all([send(order), send(order)]);
    await send(order);
    await api.drain();
    expect(sink.received.map(({ envelopeTo }) => envelopeTo).sort()).toEqual([
      ['ada@example.com'],
      ['bob@example.com'],
    ]);
    expect(sink.received.map(({ raw }) => raw.includes('bob@example.com')).sort()).toEqual([false, true]);
    const states = await statesOf(order.about);
    expect(states).toEqual(order.to.slice(0, 2).map((to) => ({ to, status: 'delivered', error: null })));
    const others = await api.companyId('globex');
    expect(await statesOf(order.about, others)).toEqual([]);
  });

  it('that is refused for good is told as failed, and the others go out', async () => {
    sink.answer = (to) => (to === 'gone@example.com' ? { code: 550 } : null);
    await send({ to: ['gone@example.com', 'ada@example.com'], about: 'b'.repeat(24) });
    await api.drain();
    const states = await statesOf('b'.repeat(24));
    expect(states).toEqual([
      { to: 'ada@example.com', status: 'delivered', error: null },
      { to: 'gone@example.com', status: 'failed', error: 'the mail server answered 550' },
    ]);
    const told = lines.map((line) => JSON.parse(line) as { msg: string }).filter(({ msg }) => msg.includes('mail'));
    expect(told).toMatchObject([{ msg: 'a mail was not sent', event: 'invitation', attempts: 1, companyId }]);
  });

  it('that nobody took survives a restart', async () => {
    const dead = await MailSink.start();
    const { environment } = dead;
    await dead[Symbol.asyncDispose]();
    const secret = { JWT_SECRET: 'x'.repeat(32) };
    const dataDir = await mkdtemp(join(tmpdir(), 'das-mail-'));
    const first = await startTestApi({ environment: { ...environment, ...secret }, dataDir });
    const id = await first.companyId('acme');
    await first.get(MailFacade).send({ companyId: id, ...MAIL, about: 'c'.repeat(24) });
    await first[Symbol.asyncDispose]();

    const again = await startTestApi({
      environment: { ...sink.environment, ...secret },
      dataDir,
    });
    await again.get(DeliveryReconciler).tick();
    await again.drain();
    expect(sink.received).toHaveLength(1);
    expect(await statesOf('c'.repeat(24), id, again)).toMatchObject([{ status: 'delivered' }]);
    await again[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true });
  });

  it.each([
    'ada',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com,eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\0',
  ])('is not ordered to %j', async (to) => {
    await expect(send({ to })).rejects.toMatchObject({ kind: 'invalid_input' });
  });

  it('has one line of subject, whatever it was given', async () => {
    await send({ subject: `Hello\r\nBcc: eve@example.com\u2028${'x'.repeat(500)}` });
    await api.drain();
    expect(sink.received[0]?.subject).toBe(`Hello Bcc: eve@example.com ${'x'.repeat(200)}`.slice(0, 200));
  });

  it('has no more attached than a mailbox takes', async () => {
    const attachments = [{ filename: 'a.png', type: 'image/png', content: Buffer.alloc(5 * 1024 * 1024) }];
    await expect(send({ attachments })).rejects.toMatchObject({ kind: 'too_large' });
  });
});

describe('a task that names recipients', () => {
  let ada: TestClient;
  let boss: TestClient;
  let datasource: string;
  beforeEach(async () => {
    boss = await api.signIn('acme', { role: 'manager', email: `boss-${companyId}@example.com` });
    ada = await api.signIn('acme', { email: `ada-${companyId}@example.com` });
    datasource = await importedDatasource(api, ada);
  });
  const member = (): string => `ada-${companyId}@example.com`;

  async function ran(client: TestClient, fields: object): Promise<string> {
    const id = await createTask(client, datasource, {
      prompt: 'average temperature by device as a bar chart',
      ...fields,
    });
    await client.get(`/secure/agent/task/run/${id}`);
    await api.drain();
    return id;
  }

  it('mails the result with its figures and its chart as a picture', async () => {
    const task = await ran(ada, { name: 'Heat <b>of</b> *all*', mode: 'report', notify_emails: [member()] });
    const [mail] = sink.received;
    expect(mail).toMatchObject({ envelopeTo: [member()], subject: 'Heat <b>of</b> *all*' });
    expect(mail?.html).toContain('Heat &lt;b&gt;of&lt;/b&gt; *all*');
    expect(mail?.html).toMatch(/<img src="cid:([\w.-]+)"/);
    expect(mail?.html).not.toMatch(/<a |visualizations|https?:/);
    const pictures = mail?.attachments.map(({ contentId, mimeType, disposition }) => ({
      contentId,
      mimeType,
      disposition,
    }));
    expect(pictures).toContainEqual({
      contentId: `<${String(/cid:([\w.-]+)/.exec(mail?.html ?? '')?.[1])}>`,
      mimeType: 'image/png',
      disposition: 'inline',
    });
    const { body } = await ada.get(`/secure/agent/taskhistory/${task}`);
    expect(body).toMatchObject({ history: [{ mails: [{ to: member(), status: 'delivered', error: null }] }] });
  });

  it('mails once for each run, whatever is cut off after it was ordered', async () => {
    const task = await createTask(ada, datasource, { notify_emails: [member()] });
    const runs = api.get(RunRepository);
    const swap = runs.swap.bind(runs);
    const cut = vi.spyOn(runs, 'swap').mockImplementation((run, expected, set) => {
      if (set?.unannounced === false) return Promise.reject(new Error('killed'));
      return swap(run, expected, set);
    });
    await ada.get(`/secure/agent/task/run/${task}`);
    await api.drain();
    cut.mockRestore();
    api.clock.advance(60_000);
    await api.get(RunReconciler).tick();
    await api.get(RunReconciler).tick();
    await api.drain();
    expect(sink.received).toHaveLength(1);
  });

  it('tells them that it failed', async () => {
    new ScriptedWork(api).script.push({ fails: new AppError('unavailable', 'the model is away') });
    await ran(ada, { name: 'Heat', notify_emails: [member()] });
    vi.restoreAllMocks();
    expect(sink.received).toMatchObject([{ subject: 'Failed: Heat' }]);
    expect(sink.received[0]?.text).toContain('the model is away');
  });

  it('is named people of the company by everybody, and others by managers alone', async () => {
    await api.signIn('globex', { email: `eve-${companyId}@example.com` });
    const outsiders = ['someone@elsewhere.example', `eve-${companyId}@example.com`];
    for (const outsider of outsiders) {
      const refused = await ada.post('/secure/agent/task', {
        name: 'Heat',
        prompt: 'average temperature',
        datasources: [datasource],
        notify_emails: [outsider],
      });
      expect(refused).toMatchObject({ status: 403, body: { error: true } });
    }
    const task = await ran(boss, { notify_emails: [member().toUpperCase(), ...outsiders, member()] });
    expect(
      sink.received
        .map(({ envelopeTo }) => envelopeTo)
        .flat()
        .sort(),
    ).toEqual([member(), ...outsiders].sort());
    // Who was named by a manager stays when somebody else sends the list again, and nobody joins them.
    const again = { task_id: task, automation_interval: 15, automation_enabled: false };
    const kept = await ada.post('/secure/agent/task/schedule', { ...again, notify_emails: outsiders });
    expect(kept).toMatchObject({ status: 200, body: { task: { notify_emails: outsiders } } });
    const joined = { ...again, notify_emails: [...outsiders, 'more@elsewhere.example'] };
    expect(await ada.post('/secure/agent/task/schedule', joined)).toMatchObject({ status: 403 });
    expect(await ada.post('/secure/agent/task/schedule', again)).toMatchObject({
      body: { task: { notify_emails: outsiders } },
    });
  });

  it('sends no more than a thousand mails a day', async () => {
    const deliveries = api.get(DocumentStore).tenantCollection(DELIVERIES).of(companyId);
    const count = vi.spyOn(api.get(DeliveryRepository), 'countOf').mockResolvedValue(1000);
    const task = await ran(ada, { notify_emails: [member()] });
    expect(await deliveries.count({})).toBe(0);
    expect((await ada.get(`/secure/agent/task/${task}`)).body).toMatchObject({ task: { status: 'ready' } });
    count.mockRestore();
  });
});

describe('the answer of a task as a mail', () => {
  it('has nothing in it that is fetched from elsewhere or leads somewhere', async () => {
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
});
