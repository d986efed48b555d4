import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { OpenIdIdentityProviders } from '../../src/adapters/oidc/openid-identity-providers.js';
import { SIGN_IN_ATTEMPTS, SIGN_IN_PROVIDERS } from '../../src/features/members/sign-in/sign-in.schema.js';
import { DocumentStore } from '../../src/ports/document-store.js';
import { CLIENT, type ProviderPerson, TestProvider } from '../support/oidc-provider.js';
import { startTestApi } from '../support/test-api.js';
import { TestClient, type TestResponse } from '../support/test-client.js';

const PUBLIC_URL = 'https://data.acme.example';
const REDIRECT = `${PUBLIC_URL}/sign-in/callback`;
const ENVIRONMENT = { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', PUBLIC_URL, OIDC_PRIVATE_ISSUERS: 'true' };

let people = 0;

const provider = await TestProvider.start(REDIRECT);
const api = await startTestApi({ environment: ENVIRONMENT });
let boss = await api.signIn('acme', { role: 'manager', email: 'boss@acme.example' });
let eve = await api.signIn('globex', { role: 'manager', email: 'eve@globex.example' });
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

beforeEach(async () => {
  expect(await save()).toMatchObject({ status: 200 });
});

function save(fields: object = {}, by = boss): Promise<TestResponse> {
  return by.put('/secure/sign-in', {
    issuer: provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    domains: ['acme.example'],
    default_role: 'user',
    admits_unknown: false,
    ...fields,
  });
}

/** Somebody new at the provider, with a verified address of the company. */
function aPerson(fields: Partial<ProviderPerson> = {}): Required<Pick<ProviderPerson, 'sub' | 'email'>> {
  people += 1;
  const person = { sub: `sub-${people}`, email: `person-${people}@acme.example`, email_verified: true, ...fields };
  provider.knows(person);
  return person;
}

interface Begun {
  readonly url: string;
  readonly browser: string;
}

async function begin(who: object = { email: 'anybody@acme.example' }): Promise<Begun> {
  const { status, body } = await api.stranger().post('/sign-in/begin', who);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { url: String(body['url']), browser: String(body['browser']) };
}

function finish(browser: string, back: URL, fields: object = {}): Promise<TestResponse> {
  const { code, state, iss } = Object.fromEntries(back.searchParams);
  return api.stranger().post('/sign-in/finish', { browser, code, state, iss, ...fields });
}

async function signIn(subject: string, who?: object): Promise<TestResponse> {
  const { url, browser } = await begin(who);
  return finish(browser, await provider.signIn(url, subject));
}

async function invite(email: string, role = 'user'): Promise<void> {
  expect(await boss.post('/secure/invitation', { email, role })).toMatchObject({ status: 200 });
}

describe('signing in with the company', () => {
  it('opens a session like any other for a member, found by the verified address', async () => {
    const ada = await api.signIn('acme', { email: aPerson().email.replace('person', 'ada') });
    const sub = aPerson({ email: String(ada.user?.['email']) }).sub;
    const { status, body } = await signIn(sub);
    expect({ status, body }).toMatchObject({ status: 200, body: { error: false, user: { id: ada.id, role: 'user' } } });
    const session = new TestClient(api.url, String(body['token']), null);
    expect(await session.get('/secure/currentuser')).toMatchObject({ status: 200, body: { user: { id: ada.id } } });
    expect(await session.post('/refresh-token', { token: session.token })).toMatchObject({ status: 200 });
    expect(JSON.stringify((await boss.get('/secure/audit?action=POST%20sign-in/finish')).body)).toContain(ada.id);
  });

  it('goes to the provider with PKCE, state and nonce, and comes back to the exact address', async () => {
    const { url } = await begin();
    const asked = new URL(url);
    expect(url.startsWith(`${provider.issuer}/`)).toBe(true);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      redirect_uri: REDIRECT,
      response_type: 'code',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^\w{64}$/) as string,
      nonce: expect.stringMatching(/^\w{64}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const again = new URL((await begin()).url);
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(again.searchParams.get(name)).not.toBe(asked.searchParams.get(name));
    const kept = await api.get(DocumentStore).tenantCollection(SIGN_IN_ATTEMPTS).ofAll().find({});
    expect(JSON.stringify(kept)).not.toContain(asked.searchParams.get('state'));
  });

  it('finds the same account by the identity when the address has changed', async () => {
    const { sub, email } = aPerson();
    await invite(email);
    const { body: first } = await signIn(sub);
    provider.knows({ sub, email: 'another-name@acme.example', email_verified: true });
    const { body: second } = await signIn(sub);
    expect((second['user'] as { id: string }).id).toBe((first['user'] as { id: string }).id);
    // Whoever gets the old address is not whom the account belongs to.
    const heir = aPerson({ email }).sub;
    expect(await signIn(heir)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/another person/) as string },
    });
  });

  it('makes an account for who was invited, with the role and the names, and uses the invitation up', async () => {
    const { sub, email } = aPerson({ given_name: 'Grace', family_name: 'Hopper' });
    expect(await signIn(sub)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/no account here yet/) as string },
    });
    await invite(email, 'manager');
    expect(await signIn(sub)).toMatchObject({
      status: 200,
      body: { user: { email, role: 'manager', first_name: 'Grace', last_name: 'Hopper', company_id: boss.companyId } },
    });
    expect(JSON.stringify((await boss.get('/secure/invitation/list')).body)).not.toContain(email);
    expect(await signIn(sub)).toMatchObject({ status: 200 });
  });

  it('lets unknown people in when the company says so, but not who was removed', async () => {
    await save({ admits_unknown: true });
    const { sub, email } = aPerson();
    const { body } = await signIn(sub);
    const { id } = body['user'] as { id: string };
    expect(await boss.delete(`/secure/user/${id}`)).toMatchObject({ status: 200 });
    expect(await signIn(sub)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/was removed/) as string },
    });
    // Nor with another identity and the same address.
    expect(await signIn(aPerson({ email }).sub)).toMatchObject({ status: 403 });
    await invite(email);
    expect(await signIn(sub)).toMatchObject({ status: 200 });
  });

  it('is found by the link of the company, and by the domain of an address in any case', async () => {
    await expect(begin({ company_id: boss.companyId })).resolves.toMatchObject({ url: expect.any(String) as string });
    await expect(begin({ email: 'Somebody@ACME.example' })).resolves.toMatchObject({
      url: expect.any(String) as string,
    });
    for (const who of [{ email: 'x@globex.example' }, { company_id: eve.companyId }, { company_id: 'f'.repeat(24) }])
      expect(await api.stranger().post('/sign-in/begin', who)).toMatchObject({ status: 404 });
    expect(await api.stranger().post('/sign-in/begin', {})).toMatchObject({ status: 400 });
  });
});

