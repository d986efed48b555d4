import { CLIENT, throughProvider } from '../support/oidc-provider.js';
import { field, type RouteCall } from './schemas.world.js';

const CALLS: readonly RouteCall[] = [
  {
    route: 'PUT secure/sign-in',
    body: {
      issuer: '<issuer>',
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      domains: ['example.com'],
      default_role: 'user',
      admits_unknown: false,
    },
  },
  { route: 'POST forgotten-password', body: { email: '<email>' } },
  { route: 'GET secure/sign-in' },
  {
    route: 'POST sign-in/begin',
    body: { email: '<email>' },
    then: async (body, made) => {
      const back = await throughProvider(field(body, 'url'), 'ada');
      made.set('browser', field(body, 'browser'));
      for (const name of ['code', 'state', 'iss']) made.set(name, back.searchParams.get(name) ?? '');
    },
  },
  { route: 'POST sign-in/finish', body: { browser: '<browser>', code: '<code>', state: '<state>', iss: '<iss>' } },
  { route: 'DELETE secure/sign-in' },
];

/** Signing in with the company's provider, and without a password. */
export function signInCalls(): readonly RouteCall[] {
  return CALLS;
}
