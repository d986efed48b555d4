import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SettingsFacade } from '../../src/features/settings/settings.facade.js';
import { SettingsSealer } from '../../src/features/settings/settings-sealer.js';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { JsonObject } from '../../src/shared/json.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';

const URL = 'https://hooks.example.com/das';

type Config = Record<string, unknown>;

/** The same service, with companies of the test's own. */
let api: TestApi;
let ada: TestClient;
let company: CompanyId;

const service = await theService();

beforeEach(async () => {
  api = service.anew();
  ada = await api.signIn('acme', { role: 'manager' });
  company = asId(ada.companyId);
});

const change = (config: unknown): Promise<TestResponse> => ada.patch('/secure/settings', { config });
const configOf = ({ body }: TestResponse): Config => (body['settings'] as [{ config: Config }])[0].config;
const shown = async (client = ada): Promise<Config> => configOf(await client.get('/secure/settings'));
const settingsIn = (of: TestApi) => of.get(DocumentStore).tenantCollection(SETTINGS).of(company);
/** As the document store has it. */
const stored = async (of = api): Promise<Config> => (await settingsIn(of).find({}))[0]!.config;
const opened = (sealed: unknown, of = api): Promise<unknown> => of.get(SettingsSealer).open(company, String(sealed));

/** What is merged how, and what *** stands for: see merge-config.test.ts. */
describe('changing settings', () => {
  it('lays the change over what is there', async () => {
    await change({ theme: 'dark', limits: { rows: 10, days: 5, tags: ['a', 'b'] }, old: true });
    api.clock.advance(1000);
    const odd = { 'a.b': 1, $c: {}, constructor: 5, toString: { then: 'x' } };
    const changed = await change({ limits: { rows: 20, days: null, tags: ['c'] }, old: null, ...odd });

    const config = { theme: 'dark', limits: { rows: 20, tags: ['c'] }, ...odd };
    const updated_at = api.clock.now().toISOString();
    const settings = [{ company_id: ada.companyId, name: 'default', config, updated_at }];
    expect(changed).toMatchObject({ status: 200, body: { message: 'settings updated', settings } });
    expect(await shown()).toEqual(config);
    expect(await shown(await api.signIn('globex'))).toEqual({});
  });

  it('loses none of many changes at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `setting${index}`);
    const answers = await Promise.all(names.map((name) => change({ [name]: name })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys(await shown()).sort()).toEqual([...names].sort());
  });

  it('refuses more than 64 KiB, be they sent at once or one after the other', async () => {
    const tooLarge = { status: 413, body: { message: 'the settings of a company have at most 64 KiB' } };
    expect(await change({ text: 'x'.repeat(66_000) })).toMatchObject(tooLarge);
    expect(await change({ first: 'x'.repeat(40_000) })).toMatchObject({ status: 200 });
    expect(await change({ second: 'x'.repeat(40_000) })).toMatchObject(tooLarge);
    expect(Object.keys(await shown())).toEqual(['first']);
  });
});

describe('secrets in settings', () => {
  it('are stored sealed, shown never, and kept by ***', async () => {
    const secrets = { model: { api_key: 'canary-1', name: 'm' }, tokens: { first: 'canary-2' }, password: 12345678 };
    const { body } = await change(secrets);
    expect(JSON.stringify(body)).not.toMatch(/canary|12345678|sealed/);

    const before = await stored();
    expect(JSON.stringify(before)).not.toMatch(/canary|12345678/);
    const hidden = { model: { api_key: '***', name: 'm' }, tokens: '***', password: '***' };
    expect(await shown()).toEqual(hidden);
    await change({ ...hidden, model: { api_key: '***', name: 'n' } });
    expect(await stored()).toEqual({ ...before, model: { ...(before['model'] as object), name: 'n' } });

    expect(await opened(before['tokens'])).toEqual({ first: 'canary-2' });
    expect(await opened(before['password'])).toBe(12345678);
    const theirs = api.get(SettingsSealer).open(asId('f'.repeat(24)), String(before['tokens']));
    await expect(theirs).rejects.toThrow('set it again');
  });

  it('are sealed by the administration command, too', async () => {
    const settings = api.get(SettingsFacade);
    await settings.set(company, { api_key: 'canary', theme: 'dark' });
    const before = await stored();
    expect(JSON.stringify(before)).not.toContain('canary');
    await settings.set(company, { api_key: '***' });
    expect(await stored()).toEqual({ api_key: before['api_key'] });
  });

  it('that were sealed with another key, or stored before they were sealed, can be read, and are sealed anew at the next start', async () => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
    await using first = await startTestApi({ environment: { SETTINGS_KEY: old } });
    ada = await first.signIn('acme', { role: 'manager' });
    company = asId(ada.companyId);
    await change({ api_key: 'canary' });
    const { api_key: outdated } = await stored(first);
    const plain: JsonObject = { webhook: { url: URL, secret: 'a plain old secret' }, deep: [{ token: 'old' }] };
    await settingsIn(first).update({}, { set: { config: { api_key: outdated as string, ...plain } } });
    expect(await opened('a plain old secret', first)).toBe('a plain old secret');
    expect(await shown()).toMatchObject({ webhook: { url: URL, secret: '***' }, deep: [{ token: '***' }] });
    await first.app.close();

    const environment = { SETTINGS_KEY: fresh, SETTINGS_KEY_PREVIOUS: old };
    await using again = await startTestApi({ dataDir: first.dataDir, environment });
    const config = await stored(again);
    expect(JSON.stringify(config)).not.toMatch(/plain|old/);
    expect(config['api_key']).not.toBe(outdated);
    expect(await opened(config['api_key'], again)).toBe('canary');
    expect(await opened((config['webhook'] as Config)['secret'], again)).toBe('a plain old secret');
  });
});

