import type { Company } from '../../src/features/company/company.facade.js';
import { COMPANIES } from '../../src/features/company/company.schema.js';
import { type Session, SESSIONS } from '../../src/features/auth/session.schema.js';
import type { User } from '../../src/features/users/users.facade.js';
import { USERS } from '../../src/features/users/user.schema.js';
import { DocumentStore, type Change } from '../../src/ports/document-store.js';
import type { TestApi } from '../support/test-api.js';
import { TestClient, type TestResponse } from '../support/test-client.js';

export const INVALID_TOKEN = { status: 401, body: { error: true, message: 'unauthorized - invalid token' } };
export const SESSION_EXPIRED = { status: 401, body: { error: true, message: 'session expired' } };

/** The same person with another token. */
export function withToken(client: TestClient, token: string): TestClient {
  return new TestClient(client.url, token, client.user);
}

/** Refreshes this client's token, or whatever header and body say instead. */
export function refresh(client: TestClient): Promise<TestResponse> {
  return client.post('/refresh-token', { token: client.token });
}

export async function refreshed(client: TestClient): Promise<TestClient> {
  const { status, body } = await refresh(client);
  if (status !== 200) throw new Error(`refresh failed: ${JSON.stringify(body)}`);
  return withToken(client, String(body['token']));
}

export async function changeUser(api: TestApi, client: TestClient, set: Change<User>['set']): Promise<void> {
  await api.get(DocumentStore).tenantCollection(USERS).ofAll().update({ id: client.id }, { set: set! });
}

export async function changeCompany(api: TestApi, client: TestClient, set: Change<Company>['set']): Promise<void> {
  await api.get(DocumentStore).collection(COMPANIES).update({ id: client.companyId }, { set: set! });
}

export function sessionsOf(api: TestApi, client: TestClient): Promise<readonly Session[]> {
  return api.get(DocumentStore).tenantCollection(SESSIONS).ofAll().find({ userId: client.id });
}

/** The claims of a token, unchecked. */
export function claimsOf(token: unknown): Record<string, unknown> {
  const payload = Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString();
  return JSON.parse(payload) as Record<string, unknown>;
}
