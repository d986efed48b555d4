import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SettingsFacade } from '../../src/features/settings/settings.facade.js';
import { asId } from '../../src/shared/ids.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let service: TestApi;
beforeAll(async () => {
  service = await startTestApi();
});
afterAll(() => service[Symbol.asyncDispose]());

describe('settings', () => {
  it("are one record of the caller's company", async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    await api.get(SettingsFacade).set(asId(ada.companyId), { theme: 'dark', 'a.b': 1, $c: [{ d: null }] });
    const { status, body } = await ada.get('/secure/settings');

    expect(status).toBe(200);
    expect(body).toEqual({
      error: false,
      message: 'settings retrieved',
      settings: [
        {
          _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
          company_id: ada.companyId,
          name: 'default',
          config: { theme: 'dark', 'a.b': 1, $c: [{ d: null }] },
          created_at: expect.stringMatching(/Z$/) as string,
          updated_at: api.clock.now().toISOString(),
        },
      ],
    });
  });

  it('never show a secret', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme', { role: 'system' });
    await api.get(SettingsFacade).set(asId(ada.companyId), { model: { openai_api_key: 'canary', name: 'gpt' } });
    const { body } = await ada.get('/secure/settings');

    expect(body).toMatchObject({ settings: [{ config: { model: { openai_api_key: '***', name: 'gpt' } } }] });
    expect(JSON.stringify(body)).not.toContain('canary');
  });

  it('of another company stay there', async () => {
    const api = service.anew();
    const [ada, eve] = [await api.signIn('acme'), await api.signIn('globex')];
    await api.get(SettingsFacade).set(asId(ada.companyId), { theme: 'dark' });

    expect((await eve.get('/secure/settings')).body).toMatchObject({
      settings: [{ company_id: eve.companyId, config: {} }],
    });
  });

  it('are replaced whole, and one record however often they are set at once', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    const settings = api.get(SettingsFacade);
    await settings.set(asId(ada.companyId), { first: 1 });
    await Promise.all([1, 2, 3].map((second) => settings.set(asId(ada.companyId), { second })));
    const { body } = await ada.get('/secure/settings');

    expect(body['settings']).toHaveLength(1);
    expect(body).not.toMatchObject({ settings: [{ config: { first: 1 } }] });
  });
});
