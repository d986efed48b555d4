import { afterAll, describe, expect, it } from 'vitest';
import { CONVERSATIONS } from '../../src/features/assistant/conversations/conversation.schema.js';
import { MESSAGES } from '../../src/features/assistant/history/message.schema.js';
import { type Session, SESSIONS } from '../../src/features/auth/session.schema.js';
import { AuthFacade } from '../../src/features/auth/auth.facade.js';
import { INVITATIONS } from '../../src/features/members/invitation.schema.js';
import { InvitationsService } from '../../src/features/members/invitations.service.js';
import { MembersService } from '../../src/features/members/members.service.js';
import { PEOPLE_TURNS, type PeopleTurn } from '../../src/features/members/people-turn.schema.js';
import { PeopleTurns, PersonRemover } from '../../src/features/members/members.service.js';
import { UsersFacade } from '../../src/features/users/users.facade.js';
import { Clock } from '../../src/ports/clock.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { IdSource } from '../../src/ports/id-source.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { startTestApi } from '../support/test-api.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { importedDatasource, openConversation } from './world.builder.js';

const PASSWORD = 'correct horse';
const DAY = 24 * 60 * 60 * 1000;

const api = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0' } });
const boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example', password: PASSWORD });
afterAll(() => api[Symbol.asyncDispose]());

async function invited(by: TestClient, email: string, role = 'user'): Promise<string> {
  const { status, body } = await by.post('/secure/invitation', { email, role });
  expect({ status, message: body['message'] }).toEqual({ status: 200, message: 'invitation made' });
  return String(body['token']);
}

function accept(token: string, fields: object = {}): Promise<TestResponse> {
  return api.stranger().post('/invitation/accept', { token, password: PASSWORD, ...fields });
}

