import { ApiProperty } from '@nestjs/swagger';
import { Allow, IsEmail, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { answerOf, Envelope, onWire } from '../../http/envelope.wire.js';
import type { Principal } from '../../shared/principal.js';
import {
  EMAIL_FORM,
  FullUser,
  MAX_NAME_LENGTH,
  MAX_PASSWORD_LENGTH,
  fullUser,
  reducedUser,
  ReducedUser,
} from '../users/users.facade.js';
import type { SignedIn } from './login.service.js';
import type { Session } from './session.schema.js';

export class LoginBody {
  @IsEmail(EMAIL_FORM) readonly email!: string;
  // The lowest rule is the one that is checked first.
  @MaxLength(MAX_PASSWORD_LENGTH) @IsNotEmpty() @IsString() readonly password!: string;
}

export class RefreshBody {
  /** The same token as in the Authorization header. */
  // Whatever else stands here is a wrong token, not a wrong body; callers need not know that it is not checked for its type.
  @ApiProperty({ type: String })
  @Allow()
  readonly token!: unknown;
}

export class LoginResponse extends Envelope {
  readonly user!: FullUser;
  /** Good for 15 minutes, and to be refreshed for 7 days. */
  readonly token!: string;
}

export class RefreshResponse extends answerOf({ user: ReducedUser, token: String }) {}

export function loginView({ user, token }: SignedIn): Pick<LoginResponse, 'user' | 'token'> {
  return { user: fullUser(user), token };
}

export function refreshView({ user, token }: SignedIn): Pick<RefreshResponse, 'user' | 'token'> {
  return { user: reducedUser(user), token };
}

export class ChangeAccountBody {
  @IsOptional() @IsString() @MaxLength(MAX_NAME_LENGTH) readonly first_name?: string | null;
  @IsOptional() @IsString() @MaxLength(MAX_NAME_LENGTH) readonly last_name?: string | null;
}

export class ChangePasswordBody {
  @MaxLength(MAX_PASSWORD_LENGTH) @IsNotEmpty() @IsString() readonly current_password!: string;
  /** 8 to 1,000 characters. */
  @MaxLength(MAX_PASSWORD_LENGTH) @IsNotEmpty() @IsString() readonly new_password!: string;
}

export class AccountResponse extends answerOf({ user: FullUser }) {}

export class SessionView {
  readonly id!: string;
  readonly created_at!: string;
  /** When its token was last renewed; `null`: not yet. */
  readonly last_used_at!: string | null;
  readonly expires_at!: string;
  /** From where it was opened; empty where that is not known. */
  readonly address!: string;
  /** The program that opened it, as it names itself. */
  readonly agent!: string;
  /** The session in which the caller asks. */
  readonly is_current!: boolean;
}

export class SessionsResponse extends answerOf({ sessions: [SessionView] }) {}

/** What is left out or `null` stays as it is. */
export function namesFrom({ first_name: first, last_name: last }: ChangeAccountBody): {
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
} {
  return { firstName: first?.trim(), lastName: last?.trim() };
}

export function sessionView(session: Session, by: Principal): SessionView {
  return {
    ...onWire(session, 'id', 'createdAt', 'lastUsedAt', 'expiresAt', 'address', 'agent'),
    is_current: session.id === by.sessionId,
  };
}