describe('the webhook in settings', () => {
  it('is given a secret when it comes without one, which is told once', async () => {
    const { body } = await change({ webhook: { url: URL } });
    expect(body['webhook_secret']).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body['settings']).toMatchObject([{ config: { webhook: { url: URL, secret: '***' } } }]);
    expect((await change({ webhook: { url: `${URL}/2` } })).body).not.toHaveProperty('webhook_secret');
    expect(await opened(((await stored())['webhook'] as Config)['secret'])).toBe(body['webhook_secret']);

    const renewed = await change({ webhook: { secret: null } });
    expect(renewed.body['webhook_secret']).toMatch(/^whsec_/);
    expect(renewed.body['webhook_secret']).not.toBe(body['webhook_secret']);
    expect(configOf(await change({ webhook: null }))).toEqual({});
  });

  it('shows users who are no managers its host alone', async () => {
    const url = `${URL}/team?token=abc`;
    await change({ webhook: { url }, theme: 'dark' });
    expect(await shown()).toMatchObject({ webhook: { url } });
    const seen = await shown(await api.signIn('acme'));
    expect(seen).toMatchObject({ theme: 'dark', webhook: { url: 'https://hooks.example.com/***', secret: '***' } });
    expect(JSON.stringify(seen)).not.toContain('abc');
  });
});

describe('settings that are refused', () => {
  afterEach(async () => {
    expect(await shown()).toEqual({});
  });

  it.each<[string, unknown, string]>([
    ['a list', [], 'config must be an object'],
    ['a NUL', { 'a\0b': 1 }, "config has a name that can't be kept"],
    ['depth', JSON.parse('{"a":'.repeat(11) + '1' + '}'.repeat(11)), 'config is nested deeper than 10 levels'],
    [
      'a webhook without TLS',
      { webhook: { url: 'http://hooks.example.com/' } },
      'config.webhook.url must be an https address',
    ],
    [
      'a webhook with a password',
      { webhook: { url: 'https://ada:pw@hooks.example.com/' } },
      'config.webhook.url must not hold a user name or a password',
    ],
    [
      'a webhook on a machine of ours',
      { webhook: { url: 'https://0x7f000001/' } },
      'config.webhook.url must be on the public internet',
    ],
    [
      'a short secret of a webhook',
      { webhook: { url: URL, secret: 'short' } },
      'config.webhook.secret must have 16 to 500 characters',
    ],
    [
      'an event that no webhook is told of',
      { webhook: { url: URL, events: ['alert.fired', 'alert.fire'] } },
      'config.webhook.events must be a list of agent-task.finished, agent-task.failed, alert.fired, alert.resolved and alert.failed',
    ],
  ])('are those with %s', async (_what, config, message) => {
    expect(await change(config)).toMatchObject({ status: 400, body: { error: true, message } });
  });

  it.each(['{"config":{"a":{"__proto__":{"polluted":1}}}}', '{"config":{"constructor":{"prototype":{"polluted":1}}}}'])(
    'are %.60s',
    async (text) => {
      const message = 'the body has a field named __proto__, or prototype within constructor, which is not taken';
      expect(await ada.patch('/secure/settings', text)).toMatchObject({ status: 400, body: { error: true, message } });
      expect(({} as Config)['polluted']).toBeUndefined();
    },
  );
});
