import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { AuthFacade } from '../../src/features/auth/auth.facade.js';
import { SessionsService } from '../../src/features/auth/sessions.service.js';
import { EventStream } from '../../src/ports/event-stream.js';
import type { StreamEvent } from '../../src/ports/stream-event.js';
import { asId } from '../../src/shared/ids.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
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

function heardBy(api: TestApi): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  api.get(EventStream).subscribe((event) => events.push(event));
  return events;
}

const service = await startTestApi({ environment: { JWT_SECRET: SECRET, LOGIN_RATE_LIMIT: '0' } });
afterAll(() => service[Symbol.asyncDispose]());

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A token that is signed with the service's own secret, whatever it says. */
function forged(claims: object): string {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

function currentUser(client: TestClient, token: string): Promise<TestResponse> {
  return withToken(client, token).get('/secure/currentuser');
}

describe('an access token', () => {
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
      'another token name': forged({ ...claims, jti: '0'.repeat(24) }),
      'an unknown session': forged({ ...claims, sid: '0'.repeat(24) }),
      'a session that is a condition': forged({ ...claims, sid: { $ne: null } }),
      'another company': forged({ ...claims, company_id: '0'.repeat(24) }),
    };
    for (const [what, token] of Object.entries(tokens)) {
      expect(await currentUser(ada, token), what).toMatchObject(INVALID_TOKEN);
    }
  });

  it('outlives a closed company until it is refreshed', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    await changeCompany(api, ada, { isActive: false });

    expect(await ada.get('/secure/currentuser')).toMatchObject({ status: 200 });
  });
});

describe('refreshing a token', () => {
  it('gives a new one and the user without avatar and sign-in times, even when the old one has expired', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    api.clock.advance(DAY);
    const { status, body } = await refresh(ada);

    expect(status).toBe(200);
    expect(body).toMatchObject({ error: false, message: 'token refreshed' });
    const { avatar: _a, last_login: _i, last_logout: _o, ...reduced } = ada.user!;
    expect(body['user']).toEqual(reduced);
    expect(await withToken(ada, String(body['token'])).get('/secure/currentuser')).toMatchObject({ status: 200 });
  });

  it('needs the same token in the header and in the body', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    const eve = await api.signIn('globex');
    const stranger = api.stranger();

    expect(await stranger.post('/refresh-token', { token: ada.token })).toMatchObject(INVALID_TOKEN);
    for (const body of [undefined, { token: [ada.token] }, { token: eve.token }]) {
      expect(await ada.post('/refresh-token', body), JSON.stringify(body)).toMatchObject(INVALID_TOKEN);
    }
    expect(await refresh(ada)).toMatchObject({ status: 200 });
  });

  it('gives two tabs that refresh at once a token each that works', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme');
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(ada)));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    // After the grace of the old token, all of the new ones are one and the same to the session.
    api.clock.advance(61 * SECOND);
    for (const { body } of answers) {
      expect(await withToken(ada, String(body['token'])).get('/secure/currentuser')).toMatchObject({ status: 200 });
    }
  });

  it('with the previous token after that is taken for theft: the session ends for everybody', async () => {
    const api = service.anew();
    const first = await api.signIn('acme');
    const second = await refreshed(first);
    const events = heardBy(api);
    api.clock.advance(60 * SECOND);

    expect(await refresh(first)).toMatchObject(SESSION_EXPIRED);
    expect(await second.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await refresh(second)).toMatchObject(SESSION_EXPIRED);
    expect(events).toMatchObject([
      { type: 'session-ended', userId: first.id, sessionId: claimsOf(first.token)['sid'] },
    ]);
  });

  it('tells in the new token what is stored of the user now', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme', { role: 'user' });
    await changeUser(api, ada, { role: 'manager', firstName: 'Augusta' });
    const renewed = await refreshed(ada);

    expect(claimsOf(renewed.token)).toMatchObject({ role: 'manager', first_name: 'Augusta' });
    expect(await renewed.get('/secure/user/list')).toMatchObject({ status: 200 });
  });

  it('ends with the deactivation of the user or the company', async () => {
    const api = service.anew();
    const [ada, bob, eve] = [await api.signIn('acme'), await api.signIn('initech'), await api.signIn('globex')];
    await changeUser(api, ada, { isActive: false });
    await changeCompany(api, bob, { isActive: false });
    await changeCompany(api, eve, { deletedAt: api.clock.now() });

    for (const client of [ada, bob, eve]) expect(await refresh(client)).toMatchObject(SESSION_EXPIRED);
  });
});

describe('logging out', () => {
  it('ends the session at once, tells it, and keeps when', async () => {
    const api = service.anew();
    const ada = await api.signIn('acme', { role: 'manager' });
    const boss = await api.signIn('acme', { role: 'manager' });
    const events = heardBy(api);
    api.clock.advance(SECOND);

    expect(await ada.post('/secure/logout')).toMatchObject({
      status: 200,
      body: { error: false, message: 'logged out' },
    });
    expect(events).toMatchObject([
      { type: 'session-ended', companyId: ada.companyId, userId: ada.id, sessionId: claimsOf(ada.token)['sid'] },
    ]);
    expect(await ada.get('/secure/currentuser')).toMatchObject(INVALID_TOKEN);
    expect(await ada.post('/secure/logout')).toMatchObject(INVALID_TOKEN);
    expect(await refresh(ada)).toMatchObject(SESSION_EXPIRED);
    expect(await sessionsOf(api, ada)).toEqual([]);
    expect(await boss.get(`/secure/user/${ada.id}`)).toMatchObject({
      body: { user: { last_logout: api.clock.now().toISOString() } },
    });
  });
});

describe('sessions for other features', () => {
  it('tell which of many are still alive', async () => {
    const api = service.anew();
    const [ada, bob] = [await api.signIn('acme'), await api.signIn('acme')];
    const sid = (client: TestClient): string => String(claimsOf(client.token)['sid']);
    const alive = async (): Promise<string[]> => {
      const ids = [sid(ada), sid(bob), '0'.repeat(24)].map((id) => asId<never>(id));
      return [...(await api.get(AuthFacade).aliveSessions(ids))];
    };

    expect((await alive()).sort()).toEqual([sid(ada), sid(bob)].sort());
    await ada.post('/secure/logout');
    expect(await alive()).toEqual([sid(bob)]);
    api.clock.advance(7 * DAY);
    expect(await alive()).toEqual([]);
  });
});

it('takes nobody for somebody else whose request is looked at in the same moment', async () => {
  const api = service.anew();
  const [ada, ben] = [await api.signIn('northwind'), await api.signIn('contoso')];
  const stranger = api.stranger();
  for (const sessions of api.everywhere(SessionsService)) slowed(sessions);

  const asked = Array.from({ length: 30 }, async (_, n) => {
    const client = [ada, ben, stranger][n % 3]!;
    const { status, body } = await client.get('/secure/currentuser');
    return [status, (body['user'] as { id?: string } | undefined)?.id];
  });
  const expected = [
    [200, ada.id],
    [200, ben.id],
    [401, undefined],
  ];
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 30 }, (_, n) => expected[n % 3]));
});

/** Who asks first is found out last. */
function slowed(sessions: SessionsService): void {
  const require = sessions.require.bind(sessions);
  let wait = 60;
  vi.spyOn(sessions, 'require').mockImplementation(async (claims) => {
    wait = Math.max(0, wait - 2);
    await setTimeout(wait);
    return require(claims);
  });
}