describe('who is refused', () => {
  it.each([
    ['an address of which nobody says that it is verified', { email_verified: undefined }, /verified/],
    ['no address', { email: undefined }, /verified/],
    ['an address of another domain', { email: 'ada@acme.example.evil.example' }, /can’t sign in to this company/],
  ])('%s', async (_what, fields, message) => {
    await save({ admits_unknown: true });
    expect(await signIn(aPerson(fields as object).sub)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(message) as string },
    });
  });

  it('a blocked person, at once', async () => {
    const { sub, email } = aPerson();
    await invite(email);
    const { body } = await signIn(sub);
    await boss.patch(`/secure/user/${(body['user'] as { id: string }).id}`, { is_active: false });
    expect(await signIn(sub)).toMatchObject({ status: 403, body: { message: 'user is inactive' } });
  });

  it('somebody with an account in another company, and an operator of the service', async () => {
    const bob = await api.signIn('globex', { email: 'bob@globex.example' });
    await save({ admits_unknown: true, domains: ['acme.example', 'operator.example'] });
    await api.signIn('acme', { role: 'system', email: 'root@operator.example' });
    expect(await signIn(aPerson({ email: 'root@operator.example' }).sub)).toMatchObject({ status: 403 });
    expect(await save({ domains: ['globex.example'] })).toMatchObject({ status: 409 });
    const company = { company_id: boss.companyId };
    expect(await signIn(aPerson({ email: String(bob.user?.['email']) }).sub, company)).toMatchObject({ status: 403 });
  });

  it('another browser, an answer that was used, one that is too late, and one that nobody asked for', async () => {
    const { sub, email } = aPerson();
    await invite(email);
    const { url, browser } = await begin();
    const back = await provider.signIn(url, sub);
    expect(await finish('0'.repeat(64), back)).toMatchObject({ status: 403 });
    expect(await finish(browser, back, { state: '0'.repeat(64) })).toMatchObject({ status: 403 });
    const both = await Promise.all([finish(browser, back), finish(browser, back)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await finish(browser, back)).toMatchObject({ status: 403 });

    const late = await begin();
    const lateBack = await provider.signIn(late.url, sub);
    api.clock.advance(11 * 60_000);
    expect(await finish(late.browser, lateBack)).toMatchObject({ status: 403 });
    boss = await api.signIn('acme', { role: 'manager' });
    eve = await api.signIn('globex', { role: 'manager' });
  });

  it('a code that is another attempt’s, and an answer of another issuer', async () => {
    const { sub, email } = aPerson();
    await invite(email);
    const [first, second] = [await begin(), await begin()];
    const [firstBack, secondBack] = [await provider.signIn(first.url, sub), await provider.signIn(second.url, sub)];
    expect(await finish(first.browser, firstBack, { code: secondBack.searchParams.get('code') })).toMatchObject({
      status: 403,
    });
    expect(await finish(second.browser, secondBack, { iss: 'https://evil.example' })).toMatchObject({ status: 403 });
  });
});

