import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminOf } from '../../src/admin-command.js';
import { runAdmin } from '../../src/features/admin/admin.commands.js';
import { embeddingsAnswer, embeddingsOf, OpenAiDouble } from '../support/openai-double.js';
import { type Ended, Operator } from '../support/operator.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient } from '../support/test-client.js';
import { INVALID_TOKEN, SESSION_EXPIRED, refresh } from './auth-world.js';

const SOME_ID = '0'.repeat(24);
const PASSWORD = 'a secret of theirs';

type Shown = Record<string, unknown>;

function recorded({ code, out, err }: Ended): Shown {
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^\{.*\}\n$/);
  return JSON.parse(out) as Shown;
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
  const record = async (...args: readonly string[]): Promise<Shown> => recorded(await operator.run(...args, '--json'));
  const signIn = (email: string, password: unknown): Promise<TestClient> =>
    TestClient.signIn(service.url, email, String(password));

  it('makes companies and users that can sign in at once', async () => {
    const company = await record('company:create', '--name', 'Globex');
    const company_id = String(company['id']);
    expect(company).toMatchObject({ name: 'Globex', is_active: true, deleted_at: '0001-01-01T00:00:00Z' });

    const account = ['--company', company_id, '--email', 'Eve@Globex.example', '--role', 'manager'];
    const person = ['--password', 'correct horse', '--first-name', 'Eve', '--last-name', 'Moneypenny'];
    const eve = await record('user:create', ...account, ...person);
    expect(eve).toMatchObject({ email: 'eve@globex.example', role: 'manager', company_id, is_active: true });
    expect(eve).not.toHaveProperty('password');

    const client = await signIn('eve@globex.example', 'correct horse');
    expect(client.user).toMatchObject({ id: eve['id'], first_name: 'Eve', last_name: 'Moneypenny' });
    expect((await client.get('/secure/currentcompany')).body).toMatchObject({ company: { name: 'Globex' } });
    expect((await client.get('/secure/settings')).body).toMatchObject({ settings: [{ name: 'default', config: {} }] });
  }, 60_000);

  it('generates a password and prints it once when none is given', async () => {
    const account = ['user:create', '--company', await service.companyId('initech'), '--role', 'user', '--email'];
    const { code, out } = await operator.run(...account, 'ada@initech.example');
    const password = /^Password: (\S+) \(shown once\)$/m.exec(out)?.[1] ?? '';
    expect({ code, length: password.length }).toEqual({ code: 0, length: 32 });
    expect((await signIn('ada@initech.example', password)).user).toMatchObject({ role: 'user' });
    const bob = await record(...account, 'bob@initech.example');
    expect((await signIn('bob@initech.example', bob['password'])).id).toBe(bob['id']);
  }, 60_000);

  it('puts out who was deactivated, got another password or another role, at once', async () => {
    const email = 'cy@acme.example';
    const of = ['--email', email];
    const statusOf = async (client: TestClient): Promise<number> => (await client.get('/secure/user/list')).status;
    const loginWith = async (password: string): Promise<number> =>
      (await service.stranger().post('/login', { email, password })).status;
    const cy = await service.signIn('acme', { email, password: PASSWORD, role: 'manager' });
    expect(await record('user:deactivate', ...of)).toMatchObject({ id: cy.id, is_active: false });
    expect(await cy.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await refresh(cy)).toMatchObject(SESSION_EXPIRED);
    expect(await loginWith(PASSWORD)).toBe(403);
    await record('user:activate', ...of);

    const again = await signIn(email, PASSWORD);
    await record('user:set-password', ...of, '--password', 'battery staple');
    expect(await statusOf(again)).toBe(401);
    expect(await loginWith(PASSWORD)).toBe(401);

    const third = await signIn(email, 'battery staple');
    expect(await statusOf(third)).toBe(200);
    await record('user:set-role', '--email', email.toUpperCase(), '--role', 'user');
    expect(await third.get('/secure/user/list')).toMatchObject(INVALID_TOKEN);
    expect(await refresh(third)).toMatchObject(SESSION_EXPIRED);
    expect(await statusOf(await signIn(email, 'battery staple'))).toBe(403);
  }, 60_000);
});

