import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import { Envelope, onWire } from '../../../http/envelope.wire.js';
import { OptionalIdentifier } from '../../../http/fields.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { ProviderAnswer } from '../../../ports/identity-providers.js';
import { EMAIL_FORM } from '../../users/users.facade.js';
import type { SignInWho } from './sign-in.service.js';
import type { SignInDraft } from './sign-in-providers.js';
import { GIVEN_ROLES, type GivenRole, type SignInProvider } from './sign-in.schema.js';

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/i;
const LONGEST = 2048;
const MOST_DOMAINS = 20;

export class SignInProviderBody {
  /** The address of the OpenID Connect provider, such as `https://login.example.com`. */
  @MaxLength(LONGEST) @IsString() readonly issuer!: string;
  /** What the provider calls this service. */
  @Length(1, 500) @IsString() readonly client_id!: string;
  /** Left out: it stays as it is. */
  @IsOptional() @IsString() @Length(1, LONGEST) readonly client_secret?: string | null;

  /** Of e-mail addresses: whoever has another one is refused. 1 to 20, none of them another company's. */
  @ArrayUnique()
  @Matches(DOMAIN, { each: true, message: 'domains must be like example.com' })
  @ArrayMaxSize(MOST_DOMAINS)
  @ArrayMinSize(1)
  @IsArray()
  readonly domains!: string[];

  /** Of those who were not invited: `user` or `manager`. */
  @IsIn(GIVEN_ROLES) readonly default_role!: GivenRole;
  /** True: whoever the provider knows gets an account. False: members and invited people alone get in. */
  @IsBoolean() readonly admits_unknown!: boolean;
}

export class SignInProviderView {
  readonly issuer!: string;
  readonly client_id!: string;
  readonly domains!: string[];
  readonly default_role!: string;
  readonly admits_unknown!: boolean;
  readonly updated_at!: string;
}

export class SignInProviderResponse extends Envelope {
  /** Null: people sign in with passwords alone. Its secret is not told. */
  readonly provider!: SignInProviderView | null;
  /** To be registered at the provider. Null: the operator has not set `PUBLIC_URL`, and this way is closed. */
  readonly redirect_uri!: string | null;
}

export class BeginSignInBody {
  /** Finds the company by its domain. Either this or `company_id` is needed. */
  @IsOptional() @IsEmail(EMAIL_FORM) readonly email?: string;
  /** As in the link of the company. */
  @OptionalIdentifier() readonly company_id?: CompanyId;
}

export class SignInBegunResponse extends Envelope {
  /** The provider's page. */
  readonly url!: string;
  /** To be kept by the browser, and sent with what the provider answers, within 10 minutes. */
  readonly browser!: string;
}

export class FinishSignInBody {
  /** What `begin` gave to the browser. */
  @IsString() @Length(64, 64) readonly browser!: string;
  @IsString() @Length(64, 64) readonly state!: string;
  @IsString() @Length(1, LONGEST) readonly code!: string;
  /** Sent if the provider sent it. */
  @IsOptional() @IsString() @MaxLength(LONGEST) readonly iss?: string | null;
}

export function signInDraftFrom(body: SignInProviderBody): SignInDraft {
  return {
    issuer: body.issuer.trim(),
    clientId: body.client_id,
    secret: body.client_secret ?? null,
    domains: body.domains.map((domain) => domain.toLowerCase()),
    role: body.default_role,
    admitsUnknown: body.admits_unknown,
  };
}

export function signInProviderView(provider: SignInProvider): SignInProviderView {
  const told = onWire(provider, 'issuer', 'clientId', 'domains', 'admitsUnknown', 'updatedAt');
  return { ...told, default_role: provider.role };
}

/** Null: nothing says whose sign-in is meant. */
export function whoFrom({ email, company_id: companyId }: BeginSignInBody): SignInWho | null {
  if (email != null) return { email };
  return companyId == null ? null : { companyId };
}

export function answerFrom({ code, state, iss }: FinishSignInBody): ProviderAnswer {
  return { code, state, issuer: iss ?? null };
}