describe('the provider of a company', () => {
  it('is set by its managers, its secret is sealed and never told', async () => {
    const { body } = await boss.get('/secure/sign-in');
    expect(body).toMatchObject({
      provider: { issuer: provider.issuer, domains: ['acme.example'] },
      redirect_uri: REDIRECT,
    });
    expect(JSON.stringify(body)).not.toContain(CLIENT.secret);
    expect((await eve.get('/secure/sign-in')).body['provider']).toBeNull();
    const stored = await api.get(DocumentStore).tenantCollection(SIGN_IN_PROVIDERS).ofAll().find({});
    expect(JSON.stringify(stored)).not.toContain(CLIENT.secret);
    expect(JSON.stringify((await boss.get('/secure/audit?page_size=100')).body)).not.toContain(CLIENT.secret);
  });

  it('keeps its secret when none is sent, but not for another issuer', async () => {
    expect(await save({ client_secret: null, domains: ['acme.example', 'acme.test'] })).toMatchObject({ status: 200 });
    const { sub, email } = aPerson();
    await invite(email);
    expect(await signIn(sub)).toMatchObject({ status: 200 });
    await using other = await TestProvider.start(REDIRECT);
    expect(await save({ client_secret: null, issuer: other.issuer })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'client_secret' }] },
    });
    // A wrong secret is found out when somebody signs in.
    expect(await save({ client_secret: 'another' })).toMatchObject({ status: 200 });
    expect(await signIn(sub)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/not accepted/) as string },
    });
  });

  it('ends when it is removed, also for who is on the way', async () => {
    const { sub, email } = aPerson();
    await invite(email);
    const { url, browser } = await begin();
    const back = await provider.signIn(url, sub);
    expect(await boss.delete('/secure/sign-in')).toMatchObject({ status: 200 });
    expect(await finish(browser, back)).toMatchObject({ status: 403 });
    expect(await api.stranger().post('/sign-in/begin', { email })).toMatchObject({ status: 404 });
  });

  it.each([
    ['nothing there', (_request, response) => void response.writeHead(404).end('no')],

    ['another issuer', metadata({ issuer: 'https://other.example' })],
    ['a script as its page', metadata({ authorization_endpoint: 'javascript:alert(1)' })],
    ['too much to say', (_request, response) => void response.end('x'.repeat(3_000_000))],
    [
      'a redirect elsewhere',
      (_request, response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    ],
  ] as [string, RequestListener][])('is refused with %s', async (_what, listener) => {
    const server = createServer(listener);
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, body } = await save({ issuer });
    server.closeAllConnections();
    server.close();
    expect([400, 503]).toContain(status);
    expect(body['message']).toMatch(/provider/);
  });

  it('on a private address, or without TLS, is refused unless the operator allows it', async () => {
    const strict = new OpenIdIdentityProviders({ allowsPrivate: false });
    for (const issuer of [
      'http://login.example.com',
      'https://127.0.0.1',
      'https://10.0.0.1:8443',
      'https://localhost',
      'https://[::1]/',
      'https://a.internal',
    ])
      expect(strict.problemOf(issuer)).not.toBeNull();
    expect(strict.problemOf('https://login.example.com')).toBeNull();
    const connection = { issuer: provider.issuer, clientId: 'x', clientSecret: 'y', redirectUri: REDIRECT };
    const challenge = { state: 's', nonce: 'n', codeVerifier: 'v'.repeat(43) };
    await expect(
      strict.pageFor({ ...connection, issuer: provider.issuer.replace('http:', 'https:') }, challenge),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/not on the public internet/) as string,
    });
    await expect(strict.pageFor(connection, challenge)).rejects.toMatchObject({ kind: 'invalid_input' });
  });

  it('can’t be set before the operator has said how the service is reached', async () => {
    await using own = await startTestApi({ environment: { ...ENVIRONMENT, PUBLIC_URL: '' } });
    const manager = await own.signIn('acme', { role: 'manager' });
    expect(await save({}, manager)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/PUBLIC_URL/) as string },
    });
  });
});

/** What a provider says of itself, with something wrong in it. */
function metadata(wrong: object): RequestListener {
  return ({ headers }, response) => {
    const issuer = `http://${String(headers.host)}`;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...wrong,
      }),
    );
  };
}
