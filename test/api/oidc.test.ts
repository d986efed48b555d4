import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OpenIdIdentityProviders } from '../../src/adapters/oidc/openid-identity-providers.js';
import { SIGN_IN_ATTEMPTS, SIGN_IN_PROVIDERS } from '../../src/features/members/sign-in/sign-in.schema.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { CLIENT, type ProviderPerson, TestProvider } from '../support/oidc-provider.js';
import { TestClient, type TestResponse } from '../support/test-client.js';
import { aService, theService } from './a-service.js';

const PUBLIC_URL = 'https://data.acme.example';
const REDIRECT = `${PUBLIC_URL}/sign-in/callback`;
const OK = { status: 200 };

let people = 0;

const provider = await TestProvider.start(REDIRECT);
afterAll(() => provider[Symbol.asyncDispose]());
const api = await aService({ environment: { PUBLIC_URL, OIDC_PRIVATE_ISSUERS: 'true' } });
let boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example' });
let eve = await api.signIn('globex', { role: 'manager', email: 'eve@globex.example' });

beforeEach(async () => {
  expect(await save()).toMatchObject(OK);
});

function save(fields: object = {}, by = boss): Promise<TestResponse> {
  return by.put('/secure/sign-in', {
    ...{ issuer: provider.issuer, client_id: CLIENT.id, client_secret: CLIENT.secret, domains: ['acme.example'] },
    ...{ default_role: 'user', admits_unknown: false },
    ...fields,
  });
}

type Person = Required<Pick<ProviderPerson, 'sub' | 'email'>>;

/** Somebody new at the provider, with a verified address of the company. */
function aPerson(fields: Partial<ProviderPerson> = {}): Person {
  people += 1;
  const person = { sub: `sub-${people}`, email: `person-${people}@acme.example`, email_verified: true, ...fields };
  provider.knows(person);
  return person;
}

async function invite(email: string, role = 'user'): Promise<void> {
  expect(await boss.post('/secure/invitation', { email, role })).toMatchObject(OK);
}

async function anInvited(): Promise<Person> {
  const person = aPerson();
  await invite(person.email);
  return person;
}

const refused = (message = /./): object => ({
  status: 403,
  body: { message: expect.stringMatching(message) as string },
});
const beginning = (who: object): Promise<TestResponse> => api.stranger().post('/sign-in/begin', who);

async function begin(who: object = { email: 'anybody@acme.example' }): Promise<Record<'url' | 'browser', string>> {
  const { status, body } = await beginning(who);
  expect({ status, body }).toMatchObject(OK);
  return { url: String(body['url']), browser: String(body['browser']) };
}

function finish(browser: string, back: URL, fields: object = {}): Promise<TestResponse> {
  const { code, state, iss } = Object.fromEntries(back.searchParams);
  return api.stranger().post('/sign-in/finish', { browser, code, state, iss, ...fields });
}

/** On the way back from the provider. */
async function onTheWay(subject: string, who?: object): Promise<{ readonly browser: string; readonly back: URL }> {
  const { url, browser } = await begin(who);
  return { browser, back: await provider.signIn(url, subject) };
}

async function signIn({ sub }: Pick<Person, 'sub'>, who?: object): Promise<TestResponse> {
  const { browser, back } = await onTheWay(sub, who);
  return finish(browser, back);
}

const idOf = ({ body }: TestResponse): string => (body['user'] as { id: string }).id;

