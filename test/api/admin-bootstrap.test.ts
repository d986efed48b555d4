import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Bootstrap } from '../../src/features/admin/bootstrap.js';
import { COMPANIES } from '../../src/features/company/company.schema.js';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { USERS } from '../../src/features/users/user.schema.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';

const FIRST_SIGN_IN = /^First sign-in: (\S+) \/ (\S+) \(shown once\)\n$/;
const BOSS = {
  BOOTSTRAP_COMPANY: 'Initech',
  BOOTSTRAP_EMAIL: 'Boss@Initech.example',
  BOOTSTRAP_PASSWORD: 'swordfish!',
};

/** Collects the lines about the first sign-in, which go past the log. */
function printed(): readonly string[] {
  const lines: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk: string | Uint8Array) => {
    if (!String(chunk).startsWith('First sign-in')) return write(chunk);
    lines.push(String(chunk));
    return true;
  });
  return lines;
}

async function counts(api: TestApi): Promise<readonly number[]> {
  const store = api.get(DocumentStore);
  return Promise.all([
    store.collection(COMPANIES).count({}),
    store.tenantCollection(SETTINGS).ofAll().count({}),
    store.tenantCollection(USERS).ofAll().count({}),
  ]);
}

async function empty(api: TestApi): Promise<void> {
  const store = api.get(DocumentStore);
  await store.collection(COMPANIES).remove({});
  await store.tenantCollection(SETTINGS).ofAll().remove({});
  await store.tenantCollection(USERS).ofAll().remove({});
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the first start on an empty store', () => {
  let api: TestApi;
  let lines: readonly string[];
  beforeAll(async () => {
    lines = printed();
    api = await startTestApi({ environment: BOSS });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it('makes a company, its settings and a manager who can sign in, and prints no password that was given', async () => {
    const boss = await TestClient.signIn(api.url, 'boss@initech.example', 'swordfish!');

    expect(boss.user).toMatchObject({ role: 'manager', is_active: true });
    expect((await boss.get('/secure/currentcompany')).body).toMatchObject({ company: { name: 'Initech' } });
    expect((await boss.get('/secure/settings')).body).toMatchObject({ settings: [{ name: 'default', config: {} }] });
    expect(lines).toEqual([]);
  });

  it('generates a password when none is given and prints it once, never again at later starts', async () => {
    const lines = printed();
    const dataDir = await mkdtemp(join(tmpdir(), 'das-first-'));
    const environment = { BOOTSTRAP_PASSWORD: '' };
    let signIn: RegExpExecArray | null;
    {
      await using first = await startTestApi({ dataDir, environment });
      expect(lines).toHaveLength(1);
      signIn = FIRST_SIGN_IN.exec(lines[0]!);
      await expect(TestClient.signIn(first.url, signIn![1]!, signIn![2]!)).resolves.toBeDefined();
    }
    {
      await using second = await startTestApi({ dataDir, environment });
      expect(lines).toHaveLength(1);
      expect(await counts(second)).toEqual([1, 1, 1]);
      await expect(TestClient.signIn(second.url, signIn![1]!, signIn![2]!)).resolves.toBeDefined();
    }
    await rm(dataDir, { recursive: true });
  });

  it('makes one of each when several instances start at once, and prints one password, the one that counts', async () => {
    await using api = await startTestApi({ environment: { BOOTSTRAP_PASSWORD: '' } });
    await empty(api);
    const lines = printed();
    const bootstrap = api.get(Bootstrap);
    await Promise.all([1, 2, 3].map(() => bootstrap.onApplicationBootstrap()));

    expect(await counts(api)).toEqual([1, 1, 1]);
    expect(lines).toHaveLength(1);
    const [, email = '', password = ''] = FIRST_SIGN_IN.exec(lines[0]!) ?? [];
    const boss = await TestClient.signIn(api.url, email, password);
    expect(await boss.get('/secure/currentcompany')).toMatchObject({ status: 200 });
  });

  it('is finished by the next start when it was cut off after the manager', async () => {
    await empty(api);
    await api.get(Bootstrap).onApplicationBootstrap();
    const store = api.get(DocumentStore);
    await store.collection(COMPANIES).remove({});
    await store.tenantCollection(SETTINGS).ofAll().remove({});
    await api.get(Bootstrap).onApplicationBootstrap();

    expect(await counts(api)).toEqual([1, 1, 1]);
    const boss = await TestClient.signIn(api.url, 'boss@initech.example', 'swordfish!');
    expect((await boss.get('/secure/currentcompany')).body).toMatchObject({ company: { name: 'Initech' } });
    expect((await boss.get('/secure/settings')).body).toMatchObject({ settings: [{ name: 'default' }] });
  });

  it('leaves a store alone that has a company', async () => {
    await empty(api);
    await api.companyId('acme');
    await api.get(Bootstrap).onApplicationBootstrap();

    expect(await counts(api)).toEqual([1, 1, 0]);
  });
});
