import * as argon2 from '@node-rs/argon2';
import { describe, expect, it, vi } from 'vitest';
import { Argon2PasswordHasher } from './argon2-password-hasher.js';

vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, verify: vi.fn(real.verify) };
});
const verify = vi.mocked(argon2.verify);

/** Algorithm, version and parameters of a hash, and the lengths of its salt and of itself: what its check costs. */
function costOf(hash: string): readonly unknown[] {
  const [, algorithm, version, parameters, salt, digest] = hash.split('$');
  return [algorithm, version, parameters, salt?.length, digest?.length];
}

describe('Argon2PasswordHasher', () => {
  const hasher = new Argon2PasswordHasher();

  it('knows a password again, and no other', async () => {
    const hash = await hasher.hash('correct horse');
    expect(await hasher.verify(hash, 'correct horse')).toBe(true);
    expect(await hasher.verify(hash, 'Correct horse')).toBe(false);
    expect(await hasher.verify(hash, '')).toBe(false);
  });

  it('hashes with argon2id at the advised cost, with another salt each time', async () => {
    const [first, second] = [await hasher.hash('same'), await hasher.hash('same')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
  });

  it('knows long passwords and those in any script', async () => {
    const password = `密码-пароль-🔑-${'x'.repeat(500)}`;
    const hash = await hasher.hash(password);
    expect(await hasher.verify(hash, password)).toBe(true);
    expect(await hasher.verify(hash, password.slice(0, -1))).toBe(false);
  });

  it('does for nobody the work that it does for somebody', async () => {
    const hash = await hasher.hash('right');
    verify.mockClear();
    expect(await hasher.verify(null, 'wrong')).toBe(false);
    expect(await hasher.verify(hash, 'wrong')).toBe(false);
    const [nobody, somebody] = verify.mock.calls.map(([stored, password]) => [costOf(String(stored)), password]);
    expect(nobody).toEqual(somebody);
    expect(verify).toHaveBeenCalledTimes(2);
  });

  it('leaves the event loop to others meanwhile', async () => {
    const hashing = { ended: false };
    const done = Promise.all([hasher.hash('a'), hasher.hash('b'), hasher.hash('c')]).then(() => (hashing.ended = true));
    let turns = 0;
    while (!hashing.ended) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    await done;
    expect(turns).toBeGreaterThan(20);
  });
});
