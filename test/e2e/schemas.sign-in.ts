import { CLIENT, throughProvider } from '../support/oidc-provider.js';
import { field, kept, type RouteCall } from './schemas.world.js';

const CALLS: readonly RouteCall[] = [
  {
    route: 'PUT secure/sign-in',
    call: (made) => ({
      path: '/secure/sign-in',
      body: {
        issuer: kept(made, 'issuer'),
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        domains: ['example.com'],
        default_role: 'user',
        admits_unknown: false,
      },
    }),
  },
  {
    route: 'POST forgotten-password',
    call: (made) => ({ path: '/forgotten-password', body: { email: kept(made, 'email') } }),
  },
  { route: 'GET secure/sign-in', call: () => ({ path: '/secure/sign-in' }) },
  {
    route: 'POST sign-in/begin',
    call: (made) => ({ path: '/sign-in/begin', body: { email: kept(made, 'email') } }),
    then: async (body, made) => {
      const back = await throughProvider(field(body, 'url'), 'ada');
      made.set('browser', field(body, 'browser'));
      for (const name of ['code', 'state', 'iss']) made.set(name, back.searchParams.get(name) ?? '');
    },
  },
  {
    route: 'POST sign-in/finish',
    call: (made) => ({
      path: '/sign-in/finish',
      body: Object.fromEntries(['browser', 'code', 'state', 'iss'].map((name) => [name, kept(made, name)])),
    }),
  },
  { route: 'DELETE secure/sign-in', call: () => ({ path: '/secure/sign-in' }) },
];

/** Signing in with the company's provider, and without a password. */
export function signInCalls(): readonly RouteCall[] {
  return CALLS;
}
