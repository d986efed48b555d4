import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PasswordHasher } from '../../src/ports/password-hasher.js';
import type { TestApi } from '../support/test-api.js';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { changeCompany, changeUser } from './auth-world.js';

const BAD_CREDENTIALS = { status: 401, body: { error: true, message: 'invalid email or password' } };
const INACTIVE = { status: 403, body: { error: true, message: 'user is inactive' } };
const PASSWORD = 'a secret of hers';

/** The same service, with companies of the test's own. */
let api: TestApi;
let tests = 0;
let email: string;

const service = await theService();

beforeEach(() => {
  api = service.anew();
  email = `ada-${(tests += 1)}@acme.example`;
});
afterEach(() => vi.restoreAllMocks());

const login = (password = PASSWORD, address = email): Promise<TestResponse> =>
  api.stranger().post('/login', { email: address, password });

describe('login', () => {
  it('gives a token and the whole user without the password', async () => {
    const ada = await api.signIn('acme', { email, password: PASSWORD, role: 'manager' });
    api.clock.advance(1000);
    // In whatever case the address is written.
    const { status, body } = await login(PASSWORD, email.replace('ada', 'Ada'));
    const last_login = api.clock.now().toISOString();
    const token = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string;
    const person = { id: ada.id, email, first_name: 'Test', last_name: 'User', avatar: '', meta: {} };
    const place = { company_id: ada.companyId, role: 'manager', is_active: true };
    const times = { last_login, last_logout: null, created_at: ada.user!['created_at'] };
    const user = { ...person, ...place, ...times };
    expect({ status, body }).toEqual({ status: 200, body: { error: false, message: 'login successful', token, user } });
  });

  it('gives an unknown address and a wrong password the same answer for the same work, and checks no text that is too long', async () => {
    await api.signIn('acme', { email, password: PASSWORD });
    const verify = vi.spyOn(api.get(PasswordHasher), 'verify');
    const [wrong, unknown] = [await login('not hers'), await login('not hers', 'nobody@acme.example')];
    expect(wrong).toMatchObject(BAD_CREDENTIALS);
    expect(unknown).toMatchObject({ status: 401, body: wrong.body });
    expect(await login('x'.repeat(1001))).toMatchObject({ status: 400 });
    // One verification each, of a hash and of none, which the hasher promises to take the same time.
    expect(verify.mock.calls.map(([hash]) => hash === null)).toEqual([false, true]);
  });

  it('is closed to inactive people, and to those of an inactive or deleted company, which only who knows the password is told', async () => {
    const ada = await api.signIn('acme', { email, password: PASSWORD });
    await changeUser(api, ada, { isActive: false });
    expect(await login()).toMatchObject(INACTIVE);
    expect(await login('not hers')).toMatchObject(BAD_CREDENTIALS);
    await changeUser(api, ada, { isActive: true });
    for (const set of [{ isActive: false }, { isActive: true, deletedAt: api.clock.now() }]) {
      await changeCompany(api, ada, set);
      expect(await login()).toMatchObject(INACTIVE);
    }
  });
});

/** How long, and of many at once: see login-delay.test.ts and shared-limits.test.ts; from one address: http.test.ts. */
it('guessing passwords is slowed down after five failures, told when to come back, alike for an account that does not exist', async () => {
  await api.signIn('acme', { email, password: PASSWORD });
  for (const address of [email, 'no-one@acme.example']) {
    for (let count = 0; count < 5; count += 1) expect(await login('a guess', address)).toMatchObject(BAD_CREDENTIALS);
    const refused = await login(PASSWORD, address.toUpperCase());
    expect(refused).toMatchObject({ status: 429, body: { error: true } });
    expect(refused.headers.get('retry-after')).toBe('5');
  }
  expect(await login('a guess', 'somebody@acme.example')).toMatchObject(BAD_CREDENTIALS);
  api.clock.advance(5000);
  expect(await login()).toMatchObject({ status: 200 });
});
