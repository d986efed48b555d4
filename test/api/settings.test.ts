import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SettingsFacade } from '../../src/features/settings/settings.facade.js';
import { SettingsSealer } from '../../src/features/settings/settings-sealer.js';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';

const URL = 'https://hooks.example.com/das';

async function aManager(api: TestApi, company = 'acme'): Promise<TestClient> {
  return api.signIn(company, { role: 'manager' });
}

function change(client: TestClient, config: unknown): Promise<TestResponse> {
  return client.patch('/secure/settings', { config });
}

function configOf({ body }: TestResponse): Record<string, unknown> {
  const [settings] = body['settings'] as [{ config: Record<string, unknown> }];
  return settings.config;
}

/** As the document store has it. */
async function storedConfig(api: TestApi, client: TestClient): Promise<Record<string, unknown>> {
  const company: CompanyId = asId(client.companyId);
  const [settings] = await api.get(DocumentStore).tenantCollection(SETTINGS).of(company).find({});
  return settings!.config;
}

const service = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0' } });
afterAll(() => service[Symbol.asyncDispose]());

describe('changing settings', () => {
  it('lays the change over what is there', async () => {
    const api = service.anew();
    const ada = await aManager(api);
    await change(ada, { theme: 'dark', limits: { rows: 10, days: 5, tags: ['a', 'b'] }, old: true });
    api.clock.advance(1000);
    const odd = { 'a.b': 1, $c: {}, constructor: 5, toString: { then: 'x' } };
    const changed = await change(ada, { limits: { rows: 20, days: null, tags: ['c'] }, old: null, ...odd });

    const config = { theme: 'dark', limits: { rows: 20, tags: ['c'] }, ...odd };
    const updated_at = api.clock.now().toISOString();
    const settings = [{ company_id: ada.companyId, name: 'default', config, updated_at }];
    expect(changed).toMatchObject({ status: 200, body: { message: 'settings updated', settings } });
    expect(configOf(await ada.get('/secure/settings'))).toEqual(config);
    expect(configOf(await (await api.signIn('globex')).get('/secure/settings'))).toEqual({});
  });

  it('loses none of many changes at once', async () => {
    const api = service.anew();
    const ada = await aManager(api);
    const names = Array.from({ length: 12 }, (_, index) => `setting${index}`);
    const answers = await Promise.all(names.map((name) => change(ada, { [name]: name })));

    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect(Object.keys(configOf(await ada.get('/secure/settings'))).sort()).toEqual([...names].sort());
  });

  it('refuses more than 64 KiB, be they sent at once or one after the other', async () => {
    const api = service.anew();
    const ada = await aManager(api);
    const message = 'the settings of a company have at most 64 KiB';
    expect(await change(ada, { text: 'x'.repeat(66_000) })).toMatchObject({ status: 413, body: { message } });
    expect(await change(ada, { first: 'x'.repeat(40_000) })).toMatchObject({ status: 200 });
    expect(await change(ada, { second: 'x'.repeat(40_000) })).toMatchObject({ status: 413, body: { message } });
    expect(Object.keys(configOf(await ada.get('/secure/settings')))).toEqual(['first']);
  });
});

describe('secrets in settings', () => {
  it('are stored sealed, shown never, and kept by ***', async () => {
    const api = service.anew();
    const ada = await aManager(api);
    const secrets = { model: { api_key: 'canary-1', name: 'm' }, tokens: { first: 'canary-2' }, password: 12345678 };
    const { body } = await change(ada, secrets);
    expect(JSON.stringify(body)).not.toMatch(/canary|12345678|sealed/);

    const before = await storedConfig(api, ada);
    expect(JSON.stringify(before)).not.toMatch(/canary|12345678/);
    const shown = configOf(await ada.get('/secure/settings'));
    expect(shown).toEqual({ model: { api_key: '***', name: 'm' }, tokens: '***', password: '***' });
    await change(ada, { ...shown, model: { api_key: '***', name: 'n' } });
    expect(await storedConfig(api, ada)).toEqual({ ...before, model: { ...(before['model'] as object), name: 'n' } });

    const sealer = api.get(SettingsSealer);
    const company: CompanyId = asId(ada.companyId);
    expect(await sealer.open(company, before['tokens'] as string)).toEqual({ first: 'canary-2' });
    expect(await sealer.open(company, before['password'] as string)).toBe(12345678);
    await expect(sealer.open(asId('f'.repeat(24)), before['tokens'] as string)).rejects.toThrow('set it again');
  });
  it('that were stored before they were sealed can be read, and are sealed at the next start', async () => {
    await using first = await startTestApi();
    const ada = await aManager(first);
    const company: CompanyId = asId(ada.companyId);
    const plain = { webhook: { url: URL, secret: 'a plain old secret' }, deep: [{ token: 'old' }] };
    const collection = first.get(DocumentStore).tenantCollection(SETTINGS).of(company);
    await collection.update({}, { set: { config: plain } });
    expect(await first.get(SettingsSealer).open(company, plain.webhook.secret)).toBe('a plain old secret');
    expect(configOf(await ada.get('/secure/settings'))).toMatchObject({ webhook: { url: URL, secret: '***' } });
    await first.app.close();

    await using again = await startTestApi({ dataDir: first.dataDir });
    const stored = await storedConfig(again, ada);
    expect(JSON.stringify(stored)).not.toMatch(/plain|old/);
  });

  it('survive a new key when the one before it is known', async () => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
    const environment = { JWT_SECRET: 'j'.repeat(32) };
    await using first = await startTestApi({ environment });
    const ada = await aManager(first);
    const company: CompanyId = asId(ada.companyId);
    await change(ada, { api_key: 'canary' });
    const starts = [
      { ...environment, SETTINGS_KEY: old },
      { ...environment, SETTINGS_KEY: fresh, SETTINGS_KEY_PREVIOUS: old },
      { JWT_SECRET: 'k'.repeat(32), SETTINGS_KEY: fresh },
    ];
    const seen = new Set([String((await storedConfig(first, ada))['api_key'])]);
    await first.app.close();
    for (const each of starts) {
      await using api = await startTestApi({ dataDir: first.dataDir, environment: each });
      const { api_key: stored } = await storedConfig(api, ada);
      expect(await api.get(SettingsSealer).open(company, stored as string)).toBe('canary');
      seen.add(String(stored));
    }
    // Sealed again at the second and the third start, and left alone at the last.
    expect(seen.size).toBe(3);
  });
});