describe('signing in with the company', () => {
  it('opens a session like any other for a member, found by the verified address', async () => {
    const ada = await api.signIn('acme', { email: 'ada@acme.example' });
    const { status, body } = await signIn(aPerson({ email: 'ada@acme.example' }));
    expect({ status, body }).toMatchObject({ status: 200, body: { error: false, user: { id: ada.id, role: 'user' } } });
    const session = new TestClient(api.url, String(body['token']), null);
    expect(await session.get('/secure/currentuser')).toMatchObject({ status: 200, body: { user: { id: ada.id } } });
    expect(await session.post('/refresh-token', { token: session.token })).toMatchObject(OK);
    expect(JSON.stringify((await boss.get('/secure/audit?action=POST%20sign-in/finish')).body)).toContain(ada.id);
  });

  it('goes to the provider with PKCE, state and nonce, and comes back to the exact address', async () => {
    const { url } = await begin();
    const asked = new URL(url).searchParams;
    expect(url.startsWith(`${provider.issuer}/`)).toBe(true);
    const [secret, challenge] = [/^\w{64}$/, /^[\w-]{43}$/].map((form) => expect.stringMatching(form) as string);
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ redirect_uri: REDIRECT, response_type: 'code', code_challenge_method: 'S256' },
      ...{ state: secret, nonce: secret, code_challenge: challenge },
    });
    const again = new URL((await begin()).url).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) expect(again.get(name)).not.toBe(asked.get(name));
    const kept = await api.get(DocumentStore).tenantCollection(SIGN_IN_ATTEMPTS).ofAll().find({});
    expect(JSON.stringify(kept)).not.toContain(asked.get('state'));
  });

  it('finds the same account by the identity when the address has changed', async () => {
    const { sub, email } = await anInvited();
    const first = idOf(await signIn({ sub }));
    provider.knows({ sub, email: 'another-name@acme.example', email_verified: true });
    expect(idOf(await signIn({ sub }))).toBe(first);
    // Whoever gets the old address is not whom the account belongs to.
    expect(await signIn(aPerson({ email }))).toMatchObject(refused(/another person/));
  });

  it('makes an account for who was invited, with the role and the names, and uses the invitation up', async () => {
    const grace = aPerson({ given_name: 'Grace', family_name: 'Hopper' });
    expect(await signIn(grace)).toMatchObject(refused(/no account here yet/));
    await invite(grace.email, 'manager');
    const names = { first_name: 'Grace', last_name: 'Hopper' };
    const user = { email: grace.email, role: 'manager', company_id: boss.companyId, ...names };
    expect(await signIn(grace)).toMatchObject({ status: 200, body: { user } });
    expect(JSON.stringify((await boss.get('/secure/invitation/list')).body)).not.toContain(grace.email);
    expect(await signIn(grace)).toMatchObject(OK);
  });

  it('lets unknown people in when the company says so, but not who was removed', async () => {
    await save({ admits_unknown: true });
    const person = aPerson();
    expect(await boss.delete(`/secure/user/${idOf(await signIn(person))}`)).toMatchObject(OK);
    expect(await signIn(person)).toMatchObject(refused(/was removed/));
    // Nor with another identity and the same address.
    expect(await signIn(aPerson({ email: person.email }))).toMatchObject(refused());
    await invite(person.email);
    expect(await signIn(person)).toMatchObject(OK);
  });

  it('is found by the link of the company, and by the domain of an address in any case', async () => {
    for (const who of [{ company_id: boss.companyId }, { email: 'Somebody@ACME.example' }])
      expect((await begin(who)).url.startsWith(provider.issuer)).toBe(true);
    for (const who of [{ email: 'x@globex.example' }, { company_id: eve.companyId }, { company_id: 'f'.repeat(24) }])
      expect(await beginning(who)).toMatchObject({ status: 404 });
    expect(await beginning({})).toMatchObject({ status: 400 });
  });
});

