import { describe, expect, it } from 'vitest';
import { Argon2PasswordHasher } from './argon2-password-hasher.js';

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

  it('works as long for nobody as for somebody', async () => {
    const hash = await hasher.hash('right');
    const timeOf = async (stored: string | null): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 15; round += 1) {
        const begun = performance.now();
        expect(await hasher.verify(stored, 'wrong')).toBe(false);
        times.push(performance.now() - begun);
      }
      // The least is what the work itself takes, whatever else the machine does.
      return Math.min(...times);
    };
    const [nobody, somebody] = [await timeOf(null), await timeOf(hash)];
    expect(nobody / somebody).toBeGreaterThan(0.6);
    expect(nobody / somebody).toBeLessThan(1.7);
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
