import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PasswordHasher } from '../../src/ports/password-hasher.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { changeCompany, changeUser } from './auth-world.js';

const BAD_CREDENTIALS = { status: 401, body: { error: true, message: 'invalid email or password' } };
const INACTIVE = { status: 403, body: { error: true, message: 'user is inactive' } };
const PASSWORD = 'a secret of hers';

/** The same service, with companies of the test's own. */
let api: TestApi;
let tests = 0;
let email: string;

const service = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0' } });
afterAll(() => service[Symbol.asyncDispose]());

beforeEach(() => {
  api = service.anew();
  email = `ada-${(tests += 1)}@acme.example`;
});
afterEach(() => vi.restoreAllMocks());

function login(stranger: TestClient, email: unknown, password: unknown): Promise<TestResponse> {
  return stranger.post('/login', { email, password });
}

describe('login', () => {
  it('gives a token and the whole user without the password', async () => {
    const ada = await api.signIn('acme', { email, password: PASSWORD, role: 'manager' });
    api.clock.advance(1000);
    // In whatever case the address is written.
    const { status, body } = await login(api.stranger(), email.replace('ada', 'Ada'), PASSWORD);

    expect(status).toBe(200);
    expect(body).toEqual({
      error: false,
      message: 'login successful',
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      user: {
        id: ada.id,
        email,
        first_name: 'Test',
        last_name: 'User',
        company_id: ada.companyId,
        role: 'manager',
        avatar: '',
        is_active: true,
        meta: {},
        last_login: api.clock.now().toISOString(),
        last_logout: null,
        created_at: ada.user!['created_at'],
      },
    });
  });

  it('gives an unknown address and a wrong password the same answer for the same work', async () => {
    await api.signIn('acme', { email, password: PASSWORD });
    const verify = vi.spyOn(api.get(PasswordHasher), 'verify');
    const wrong = await login(api.stranger(), email, 'not my password');
    const unknown = await login(api.stranger(), 'nobody@acme.example', 'not my password');

    expect(wrong).toMatchObject(BAD_CREDENTIALS);
    expect(unknown.body).toEqual(wrong.body);
    expect(unknown.status).toBe(wrong.status);
    // One verification each, of a hash and of none, which the hasher promises to take the same time.
    expect(verify.mock.calls.map(([hash]) => hash === null)).toEqual([false, true]);
  });

  it('checks no password that is too long to be one', async () => {
    const verify = vi.spyOn(api.get(PasswordHasher), 'verify');
    expect(await login(api.stranger(), email, 'x'.repeat(1001))).toMatchObject({ status: 400 });
    expect(verify).not.toHaveBeenCalled();
  });

  it('tells only who knows the password that the user is inactive', async () => {
    const ada = await api.signIn('acme', { email, password: PASSWORD });
    await changeUser(api, ada, { isActive: false });

    expect(await login(api.stranger(), email, PASSWORD)).toMatchObject(INACTIVE);
    expect(await login(api.stranger(), email, 'not my password')).toMatchObject(BAD_CREDENTIALS);
  });

  it('is closed to the users of an inactive or deleted company', async () => {
    const ada = await api.signIn('acme', { email, password: PASSWORD });
    for (const set of [{ isActive: false }, { isActive: true, deletedAt: api.clock.now() }]) {
      await changeCompany(api, ada, set);
      expect(await login(api.stranger(), email, PASSWORD)).toMatchObject(INACTIVE);
    }
  });
});

describe('guessing passwords', () => {
  it('is slowed down for an account after five failures, and told when to come back', async () => {
    await api.signIn('acme', { email, password: PASSWORD });
    const stranger = api.stranger();
    for (let count = 1; count <= 5; count += 1) {
      expect(await login(stranger, email, `guess number ${count}`)).toMatchObject(BAD_CREDENTIALS);
    }

    const refused = await login(stranger, email, PASSWORD);
    expect(refused).toMatchObject({ status: 429, body: { error: true } });
    expect(refused.headers.get('retry-after')).toBe('5');
    api.clock.advance(5000);
    expect(await login(stranger, email, PASSWORD)).toMatchObject({ status: 200 });
  });

  it('is slowed down the same way for an account that does not exist', async () => {
    for (let count = 1; count <= 5; count += 1) await login(api.stranger(), 'no-one@acme.example', 'guess');

    expect(await login(api.stranger(), 'No-one@acme.example', 'guess')).toMatchObject({ status: 429 });
    expect(await login(api.stranger(), 'somebody@acme.example', 'guess')).toMatchObject(BAD_CREDENTIALS);
  });

  it.each([
    ['networks of proxies', '127.0.0.0/8, 10.0.0.1', 'forged, 203.0.113.9, 10.0.0.1', '203.0.113.10, 10.0.0.1'],
    ['no proxy', 'false', 'forged', null],
  ])(
    'from one address ends at the configured number a minute; behind %s that is the one that the proxies saw',
    async (_, TRUST_PROXY, forwarded, neighbour) => {
      await using limited = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '3', TRUST_PROXY } });
      let users = 0;
      const from = async (address: string): Promise<TestResponse> => {
        const body = { email: `user${(users += 1)}@acme.example`, password: 'guess' };
        return limited.stranger().post('/login', body, { 'x-forwarded-for': address });
      };
      const forged = (n: number): string => forwarded.replace('forged', `198.51.100.${n}`);
      for (const n of [1, 2, 3]) expect(await from(forged(n))).toMatchObject({ status: 401 });
      const refused = await from(forged(4));
      expect(refused).toMatchObject({ status: 429, body: { error: true } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      if (neighbour !== null) expect(await from(neighbour)).toMatchObject({ status: 401 });
    },
  );
});