describe('an invitation', () => {
  it('lets one person in, once, with the role that was given', async () => {
    const token = await invited(boss, 'Ada@acme.example', 'manager');
    const stored = await api.get(DocumentStore).tenantCollection(INVITATIONS).ofAll().find({});
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(JSON.stringify((await boss.get('/secure/invitation/list')).body)).not.toContain(token);
    expect((await api.stranger().post('/invitation/look', { token })).body).toMatchObject({
      invitation: { purpose: 'join', email: 'ada@acme.example', company: expect.any(String) as string },
    });
    const { body } = await accept(token, { first_name: ' Ada ', last_name: 'Byron' });
    expect(body).toMatchObject({ error: false, email: 'ada@acme.example' });

    const ada = await TestClient.signIn(api.url, 'ada@acme.example', PASSWORD);
    expect(ada.user).toMatchObject({ first_name: 'Ada', role: 'manager', company_id: boss.companyId });
    expect(await accept(token)).toMatchObject({ status: 404, body: { error: true } });
    const { body: open } = await boss.get('/secure/invitation/list');
    expect(JSON.stringify(open)).not.toContain('ada@acme.example');
  });

  it('ends when it is revoked, when a newer one is made, and after seven days', async () => {
    const first = await invited(boss, 'bob@acme.example');
    const second = await invited(boss, 'bob@acme.example');
    expect((await accept(first)).status).toBe(404);
    const { body } = await boss.get('/secure/invitation/list');
    const { id } = (body['invitations'] as { id: string; email: string }[]).find(
      ({ email }) => email === 'bob@acme.example',
    )!;
    expect((await boss.delete(`/secure/invitation/${id}`)).status).toBe(200);
    expect((await accept(second)).status).toBe(404);

    const third = await invited(boss, 'bob@acme.example');
    const [stored] = await api
      .get(DocumentStore)
      .tenantCollection(INVITATIONS)
      .ofAll()
      .find({ email: 'bob@acme.example' });
    const now = api.get(Clock).now().getTime();
    expect(Math.round((stored!.expiresAt.getTime() - now) / DAY)).toBe(7);
    await api
      .get(DocumentStore)
      .tenantCollection(INVITATIONS)
      .ofAll()
      .update({ id: stored!.id }, { set: { expiresAt: new Date(now - 1) } });
    expect((await accept(third)).status).toBe(404);
  });

  it('is not used up by a password that is too short, and lets in one of two who come at once', async () => {
    const token = await invited(boss, 'cy@acme.example');
    expect(await accept(token, { password: 'short' })).toMatchObject({ status: 400 });
    const answers = await Promise.all([accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('tells managers nothing of other companies', async () => {
    await api.signIn('globex', { email: 'eve@globex.example', password: PASSWORD });
    const token = await invited(boss, 'eve@globex.example');
    expect(await accept(token)).toMatchObject({ status: 409 });
    expect(await boss.post('/secure/invitation', { email: 'boss@acme.example', role: 'user' })).toMatchObject({
      status: 409,
    });
  });
});

describe('managing people', () => {
  it('gives no more than a manager’s role', async () => {
    const root = { email: 'root@acme.example', role: 'system' };
    expect(await boss.post('/secure/invitation', root)).toMatchObject({ status: 400 });
  });

  it('blocks, lets in again, and gives another role, at once', async () => {
    const dan = await api.signIn('acme', { email: 'dan@acme.example', password: PASSWORD });
    expect((await boss.patch(`/secure/user/${dan.id}`, { is_active: false })).body).toMatchObject({
      user: { is_active: false },
    });
    expect((await dan.get('/secure/currentuser')).status).toBe(401);
    await boss.patch(`/secure/user/${dan.id}`, { is_active: true, role: 'manager' });
    const again = await TestClient.signIn(api.url, 'dan@acme.example', PASSWORD);
    expect((await again.get('/secure/user/list')).status).toBe(200);
    await boss.patch(`/secure/user/${dan.id}`, { role: 'user' });
    expect((await again.get('/secure/user/list')).status).toBe(401);
  });

  it('removes somebody, who can be invited again', async () => {
    const fay = await api.signIn('acme', { email: 'fay@acme.example', password: PASSWORD });
    const { body } = await fay.post('/secure/api-keys', { name: 'Reports', scopes: ['read'] });
    const datasource = await importedDatasource(api, fay);
    const conversation = await openConversation(fay, datasource);
    await fay.post('/secure/assistant/chat', { conversation_id: conversation, message: 'how many rows?' });
    expect((await boss.delete(`/secure/user/${fay.id}`)).status).toBe(200);
    expect((await fay.get('/secure/currentuser')).status).toBe(401);
    const store = api.get(DocumentStore);
    expect(await store.tenantCollection(CONVERSATIONS).ofAll().find({ userId: fay.id })).toEqual([]);
    expect(await store.tenantCollection(MESSAGES).ofAll().find({ conversationId: conversation })).toEqual([]);
    expect((await boss.get(`/secure/datasource?id=${datasource}`)).status).toBe(200);
    const key = new TestClient(api.url, String(body['key']), null);
    expect((await key.get('/secure/currentuser')).status).toBe(401);
    expect((await accept(await invited(boss, 'fay@acme.example'))).status).toBe(200);
  }, 60_000);

  it('keeps every company a manager, and nobody does it to themselves', async () => {
    const only = await api.signIn('solo', { role: 'manager', email: 'only@solo.example' });
    expect(await only.patch(`/secure/user/${only.id}`, { role: 'user' })).toMatchObject({ status: 409 });
    expect(await only.delete(`/secure/user/${only.id}`)).toMatchObject({ status: 409 });
  });

  it('gives a link for a lost password; the old one and its sessions end when it is used', async () => {
    const guy = await api.signIn('acme', { email: 'guy@acme.example', password: PASSWORD });
    const { body } = await boss.post(`/secure/user/${guy.id}/reset`);
    expect((await guy.get('/secure/currentuser')).status).toBe(200);
    expect((await accept(String(body['token']), { password: 'battery staple' })).status).toBe(200);
    expect((await guy.get('/secure/currentuser')).status).toBe(401);
    const old = { email: 'guy@acme.example', password: PASSWORD };
    expect((await api.stranger().post('/login', old)).status).toBe(401);
    await expect(TestClient.signIn(api.url, 'guy@acme.example', 'battery staple')).resolves.toBeDefined();
  });
});

describe('what is seen of people', () => {
  it('is all but the password for a manager of the same company', async () => {
    const lea = await api.signIn('acme', { email: 'lea@acme.example', password: PASSWORD });
    const shown = await boss.get(`/secure/user/${lea.id.toUpperCase()}`);
    expect(shown).toMatchObject({ status: 200, body: { error: false, user: lea.user! } });
    for (const { body } of [shown, await boss.get('/secure/user/list')])
      expect(JSON.stringify(body)).not.toMatch(/password|argon2/i);
  });

  it('is everybody for the system, which lists its own company alone', async () => {
    const system = await api.signIn('operations', { role: 'system' });
    expect(await system.get(`/secure/user/${boss.id}`)).toMatchObject({ status: 200, body: { user: { id: boss.id } } });
    expect((await system.get('/secure/user/list')).body).toMatchObject({ total: 1, users: [{ id: system.id }] });
  });
});

describe('one’s own account', () => {
  it('gets a new password for the present one, which ends all other sessions', async () => {
    const ida = await api.signIn('acme', { email: 'ida@acme.example', password: PASSWORD });
    const other = await TestClient.signIn(api.url, 'ida@acme.example', PASSWORD);
    // More than are listed.
    const sessions = api.get(DocumentStore).tenantCollection(SESSIONS).ofAll();
    const [one] = await sessions.find({ userId: ida.id });
    const more = Array.from({ length: 205 }, (_, n): Session => ({
      ...one!,
      id: api.get(IdSource).next(),
      jti: `j${n}`,
    }));
    await Promise.all(more.map((session) => sessions.insert(session)));
    const wrong = { current_password: 'a guess', new_password: 'battery staple' };
    expect(await ida.post('/secure/currentuser/password', wrong)).toMatchObject({ status: 400 });
    const right = { current_password: PASSWORD, new_password: 'battery staple' };
    expect(await ida.post('/secure/currentuser/password', right)).toMatchObject({ status: 200 });
    expect((await ida.get('/secure/currentuser')).status).toBe(200);
    expect((await other.get('/secure/currentuser')).status).toBe(401);
    expect(await sessions.find({ userId: ida.id })).toHaveLength(1);
    await expect(TestClient.signIn(api.url, 'ida@acme.example', 'battery staple')).resolves.toBeDefined();
  });

  it('lists where it is signed in, and ends what is not wanted', async () => {
    const jo = await api.signIn('acme', { email: 'jo@acme.example', password: PASSWORD });
    const credentials = { email: 'jo@acme.example', password: PASSWORD };
    const { body: login } = await api.stranger().post('/login', credentials, { 'user-agent': 'Other/1.0' });
    const { body } = await jo.get('/secure/currentuser/sessions');
    const sessions = body['sessions'] as { id: string; agent: string; address: string; is_current: boolean }[];
    expect(sessions.map(({ is_current }) => is_current)).toEqual([false, true]);
    expect(sessions[0]).toMatchObject({ agent: 'Other/1.0', address: expect.stringMatching(/^(::|127)/) as string });
    expect((await jo.delete(`/secure/currentuser/sessions/${sessions[0]!.id}`)).status).toBe(200);
    const other = new TestClient(api.url, String(login['token']), null);
    expect((await other.get('/secure/currentuser')).status).toBe(401);
    expect((await jo.get('/secure/currentuser')).status).toBe(200);
  });
});

describe('the last manager', () => {
  /** As another instance has it: nothing but the document store is shared. */
  function anotherInstance(): MembersService {
    const turns = new PeopleTurns(api.get(DocumentStore), api.get(IdSource), api.get(Clock));
    const [accounts, auth] = [api.get(UsersFacade), api.get(AuthFacade)];
    return new MembersService(accounts, auth, api.get(InvitationsService), api.get(PersonRemover), turns);
  }

  it('stays one when two take the role from each other at once, on two instances', async () => {
    const [here, there] = [anotherInstance(), anotherInstance()];
    for (let round = 0; round < 4; round += 1) {
      const company = `pair-${round}`;
      const [one, two] = await Promise.all([
        api.signIn(company, { role: 'manager' }),
        api.signIn(company, { role: 'manager' }),
      ]);
      const by = ({ id, companyId }: TestClient): Principal =>
        ({ userId: asId(id), companyId: asId(companyId), role: 'manager' }) as Principal;
      const outcomes = await Promise.allSettled([
        here.change(by(one), asId(two.id), { role: 'user' }),
        there.change(by(two), asId(one.id), { isActive: false }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await api.get(UsersFacade).activeManagers(asId(one.companyId))).toBe(1);
    }
  });

  it('does not wait for ever for an instance that died while it changed people', async () => {
    const one = await api.signIn('died', { role: 'manager' });
    const bob = await api.signIn('died');
    const turn = {
      id: api.get(IdSource).next<PeopleTurn['id']>(),
      companyId: asId<CompanyId>(one.companyId),
      holder: 'dead',
    };
    const until = new Date(api.get(Clock).now().getTime() - 1);
    await api
      .get(DocumentStore)
      .tenantCollection(PEOPLE_TURNS)
      .of(turn.companyId)
      .insert({ ...turn, until });
    expect(await one.patch(`/secure/user/${bob.id}`, { role: 'manager' })).toMatchObject({ status: 200 });
    expect(await api.get(DocumentStore).tenantCollection(PEOPLE_TURNS).of(turn.companyId).count({})).toBe(0);
  });
});
