import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { DocumentStore, type TenantCollection } from '../../ports/document-store.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError, onKind } from '../../shared/app-error.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { ApiKeysFacade } from '../api-keys/api-keys.facade.js';
import { AssistantFacade } from '../assistant/assistant.facade.js';
import { AuditFacade } from '../audit/audit.facade.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { UploadService } from '../datasource/datasource.facade.js';
import { UsersFacade, type User, type UserChange } from '../users/users.facade.js';
import {
  type Acceptance,
  InvitationsRepository,
  InvitationsService,
  type MadeInvitation,
} from './invitations.service.js';
import { PEOPLE_TURNS, type PeopleTurn } from './people-turn.schema.js';
import { IdentityRepository } from './sign-in/sign-in.repository.js';

/** Whoever died is believed to be at it for so long. */
const LEASE_MS = 30_000;
const LOOK_MS = 50;
const LOOKS = 100;

/** One change of a company's people at a time, on whatever instance: two managers who take the role from each other at once would leave none. */
@Injectable()
export class PeopleTurns {
  private readonly collection: TenantCollection<PeopleTurn>;

  constructor(
    store: DocumentStore,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    this.collection = store.tenantCollection(PEOPLE_TURNS);
  }

  /** @throws AppError `unavailable` when others are at it for too long. */
  async run<T>(companyId: CompanyId, change: () => Promise<T>): Promise<T> {
    const turn = await this.take(companyId);
    try {
      return await change();
    } finally {
      await this.collection.of(companyId).remove({ holder: turn });
    }
  }

  private async take(companyId: CompanyId): Promise<string> {
    const holder = this.ids.token();
    for (let look = 0; look < LOOKS; look += 1) {
      if (await this.tryTake(companyId, holder)) return holder;
      await new Promise((wake) => setTimeout(wake, LOOK_MS));
    }
    throw new AppError('unavailable', 'somebody else is changing the people of the company', { retryAfter: 1 });
  }

  private async tryTake(companyId: CompanyId, holder: string): Promise<boolean> {
    const own = this.collection.of(companyId);
    const now = this.clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const isFirst = await own.insert({ id: this.ids.next(), companyId, holder, until }).then(
      () => true,
      onKind('conflict', () => false),
    );
    return isFirst || (await own.update({ until: { lte: now } }, { set: { holder, until } })) !== null;
  }
}

/** What tells of somebody beyond their account and conversations. */
@Injectable()
export class PersonTraces {
  constructor(
    private readonly keys: ApiKeysFacade,
    private readonly uploads: UploadService,
    private readonly audit: AuditFacade,
    private readonly invitations: InvitationsRepository,
    private readonly users: UsersFacade,
  ) {}

  /** Keys, uploads that were never used, links, and their name wherever it stands. What they made for the company stays. */
  async erase(user: User): Promise<void> {
    const { companyId, id, email } = user;
    await this.keys.removeOf(companyId, id);
    await this.uploads.removeOf(companyId, id);
    await this.invitations.removeWhere(companyId, { email });
    await this.users.eraseNameOf(user);
    await this.audit.anonymise(companyId, id, email);
  }
}

/** Removes somebody's account, and what they have asked; with `erase` all that tells of them. */
@Injectable()
export class PersonRemover {
  constructor(
    private readonly accounts: UsersFacade,
    private readonly auth: AuthFacade,
    private readonly assistant: AssistantFacade,
    private readonly identities: IdentityRepository,
    private readonly traces: PersonTraces,
  ) {}

  /** They are shut out first, and the account goes last: whatever breaks it off, it can be asked for again. */
  async remove(user: User, erase: boolean): Promise<void> {
    const { companyId, id, email } = user;
    await this.accounts.changeOf(user, { isActive: false });
    await this.auth.endSessionsOf(companyId, id);
    await this.assistant.forget({ companyId, userId: id });
    if (erase) await this.traces.erase(user);
    await this.identities.bar(companyId, id, email);
    await this.accounts.remove(user);
  }
}

/** What managers do with the people of their company. */
@Injectable()
export class MembersService {
  constructor(
    private readonly accounts: UsersFacade,
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
