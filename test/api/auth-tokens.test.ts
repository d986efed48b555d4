import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { INVALID_TOKEN, changeCompany, claimsOf, refreshed, withToken } from './auth-world.js';

const SECRET = randomBytes(32).toString('hex');
const MINUTE = 60_000;

let service: TestApi;
beforeAll(async () => {
  service = await startTestApi({ environment: { JWT_SECRET: SECRET, LOGIN_RATE_LIMIT: '0' } });
});
afterAll(() => service[Symbol.asyncDispose]());

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token that is signed with the service's own secret, whatever it says. */
function forged(claims: object, header: object = { alg: 'HS256', typ: 'JWT' }, hash = 'sha256'): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac(hash, SECRET).update(text).digest('base64url')}`;
}

function currentUser(client: TestClient, token: string): Promise<TestResponse> {
  return withToken(client, token).get('/secure/currentuser');
}

describe('an access token', () => {
  it('says who its bearer is, in whose session, and for 15 minutes', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme', { role: 'manager', email: 'ada@acme.example' });
    const claims = claimsOf(ada.token);

    expect(claims).toMatchObject({
      sub: ada.id,
      email: 'ada@acme.example',
      first_name: 'Test',
      last_name: 'User',
      company_id: ada.companyId,
      role: 'manager',
      iat: Math.floor(api.clock.now().getTime() / 1000),
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(15 * 60);
    expect(Object.keys(claims).sort()).toEqual(
      [
        'aud',
        'company_id',
        'email',
        'exp',
        'first_name',
        'iat',
        'iss',
        'jti',
        'last_name',
        'role',
        'sid',
        'sub',
      ].sort(),
    );
  });

  it('is refused when any of it was altered or made by somebody else', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    const claims = claimsOf(ada.token);
    // The forger knows the secret: what is left to refuse is what the token says.
    expect(await currentUser(ada, forged(claims))).toMatchObject({ status: 200 });

    const [header = '', payload = '', signature = ''] = String(ada.token).split('.');
    const tokens = {
      'a greater role': [header, part({ ...claims, role: 'system' }), signature].join('.'),
      'no algorithm': `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      'no algorithm, signed': forged(claims, { alg: 'none', typ: 'JWT' }),
      'a stronger algorithm': forged(claims, { alg: 'HS512', typ: 'JWT' }, 'sha512'),
      'another issuer': forged({ ...claims, iss: 'somebody-else' }),
      'another audience': forged({ ...claims, aud: 'somebody-else' }),
      'another token name': forged({ ...claims, jti: '0'.repeat(24) }),
      'an unknown session': forged({ ...claims, sid: '0'.repeat(24) }),
      'no session': forged({ ...claims, sid: undefined }),
      'a session that is a condition': forged({ ...claims, sid: { $ne: null } }),
      'another company': forged({ ...claims, company_id: '0'.repeat(24) }),
      'no end': forged({ ...claims, exp: undefined }),
      'no signature': `${header}.${payload}.`,
      nothing: '',
      nonsense: 'abc',
    };
    for (const [what, token] of Object.entries(tokens)) {
      expect(await currentUser(ada, token), what).toMatchObject(INVALID_TOKEN);
    }
  });

  it('is good for 60 more seconds after another took its place, and refused after that', async () => {
    const api = service.anew();
    const first = await api.signIn('acme');
    const second = await refreshed(first);

    api.clock.advance(MINUTE - 1);
    expect(await first.get('/secure/currentuser')).toMatchObject({ status: 200 });
    api.clock.advance(1);
    expect(await first.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await second.get('/secure/currentuser')).toMatchObject({ status: 200 });
  });

  it('of one service is worth nothing to another', async () => {
    const api = service.anew();
    await using other = await startTestApi();
    const ada = await api.signIn('acme');
    const foreign = await other.stranger().get('/secure/currentuser', { authorization: `Bearer ${ada.token!}` });

    expect(foreign).toMatchObject(INVALID_TOKEN);
    expect(await ada.get('/secure/currentuser')).toMatchObject({ status: 200 });
  });

  it('outlives a new role and a closed company until it is refreshed', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    await changeCompany(api, ada, { isActive: false });

    expect(await ada.get('/secure/currentuser')).toMatchObject({ status: 200 });
  });
});
