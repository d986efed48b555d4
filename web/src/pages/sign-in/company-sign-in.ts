import { api, call, client } from '../../app/client.js';

/** What shows that this tab began: for the minutes that somebody is at their company's page. */
const KEY = 'company-sign-in';

/** Leaves the page for that of the company's provider. */
export async function leaveForCompany(
  who: { readonly email: string } | { readonly company_id: string },
): Promise<void> {
  const { url, browser } = await call(api.POST('/api/v1/sign-in/begin', { body: who }));
  // It comes from the metadata of somebody's provider, and the service has looked at it, too.
  if (!/^https?:$/.test(new URL(url).protocol)) throw new Error('this is no page');
  sessionStorage.setItem(KEY, browser);
  window.location.assign(url);
}

/** Signs in with what the provider has sent along. */
export async function comeBackFromCompany(answer: URLSearchParams): Promise<void> {
  const browser = sessionStorage.getItem(KEY) ?? '0'.repeat(64);
  sessionStorage.removeItem(KEY);
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => answer.get(name));
  const body = { browser, code: code ?? '', state: state ?? '', ...(iss == null ? {} : { iss }) };
  client.signInWith(await call(api.POST('/api/v1/sign-in/finish', { body })));
}
