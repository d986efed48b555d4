import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import type { Change } from '../../ports/document-store.js';
import type { CompanyId } from '../../shared/ids.js';
import { IdSource } from '../../ports/id-source.js';
import { PasswordHasher } from '../../ports/password-hasher.js';
import { isAppError } from '../../shared/app-error.js';
import { assertPassword, roleFrom, emailTaken, noSuchUser, notAnEmail } from './users.errors.js';
import type { User, UserDraft } from './user.schema.js';
import { UsersRepository } from './users.repository.js';
import { isEmailAddress } from './users.wire.js';

export type { User, UserDraft } from './user.schema.js';
export { FullUser, fullUser } from './users.wire.js';

type Who = Pick<User, 'companyId' | 'id'>;

export interface UserChange {
  readonly role?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** Making and changing users. The command of administration names them by their e-mail address. */
@Injectable()
export class UserAccountsFacade {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `invalid_input`, `conflict` when the address is taken. */
  async create(draft: UserDraft): Promise<User> {
    const user = { ...newUser(draft), id: this.ids.next<User['id']>(), createdAt: this.clock.now() };
    assertPassword(draft.password);
    const stored = { ...user, passwordHash: await this.hasher.hash(draft.password) };
    try {
      await this.users.insert(stored);
    } catch (error) {
      throw isAppError(error, 'conflict') ? emailTaken(stored.email, error) : error;
    }
    return stored;
  }

  find(companyId: CompanyId, id: User['id']): Promise<User | null> {
    return this.users.find(companyId, id);
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findByEmail(email);
  }

  /** Whether somebody of another company has an address in this domain. */
  async isDomainUsedElsewhere(companyId: CompanyId, domain: string): Promise<boolean> {
    const users = await this.users.withAddressLike(`@${domain}`);
    return users.some((user) => user.companyId !== companyId && user.email.endsWith(`@${domain}`));
  }

  list(): Promise<readonly User[]> {
    return this.users.all();
  }

  /** @throws AppError `invalid_input`, `not_found` */
  setRole(email: string, role: string): Promise<User> {
    return this.change(email, { role: roleFrom(role) });
  }

  /** @throws AppError `not_found` */
  setActive(email: string, isActive: boolean): Promise<User> {
    return this.change(email, { isActive });
  }

  /** @throws AppError `invalid_input`, `not_found` */
  async setPassword(email: string, password: string): Promise<User> {
    assertPassword(password);
    return this.change(email, { passwordHash: await this.hasher.hash(password) });
  }

  /** @throws AppError `invalid_input`, `not_found` */
  async changeOf({ companyId, id }: Who, { role, isActive, firstName, lastName }: UserChange): Promise<User> {
    const set = {
      ...(role === undefined ? {} : { role: roleFrom(role) }),
      ...(isActive === undefined ? {} : { isActive }),
      ...(firstName === undefined ? {} : { firstName }),
      ...(lastName === undefined ? {} : { lastName }),
    };
    const user = await this.users.swap({ companyId, id }, {}, set);
    if (user === null) throw noSuchUser();
    return user;
  }

  /** @throws AppError `invalid_input`, `not_found` */
  async setPasswordOf({ companyId, id }: Who, password: string): Promise<User> {
    assertPassword(password);
    const user = await this.users.swap({ companyId, id }, {}, { passwordHash: await this.hasher.hash(password) });
    if (user === null) throw noSuchUser();
    return user;
  }

  /** False when the user was gone already. */
  remove(who: Who): Promise<boolean> {
    return this.users.remove(who);
  }

  /** How many may look after the company's people. */
  activeManagers(companyId: CompanyId): Promise<number> {
    return this.users.countOf(companyId, { role: { in: ['manager', 'system'] }, isActive: true });
  }

  private async change(email: string, set: Change<User>['set']): Promise<User> {
    const user = await this.users.changeByEmail(email, set);
    if (user === null) throw noSuchUser();
    return user;
  }
}

function newUser(draft: UserDraft): Omit<User, 'id' | 'passwordHash' | 'createdAt'> {
  if (!isEmailAddress(draft.email)) throw notAnEmail();
  return {
    companyId: draft.companyId,
    email: draft.email.toLowerCase(),
    role: roleFrom(draft.role),
    firstName: draft.firstName,
    lastName: draft.lastName,
    avatar: '',
    isActive: true,
    meta: {},
    lastLogin: null,
    lastLogout: null,
  };
}
