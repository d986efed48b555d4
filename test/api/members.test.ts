import { beforeEach, describe, expect, it } from 'vitest';
import { CONVERSATIONS } from '../../src/features/assistant/conversations/conversation.schema.js';
import { MESSAGES } from '../../src/features/assistant/history/message.schema.js';
import { AuthFacade } from '../../src/features/auth/auth.facade.js';
import { type Session, SESSIONS } from '../../src/features/auth/session.schema.js';
import { INVITATIONS } from '../../src/features/members/invitation.schema.js';
import { InvitationsService } from '../../src/features/members/invitations.service.js';
import { MembersService, PeopleTurns, PersonRemover } from '../../src/features/members/members.service.js';
import { PEOPLE_TURNS } from '../../src/features/members/people-turn.schema.js';
import { UsersFacade } from '../../src/features/users/users.facade.js';
import { Clock } from '../../src/ports/clock.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { IdSource } from '../../src/ports/id-source.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { eventually } from '../support/eventually.js';
import type { ReceivedMail } from '../support/mail-sink.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { aServiceWithMail, theService } from './a-service.js';
import { importedDatasource, openConversation } from './world.builder.js';

const PASSWORD = 'correct horse';
const NEW = 'battery staple';
const DAY = 24 * 60 * 60 * 1000;

const [api, sink] = await aServiceWithMail();
const mailless = await theService();
let boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example', password: PASSWORD });
const store = api.get(DocumentStore);
const invitations = store.tenantCollection(INVITATIONS).ofAll();
const sessions = store.tenantCollection(SESSIONS).ofAll();

beforeEach(() => {
  sink.received.length = 0;
});

const member = (name: string): Promise<TestClient> =>
  api.signIn('acme', { email: `${name}@acme.example`, password: PASSWORD });
const signIn = (name: string, password = PASSWORD): Promise<TestClient> =>
  TestClient.signIn(api.url, `${name}@acme.example`, password);
const isIn = async (client: TestClient): Promise<boolean> => (await client.get('/secure/currentuser')).status === 200;

async function invited(by: TestClient, email: string, role = 'user'): Promise<string> {
  const { status, body } = await by.post('/secure/invitation', { email, role });
  expect({ status, message: body['message'] }).toEqual({ status: 200, message: 'invitation made' });
  return String(body['token']);
}

const accept = (token: string, fields: object = {}): Promise<TestResponse> =>
  api.stranger().post('/invitation/accept', { token, password: PASSWORD, ...fields });
const invitationList = async (): Promise<string> =>
  JSON.stringify((await boss.get('/secure/invitation/list')).body['invitations']);

/** The last of so many mails to the address: nobody waits for a mail. */
async function mailTo(address: string, count = 1): Promise<ReceivedMail> {
  const mails = await eventually(
    () => sink.received.filter(({ envelopeTo }) => envelopeTo.includes(address)),
    (found) => found.length === count,
  );
  return mails.at(-1)!;
}

const tokenIn = ({ text = '' }: ReceivedMail): string =>
  /https:\/\/data\.example\.com\/invitation#(\w{64})/.exec(text)?.[1] ?? '';

