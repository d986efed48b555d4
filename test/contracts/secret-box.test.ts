import { describe, expect, it } from 'vitest';
import { AesSecretBox } from '../../src/adapters/security/aes-secret-box.js';
import { TokenSecret } from '../../src/ports/token-secret.js';

const [TOKENS, KEY, NEXT] = ['t'.repeat(32), 'k'.repeat(32), 'n'.repeat(32)];

function boxOf(key: string | null = null, previousKey: string | null = null, tokens = TOKENS): AesSecretBox {
  class FixedTokenSecret extends TokenSecret {
    override read = (): Promise<Buffer> => Promise.resolve(Buffer.from(tokens));
  }
  return new AesSecretBox({ key, previousKey }, new FixedTokenSecret());
}

describe('AesSecretBox', () => {
  it('opens what it sealed, and seals the same text differently every time', async () => {
    for (const text of ['', 'x', 'Zwölf Äpfel 🍎', 'x'.repeat(100_000)]) {
      const sealed = await boxOf().seal(text, 'acme');
      expect(sealed).toMatch(/^sealed:v1:[0-9a-f]{16}:[\w-]+$/);
      expect(await boxOf().open(sealed, 'acme')).toBe(text);
    }
    const box = boxOf();
    const sealed = await Promise.all(Array.from({ length: 50 }, () => box.seal('same', 'acme')));
    expect(new Set(sealed).size).toBe(50);
  });

  it('opens for nobody else, and nothing that was altered', async () => {
    const box = boxOf();
    const sealed = await box.seal('canary', 'acme');
    await expect(box.open(sealed, 'globex')).rejects.toMatchObject({ kind: 'invalid_input' });
    for (let at = 'sealed:v1:'.length; at < sealed.length - 1; at += 1) {
      const altered = sealed.slice(0, at) + (sealed[at] === 'a' ? 'b' : 'a') + sealed.slice(at + 1);
      await expect(box.open(altered, 'acme'), altered).rejects.toMatchObject({ kind: 'invalid_input' });
    }
    for (const wrong of ['', 'canary', 'sealed:v1:', 'sealed:v1:0123456789abcdef:', sealed.slice(0, 40)]) {
      await expect(box.open(wrong, 'acme')).rejects.toMatchObject({ kind: 'invalid_input' });
    }
  });

  it('says how a text is kept', async () => {
    const sealed = await boxOf().seal('x', 'acme');
    expect(await boxOf().stateOf(sealed)).toBe('current');
    expect(await boxOf(KEY).stateOf(sealed)).toBe('outdated');
    expect(await boxOf().stateOf('sealed by hand')).toBe('plain');
  });

  it('goes on opening what was sealed before a key was introduced and replaced', async () => {
    const first = await boxOf().seal('canary', 'acme');
    const second = await boxOf(KEY).seal('canary', 'acme');
    expect(await boxOf(KEY).open(first, 'acme')).toBe('canary');
    expect(await boxOf(NEXT, KEY).open(second, 'acme')).toBe('canary');
    expect(await boxOf(KEY, null, NEXT).open(second, 'acme')).toBe('canary');
    await expect(boxOf(NEXT).open(second, 'acme')).rejects.toThrow("can't be read any more");
    // A token secret that was replaced opens when it is named as the key before.
    expect(await boxOf(null, TOKENS, NEXT).open(first, 'acme')).toBe('canary');
  });

  it('asks again for a secret that could not be read', async () => {
    let fails = true;
    class Flaky extends TokenSecret {
      override read = (): Promise<Buffer> =>
        fails ? Promise.reject(new Error('away')) : Promise.resolve(Buffer.from(TOKENS));
    }
    const box = new AesSecretBox({ key: null, previousKey: null }, new Flaky());
    await expect(box.seal('x', 'acme')).rejects.toThrow('away');
    fails = false;
    expect(await box.open(await box.seal('x', 'acme'), 'acme')).toBe('x');
  });
});