/** On a folder that no service is on. */
describe('the administration command alone', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'das-admin-'));
    return () => rm(folder, { recursive: true });
  });

  async function adminWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ended> {
    const printed = { out: '', err: '' };
    const code = await runAdmin(args, adminOf({ DATA_DIR: folder, ...variables }), {
      out: (text) => (printed.out += text),
      err: (text) => (printed.err += text),
    });
    return { code, ...printed };
  }
  const admin = (...args: readonly string[]): Promise<Ended> => adminWith({}, ...args);

  /** Runs the built command as an operator does, in a process of its own. */
  function built(...args: readonly string[]): Promise<Ended> {
    const env = { PATH: process.env['PATH'], DATA_DIR: folder };
    return new Promise((resolve) => {
      const child = execFile(process.execPath, ['dist/admin.js', ...args], { env }, (_, out, err) => {
        resolve({ code: child.exitCode ?? -1, out, err });
      });
    });
  }

  it('works on an empty folder, finds what it made, and says in a sentence what it can not do, without a stack', async () => {
    expect(await admin('company:list')).toMatchObject({ code: 0, out: 'There are no companies yet.\n' });
    const { id } = recorded(await admin('company:create', '--name', 'Acme', '--json'));
    const user = ['user:create', '--company', String(id), '--email', 'ada@acme.example', '--role', 'system'];
    recorded(await admin(...user, '--json'));
    expect((await admin('company:list')).out).toBe(`${String(id)}  Acme\n`);
    const { out } = await admin('user:list', '--json');
    expect(JSON.parse(out)).toMatchObject([{ email: 'ada@acme.example', role: 'system', company_id: id }]);

    const deactivate = ['user:deactivate', '--email', 'nobody@acme.example'];
    const refusals: readonly (readonly [readonly string[], string])[] = [
      [['company:create', '--name', '  '], 'Name must not be empty.'],
      [user, 'There is already a user with the email ada@acme.example.'],
      [user.with(2, SOME_ID), `There is no company with the id ${SOME_ID}.`],
      [user.with(6, 'root'), 'Role must be one of user, manager, system.'],
      [[...user.with(4, 'bob@acme.example'), '--password', 'short'], 'Password must have 8 to 1000 characters.'],
      [['user:set-role', ...deactivate.slice(1), '--role', 'user'], 'User not found.'],
      [['settings:set', '--company', SOME_ID, '--config', '{}'], `There is no company with the id ${SOME_ID}.`],
    ];
    for (const [args, sentence] of refusals)
      expect(await admin(...args), args.join(' ')).toEqual({ code: 1, out: '', err: `${sentence}\n` });
    expect(await built(...deactivate)).toEqual({ code: 1, out: '', err: 'User not found.\n' });
  }, 120_000);

  it('tells what the configured model refuses, and how it answers', async () => {
    await using double = await OpenAiDouble.start();
    double.otherwise = ({ temperature, messages }) => {
      if (temperature !== undefined) return { status: 400, message: "'temperature' is not supported" };
      if (messages.some(({ role }) => role === 'tool')) return { content: 'It is 51965.' };
      return { calls: [{ name: 'add', arguments: '{"a":20548,"b":31417}' }] };
    };
    const model = { OPENAI_BASE_URL: double.baseUrl, OPENAI_MODEL: 'reports' };
    const { code, out, err } = await adminWith(model, 'models:check', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const number = expect.any(Number) as number;
    expect(JSON.parse(out)).toEqual([
      {
        ...{ id: 'reports', use: 'chat', model: 'reports', problem: null, api: 'chat_completions' },
        ...{ known: [], learned: ['temperature'], tools: 'native', tokens: 30, pieces: number, ms: number },
      },
    ]);
    expect(double.requests).toHaveLength(3);
    expect((await adminWith(model, 'models:check')).out).toMatch(
      /^reports \(chat\) answers; .*refused now: temperature; tools: native; streamed in \d+ pieces; 30 tokens; \d+ ms\n$/,
    );
  });

  it('checks the model for context files beside it, and ends with 1 where one does not answer', async () => {
    await using double = await OpenAiDouble.start();
    double.otherwise = (body) =>
      body.input === undefined
        ? { status: 401, message: 'who are you?' }
        : { json: () => embeddingsAnswer(embeddingsOf(body).map((vector) => [...vector])) };
    const models = { OPENAI_MODEL: 'reports', OPENAI_EMBEDDING_MODEL: 'meanings', OPENAI_API_KEY: 'sk-canary' };
    const { code, out, err } = await adminWith({ OPENAI_BASE_URL: double.baseUrl, ...models }, 'models:check');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^reports \(chat\) does not answer: the model does not accept our credentials; /);
    expect(out).toMatch(/\nmeanings \(embedding\) answers; \d+ ms\n$/);
    expect(out).not.toContain('sk-canary');
  });
});
