import { ArrayMinSize, ArrayUnique, IsArray, IsIn, IsISO8601, IsOptional } from 'class-validator';
import { Envelope, onWire } from '../../http/envelope.wire.js';
import { OptionalIdentifier, OptionalOneOf, OptionalPart, OptionalWholeNumber, Name } from '../../http/fields.js';
import { invalidField } from '../../shared/app-error.js';
import type { UserId } from '../../shared/ids.js';
import { ROLES, SCOPES, type Role, type Scope } from '../../shared/principal.js';
import type { AccountDraft, ApiKeyDraft, HeldKey } from './api-key.schema.js';

const SCOPE_PROBLEM = `scopes must be one or more of ${SCOPES.join(', ')}`;

/** A new service account with a `role`, or one that has a key already, by its `id`. */
export class ServiceAccountBody {
  @OptionalOneOf(ROLES) readonly role?: Role;
  @OptionalIdentifier() readonly id?: UserId;
}

export class CreateApiKeyBody {
  /** What the key is for, in 1 to 100 characters. */
  @Name(100) readonly name!: string;

  /** What it may do: `read`, `ask`, `write`. */
  @IsArray({ message: SCOPE_PROBLEM })
  @ArrayMinSize(1, { message: SCOPE_PROBLEM })
  @ArrayUnique({ message: SCOPE_PROBLEM })
  @IsIn(SCOPES, { each: true, message: SCOPE_PROBLEM })
  readonly scopes!: Scope[];

  /** When it ends, in ISO 8601. Without it and without `days` it does not end by itself. */
  @IsOptional() @IsISO8601({ strict: true }) readonly expires_at?: string;
  /** Instead of `expires_at`: after so many days, 1 to 3,650. */
  @OptionalWholeNumber(1, 3650) readonly days?: number;
  /** For managers: the key of a program that is no user. Left out, the key is the caller's own. */
  @OptionalPart(() => ServiceAccountBody) readonly service_account?: ServiceAccountBody;
}

export class KeyOwnerView {
  /** Of the user, or of the service account. */
  readonly id!: string;
  /** `user` or `service_account`. */
  readonly type!: string;
  /** Of a user; empty when the user is gone. */
  readonly email!: string;
  /** At this moment; empty when the user is gone. */
  readonly role!: string;
}

export class ApiKeyView {
  readonly id!: string;
  readonly name!: string;
  /** How the key begins, so that it can be found again where it is used. */
  readonly begins!: string;
  readonly owner!: KeyOwnerView;
  readonly scopes!: Scope[];
  readonly created_at!: string;
  /** Null: it does not end by itself. An expired one is listed for 30 days. */
  readonly expires_at!: string | null;
  /** Exact to the minute; null: never. */
  readonly last_used_at!: string | null;
}

export class ApiKeyCreatedResponse extends Envelope {
  readonly api_key!: ApiKeyView;
  /** What is sent as `Authorization: Bearer`. It is shown this once. */
  readonly key!: string;
}

export class ApiKeysResponse extends Envelope {
  /** Newest first. */
  readonly api_keys!: ApiKeyView[];
  /** On all pages. */
  readonly total!: number;
}

export function keyDraftFrom(body: CreateApiKeyBody): ApiKeyDraft {
  return {
    name: body.name,
    scopes: SCOPES.filter((scope) => body.scopes.includes(scope)),
    expiresAt: body.expires_at ?? null,
    days: body.days ?? null,
    account: body.service_account == null ? null : accountFrom(body.service_account),
  };
}

function accountFrom({ role, id }: ServiceAccountBody): AccountDraft {
  if (role != null && id == null) return { role };
  if (id != null && role == null) return { id };
  throw invalidField('service_account', 'service_account needs a role, or the id of one that there is');
}

export function apiKeyView({ key, user }: HeldKey): ApiKeyView {
  return {
    ...onWire(key, 'id', 'name', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'),
    begins: `dk_${key.id}`,
    owner: {
      id: key.holderId,
      type: key.accountRole === null ? 'user' : 'service_account',
      email: user?.email ?? '',
      role: key.accountRole ?? user?.role ?? '',
    },
  };
}
