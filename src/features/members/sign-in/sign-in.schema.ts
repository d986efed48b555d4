import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../../ports/document-store.js';
import type { SignInChallenge } from '../../../ports/identity-providers.js';
import type { Id, UserId } from '../../../shared/ids.js';

export const GIVEN_ROLES = ['user', 'manager'] as const;
export type GivenRole = (typeof GIVEN_ROLES)[number];

const provider = new Schema({
  companyId: { type: String, required: true },
  issuer: { type: String, required: true },
  clientId: { type: String, required: true },
  sealedSecret: { type: String, required: true },
  domains: { type: [String], required: true },
  role: { type: String, enum: GIVEN_ROLES, required: true },
  admitsUnknown: { type: Boolean, required: true },
  updatedAt: { type: Date, required: true },
});
provider.index({ companyId: 1 }, { unique: true });

export const SIGN_IN_PROVIDERS: CollectionDefinition<SignInProvider> = { name: 'sign-in-providers', schema: provider };

/** The OpenID Connect provider with which the people of a company sign in. */
export interface SignInProvider extends TenantDocument {
  readonly id: Id<'sign-in-provider'>;
  readonly issuer: string;
  readonly clientId: string;
  readonly sealedSecret: string;
  /** Of e-mail addresses, in lower case; no other company has one of them. */
  readonly domains: readonly string[];
  /** Of those who were not invited. */
  readonly role: GivenRole;
  /** Whoever the provider knows gets an account; else members and invited people alone get in. */
  readonly admitsUnknown: boolean;
  readonly updatedAt: Date;
}

const attempt = new Schema({
  companyId: { type: String, required: true },
  stateHash: { type: String, required: true },
  browserHash: { type: String, required: true },
  nonce: { type: String, required: true },
  codeVerifier: { type: String, required: true },
  expiresAt: { type: Date, required: true },
});
attempt.index({ companyId: 1 });
attempt.index({ stateHash: 1 }, { unique: true });
attempt.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SIGN_IN_ATTEMPTS: CollectionDefinition<SignInAttempt> = { name: 'sign-in-attempts', schema: attempt };

/** Somebody is at the provider's page. Used once, within minutes, by the browser in which it was begun. */
export interface SignInAttempt extends TenantDocument, Omit<SignInChallenge, 'state'> {
  readonly id: Id<'sign-in-attempt'>;
  readonly stateHash: string;
  /** Of a secret that only the browser has. */
  readonly browserHash: string;
  readonly expiresAt: Date;
}

const identity = new Schema({
  companyId: { type: String, required: true },
  issuer: { type: String, required: true },
  subject: { type: String, required: true },
  userId: { type: String, default: null },
});
identity.index({ companyId: 1, issuer: 1, subject: 1 }, { unique: true });
identity.index({ companyId: 1, userId: 1 });

export const IDENTITIES: CollectionDefinition<Identity> = { name: 'identities', schema: identity };

/** Whose account somebody's identity at a provider opens. */
export interface Identity extends TenantDocument {
  readonly id: Id<'identity'>;
  /** `REMOVED`: the subject is the hash of an address whose account was removed. */
  readonly issuer: string;
  readonly subject: string;
  /** Null: the account was removed, and only an invitation opens another. */
  readonly userId: UserId | null;
}

export const REMOVED = 'removed';