describe('an invitation', () => {
  it('lets one person in, once, with the role that was given, by the link that is mailed', async () => {
    const token = await invited(boss, 'Ada@acme.example', 'manager');
    const mail = await mailTo('ada@acme.example');
    expect(mail.subject).toMatch(/invited/);
    expect(tokenIn(mail)).toBe(token);
    const stored = await invitations.find({});
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored) + (await invitationList())).not.toContain(token);
    const invitation = { purpose: 'join', email: 'ada@acme.example', company: expect.any(String) as string };
    expect((await api.stranger().post('/invitation/look', { token })).body).toMatchObject({ invitation });
    const { body } = await accept(token, { first_name: ' Ada ', last_name: 'Byron' });
    expect(body).toMatchObject({ error: false, email: 'ada@acme.example' });

    const ada = await signIn('ada');
    expect(ada.user).toMatchObject({ first_name: 'Ada', role: 'manager', company_id: boss.companyId });
    expect(await accept(token)).toMatchObject({ status: 404, body: { error: true } });
    expect(await invitationList()).not.toContain('ada@acme.example');
  });

  it('ends when it is revoked, when a newer one is made, and after seven days', async () => {
    const email = 'bob@acme.example';
    const [first, second] = [await invited(boss, email), await invited(boss, email)];
    const openOne = async () => (await invitations.find({ email }))[0]!;
    expect((await accept(first)).status).toBe(404);
    expect((await boss.delete(`/secure/invitation/${(await openOne()).id}`)).status).toBe(200);
    expect((await accept(second)).status).toBe(404);

    const third = await invited(boss, email);
    const { id, expiresAt } = await openOne();
    const now = api.clock.now().getTime();
    expect(Math.round((expiresAt.getTime() - now) / DAY)).toBe(7);
    await invitations.update({ id }, { set: { expiresAt: new Date(now - 1) } });
    expect((await accept(third)).status).toBe(404);
  });

  it('is not used up by a password that is too short, and lets in one of two who come at once', async () => {
    const token = await invited(boss, 'cy@acme.example');
    expect(await accept(token, { password: 'short' })).toMatchObject({ status: 400 });
    const answers = await Promise.all([accept(token), accept(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('tells managers nothing of other companies, and gives no more than a manager’s role', async () => {
    await api.signIn('globex', { email: 'eve@globex.example' });
    expect(await accept(await invited(boss, 'eve@globex.example'))).toMatchObject({ status: 409 });
    const ask = async (email: string, role: string): Promise<number> =>
      (await boss.post('/secure/invitation', { email, role })).status;
    expect(await ask('boss@acme.example', 'user')).toBe(409);
    expect(await ask('root@acme.example', 'system')).toBe(400);
  });
});

describe('managing people', () => {
  it('blocks, lets in again, and gives another role, at once', async () => {
    const dan = await member('dan');
    const change = (fields: object): Promise<TestResponse> => boss.patch(`/secure/user/${dan.id}`, fields);
    expect((await change({ is_active: false })).body).toMatchObject({ user: { is_active: false } });
    expect(await isIn(dan)).toBe(false);
    await change({ is_active: true, role: 'manager' });
    const again = await signIn('dan');
    expect((await again.get('/secure/user/list')).status).toBe(200);
    await change({ role: 'user' });
    expect((await again.get('/secure/user/list')).status).toBe(401);
  });

  it('removes somebody, who can be invited again', async () => {
    const fay = await member('fay');
    const { body } = await fay.post('/secure/api-keys', { name: 'Reports', scopes: ['read'] });
    const datasource = await importedDatasource(api, fay);
    const conversation_id = await openConversation(fay, datasource);
    await fay.post('/secure/assistant/chat', { conversation_id, message: 'how many rows?' });
    expect((await boss.delete(`/secure/user/${fay.id}`)).status).toBe(200);
    const key = new TestClient(api.url, String(body['key']), null);
    for (const client of [fay, key]) expect(await isIn(client)).toBe(false);
    expect(await store.tenantCollection(CONVERSATIONS).ofAll().find({ userId: fay.id })).toEqual([]);
    expect(await store.tenantCollection(MESSAGES).ofAll().find({ conversationId: conversation_id })).toEqual([]);
    expect((await boss.get(`/secure/datasource?id=${datasource}`)).status).toBe(200);
    expect((await accept(await invited(boss, 'fay@acme.example'))).status).toBe(200);
  }, 60_000);

  it('keeps every company a manager, and nobody does it to themselves', async () => {
    const only = await api.signIn('solo', { role: 'manager' });
    expect(await only.patch(`/secure/user/${only.id}`, { role: 'user' })).toMatchObject({ status: 409 });
    expect(await only.delete(`/secure/user/${only.id}`)).toMatchObject({ status: 409 });
  });

  it('shows a manager all of their people but the password, and the system everybody', async () => {
    const lea = await member('lea');
    const shown = await boss.get(`/secure/user/${lea.id.toUpperCase()}`);
    expect(shown).toMatchObject({ status: 200, body: { error: false, user: lea.user! } });
    for (const { body } of [shown, await boss.get('/secure/user/list')])
      expect(JSON.stringify(body)).not.toMatch(/password|argon2/i);
    const system = await api.signIn('operations', { role: 'system' });
    expect(await system.get(`/secure/user/${boss.id}`)).toMatchObject({ status: 200, body: { user: { id: boss.id } } });
    expect((await system.get('/secure/user/list')).body).toMatchObject({ total: 1, users: [{ id: system.id }] });
  });
});

describe('one’s own account', () => {
  it('gets a new password for the present one, which ends all other sessions', async () => {
    const ida = await member('ida');
    const other = await signIn('ida');
    // More than are listed.
    const [one] = await sessions.find({ userId: ida.id });
    const more = Array.from({ length: 205 }, (_, n): Session => ({
      ...one!,
      id: api.get(IdSource).next(),
      jti: `j${n}`,
    }));
    await Promise.all(more.map((session) => sessions.insert(session)));
    const change = async (current_password: string): Promise<number> =>
      (await ida.post('/secure/currentuser/password', { current_password, new_password: NEW })).status;
    expect(await change('a guess')).toBe(400);
    expect(await change(PASSWORD)).toBe(200);
    expect([await isIn(ida), await isIn(other)]).toEqual([true, false]);
    expect(await sessions.find({ userId: ida.id })).toHaveLength(1);
    await signIn('ida', NEW);
  });

  it('lists where it is signed in, and ends what is not wanted', async () => {
    const jo = await member('jo');
    const credentials = { email: 'jo@acme.example', password: PASSWORD };
    const { body: login } = await api.stranger().post('/login', credentials, { 'user-agent': 'Other/1.0' });
    const { body } = await jo.get('/secure/currentuser/sessions');
    const address = expect.stringMatching(/^(::|127)/) as string;
    expect(body['sessions']).toMatchObject([{ agent: 'Other/1.0', address, is_current: false }, { is_current: true }]);
    const [{ id }] = body['sessions'] as [{ id: string }];
    expect((await jo.delete(`/secure/currentuser/sessions/${id}`)).status).toBe(200);
    const other = new TestClient(api.url, String(login['token']), null);
    expect([await isIn(other), await isIn(jo)]).toEqual([false, true]);
  });
});

describe('a forgotten password', () => {
  const message = 'if there is an account with this address, a mail is on its way';
  const SAME = { status: 200, body: { error: false, message } };
  const ask = (email: string): Promise<TestResponse> => api.stranger().post('/forgotten-password', { email });

  it('is chosen anew with a link by mail, once, which ends all sessions', async () => {
    const hal = await member('hal');
    expect(await ask('Hal@acme.example')).toMatchObject(SAME);
    const token = tokenIn(await mailTo('hal@acme.example'));
    await signIn('hal');
    const email = 'hal@acme.example';
    expect(await accept(token, { password: NEW })).toMatchObject({ status: 200, body: { email } });
    expect(await accept(token, { password: 'another one' })).toMatchObject({ status: 404 });
    expect(await isIn(hal)).toBe(false);
    await signIn('hal', NEW);
    await expect(signIn('hal')).rejects.toThrow();
  });

  it('has a link that ends in an hour', async () => {
    await member('kim');
    await ask('kim@acme.example');
    const token = tokenIn(await mailTo('kim@acme.example'));
    api.clock.advance(61 * 60_000);
    expect(await accept(token, { password: NEW })).toMatchObject({ status: 404 });
    boss = await api.signIn('acme', { role: 'manager' });
  });

  it('is answered alike for addresses without an account and of blocked people, who get no mail', async () => {
    const [mo] = [await member('mo'), await member('ned')];
    await boss.patch(`/secure/user/${mo.id}`, { is_active: false });
    for (const name of ['nobody', 'mo', 'ned']) expect(await ask(`${name}@acme.example`)).toMatchObject(SAME);
    // Whatever was ordered before this one is there by now.
    await mailTo('ned@acme.example');
    await api.drain();
    expect(sink.received.map(({ envelopeTo }) => envelopeTo[0])).toEqual(['ned@acme.example']);
  });

  it('sends three mails an hour to one address, and leaves a manager’s link alone', async () => {
    const gil = await member('gil');
    const { body } = await boss.post(`/secure/user/${gil.id}/reset`);
    expect(body).toMatchObject({ mailed: true });
    await mailTo('gil@acme.example');
    for (let count = 0; count < 6; count += 1) expect(await ask('gil@acme.example')).toMatchObject(SAME);
    await mailTo('gil@acme.example', 4);
    await api.drain();
    expect(sink.received).toHaveLength(4);
    expect(await isIn(gil)).toBe(true);
    expect(await accept(String(body['token']), { password: NEW })).toMatchObject({ status: 200 });
    expect(await isIn(gil)).toBe(false);
    await expect(signIn('gil')).rejects.toThrow();
    await signIn('gil', NEW);
  });

  it('tells managers when it was refused', async () => {
    sink.answer = () => ({ code: 550 });
    const gus = await member('gus');
    const { body } = await boss.post(`/secure/user/${gus.id}/reset`);
    expect(body).toMatchObject({ mailed: true });
    await api.drain();
    sink.answer = () => null;
    const mails = [{ to: 'gus@acme.example', status: 'failed', error: 'the mail server answered 550' }];
    expect((await boss.get('/secure/invitation/list')).body).toMatchObject({
      invitations: expect.arrayContaining([expect.objectContaining({ mails })]) as unknown,
    });
  });

  it('is a matter for a manager where no mail is sent', async () => {
    const manager = await mailless.signIn('acme', { role: 'manager' });
    const invitation = await manager.post('/secure/invitation', { email: 'new@acme.example', role: 'user' });
    expect(invitation.body).toMatchObject({ mailed: false, token: expect.any(String) as string });
    expect((await manager.get('/secure/capabilities')).body).toMatchObject({ mail: false });
    expect(await mailless.stranger().post('/forgotten-password', { email: 'x@acme.example' })).toMatchObject({
      status: 503,
    });
  });
});

describe('the last manager', () => {
  /** As another instance has it: nothing but the document store is shared. */
  function anotherInstance(): MembersService {
    const turns = new PeopleTurns(store, api.get(IdSource), api.get(Clock));
    const [accounts, auth] = [api.get(UsersFacade), api.get(AuthFacade)];
    return new MembersService(accounts, auth, api.get(InvitationsService), api.get(PersonRemover), turns);
  }

  it('stays one when two take the role from each other at once, on two instances', async () => {
    const [here, there] = [anotherInstance(), anotherInstance()];
    for (let round = 0; round < 4; round += 1) {
      const aManager = (): Promise<TestClient> => api.signIn(`pair-${round}`, { role: 'manager' });
      const [one, two] = await Promise.all([aManager(), aManager()]);
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
    const companyId = asId<CompanyId>(one.companyId);
    const turns = store.tenantCollection(PEOPLE_TURNS).of(companyId);
    const until = new Date(api.clock.now().getTime() - 1);
    await turns.insert({ id: api.get(IdSource).next(), companyId, holder: 'dead', until });
    expect(await one.patch(`/secure/user/${bob.id}`, { role: 'manager' })).toMatchObject({ status: 200 });
    expect(await turns.count({})).toBe(0);
  });
});
