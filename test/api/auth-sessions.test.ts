import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { AuthFacade } from '../../src/features/auth/auth.facade.js';
import { SessionsService } from '../../src/features/auth/sessions.service.js';
import { EventStream } from '../../src/ports/event-stream.js';
import type { StreamEvent } from '../../src/ports/stream-event.js';
import { asId } from '../../src/shared/ids.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { aService } from './a-service.js';
import {
  INVALID_TOKEN,
  SESSION_EXPIRED,
  changeCompany,
  changeUser,
  claimsOf,
  refresh,
  refreshed,
  sessionsOf,
  withToken,
} from './auth-world.js';

const SECRET = randomBytes(32).toString('hex');
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

const api = await aService({ environment: { JWT_SECRET: SECRET } });
const events: StreamEvent[] = [];
api.get(EventStream).subscribe((event) => events.push(event));

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const currentUser = (client: TestClient, token: unknown = client.token): Promise<TestResponse> =>
  withToken(client, String(token)).get('/secure/currentuser');
const sessionOf = (client: TestClient): string => String(claimsOf(client.token)['sid']);

/** A token that is signed with the service's own secret, whatever it says. */
function forged(claims: object): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

/** In any order and over any time: see auth-model.test.ts. */
describe('a token', () => {
  it('is refused when any of it was altered or made by somebody else', async () => {
    const ada = await api.signIn('acme');
    const claims = claimsOf(ada.token);
    // The forger knows the secret: what is left to refuse is what the token says.
    expect(await currentUser(ada, forged(claims))).toMatchObject({ status: 200 });

    const [header = '', payload = '', signature = ''] = String(ada.token).split('.');
    const tokens = {
      'a greater role': [header, part({ ...claims, role: 'system' }), signature].join('.'),
      'no algorithm': `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      'another token name': forged({ ...claims, jti: '0'.repeat(24) }),
      'an unknown session': forged({ ...claims, sid: '0'.repeat(24) }),
      'a session that is a condition': forged({ ...claims, sid: { $ne: null } }),
      'another company': forged({ ...claims, company_id: '0'.repeat(24) }),
    };
    for (const [what, token] of Object.entries(tokens))
      expect(await currentUser(ada, token), what).toMatchObject(INVALID_TOKEN);
  });

  it('takes nobody for somebody else whose request is looked at in the same moment', async () => {
    const [ada, ben] = [await api.signIn('northwind'), await api.signIn('contoso')];
    const clients = [ada, ben, api.stranger()];
    for (const sessions of api.everywhere(SessionsService)) {
      const require = sessions.require.bind(sessions);
      // Who asks first is found out last.
      let wait = 60;
      vi.spyOn(sessions, 'require').mockImplementation(async (claims) => {
        wait = Math.max(0, wait - 2);
        await setTimeout(wait);
        return require(claims);
      });
    }
    const asked = Array.from({ length: 30 }, async (_, n) => {
      const { status, body } = await clients[n % 3]!.get('/secure/currentuser');
      return [status, (body['user'] as { id?: string } | undefined)?.id];
    });
    const expected = [
      [200, ada.id],
      [200, ben.id],
      [401, undefined],
    ];
    expect(await Promise.all(asked)).toEqual(asked.map((_, n) => expected[n % 3]));
    vi.restoreAllMocks();
  });
});

describe('refreshing a token', () => {
  it('needs the same token in header and body, and tells what is stored of the user now, but for avatar and times', async () => {
    const [ada, eve] = [await api.signIn('acme'), await api.signIn('globex')];
    await changeUser(api, ada, { role: 'manager', firstName: 'Augusta' });
    api.clock.advance(DAY);
    expect(await api.stranger().post('/refresh-token', { token: ada.token })).toMatchObject(INVALID_TOKEN);
    for (const body of [undefined, { token: [ada.token] }, { token: eve.token }])
      expect(await ada.post('/refresh-token', body), JSON.stringify(body)).toMatchObject(INVALID_TOKEN);

    const { status, body } = await refresh(ada);
    expect({ status, message: body['message'] }).toEqual({ status: 200, message: 'token refreshed' });
    const { avatar: _a, last_login: _i, last_logout: _o, ...reduced } = ada.user!;
    expect(body['user']).toEqual({ ...reduced, role: 'manager', first_name: 'Augusta' });
    expect(claimsOf(body['token'])).toMatchObject({ role: 'manager', first_name: 'Augusta' });
    expect(await withToken(ada, String(body['token'])).get('/secure/user/list')).toMatchObject({ status: 200 });
  });

  it('gives two tabs that refresh at once a token each that works', async () => {
    const ada = await api.signIn('acme');
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(ada)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // After the grace of the old token, all of the new ones are one and the same to the session.
    api.clock.advance(61 * SECOND);
    for (const { body } of answers) expect(await currentUser(ada, body['token'])).toMatchObject({ status: 200 });
  });

  it('with the previous token after that is taken for theft: the session ends for everybody, who are told', async () => {
    const first = await api.signIn('acme');
    const second = await refreshed(first);
    events.length = 0;
    api.clock.advance(60 * SECOND);
    expect(await refresh(first)).toMatchObject(SESSION_EXPIRED);
    expect(await currentUser(second)).toMatchObject(INVALID_TOKEN);
    expect(await refresh(second)).toMatchObject(SESSION_EXPIRED);
    expect(events).toMatchObject([{ type: 'session-ended', userId: first.id, sessionId: sessionOf(first) }]);
  });

  it('ends with the deactivation of the user or the company, which tokens of the company outlive until then', async () => {
    const [ada, bob, eve] = [await api.signIn('acme'), await api.signIn('initech'), await api.signIn('umbrella')];
    await changeUser(api, ada, { isActive: false });
    await changeCompany(api, bob, { isActive: false });
    await changeCompany(api, eve, { deletedAt: api.clock.now() });
    expect(await currentUser(bob)).toMatchObject({ status: 200 });
    for (const client of [ada, bob, eve]) expect(await refresh(client)).toMatchObject(SESSION_EXPIRED);
  });
});

it('logging out ends the session at once, tells it, and keeps when', async () => {
  const [ada, boss] = [await api.signIn('acme'), await api.signIn('acme', { role: 'manager' })];
  const aliveOf = async (...clients: readonly TestClient[]): Promise<unknown> => {
    const ids = [...clients.map(sessionOf), '0'.repeat(24)].map((id) => asId<never>(id));
    return [...(await api.get(AuthFacade).aliveSessions(ids))].sort();
  };
  expect(await aliveOf(ada, boss)).toEqual([sessionOf(ada), sessionOf(boss)].sort());
  events.length = 0;
  api.clock.advance(SECOND);

  const body = { error: false, message: 'logged out' };
  expect(await ada.post('/secure/logout')).toMatchObject({ status: 200, body });
  const told = { companyId: ada.companyId, userId: ada.id, sessionId: sessionOf(ada) };
  expect(events).toMatchObject([{ type: 'session-ended', ...told }]);
  for (const answer of [await currentUser(ada), await ada.post('/secure/logout')])
    expect(answer).toMatchObject(INVALID_TOKEN);
  expect(await refresh(ada)).toMatchObject(SESSION_EXPIRED);
  expect(await sessionsOf(api, ada)).toEqual([]);
  const shown = await boss.get(`/secure/user/${ada.id}`);
  expect(shown.body).toMatchObject({ user: { last_logout: api.clock.now().toISOString() } });
  expect(await aliveOf(ada, boss)).toEqual([sessionOf(boss)]);
  api.clock.advance(7 * DAY);
  expect(await aliveOf(ada, boss)).toEqual([]);
});