describe('who is refused', () => {
  it.each([
    ['an address of which nobody says that it is verified', { email_verified: undefined }, /verified/],
    ['no address', { email: undefined }, /verified/],
    ['an address of another domain', { email: 'ada@acme.example.evil.example' }, /can’t sign in to this company/],
  ])('%s', async (_what, fields, message) => {
    await save({ admits_unknown: true });
    expect(await signIn(aPerson(fields as object))).toMatchObject(refused(message));
  });

  it('a blocked person, at once', async () => {
    const person = await anInvited();
    await boss.patch(`/secure/user/${idOf(await signIn(person))}`, { is_active: false });
    expect(await signIn(person)).toMatchObject(refused(/^user is inactive$/));
  });

  it('somebody with an account in another company, and an operator of the service', async () => {
    await api.signIn('globex', { email: 'bob@globex.example' });
    await save({ admits_unknown: true, domains: ['acme.example', 'operator.example'] });
    await api.signIn('acme', { role: 'system', email: 'root@operator.example' });
    expect(await signIn(aPerson({ email: 'root@operator.example' }))).toMatchObject(refused());
    expect(await save({ domains: ['globex.example'] })).toMatchObject({ status: 409 });
    const company = { company_id: boss.companyId };
    expect(await signIn(aPerson({ email: 'bob@globex.example' }), company)).toMatchObject(refused());
  });

  it('another browser, an answer that was used, one that is too late, and one that nobody asked for', async () => {
    const { sub } = await anInvited();
    const { browser, back } = await onTheWay(sub);
    expect(await finish('0'.repeat(64), back)).toMatchObject(refused());
    expect(await finish(browser, back, { state: '0'.repeat(64) })).toMatchObject(refused());
    const both = await Promise.all([finish(browser, back), finish(browser, back)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await finish(browser, back)).toMatchObject(refused());

    const late = await onTheWay(sub);
    api.clock.advance(11 * 60_000);
    expect(await finish(late.browser, late.back)).toMatchObject(refused());
    boss = await api.signIn('acme', { role: 'manager' });
    eve = await api.signIn('globex', { role: 'manager' });
  });

  it('a code that is another attempt’s, and an answer of another issuer', async () => {
    const { sub } = await anInvited();
    const [first, second] = [await onTheWay(sub), await onTheWay(sub)];
    const code = second.back.searchParams.get('code');
    expect(await finish(first.browser, first.back, { code })).toMatchObject(refused());
    expect(await finish(second.browser, second.back, { iss: 'https://evil.example' })).toMatchObject(refused());
  });
});

describe('the provider of a company', () => {
  it('is set by its managers, its secret is sealed and never told', async () => {
    const { body } = await boss.get('/secure/sign-in');
    const set = { issuer: provider.issuer, domains: ['acme.example'] };
    expect(body).toMatchObject({ provider: set, redirect_uri: REDIRECT });
    expect((await eve.get('/secure/sign-in')).body['provider']).toBeNull();
    const stored = await api.get(DocumentStore).tenantCollection(SIGN_IN_PROVIDERS).ofAll().find({});
    const { body: audit } = await boss.get('/secure/audit?page_size=100');
    expect(JSON.stringify([body, stored, audit])).not.toContain(CLIENT.secret);
  });

  it('keeps its secret when none is sent, but not for another issuer', async () => {
    expect(await save({ client_secret: null, domains: ['acme.example', 'acme.test'] })).toMatchObject(OK);
    const person = await anInvited();
    expect(await signIn(person)).toMatchObject(OK);
    await using other = await TestProvider.start(REDIRECT);
    const details = [{ field: 'client_secret' }];
    expect(await save({ client_secret: null, issuer: other.issuer })).toMatchObject({ status: 400, body: { details } });
    // A wrong secret is found out when somebody signs in.
    expect(await save({ client_secret: 'another' })).toMatchObject(OK);
    expect(await signIn(person)).toMatchObject(refused(/not accepted: .*\(invalid_client\)/));
  });

  it('ends when it is removed, also for who is on the way', async () => {
    const { sub, email } = await anInvited();
    const { browser, back } = await onTheWay(sub);
    expect(await boss.delete('/secure/sign-in')).toMatchObject(OK);
    expect(await finish(browser, back)).toMatchObject(refused());
    expect(await beginning({ email })).toMatchObject({ status: 404 });
  });

  const elsewhere = { location: 'http://127.0.0.1:9/' };
  it.each<[string, RequestListener]>([
    ['nothing there', (_request, response) => void response.writeHead(404).end('no')],
    ['another issuer', metadata({ issuer: 'https://other.example' })],
    ['a script as its page', metadata({ authorization_endpoint: 'javascript:alert(1)' })],
    ['too much to say', (_request, response) => void response.end('x'.repeat(3_000_000))],
    ['a redirect elsewhere', (_request, response) => void response.writeHead(302, elsewhere).end()],
  ])('is refused with %s', async (_what, listener) => {
    const server = createServer(listener);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { status, body } = await save({ issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    server.closeAllConnections();
    server.close();
    expect([400, 503]).toContain(status);
    expect(body['message']).toMatch(/provider/);
  });

  it('on a private address, or without TLS, is refused unless the operator allows it', async () => {
    const strict = new OpenIdIdentityProviders({ allowsPrivate: false });
    const ours = ['127.0.0.1', '10.0.0.1:8443', 'localhost', '[::1]/', 'a.internal'].map((host) => `https://${host}`);
    for (const issuer of ['http://login.example.com', ...ours]) expect(strict.problemOf(issuer), issuer).not.toBeNull();
    expect(strict.problemOf('https://login.example.com')).toBeNull();
    const connection = { issuer: provider.issuer, clientId: 'x', clientSecret: 'y', redirectUri: REDIRECT };
    const challenge = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
    const overTls = { ...connection, issuer: provider.issuer.replace('http:', 'https:') };
    await expect(strict.pageFor(overTls, challenge)).rejects.toThrow(/not on the public internet/);
    await expect(strict.pageFor(connection, challenge)).rejects.toMatchObject({ kind: 'invalid_input' });
  });

  it('can’t be set before the operator has said how the service is reached', async () => {
    const unreached = await theService();
    const { status, body } = await save(
      { issuer: 'https://login.example.com' },
      await unreached.signIn('acme', { role: 'manager' }),
    );
    expect(status).toBe(409);
    expect(body['message']).toMatch(/PUBLIC_URL/);
  });
});

/** What a provider says of itself, with something wrong in it. */
function metadata(wrong: object): RequestListener {
  return ({ headers }, response) => {
    const issuer = `http://${String(headers.host)}`;
    const endpoints = { token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/auth`, ...endpoints, ...wrong }));
  };
}
