import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { Argon2PasswordHasher } from './argon2-password-hasher.js';

/** Algorithm, version and parameters of a hash, and the lengths of its salt and of itself: what its check costs. */
function costOf(hash: string): readonly unknown[] {
  const [, algorithm, version, parameters, salt, digest] = hash.split('$');
  return [algorithm, version, parameters, salt?.length, digest?.length];
}

describe('Argon2PasswordHasher', () => {
  const hasher = new Argon2PasswordHasher();

  it('knows a password again, also a long one in any script, and no other', async () => {
    const password = `密码-пароль-🔑-${'x'.repeat(500)}`;
    const hash = await hasher.hash(password);
    expect(await hasher.verify(hash, password)).toBe(true);
    for (const other of [password.slice(0, -1), password.toUpperCase(), ''])
      expect(await hasher.verify(hash, other)).toBe(false);
  });

  it('hashes with argon2id at the advised cost, with another salt each time', async () => {
    const [first, second] = [await hasher.hash('same'), await hasher.hash('same')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(first).not.toBe(second);
  });

  it('does for nobody the work that it does for somebody', async () => {
    const checked: (readonly [cost: readonly unknown[], password: string])[] = [];
    const watched = new Argon2PasswordHasher((hash, password) => {
      checked.push([costOf(hash), password]);
      return verify(hash, password);
    });
    expect(await watched.verify(null, 'wrong')).toBe(false);
    expect(await watched.verify(await hasher.hash('right'), 'wrong')).toBe(false);
    const [nobody, somebody] = checked;
    expect(nobody).toEqual(somebody);
    expect(checked.length).toBe(2);
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
