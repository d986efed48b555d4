import type { TenantDocument } from '../../../ports/document-store.js';
import type { SignInChallenge } from '../../../ports/identity-providers.js';
import { nullable, required, tenantKind } from '../../../ports/stored-kind.schema.js';
import type { Id, UserId } from '../../../shared/ids.js';

/** `system` is given by whoever runs the service alone. */
export const GIVEN_ROLES = ['user', 'manager'] as const;
export type GivenRole = (typeof GIVEN_ROLES)[number];

export const SIGN_IN_PROVIDERS = tenantKind<SignInProvider>(
  'sign-in-providers',
  {
    ...required({ issuer: String, clientId: String, sealedSecret: String, admitsUnknown: Boolean, updatedAt: Date }),
    domains: { type: [String], required: true },
    role: { type: String, enum: GIVEN_ROLES, required: true },
  },
  [[{ companyId: 1 }, { unique: true }]],
);

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

export const SIGN_IN_ATTEMPTS = tenantKind<SignInAttempt>(
  'sign-in-attempts',
  required({ stateHash: String, browserHash: String, nonce: String, codeVerifier: String, expiresAt: Date }),
  [{ companyId: 1 }, [{ stateHash: 1 }, { unique: true }], [{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
);

/** Somebody is at the provider's page. Used once, within minutes, by the browser in which it was begun. */
export interface SignInAttempt extends TenantDocument, Omit<SignInChallenge, 'state'> {
  readonly id: Id<'sign-in-attempt'>;
  readonly stateHash: string;
  /** Of a secret that only the browser has. */
  readonly browserHash: string;
  readonly expiresAt: Date;
}

export const IDENTITIES = tenantKind<Identity>(
  'identities',
  { ...required({ issuer: String, subject: String }), ...nullable({ userId: String }) },
  [[{ companyId: 1, issuer: 1, subject: 1 }, { unique: true }], { companyId: 1, userId: 1 }],
);

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
