import { ApiProperty } from '@nestjs/swagger';
import { Allow, IsEmail, IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { Envelope } from '../../http/envelope.wire.js';
import {
  EMAIL_FORM,
  MAX_PASSWORD_LENGTH,
  fullUser,
  reducedUser,
  type FullUser,
  type ReducedUser,
} from '../users/users.facade.js';
import type { SignedIn } from './login.service.js';

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

export class RefreshResponse extends Envelope {
  readonly user!: ReducedUser;
  readonly token!: string;
}

export function loginView({ user, token }: SignedIn): Pick<LoginResponse, 'user' | 'token'> {
  return { user: fullUser(user), token };
}

export function refreshView({ user, token }: SignedIn): Pick<RefreshResponse, 'user' | 'token'> {
  return { user: reducedUser(user), token };
}
