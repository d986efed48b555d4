import { Injectable } from '@nestjs/common';
import { AppError } from '../../shared/app-error.js';
import type { UserId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { UserAccountsFacade, type User, type UserChange } from '../users/user-accounts.facade.js';
import { type Acceptance, type MadeInvitation, InvitationsService } from './invitations.service.js';

import { PeopleTurns } from './people-turns.js';
import { PersonRemover } from './person-remover.js';

/** What managers do with the people of their company. */
@Injectable()
export class MembersService {
  constructor(
    private readonly accounts: UserAccountsFacade,
    private readonly auth: AuthFacade,
    private readonly invitations: InvitationsService,
    private readonly remover: PersonRemover,
    private readonly turns: PeopleTurns,
  ) {}

  /**
   * Another role, or blocked, or let in again. Whoever's role changes or who is blocked is signed out everywhere.
   *
   * @throws AppError `not_found`, `conflict` when the company would be without a manager.
   */
  change(by: Principal, id: UserId, change: Pick<UserChange, 'role' | 'isActive'>): Promise<User> {
    return this.turns.run(by.companyId, async () => {
      const user = await this.other(by, id);
      const loses = (change.role !== undefined && change.role !== 'manager') || change.isActive === false;
      if (loses) await this.assertManagerLeft(user);
      const changed = await this.accounts.changeOf(user, change);
      if (changed.role !== user.role || !changed.isActive) await this.auth.endSessionsOf(user.companyId, user.id);
      return changed;
    });
  }

  /**
   * Removes the account and what the person has asked. They are shut out first; whatever breaks it off, it can be asked for again.
   *
   * @throws AppError `not_found`, `conflict` when the company would be without a manager.
   */
  remove(by: Principal, id: UserId, erase: boolean): Promise<void> {
    return this.turns.run(by.companyId, async () => {
      const user = await this.other(by, id);
      await this.assertManagerLeft(user);
      await this.remover.remove(user, erase);
    });
  }

  async reset(by: Principal, id: UserId): Promise<MadeInvitation> {
    return this.invitations.reset(by, await this.other(by, id));
  }

  /** Whoever uses a link has a password of their own from now on; what was open with the old one ends. */
  async accept(token: string, acceptance: Acceptance): Promise<User> {
    const user = await this.invitations.accept(token, acceptance);
    await this.auth.endSessionsOf(user.companyId, user.id);
    return user;
  }

  /** A user of the caller's own company: not the caller, and nobody above them. */
  private async other(by: Principal, id: UserId): Promise<User> {
    if (id === by.userId) throw new AppError('conflict', 'you can’t do this to your own account: ask another manager');
    const user = await this.accounts.find(by.companyId, id);
    if (user === null) throw new AppError('not_found', 'user not found');
    if (user.role === 'system' && by.role !== 'system') throw new AppError('forbidden', 'forbidden');
    return user;
  }

  private async assertManagerLeft({ companyId, role, isActive }: User): Promise<void> {
    if (role === 'user' || !isActive) return;
    if ((await this.accounts.activeManagers(companyId)) < 2)
      throw new AppError('conflict', 'this is the last manager: make somebody else a manager first');
  }
}
