import { Transform, Type } from 'class-transformer';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { Envelope } from '../../http/envelope.wire.js';
import { IsIdentifier } from '../../http/is-identifier.js';
import { AppError } from '../../shared/app-error.js';
import { asId } from '../../shared/ids.js';
import type { PageOf } from '../../shared/page.js';
import { ROLES, SCOPES, type Role, type Scope } from '../../shared/principal.js';
import type { AccountDraft, ApiKeyDraft, HeldKey } from './api-key.schema.js';
import type { MadeKey } from './api-keys.service.js';

const MOST_DAYS = 3650;
const SCOPE_PROBLEM = `scopes must be one or more of ${SCOPES.join(', ')}`;
const ACCOUNT_PROBLEM = 'service_account needs a role, or the id of one that there is';

/** A new service account with a `role`, or one that has a key already, by its `id`. */
export class ServiceAccountBody {
  @IsOptional()
  @IsIn(ROLES)
  readonly role?: Role;

  @IsOptional()
  @IsIdentifier()
  readonly id?: string;
}

export class CreateApiKeyBody {
  /** What the key is for, in 1 to 100 characters. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(1, 100, { message: 'name must have 1 to 100 characters' })
  readonly name!: string;

  /** What it may do: `read`, `ask`, `write`. */
  @IsArray({ message: SCOPE_PROBLEM })
  @ArrayMinSize(1, { message: SCOPE_PROBLEM })
  @ArrayUnique({ message: SCOPE_PROBLEM })
  @IsIn(SCOPES, { each: true, message: SCOPE_PROBLEM })
  readonly scopes!: Scope[];

  /** When it ends, in ISO 8601. Without it and without `days` it does not end by itself. */
  @IsOptional()
  @IsISO8601({ strict: true })
  readonly expires_at?: string;

  /** Instead of `expires_at`: after so many days, 1 to 3,650. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_DAYS)
  readonly days?: number;

  /** For managers: the key of a program that is no user. Left out, the key is the caller's own. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ServiceAccountBody)
  readonly service_account?: ServiceAccountBody;
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
  if (id != null && role == null) return { id: asId(id.toLowerCase()) };
  throw new AppError('invalid_input', ACCOUNT_PROBLEM, {
    details: [{ field: 'service_account', problem: ACCOUNT_PROBLEM }],
  });
}

export function madeKeyView(made: MadeKey): Omit<ApiKeyCreatedResponse, keyof Envelope> {
  return { api_key: apiKeyView(made), key: made.text };
}

export function apiKeysPage({ entries, total }: PageOf<HeldKey>): Omit<ApiKeysResponse, keyof Envelope> {
  return { api_keys: entries.map(apiKeyView), total };
}

function apiKeyView({ key, user }: HeldKey): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    begins: `dk_${key.id}`,
    owner: {
      id: key.holderId,
      type: key.accountRole === null ? 'user' : 'service_account',
      email: user?.email ?? '',
      role: key.accountRole ?? user?.role ?? '',
    },
    scopes: [...key.scopes],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
