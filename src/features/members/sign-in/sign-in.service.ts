import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../ports/id-source.js';
import { IdentityProviders, type KnownPerson, type ProviderAnswer } from '../../../ports/identity-providers.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import { AuthFacade, type Origin, type SignedIn } from '../../auth/auth.facade.js';
import { type User, UsersFacade } from '../../users/users.facade.js';
import { InvitationsService } from '../invitations.service.js';
import { SignInProviders } from './sign-in-providers.js';
import { IdentityRepository, SignInAttemptRepository } from './sign-in.repository.js';
import type { SignInProvider } from './sign-in.schema.js';

type Person = Omit<KnownPerson, 'verifiedEmail'> & { readonly email: string };

/** Finds, or makes, the account of somebody whom their company's provider knows. */
@Injectable()
export class SignInAccounts {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly users: UsersFacade,
    private readonly invitations: InvitationsService,
    private readonly ids: IdSource,
  ) {}

  /** By the identity; the first time by the verified address. @throws AppError `forbidden` with the reason. */
  async of(provider: SignInProvider, person: Person): Promise<User> {
    const { companyId } = provider;
    const known = await this.identities.of(companyId, person.issuer, person.subject);
    const linked = known?.userId == null ? null : await this.users.find(companyId, known.userId);
    if (linked !== null) return linked;
    const user = (await this.member(companyId, person)) ?? (await this.newcomer(provider, person, known !== null));
    await this.identities.link(companyId, user.id, person.issuer, person.subject);
    return user;
  }

  private async member(companyId: CompanyId, { email, issuer }: Person): Promise<User | null> {
    const user = await this.users.findByEmail(email);
    if (user === null) return null;
    if (user.companyId !== companyId) throw refused('your address has an account in another company');
    // An address that was given to somebody else does not open the account of whoever had it.
    if (await this.identities.isLinked(companyId, user.id, issuer))
      throw refused('your address belongs to another person at your provider: ask a manager to remove the old account');
    return user;
  }

  private async newcomer(provider: SignInProvider, person: Person, hadAccount: boolean): Promise<User> {
    const { companyId, role, admitsUnknown } = provider;
    const invitation = await this.invitations.openFor(companyId, person.email);
    if (invitation === null) {
      if (hadAccount || (await this.identities.wasRemoved(companyId, person.email)))
        throw refused('your account was removed: ask a manager for an invitation');
      if (!admitsUnknown)
        throw refused('you have no account here yet: ask a manager of your company for an invitation');
    }
    const { email, firstName, lastName } = person;
    // Nobody knows it: another is chosen with a link.
    const password = `${this.ids.token()}${this.ids.token()}`;
    const given = { role: invitation?.role ?? role, password, firstName, lastName };
    const user = await this.users.create({ companyId, email, ...given });
    if (invitation !== null) await this.invitations.remove(invitation);
    await this.identities.welcome(companyId, person.email);
    return user;
  }
}

/** By the domain of an address, or by the company's own link. */
export type SignInWho = { readonly email: string } | { readonly companyId: CompanyId };

/** Lets people in whom their company's provider knows. */
@Injectable()
export class SignInService {
  constructor(
    private readonly providers: SignInProviders,
    private readonly attempts: SignInAttemptRepository,
    private readonly openId: IdentityProviders,
    private readonly accounts: SignInAccounts,
    private readonly auth: AuthFacade,
  ) {}

  /**
   * Where the browser goes next, and what it has to show when it comes back.
   *
   * @throws AppError `not_found` when no company signs in this way with the address, `invalid_input`, `rate_limited`, or what the provider's
   *   page throws.
   */
  async begin(who: SignInWho | null, { address }: Origin): Promise<{ readonly url: string; readonly browser: string }> {
    if (who === null) throw new AppError('invalid_input', 'email or company_id is required');
    await this.auth.admit(address);
    const provider =
      'email' in who ? await this.providers.withDomain(domainOf(who.email)) : await this.providers.of(who.companyId);
    if (provider === null)
      throw new AppError('not_found', 'no company signs in this way with this address: use your password');
    const secrets = this.attempts.secrets();
    const url = await this.openId.pageFor(await this.providers.connectionOf(provider), secrets);
    await this.attempts.begin(provider.companyId, secrets);
    return { url, browser: secrets.browser };
  }

  /**
   * What the provider's answer is worth, once, in the browser that asked for it.
   *
   * @throws AppError `forbidden` with a reason that the person can understand, `unavailable`, `rate_limited`.
   */
  async finish(answer: ProviderAnswer, browser: string, origin: Origin): Promise<SignedIn> {
    await this.auth.admit(origin.address);
    const attempt = await this.attempts.take(answer.state, browser);
    const provider = attempt === null ? null : await this.providers.of(attempt.companyId);
    if (attempt === null || provider === null) throw tooLate();
    const challenge = { state: answer.state, nonce: attempt.nonce, codeVerifier: attempt.codeVerifier };
    const person = await this.openId.personFrom(await this.providers.connectionOf(provider), challenge, answer);
    return this.auth.signIn(await this.accountOf(provider, person), origin);
  }

  private async accountOf(provider: SignInProvider, person: KnownPerson): Promise<User> {
    const { verifiedEmail: email } = person;
    if (email === null) throw refused('your provider does not say that your e-mail address is verified');
    if (!provider.domains.includes(domainOf(email)))
      throw refused(`addresses like ${email} can’t sign in to this company`);
    const user = await this.accounts.of(provider, { ...person, email });
    // The operator's accounts reach every company: no company's provider opens one.
    if (user.role === 'system') throw refused('this account signs in with its password');
    return user;
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}

function tooLate(): AppError {
  return new AppError(
    'forbidden',
    'this sign-in was used already, took too long, or was begun in another window: begin again',
  );
}

function refused(why: string): AppError {
  return new AppError('forbidden', `you can’t sign in this way: ${why}`);
}
