import { describe, expect, it } from 'vitest';
import { asId, type ApiKeyId } from '../../shared/ids.js';
import { secretHash } from '../../shared/secret-hash.js';
import { isSecretOf, readKey, writtenKey } from './key-rules.js';

const KEY = { id: asId<ApiKeyId>('0123456789abcdef01234567'), secret: 'a'.repeat(64) };

describe('the text of a key', () => {
  it('is read as it was written', () => {
    expect(readKey(writtenKey(KEY))).toEqual(KEY);
  });

  it.each(['', 'dk_', `${writtenKey(KEY)}a`, writtenKey(KEY).slice(0, -1), ` ${writtenKey(KEY)}`, 'x.y.z'])(
    'is not %j',
    (text) => {
      expect(readKey(text)).toBeNull();
    },
  );

  it('proves itself by its hash', () => {
    const hash = secretHash(KEY.secret);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(isSecretOf(hash, KEY.secret)).toBe(true);
    expect(isSecretOf(hash, 'b'.repeat(64))).toBe(false);
    expect(isSecretOf('', KEY.secret)).toBe(false);
  });
});
