import { Injectable } from '@nestjs/common';
import { IdSource } from '../../../ports/id-source.js';
import type { KnownPerson } from '../../../ports/identity-providers.js';
import { AppError } from '../../../shared/app-error.js';
import type { CompanyId } from '../../../shared/ids.js';
import type { Role } from '../../../shared/principal.js';
import { UserAccountsFacade, type User } from '../../users/user-accounts.facade.js';
import { UsersFacade } from '../../users/users.facade.js';
import { InvitationsService } from '../invitations.service.js';
import { IdentityRepository } from './sign-in.repository.js';
import type { SignInProvider } from './sign-in.schema.js';

type Person = Omit<KnownPerson, 'verifiedEmail'> & { readonly email: string };

/** Finds, or makes, the account of somebody whom their company's provider knows. */
@Injectable()
export class SignInAccounts {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly users: UsersFacade,
    private readonly accounts: UserAccountsFacade,
    private readonly invitations: InvitationsService,
    private readonly ids: IdSource,
  ) {}

  /** By the identity; the first time by the verified address. @throws AppError `forbidden` with the reason. */
  async of(provider: SignInProvider, person: Person): Promise<User> {
    const { companyId } = provider;
    const known = await this.identities.find(companyId, person.issuer, person.subject);
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
    const user = await this.make(companyId, invitation?.role ?? role, person);
    if (invitation !== null) await this.invitations.remove(invitation);
    await this.identities.welcome(companyId, person.email);
    return user;
  }

  /** Nobody knows its password until one is chosen with a link. */
  private make(companyId: CompanyId, role: Role, { email, firstName, lastName }: Person): Promise<User> {
    const password = `${this.ids.token()}${this.ids.token()}`;
    return this.accounts.create({ companyId, email, role, password, firstName, lastName });
  }
}

export function refused(why: string): AppError {
  return new AppError('forbidden', `you can’t sign in this way: ${why}`);
}
