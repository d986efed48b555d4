import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Bootstrap } from '../../src/features/admin/bootstrap.js';
import { COMPANIES } from '../../src/features/company/company.schema.js';
import { SETTINGS } from '../../src/features/settings/settings.schema.js';
import { USERS } from '../../src/features/users/user.schema.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';

const BOSS = {
  BOOTSTRAP_COMPANY: 'Initech',
  BOOTSTRAP_EMAIL: 'Boss@Initech.example',
  BOOTSTRAP_PASSWORD: 'swordfish!',
};

/** Lines about the first sign-in, which go past the log. */
const lines: string[] = [];

function hearLines(): void {
  const write = process.stdout.write.bind(process.stdout);
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk: string | Uint8Array) => {
    if (!String(chunk).startsWith('First sign-in')) return write(chunk);
    lines.push(String(chunk));
    return true;
  });
}

hearLines();
const given = await startTestApi({ environment: BOSS });
const generated = await startTestApi({ environment: { BOOTSTRAP_PASSWORD: '' } });
const linesOfStarts = lines.splice(0);
afterAll(async () => {
  await given[Symbol.asyncDispose]();
  await generated[Symbol.asyncDispose]();
});
beforeEach(hearLines);
afterEach(() => {
  vi.restoreAllMocks();
  lines.length = 0;
});

function kinds(api: TestApi) {
  const store = api.get(DocumentStore);
  const [settings, users] = [store.tenantCollection(SETTINGS).ofAll(), store.tenantCollection(USERS).ofAll()];
  return [store.collection(COMPANIES), settings, users] as const;
}

const counts = (api: TestApi): Promise<readonly number[]> => Promise.all(kinds(api).map((kind) => kind.count({})));
const begin = (api: TestApi): Promise<void> => api.get(Bootstrap).onApplicationBootstrap();

async function empty(api: TestApi): Promise<void> {
  for (const kind of kinds(api)) await kind.remove({});
}

async function expectWhole(api: TestApi, email: string, password: string, name: string): Promise<void> {
  expect(await counts(api)).toEqual([1, 1, 1]);
  const boss = await TestClient.signIn(api.url, email, password);
  expect(boss.user).toMatchObject({ role: 'manager', is_active: true });
  expect((await boss.get('/secure/currentcompany')).body).toMatchObject({ company: { name } });
  expect((await boss.get('/secure/settings')).body).toMatchObject({ settings: [{ name: 'default', config: {} }] });
}

const printed = (text = ''): [string, string] => {
  const [, email = '', password = ''] = /^First sign-in: (\S+) \/ (\S+) \(shown once\)\n$/.exec(text) ?? [];
  return [email, password];
};

describe('the first start on an empty store', () => {
  it('makes a company, its settings and a manager who can sign in, and prints the password that it generated alone', async () => {
    await expectWhole(given, 'boss@initech.example', 'swordfish!', 'Initech');
    expect(linesOfStarts).toHaveLength(1);
    const [email, password] = printed(linesOfStarts[0]);
    const { name } = (await generated.get(DocumentStore).collection(COMPANIES).find({}))[0]!;
    await expectWhole(generated, email, password, name);
    // As a later start finds it.
    await begin(generated);
    expect(lines).toEqual([]);
    await expectWhole(generated, email, password, name);
  });

  it('makes one of each when several instances start at once, and prints one password, the one that counts', async () => {
    await empty(generated);
    await Promise.all([1, 2, 3].map(() => begin(generated)));
    expect(lines).toHaveLength(1);
    const { name } = (await generated.get(DocumentStore).collection(COMPANIES).find({}))[0]!;
    await expectWhole(generated, ...printed(lines[0]), name);
  });

  it('is finished by the next start when it was cut off after the manager', async () => {
    await empty(given);
    await begin(given);
    const [companies, settings] = kinds(given);
    await companies.remove({});
    await settings.remove({});
    await begin(given);
    await expectWhole(given, 'boss@initech.example', 'swordfish!', 'Initech');
  });

  it('leaves a store alone that has a company', async () => {
    await empty(given);
    await given.companyId('acme');
    await begin(given);
    expect(await counts(given)).toEqual([1, 1, 0]);
  });
});
