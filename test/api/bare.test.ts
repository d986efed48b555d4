import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailFacade } from '../../src/features/deliveries/mail.facade.js';
import { MetricsServer } from '../../src/features/metrics/metrics.server.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { importedDatasource, TEMPERATURES } from './world.builder.js';

const EVERY_DAY = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], time: '08:00', time_zone: 'UTC' };

/** Without a mail server, a console, and whoever reads metrics. */
describe('a service that has nothing beside it', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { CONSOLE: 'false' } });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it('says plainly that mail is not available', async () => {
    const ada = await api.signIn('acme');
    expect((await ada.get('/secure/capabilities')).body).toMatchObject({ mail: false });
    const mails = api.get(MailFacade);
    expect(mails.available).toBe(false);
    const mail = { to: 'ada@example.com', subject: 'You are invited', text: 'Come in', event: 'invitation' } as const;
    await expect(mails.send({ companyId: await api.companyId('acme'), ...mail })).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('mails no board', async () => {
    const ada = await api.signIn('acme');
    const { body } = await ada.post('/secure/board', { title: 'Sensors' });
    const { id } = body['board'] as { id: string };
    const schedule = { mail_enabled: true, mail_at: EVERY_DAY, notify_emails: [ada.user?.['email']] };
    expect(await ada.patch(`/secure/board/${id}`, schedule)).toMatchObject({ status: 409 });
  });

  it('watches a figure, and mails nobody', async () => {
    const ada = await api.signIn('acme');
    const plan = { ...TEMPERATURES.plan, dimensions: [], filters: [], having: [], order: [], limit: null };
    const datasource_id = await importedDatasource(api, ada);
    const body = { name: 'Heat', datasource_id, plan, condition: { type: 'no_data' } };
    const named = { ...body, notify_emails: [ada.user?.['email']] };
    expect(await ada.post('/secure/alerts', named)).toMatchObject({ status: 409 });
    expect(await ada.post('/secure/alerts', body)).toMatchObject({ status: 200 });
  });

  it('has nothing at / when the console is switched off', async () => {
    expect((await fetch(`${api.url}/`, { headers: { accept: 'text/html' } })).status).toBe(404);
  });

  it('shows its metrics to nobody', async () => {
    const headers = { authorization: 'Bearer a token for whoever reads metrics' };
    expect((await fetch(`${api.url}/metrics`, { headers })).status).toBe(404);
    expect(api.get(MetricsServer).port).toBeNull();
  });
});
