import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppConfig } from '../../config/app-config.js';
import { readEnvironment } from '../../config/environment.js';
import { JwtSecretFile } from './jwt-secret-file.js';

async function aFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'jwt-secret-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

function secretIn(dataDir: string, environment: Record<string, string> = {}): JwtSecretFile {
  return new JwtSecretFile(new AppConfig(readEnvironment({ DATA_DIR: dataDir, ...environment })));
}

describe('the token secret', () => {
  it('is made once, with at least 32 bytes that only the owner may read, in a folder that need not be there', async () => {
    await using folder = await aFolder();
    const dataDir = join(folder.path, 'new', 'data');
    const secret = await secretIn(dataDir).read();
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(await secretIn(dataDir).read()).toEqual(secret);
    expect((await stat(join(dataDir, 'jwt-secret'))).mode & 0o777).toBe(0o600);
  });

  it('is one for all who ask for it first at once, and leaves no other file', async () => {
    await using folder = await aFolder();
    const secrets = await Promise.all(Array.from({ length: 20 }, () => secretIn(folder.path).read()));
    expect(new Set(secrets.map(String)).size).toBe(1);
    expect(await readdir(folder.path)).toEqual(['jwt-secret']);
    await using other = await aFolder();
    expect(await secretIn(other.path).read()).not.toEqual(secrets[0]);
  });

  it('is the one of the configuration if it names one, and nothing is written then', async () => {
    await using folder = await aFolder();
    const secret = await secretIn(folder.path, { JWT_SECRET: 'x'.repeat(40) }).read();
    expect(secret.toString()).toBe('x'.repeat(40));
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('is refused when the file was cut, and not replaced', async () => {
    await using folder = await aFolder();
    await writeFile(join(folder.path, 'jwt-secret'), 'short');
    await expect(secretIn(folder.path).read()).rejects.toThrow('is damaged');
    expect(await readFile(join(folder.path, 'jwt-secret'), 'utf8')).toBe('short');
  });
});
