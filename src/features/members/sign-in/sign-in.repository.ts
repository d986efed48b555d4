import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { DocumentStore } from '../../../ports/document-store.js';
import { IdSource } from '../../../ports/id-source.js';
import type { SignInChallenge } from '../../../ports/identity-providers.js';
import { repositoryOf, TenantRepository } from '../../../ports/tenant-repository.js';
import type { CompanyId, UserId } from '../../../shared/ids.js';
import { secretHash } from '../../../shared/secret-hash.js';
import {
  IDENTITIES,
  type Identity,
  REMOVED,
  SIGN_IN_ATTEMPTS,
  SIGN_IN_PROVIDERS,
  type SignInAttempt,
} from './sign-in.schema.js';

export class SignInProviderRepository extends repositoryOf(SIGN_IN_PROVIDERS) {}

const ATTEMPT_MS = 10 * 60_000;

/** Sign-ins that were begun and are not finished. */
@Injectable()
export class SignInAttemptRepository extends TenantRepository<SignInAttempt> {
  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    super(store, SIGN_IN_ATTEMPTS);
  }

  /** The secrets of a new attempt; `browser` is for the browser alone. */
  secrets(): SignInChallenge & { readonly browser: string } {
    const secret = (): string => `${this.ids.token()}${this.ids.token()}`;
    return { state: secret(), nonce: secret(), codeVerifier: secret(), browser: secret() };
  }

  async begin(companyId: CompanyId, secrets: ReturnType<SignInAttemptRepository['secrets']>): Promise<void> {
    const { state, browser, nonce, codeVerifier } = secrets;
    await this.insert({
      id: this.ids.next(),
      companyId,
      stateHash: secretHash(state),
      browserHash: secretHash(browser),
      nonce,
      codeVerifier,
      expiresAt: new Date(this.clock.now().getTime() + ATTEMPT_MS),
    });
  }

  /** The attempt that it answers, of whatever company, which is used up by this. Null: there is none, or it was begun in another browser. */
  async take(state: string, browser: string): Promise<SignInAttempt | null> {
    const where = { stateHash: secretHash(state), expiresAt: { gt: this.clock.now() } };
    const [attempt] = await this.anywhere(where, { limit: 1 });
    if (attempt?.browserHash !== secretHash(browser)) return null;
    return (await this.remove(attempt)) ? attempt : null;
  }
}

/** Which identities at providers belong to which accounts. */
@Injectable()
export class IdentityRepository extends TenantRepository<Identity> {
  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
  ) {
    super(store, IDENTITIES);
  }

  of(companyId: CompanyId, issuer: string, subject: string): Promise<Identity | null> {
    return this.first(companyId, { issuer, subject });
  }

  /** Whether an account was removed that had this address. */
  async wasRemoved(companyId: CompanyId, email: string): Promise<boolean> {
    return (await this.of(companyId, REMOVED, secretHash(email))) !== null;
  }

  async isLinked(companyId: CompanyId, userId: UserId, issuer: string): Promise<boolean> {
    return (await this.countOf(companyId, { userId, issuer })) > 0;
  }

  /** @throws AppError `conflict` when the identity belongs to an account already. */
  async link(companyId: CompanyId, userId: UserId, issuer: string, subject: string): Promise<void> {
    const known = await this.of(companyId, issuer, subject);
    if (known === null) await this.insert({ id: this.ids.next(), companyId, userId, issuer, subject });
    // The account that it belonged to is gone.
    else await this.swap(known, { userId: known.userId }, { userId });
  }

  /** Whoever had this account and address does not get another one by signing in. */
  async bar(companyId: CompanyId, userId: UserId, email: string): Promise<void> {
    // Also one that is linked meanwhile.
    for (
      let known = await this.first(companyId, { userId });
      known !== null;
      known = await this.first(companyId, { userId })
    )
      await this.swap(known, { userId }, { userId: null });
    if (await this.wasRemoved(companyId, email)) return;
    await this.insert({ id: this.ids.next(), companyId, issuer: REMOVED, subject: secretHash(email), userId: null });
  }

  /** An invitation stands above a removal. */
  welcome(companyId: CompanyId, email: string): Promise<void> {
    return this.removeWhere(companyId, { issuer: REMOVED, subject: secretHash(email) });
  }
}
