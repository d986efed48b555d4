import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.js';
import { withoutSecrets } from './config-rules.js';

describe('settings without secrets', () => {
  it.each(['apiKey', 'OPENAI_API_KEY', 'clientSecret', 'accessToken', 'Password', 'secrets'])(
    'hide all that is called %s, and everything else is as it is',
    (name) => {
      const config = (secret: JsonValue): JsonObject => ({
        [name]: secret,
        models: [{ name: 'a', [name]: secret }],
        nested: { deep: { [name]: secret }, rows: 10, tags: ['a', null, true] },
      });
      for (const secret of ['sk-1', { first: 'a' }]) expect(withoutSecrets(config(secret))).toEqual(config('***'));
    },
  );
});
