import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { NEWEST_FIRST, repositoryOf } from '../../ports/tenant-repository.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId, InvitationId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { secretHash } from '../../shared/secret-hash.js';
import type { Principal, Role } from '../../shared/principal.js';
import { CompanyFacade } from '../company/company.facade.js';
import { UsersFacade, type User } from '../users/users.facade.js';
import { INVITATIONS, type Invitation } from './invitation.schema.js';
import { HOUR_MS } from '../../shared/durations.js';

const VALID_MS = 7 * 24 * HOUR_MS;
/** Open at once in a company. */
const MOST_OPEN = 500;
const FULL = `there are ${MOST_OPEN} open invitations: revoke some of them first`;

/** An invitation with what its link holds, which nobody is told again. */
export interface MadeInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

export interface Acceptance {
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
}

export class InvitationsRepository extends repositoryOf(INVITATIONS) {}

/** Links by which people join a company, or choose a new password. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly accounts: UsersFacade,
    private readonly companies: CompanyFacade,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Whether the address has an account in another company is told to who accepts alone: managers learn nothing of other companies.
   *
   * @throws AppError `conflict` when it has one in this company.
   */
  async invite(by: Principal, email: string, role: Role): Promise<MadeInvitation> {
    const user = await this.accounts.findByEmail(email);
    if (user?.companyId === by.companyId)
      throw new AppError('conflict', `there is already a user with the email ${email}`);
    await this.invitations.removeWhere(by.companyId, { email: email.toLowerCase() });
    return this.make(by, { purpose: 'join', email: email.toLowerCase(), role, userId: null });
  }

  /** A link with which a user sets a new password; until then the old one holds. */
  async reset(by: Principal, { id, email, role }: User): Promise<MadeInvitation> {
    await this.invitations.removeWhere(by.companyId, { userId: id });
    return this.make(by, { purpose: 'reset', email, role, userId: id });
  }

  /** The same for who asked for it themselves, for an hour. A link that a manager made stays. */
  forgotten({ id, companyId, email, role }: User): Promise<MadeInvitation> {
    return this.make({ companyId, email }, { purpose: 'reset', email, role, userId: id }, HOUR_MS);
  }

  open(by: Principal, page: Page): Promise<PageOf<Invitation>> {
    return this.invitations.pageOf(by.companyId, { expiresAt: { gt: this.clock.now() } }, page, NEWEST_FIRST);
  }

  /** @throws AppError `not_found` */
  async revoke(by: Principal, id: InvitationId): Promise<void> {
    if (!(await this.invitations.remove({ companyId: by.companyId, id })))
      throw new AppError('not_found', 'invitation not found');
  }

  /** That lets somebody with this address join; null when there is none. */
  openFor(companyId: CompanyId, email: string): Promise<Invitation | null> {
    return this.invitations.first(companyId, { email, purpose: 'join', expiresAt: { gt: this.clock.now() } });
  }

  async remove(invitation: Invitation): Promise<void> {
    await this.invitations.remove(invitation);
  }

  /** What a link is for, of whatever company, before anything is done with it. @throws AppError `not_found`: used, revoked or too old. */
  async look(token: string): Promise<{ readonly invitation: Invitation; readonly company: string }> {
    const where = { tokenHash: secretHash(token), expiresAt: { gt: this.clock.now() } };
    const [invitation] = await this.invitations.anywhere(where, { limit: 1 });
    const company = invitation === undefined ? null : await this.companies.find(invitation.companyId);
    if (invitation === undefined || company === null || !(await this.companies.isOpen(company.id))) throw usedUp();
    return { invitation, company: company.name };
  }

  /** The link is used up by whoever is first; it is given back when nothing came of it. */
  async accept(token: string, acceptance: Acceptance): Promise<User> {
    const { invitation } = await this.look(token);
    if (!(await this.invitations.remove(invitation))) throw usedUp();
    try {
      const { companyId, userId, email, role } = invitation;
      if (userId === null) return await this.accounts.create({ companyId, email, role, ...acceptance });
      return await this.accounts.setPasswordOf({ companyId, id: userId }, acceptance.password);
    } catch (error) {
      await this.invitations.insertOnce(invitation);
      throw error;
    }
  }

  private async make(
    by: Pick<Principal, 'companyId' | 'email'>,
    given: Pick<Invitation, 'purpose' | 'email' | 'role' | 'userId'>,
    validMs = VALID_MS,
  ): Promise<MadeInvitation> {
    const now = this.clock.now();
    const token = `${this.ids.token()}${this.ids.token()}`;
    const invitation: Invitation = {
      ...given,
      id: this.ids.next(),
      companyId: by.companyId,
      tokenHash: secretHash(token),
      invitedBy: by.email,
      createdAt: now,
      expiresAt: new Date(now.getTime() + validMs),
    };
    const limit = { most: MOST_OPEN, where: { expiresAt: { gt: now } }, full: FULL };
    await this.invitations.insertWithin(by.companyId, limit, [invitation]);
    return { invitation, token };
  }
}

function usedUp(): AppError {
  return new AppError('not_found', 'this link was used already, or is too old: ask for a new one');
}
