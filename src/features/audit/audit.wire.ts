import { IsISO8601, IsOptional, IsString, MaxLength } from 'class-validator';
import { Envelope, onWire } from '../../http/envelope.wire.js';
import type { AuditEntry } from './audit-entry.schema.js';
import { type AuditFilter, toldDetails } from './audit.facade.js';

export class AuditParameters {
  /** Whose actions alone. */
  @IsOptional() @IsString() @MaxLength(320) readonly email?: string;
  /** This action alone, such as `PATCH secure/user/:id`. */
  @IsOptional() @IsString() @MaxLength(200) readonly action?: string;
  /** From then on, in ISO 8601. */
  @IsOptional() @IsISO8601({ strict: true }) readonly from?: string;
  /** Until then, in ISO 8601; exclusive. */
  @IsOptional() @IsISO8601({ strict: true }) readonly to?: string;
  @IsOptional() readonly page?: number;
  @IsOptional() readonly page_size?: number;
}

export class AuditEntryView {
  readonly id!: string;
  readonly created_at!: string;
  /** Of who did it; empty for a service account. */
  readonly email!: string;
  readonly user_id!: string;
  /** Method and route, such as `PATCH secure/user/:id`. */
  readonly action!: string;
  /** False: it was refused. */
  readonly succeeded!: boolean;
  /** What it was about, by the names of the request's fields. `times` and `inserted_rows`: insertions and refusals of an hour are one entry. */
  readonly details!: Readonly<Record<string, string>>;
  readonly address!: string;
}

export class AuditResponse extends Envelope {
  /** Newest first. */
  readonly entries!: AuditEntryView[];
  readonly total!: number;
}

export function auditFilterFrom({ email, action, from, to }: AuditParameters): AuditFilter {
  return {
    email: given(email),
    action: given(action),
    from: given(from) === undefined ? undefined : new Date(String(from)),
    to: given(to) === undefined ? undefined : new Date(String(to)),
  };
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

export function auditEntryView(entry: AuditEntry): AuditEntryView {
  const told = onWire(entry, 'id', 'createdAt', 'email', 'userId', 'action', 'succeeded', 'address');
  return { ...told, details: toldDetails(entry) };
}
