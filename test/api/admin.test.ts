import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf } from '../../src/admin-command.js';
import { runAdmin } from '../../src/features/admin/admin.commands.js';
import { embeddingsAnswer, embeddingsOf, OpenAiDouble } from '../support/openai-double.js';
import { type Ended, Operator } from '../support/operator.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';
import { INVALID_TOKEN, SESSION_EXPIRED, refresh } from './auth-world.js';

const ENTRY = 'dist/admin.js';
const SOME_ID = '0'.repeat(24);
const PASSWORD = 'a secret of theirs';

/** Runs the built command as an operator does, in a process of its own. */
function admin(dataDir: string, ...args: readonly string[]): Promise<Ended> {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is not there: run "npm run build" first`);
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [ENTRY, ...args], { env }, (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err });
    });
  });
}

/** The same in this process, for one command after another on a folder that no service is on. */
async function adminHere(dataDir: string, ...args: readonly string[]): Promise<Ended> {
  return adminWith({ DATA_DIR: dataDir }, ...args);
}

async function adminWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
  const printed = { out: '', err: '' };
  const code = await runAdmin(args, adminOf(variables), {
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
  });
  return { code, ...printed };
}

async function recordHere(dataDir: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  return recorded(await adminHere(dataDir, ...args, '--json'));
}

function recorded({ code, out, err }: Ended): Record<string, unknown> {
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^\{.*\}\n$/);
  return JSON.parse(out) as Record<string, unknown>;
}

async function aFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'das-admin-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

describe('the administration command while the service runs', () => {
  let service: TestApi;
  let operator: Operator;
  beforeAll(async () => {
    service = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0' } });
    operator = new Operator(service.dataDir);
  });
  afterAll(async () => {
    operator[Symbol.dispose]();
    await service[Symbol.asyncDispose]();
  });
  const record = async (...args: readonly string[]): Promise<Record<string, unknown>> =>
    recorded(await operator.run(...args, '--json'));

  it('makes companies and users that can sign in at once', async () => {
    const api = service.anew();
    const company = await record('company:create', '--name', 'Globex');
    const companyId = String(company['id']);
    expect(company).toMatchObject({ name: 'Globex', is_active: true, deleted_at: '0001-01-01T00:00:00Z' });

    const account = ['--company', companyId, '--email', 'Eve@Globex.example', '--role', 'manager'];
    const eve = await record(
      'user:create',
      ...account,
      ...['--password', 'correct horse', '--first-name', 'Eve', '--last-name', 'Moneypenny'],
    );
    expect(eve).toMatchObject({ email: 'eve@globex.example', role: 'manager', company_id: companyId, is_active: true });
    expect(eve).not.toHaveProperty('password');

    const client = await TestClient.signIn(api.url, 'eve@globex.example', 'correct horse');
    expect(client.user).toMatchObject({ id: eve['id'], first_name: 'Eve', last_name: 'Moneypenny' });
    expect((await client.get('/secure/currentcompany')).body).toMatchObject({ company: { name: 'Globex' } });
    expect((await client.get('/secure/settings')).body).toMatchObject({ settings: [{ name: 'default', config: {} }] });
  }, 60_000);

  it('generates a password and prints it once when none is given', async () => {
    const api = service.anew();
    const companyId = await api.companyId('acme');
    const account = ['--company', companyId, '--role', 'user'];
    const { code, out } = await operator.run('user:create', ...account, '--email', 'ada@acme.example');
    const password = /^Password: (\S+) \(shown once\)$/m.exec(out)?.[1] ?? '';

    expect({ code, length: password.length }).toEqual({ code: 0, length: 32 });
    expect((await TestClient.signIn(api.url, 'ada@acme.example', password)).user).toMatchObject({ role: 'user' });
    const bob = await record('user:create', ...account, '--email', 'bob@acme.example');
    await expect(TestClient.signIn(api.url, 'bob@acme.example', String(bob['password']))).resolves.toBeDefined();
  }, 60_000);

  it('puts out who was deactivated, got another password or another role, at once', async () => {
    const api = service.anew();
    const email = 'cy@acme.example';
    const cy = await api.signIn('acme', { email, password: PASSWORD, role: 'manager' });
    expect(await record('user:deactivate', '--email', email)).toMatchObject({ id: cy.id, is_active: false });
    expect(await cy.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await refresh(cy)).toMatchObject(SESSION_EXPIRED);
    expect(await api.stranger().post('/login', { email, password: PASSWORD })).toMatchObject({ status: 403 });
    await record('user:activate', '--email', email);

    const again = await TestClient.signIn(api.url, email, PASSWORD);
    await record('user:set-password', '--email', email, '--password', 'battery staple');
    expect(await again.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await api.stranger().post('/login', { email, password: PASSWORD })).toMatchObject({ status: 401 });

    const third = await TestClient.signIn(api.url, email, 'battery staple');
    expect(await third.get('/secure/user/list')).toMatchObject({ status: 200 });
    await record('user:set-role', '--email', email.toUpperCase(), '--role', 'user');
    expect(await third.get('/secure/user/list')).toMatchObject(INVALID_TOKEN);
    expect(await refresh(third)).toMatchObject(SESSION_EXPIRED);
    const last = await TestClient.signIn(api.url, email, 'battery staple');
    expect(await last.get('/secure/user/list')).toMatchObject({ status: 403 });
  }, 60_000);
});

describe('the administration command without the service', () => {
  it('works on an empty folder and finds what it made', async () => {
    await using folder = await aFolder();
    expect(await admin(folder.path, 'company:list')).toMatchObject({ code: 0, out: 'There are no companies yet.\n' });
    const { id } = await recordHere(folder.path, 'company:create', '--name', 'Acme');
    await recordHere(
      folder.path,
      ...['user:create', '--company', String(id), '--email', 'ada@acme.example', '--role', 'system'],
    );

    expect((await adminHere(folder.path, 'company:list')).out).toBe(`${String(id)}  Acme\n`);
    const { out } = await adminHere(folder.path, 'user:list', '--json');
    expect(JSON.parse(out)).toMatchObject([{ email: 'ada@acme.example', role: 'system', company_id: id }]);
  }, 60_000);

  it('says in a sentence what it can not do, without a stack', async () => {
    await using folder = await aFolder();
    const { id } = await recordHere(folder.path, 'company:create', '--name', 'Acme');
    const user = ['user:create', '--company', String(id), '--email', 'ada@acme.example', '--role', 'user'];
    await recordHere(folder.path, ...user);

    const refusals: readonly (readonly [readonly string[], string])[] = [
      [['company:create', '--name', '  '], 'Name must not be empty.'],
      [user, 'There is already a user with the email ada@acme.example.'],
      [user.with(2, SOME_ID), `There is no company with the id ${SOME_ID}.`],
      [user.with(6, 'root'), 'Role must be one of user, manager, system.'],
      [[...user.with(4, 'bob@acme.example'), '--password', 'short'], 'Password must have 8 to 1000 characters.'],
      [['user:set-role', '--email', 'nobody@acme.example', '--role', 'user'], 'User not found.'],
      [['settings:set', '--company', SOME_ID, '--config', '{}'], `There is no company with the id ${SOME_ID}.`],
    ];
    for (const [args, sentence] of refusals) {
      const refused = { code: 1, out: '', err: `${sentence}\n` };
      expect(await adminHere(folder.path, ...args), args.join(' ')).toEqual(refused);
    }
    const refused = { code: 1, out: '', err: 'User not found.\n' };
    expect(await admin(folder.path, 'user:deactivate', '--email', 'nobody@acme.example')).toEqual(refused);
  }, 120_000);
});

describe('the check of models', () => {
  it('tells what the configured model refuses, and how it answers', async () => {
    await using folder = await aFolder();
    await using double = await OpenAiDouble.start();
    double.otherwise = ({ temperature, messages }) => {
      if (temperature !== undefined) return { status: 400, message: "'temperature' is not supported" };
      if (messages.some(({ role }) => role === 'tool')) return { content: 'It is 51965.' };
      return { calls: [{ name: 'add', arguments: '{"a":20548,"b":31417}' }] };
    };
    const variables = { DATA_DIR: folder.path, OPENAI_BASE_URL: double.baseUrl, OPENAI_MODEL: 'reports' };

    const { code, out, err } = await adminWith(variables, 'models:check', '--json');

    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual([
      {
        ...{ id: 'reports', use: 'chat', model: 'reports', problem: null, api: 'chat_completions' },
        ...{ known: [], learned: ['temperature'], tools: 'native', tokens: 30 },
        pieces: expect.any(Number) as number,
        ms: expect.any(Number) as number,
      },
    ]);
    expect(double.requests).toHaveLength(3);
    expect((await adminWith(variables, 'models:check')).out).toMatch(
      /^reports \(chat\) answers; .*refused now: temperature; tools: native; streamed in \d+ pieces; 30 tokens; \d+ ms\n$/,
    );
  });

  it('checks the model for context files beside it, and ends with 1 where one does not answer', async () => {
    await using folder = await aFolder();
    await using double = await OpenAiDouble.start();
    double.otherwise = (body) =>
      body.input === undefined
        ? { status: 401, message: 'who are you?' }
        : { json: () => embeddingsAnswer(embeddingsOf(body).map((vector) => [...vector])) };
    const models = { OPENAI_MODEL: 'reports', OPENAI_EMBEDDING_MODEL: 'meanings', OPENAI_API_KEY: 'sk-canary' };
    const variables = { DATA_DIR: folder.path, OPENAI_BASE_URL: double.baseUrl, ...models };

    const { code, out, err } = await adminWith(variables, 'models:check');

    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^reports \(chat\) does not answer: the model does not accept our credentials; /);
    expect(out).toMatch(/\nmeanings \(embedding\) answers; \d+ ms\n$/);
    expect(out).not.toContain('sk-canary');
  });
});
