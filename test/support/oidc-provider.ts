import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

/** Somebody whom the provider knows. */
export interface ProviderPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly given_name?: string;
  readonly family_name?: string;
}

export const CLIENT = { id: 'data-analytics', secret: 'a-secret-of-the-provider-and-us' } as const;

/** A real OpenID Connect provider on a free port, which lets everybody in who says their subject. */
export class TestProvider implements AsyncDisposable {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly people: Map<string, ProviderPerson>,
  ) {}

  static async start(redirectUri: string): Promise<TestProvider> {
    const people = new Map<string, ProviderPerson>();
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri],
          // Only what the test is about: the rest is the provider's own default.
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      pkce: { required: () => true },
      cookies: { keys: ['a-key-for-cookies-of-a-test'] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => Promise.resolve({ ...people.get(id), sub: id }) }),
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
    return new TestProvider(server, issuer, people);
  }

  knows(person: ProviderPerson): void {
    this.people.set(person.sub, person);
  }

  signIn(page: string, subject: string): Promise<URL> {
    return throughProvider(page, subject);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

/** What somebody does at the provider's page: says who they are, and agrees. The address that they are sent back to. */
export async function throughProvider(page: string, subject: string): Promise<URL> {
  const { origin } = new URL(page);
  const cookies = new Map<string, string>();
  const visit = async (address: string, form?: Record<string, string>): Promise<{ next: string; text: string }> => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    return { next: location === null ? '' : new URL(location, address).href, text: await response.text() };
  };
  let { next, text } = await visit(page);
  for (let steps = 0; steps < 12; steps += 1) {
    if (next !== '' && !next.startsWith(origin)) return new URL(next);
    const before = next;
    ({ next, text } = await visit(next));
    if (next !== '') continue;
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1] ?? 'login';
    const form = prompt === 'login' ? { prompt, login: subject, password: 'x' } : { prompt };
    ({ next } = await visit(before, form));
  }
  throw new Error(`the provider leads nowhere: ${text.slice(0, 500)}`);
}
