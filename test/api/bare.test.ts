import { expect, it } from 'vitest';
import { MailFacade } from '../../src/features/deliveries/mail.facade.js';
import { MetricsServer } from '../../src/features/metrics/metrics.server.js';
import { aService } from './a-service.js';
import { idOf, importedDatasource, TEMPERATURES } from './world.builder.js';

const api = await aService({ environment: { CONSOLE: 'false' } });

it('a service without a mail server says so, and mails no board and of no alert, which it watches', async () => {
  const ada = await api.signIn('acme');
  expect((await ada.get('/secure/capabilities')).body).toMatchObject({ mail: false });
  const mail = { to: 'ada@example.com', subject: 'You are invited', text: 'Come in', event: 'invitation' } as const;
  const sending = api.get(MailFacade).send({ companyId: await api.companyId('acme'), ...mail });
  await expect(sending).rejects.toMatchObject({ kind: 'unavailable' });

  const notify_emails = [ada.user?.['email']];
  const board = idOf(await ada.post('/secure/board', { title: 'Sensors' }), 'board');
  const mail_at = { days: ['mon'], time: '08:00', time_zone: 'UTC' };
  const schedule = { mail_enabled: true, mail_at, notify_emails };
  expect(await ada.patch(`/secure/board/${board}`, schedule)).toMatchObject({ status: 409 });

  const plan = { ...TEMPERATURES.plan, dimensions: [], filters: [], having: [], order: [], limit: null };
  const datasource_id = await importedDatasource(api, ada);
  const alert = { name: 'Heat', datasource_id, plan, condition: { type: 'no_data' } };
  expect(await ada.post('/secure/alerts', { ...alert, notify_emails })).toMatchObject({ status: 409 });
  expect(await ada.post('/secure/alerts', alert)).toMatchObject({ status: 200 });
});

it('a service without a console has nothing at /, and shows its metrics to nobody unless it is told to', async () => {
  expect((await fetch(`${api.url}/`, { headers: { accept: 'text/html' } })).status).toBe(404);
  const headers = { authorization: 'Bearer a token for whoever reads metrics' };
  expect((await fetch(`${api.url}/metrics`, { headers })).status).toBe(404);
  expect(api.get(MetricsServer).port).toBeNull();
});
