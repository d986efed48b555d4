import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './secrets.js';

describe('settings without secrets', () => {
  it('hide every value whose name speaks of one, in any spelling', () => {
    const config = { apiKey: 'sk-1', OPENAI_API_KEY: 'sk-2', clientSecret: 's', accessToken: 't', Password: 'p' };
    expect(withoutSecrets(config)).toEqual({
      apiKey: '***',
      OPENAI_API_KEY: '***',
      clientSecret: '***',
      accessToken: '***',
      Password: '***',
    });
  });

  it('keep everything else as it is', () => {
    const config = { theme: 'dark', limits: { rows: 10, tags: ['a', null, true] } };
    expect(withoutSecrets(config)).toEqual(config);
  });

  it('reach into objects and lists', () => {
    const config = { models: [{ name: 'a', api_key: 'sk-1' }], nested: { deep: { token: 'x' } } };
    expect(withoutSecrets(config)).toEqual({
      models: [{ name: 'a', api_key: '***' }],
      nested: { deep: { token: '***' } },
    });
  });

  it('hide a whole object behind such a name', () => {
    expect(withoutSecrets({ secrets: { first: 'a' } })).toEqual({ secrets: '***' });
  });
});