it('secrets are sealed by the administration command, too', async () => {
  const api = service.anew();
  const ada = await aManager(api);
  const settings = api.get(SettingsFacade);
  await settings.set(asId(ada.companyId), { api_key: 'canary', theme: 'dark' });
  const before = await storedConfig(api, ada);
  expect(JSON.stringify(before)).not.toContain('canary');
  await settings.set(asId(ada.companyId), { api_key: '***' });
  expect(await storedConfig(api, ada)).toEqual({ api_key: before['api_key'] });
});

describe('the webhook in settings', () => {
  it('is given a secret when it comes without one, which is told once', async () => {
    const api = service.anew();
    const ada = await aManager(api);
    const { body } = await change(ada, { webhook: { url: URL } });
    expect(body['webhook_secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body['settings']).toMatchObject([{ config: { webhook: { url: URL, secret: '***' } } }]);

    const again = await change(ada, { webhook: { url: `${URL}/2` } });
    expect(again.body).not.toHaveProperty('webhook_secret');
    const { webhook } = (await storedConfig(api, ada)) as { webhook: { secret: string } };
    expect(await api.get(SettingsSealer).open(asId(ada.companyId), webhook.secret)).toBe(body['webhook_secret']);

    const renewed = await change(ada, { webhook: { secret: null } });
    expect(renewed.body['webhook_secret']).toMatch(/^whsec_/);
    expect(renewed.body['webhook_secret']).not.toBe(body['webhook_secret']);
    expect(configOf(await change(ada, { webhook: null }))).toEqual({});
  });

  it('shows users who are no managers its host alone', async () => {
    const api = service.anew();
    const ada = await aManager(api);
    const bob = await api.signIn('acme', { email: 'bob@acme.example', role: 'user' });
    await change(ada, { webhook: { url: `${URL}/team?token=abc` }, theme: 'dark' });
    expect(configOf(await ada.get('/secure/settings'))).toMatchObject({ webhook: { url: `${URL}/team?token=abc` } });
    const seen = configOf(await bob.get('/secure/settings'));
    expect(seen).toMatchObject({ theme: 'dark', webhook: { url: 'https://hooks.example.com/***', secret: '***' } });
    expect(JSON.stringify(seen)).not.toContain('abc');
  });
});

describe('settings that are refused', () => {
  let api: TestApi;
  let ada: TestClient;

  beforeAll(async () => {
    api = service.anew();
    ada = await aManager(api);
  });
  afterEach(async () => {
    expect(configOf(await ada.get('/secure/settings'))).toEqual({});
  });

  it.each([
    ['a list', [], 'config must be an object'],
    ['a NUL', { 'a\0b': 1 }, "config has a name that can't be kept"],
    ['depth', JSON.parse('{"a":'.repeat(11) + '1' + '}'.repeat(11)), 'config is nested deeper than 10 levels'],
  ])('refuses %s', async (_name, config, message) => {
    expect(await change(ada, config)).toMatchObject({ status: 400, body: { error: true, message } });
  });

  it.each([
    '{"config":{"a":{"__proto__":{"polluted":1}}}}',
    '{"config":{"constructor":{"prototype":{"polluted":1}}}}',
    `${'{"config":'.repeat(90_000)}1${'}'.repeat(90_000)}`,
  ])('answers %.60s with a 400', async (text) => {
    expect(await ada.patch('/secure/settings', text)).toMatchObject({ status: 400, body: { error: true } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    [{ url: 'http://hooks.example.com/' }, 'config.webhook.url must be an https address'],
    [{ url: 'https://ada:pw@hooks.example.com/' }, 'config.webhook.url must not hold a user name or a password'],
    [{ url: 'https://0x7f000001/' }, 'config.webhook.url must be on the public internet'],
    [{ url: URL, secret: 'short' }, 'config.webhook.secret must have 16 to 500 characters'],
  ])('in their webhook: %j', async (webhook, message) => {
    expect(await change(ada, { webhook })).toMatchObject({ status: 400, body: { message } });
  });
});
