import { browserStore, createClient } from '@data-analytics/client';

/** The one client of the page. What a form sent while the session was over is sent when its user has signed in again. */
export const client = createClient({
  baseUrl: window.location.origin,
  store: browserStore(window.localStorage, window),
  waitsForSignIn: true,
});

/** All routes, typed: `call(api.GET('/api/v1/secure/datasource', { params: { query: { id } } }))`. */
export const { api } = client;

/** The body of a success; throws `ApiError`, whose message is fit to be shown. */
export const call: typeof client.call = (answered) => client.call(answered);
