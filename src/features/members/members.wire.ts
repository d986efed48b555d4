import { IsEmail, IsIn, IsNotEmpty, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { answerOf, Envelope, onWire } from '../../http/envelope.wire.js';
import { OptionalFlag, OptionalOneOf } from '../../http/fields.js';
import type { MailView } from '../../http/mail.wire.js';
import { EMAIL_FORM, FullUser, MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH, type UserChange } from '../users/users.facade.js';
import type { Invitation } from './invitation.schema.js';
import type { Acceptance } from './invitations.service.js';
import { GIVEN_ROLES, type GivenRole } from './sign-in/sign-in.schema.js';

export class InviteBody {
  @IsEmail(EMAIL_FORM) readonly email!: string;
  /** `user` or `manager`. */
  @IsIn(GIVEN_ROLES) readonly role!: GivenRole;
}

export class ForgottenPasswordBody {
  @IsEmail(EMAIL_FORM) readonly email!: string;
}

export class ChangeMemberBody {
  /** `user` or `manager`. */
  @OptionalOneOf(GIVEN_ROLES) readonly role?: GivenRole | null;
  /** False: may not sign in, and is signed out everywhere. */
  @OptionalFlag() readonly is_active?: boolean | null;
}

export class RemoveMemberParameters {
  /** `true`: nothing that tells of the person stays. */
  @IsOptional() @IsIn(['true', 'false'], { message: 'erase must be true or false' }) readonly erase?: string;
}

export class InvitationTokenBody {
  /** What the link holds. */
  @IsString() @Length(64, 64, { message: 'this is no token of an invitation' }) readonly token!: string;
}

export class AcceptInvitationBody extends InvitationTokenBody {
  /** 8 to 1,000 characters. */
  @MaxLength(MAX_PASSWORD_LENGTH) @IsNotEmpty() @IsString() readonly password!: string;
  @IsOptional() @IsString() @MaxLength(MAX_NAME_LENGTH) readonly first_name?: string;
  @IsOptional() @IsString() @MaxLength(MAX_NAME_LENGTH) readonly last_name?: string;
}

export class InvitationView {
  readonly id!: string;
  /** `join`, or `reset`: a new password for a user. */
  readonly purpose!: string;
  readonly email!: string;
  readonly role!: string;
  /** The e-mail address of the manager who made it. */
  readonly invited_by!: string;
  readonly created_at!: string;
  readonly expires_at!: string;
}

export class OpenInvitationView extends InvitationView {
  /** How the mail with its link stands, for 30 days; empty: none was ordered. */
  readonly mails!: MailView[];
}

export class InvitationMadeResponse extends Envelope {
  readonly invitation!: InvitationView;
  /** Goes into the link `/invitation#token` of the console. It is said this once. */
  readonly token!: string;
  /** A mail with the link is on its way. */
  readonly mailed!: boolean;
}

export class InvitationsResponse extends Envelope {
  /** Those that are open, newest first. */
  readonly invitations!: OpenInvitationView[];
  readonly total!: number;
}

/** Said to whoever holds the link. */
export class InvitationSeenView {
  /** `join`, or `reset`: a new password for a user. */
  readonly purpose!: string;
  readonly email!: string;
  /** The name of the company. */
  readonly company!: string;
  readonly expires_at!: string;
}

export class InvitationSeenResponse extends answerOf({ invitation: InvitationSeenView }) {}
export class MemberResponse extends answerOf({ user: FullUser }) {}

export class AcceptedResponse extends Envelope {
  /** With which to sign in. */
  readonly email!: string;
}

export function acceptanceFrom({ password, first_name: first, last_name: last }: AcceptInvitationBody): Acceptance {
  return { password, firstName: first?.trim() ?? '', lastName: last?.trim() ?? '' };
}

/** What is left out or `null` stays as it is. */
export function memberChangeFrom({ role, is_active: active }: ChangeMemberBody): Pick<UserChange, 'role' | 'isActive'> {
  return { role: role ?? undefined, isActive: active ?? undefined };
}

export function invitationView(invitation: Invitation): Pick<InvitationView, keyof InvitationView> {
  return onWire(invitation, 'id', 'purpose', 'email', 'role', 'invitedBy', 'createdAt', 'expiresAt');
}

export function openInvitationView(invitation: Invitation, mails: readonly MailView[]): OpenInvitationView {
  return { ...invitationView(invitation), mails: [...mails] };
}
