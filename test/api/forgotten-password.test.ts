import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { MailSink, type ReceivedMail } from '../support/mail-sink.js';
import { startTestApi } from '../support/test-api.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { eventually } from '../support/eventually.js';

const PUBLIC_URL = 'https://data.acme.example';
const SAME = {
  status: 200,
  body: { error: false, message: 'if there is an account with this address, a mail is on its way' },
};
const ENVIRONMENT = { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', PUBLIC_URL };

const sink = await MailSink.start();
const api = await startTestApi({ environment: { ...ENVIRONMENT, ...sink.environment } });
let boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example' });
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

beforeEach(() => {
  sink.received.length = 0;
});

function ask(email: string): Promise<TestResponse> {
  return api.stranger().post('/forgotten-password', { email });
}

/** Nobody waits for a mail. */
async function mailTo(address: string, count = 1): Promise<ReceivedMail> {
  const mails = await eventually(
    () => Promise.resolve(sink.received.filter(({ envelopeTo }) => envelopeTo.includes(address))),
    (found) => found.length === count,
  );
  return mails.at(-1)!;
}

function tokenIn({ text = '' }: ReceivedMail): string {
  return /https:\/\/data\.acme\.example\/invitation#(\w{64})/.exec(text)?.[1] ?? '';
}

const accept = (token: string, password: string): Promise<TestResponse> =>
  api.stranger().post('/invitation/accept', { token, password });

describe('a forgotten password', () => {
  it('is chosen anew with a link by mail, once, which ends all sessions', async () => {
    const ada = await api.signIn('acme', { email: 'ada@acme.example', password: 'correct horse' });
    expect(await ask('Ada@acme.example')).toMatchObject(SAME);
    const token = tokenIn(await mailTo('ada@acme.example'));
    await TestClient.signIn(api.url, 'ada@acme.example', 'correct horse');
    expect(await accept(token, 'battery staple')).toMatchObject({ status: 200, body: { email: 'ada@acme.example' } });
    expect(await accept(token, 'another one')).toMatchObject({ status: 404 });
    expect((await ada.get('/secure/currentuser')).status).toBe(401);
    await TestClient.signIn(api.url, 'ada@acme.example', 'battery staple');
    await expect(TestClient.signIn(api.url, 'ada@acme.example', 'correct horse')).rejects.toThrow();
  });

  it('has a link that ends in an hour', async () => {
    await api.signIn('acme', { email: 'bob@acme.example' });
    await ask('bob@acme.example');
    const token = tokenIn(await mailTo('bob@acme.example'));
    api.clock.advance(61 * 60_000);
    expect(await accept(token, 'battery staple')).toMatchObject({ status: 404 });
    boss = await api.signIn('acme', { role: 'manager' });
  });

  it('is answered alike for addresses without an account and of blocked people, who get no mail', async () => {
    const eve = await api.signIn('acme', { email: 'eve@acme.example' });
    await boss.patch(`/secure/user/${eve.id}`, { is_active: false });
    for (const address of ['nobody@acme.example', 'eve@acme.example']) expect(await ask(address)).toMatchObject(SAME);
    const fay = await api.signIn('acme', { email: 'fay@acme.example' });
    expect(await ask(String(fay.user?.['email']))).toMatchObject(SAME);
    // Whatever was ordered before this one is there by now.
    await mailTo('fay@acme.example');
    await api.drain();
    expect(sink.received.map(({ envelopeTo }) => envelopeTo[0])).toEqual(['fay@acme.example']);
  });

  it('sends three mails an hour to one address, and leaves a manager’s link alone', async () => {
    const gil = await api.signIn('acme', { email: 'gil@acme.example' });
    const { body } = await boss.post(`/secure/user/${gil.id}/reset`);
    expect(body).toMatchObject({ mailed: true });
    await mailTo('gil@acme.example');
    for (let count = 0; count < 6; count += 1) expect(await ask('gil@acme.example')).toMatchObject(SAME);
    await mailTo('gil@acme.example', 4);
    await api.drain();
    expect(sink.received).toHaveLength(4);
    expect(await accept(String(body['token']), 'battery staple')).toMatchObject({ status: 200 });
  });

  it('is a matter for a manager where no mail is sent, and limited for each caller', async () => {
    await using own = await startTestApi({ environment: { ...ENVIRONMENT, LOGIN_RATE_LIMIT: '3' } });
    const manager = await own.signIn('acme', { role: 'manager' });
    expect(await manager.post('/secure/invitation', { email: 'new@acme.example', role: 'user' })).toMatchObject({
      status: 200,
      body: { mailed: false, token: expect.any(String) as string },
    });
    const statuses = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await own.stranger().post('/forgotten-password', { email: 'x@acme.example' })).status);
    expect(new Set(statuses)).toEqual(new Set([503, 429]));
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });
});

describe('an invitation', () => {
  it('is mailed, with the link that the manager sees', async () => {
    const { body } = await boss.post('/secure/invitation', { email: 'new@acme.example', role: 'user' });
    expect(body).toMatchObject({ mailed: true });
    const mail = await mailTo('new@acme.example');
    expect(tokenIn(mail)).toBe(body['token']);
    expect(mail.subject).toMatch(/invited/);
  });
});
