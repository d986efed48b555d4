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
