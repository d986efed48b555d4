import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import * as oidc from 'openid-client';
import {
  IdentityProviders,
  type KnownPerson,
  type ProviderAnswer,
  type ProviderConnection,
  type SignInChallenge,
} from '../../ports/identity-providers.js';
import { AppError, isAppError, type ErrorKind } from '../../shared/app-error.js';
import { Deadline } from '../../shared/deadline.js';
import { webhookAddressProblem } from '../../shared/public-address.js';
import { type AddressRules, answerTo, bodyOf, checkedRequest, PUBLIC_ADDRESSES } from '../network/checked-addresses.js';

const SCOPE = 'openid email profile';
const LONGEST_NAME = 100;

/** Authorization code with PKCE. The ID token's signature, issuer, audience, times and nonce are checked. */
export class OpenIdIdentityProviders extends IdentityProviders {
  /** `allowsPrivate`: providers in one's own network may be used, also over HTTP. */
  constructor(private readonly rules: { readonly allowsPrivate: boolean }) {
    super();
  }

  override problemOf(issuer: string): string | null {
    if (!this.rules.allowsPrivate) return webhookAddressProblem(issuer);
    const url = URL.canParse(issuer) ? new URL(issuer) : null;
    if (url === null || !isWeb(url)) return 'must be an http or https address';
    return url.username === '' && url.password === '' ? null : 'must not hold a user name or a password';
  }

  override async pageFor(connection: ProviderConnection, challenge: SignInChallenge): Promise<string> {
    const config = await this.discover(connection);
    const parameters = {
      redirect_uri: connection.redirectUri,
      scope: SCOPE,
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(challenge.codeVerifier),
      code_challenge_method: 'S256',
    };
    let page: URL;
    try {
      page = oidc.buildAuthorizationUrl(config, parameters);
    } catch (error) {
      throw noProvider(error);
    }
    // The page is opened by a browser: nothing but the web may come from somebody's metadata.
    if (!(this.rules.allowsPrivate ? isWeb(page) : page.protocol === 'https:')) throw noProvider();
    return page.href;
  }

  override async personFrom(
    connection: ProviderConnection,
    { state, nonce, codeVerifier }: SignInChallenge,
    answer: ProviderAnswer,
  ): Promise<KnownPerson> {
    const config = await this.discover(connection);
    const url = new URL(connection.redirectUri);
    url.search = new URLSearchParams({
      code: answer.code,
      state: answer.state,
      ...(answer.issuer === null ? {} : { iss: answer.issuer }),
    }).toString();
    try {
      const tokens = await oidc.authorizationCodeGrant(config, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw refused();
      const isWhole = claims['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined;
      const more = isWhole ? {} : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
      return personOf({ ...more, ...claims });
    } catch (error) {
      throw foreseen(error, 'forbidden') ?? refused(error);
    }
  }

  private async discover({ issuer, clientId, clientSecret }: ProviderConnection): Promise<oidc.Configuration> {
    const { allowsPrivate } = this.rules;
    // oxlint-disable-next-line typescript/no-deprecated -- marked only to stand out: the operator has asked for it
    const insecure = allowsPrivate ? [oidc.allowInsecureRequests] : [];
    try {
      return await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        [oidc.customFetch]: checkedFetch(allowsPrivate),
        execute: [oidc.enableNonRepudiationChecks, ...insecure],
      });
    } catch (error) {
      throw foreseen(error, 'invalid_input') ?? noProvider(error);
    }
  }
}

function personOf(
  claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string },
): KnownPerson {
  const email = isVerified(claims) ? textOf(claims['email']).toLowerCase() : '';
  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: email === '' ? null : email,
    firstName: textOf(claims['given_name']).slice(0, LONGEST_NAME),
    lastName: textOf(claims['family_name']).slice(0, LONGEST_NAME),
  };
}

/** Microsoft says it by a claim of its own, which has to be asked for there. */
function isVerified({ email_verified: isIt, xms_edov: isItAtMicrosoft }: Readonly<Record<string, unknown>>): boolean {
  return isIt === true || isItAtMicrosoft === true || isItAtMicrosoft === 1 || isItAtMicrosoft === '1';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'http:';
}

/** What the connection itself says, wherever in the library's error it stands; null: it is the library's own word. */
function foreseen(error: unknown, kind: ErrorKind): AppError | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (isAppError(one)) {
      const told = one.kind === 'invalid_input' ? kind : one.kind;
      return new AppError(told, one.message.replaceAll('the receiver', 'the provider'), { cause: error });
    }
    if ('code' in one && /^E[A-Z]+$/.test(String(one.code)))
      return new AppError('unavailable', `the provider can't be reached: ${String(one.code)}`, { cause: error });
  }
  return null;
}

const NO_PROVIDER =
  'there is no OpenID Connect provider at this issuer: its page /.well-known/openid-configuration must be there and name the same issuer';
const REFUSED =
  'your company’s sign-in was not accepted: try again, or ask your manager whether client ID and secret are right';

function noProvider(cause?: unknown): AppError {
  return new AppError('invalid_input', NO_PROVIDER, { cause });
}

function refused(cause?: unknown): AppError {
  return new AppError('forbidden', `${REFUSED}${reasonOf(cause)}`, { cause });
}

/** ` (invalid_client)`: the provider's word for it, else the library's, such as that a token is too old by our clock. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return '';
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  const words = [cause, inner].flatMap((one) => ['error' in one && one.error, 'code' in one && one.code]);
  const reason = words.find((word) => typeof word === 'string' && /^\w{1,60}$/.test(word));
  return typeof reason === 'string' ? ` (${reason})` : '';
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

/** The own network too, with the names that its machines know. */
const ALL_ADDRESSES: AddressRules = { resolve: (host) => lookup(host, { all: true }), isAllowed: () => true };

/** A fetch that connects to checked addresses alone, follows no redirect, and takes neither long nor much. */
function checkedFetch(allowsPrivate: boolean): oidc.CustomFetch {
  const rules = allowsPrivate ? ALL_ADDRESSES : PUBLIC_ADDRESSES;
  return async (address, options) => {
    using deadline = new Deadline(TIMEOUT_MS);
    const url = new URL(address);
    const signal = AbortSignal.any([deadline.signal, ...(options.signal === undefined ? [] : [options.signal])]);
    const { method, headers } = options;
    const request = { ...(await checkedRequest(url, rules, { headers, signal })), method };
    return await responseOf(await answerTo(request, formOf(options.body)));
  };
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 502, headers } = answer;
  const challenge = headers['www-authenticate'];
  const told = {
    'content-type': headers['content-type'] ?? '',
    ...(challenge === undefined ? {} : { 'www-authenticate': challenge }),
  };
  const body = await bodyOf(answer, MAX_BYTES);
  return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers: told });
}

function formOf(body: Parameters<oidc.CustomFetch>[1]['body']): string | undefined {
  if (body === null || body === undefined) return undefined;
  if (typeof body === 'string') return body;
  if (body instanceof URLSearchParams) return body.toString();
  throw new Error('a provider is sent forms alone');
}
