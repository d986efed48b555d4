import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { PasswordHasher } from '../../ports/password-hasher.js';
import { NEWEST_FIRST, repositoryOf } from '../../ports/tenant-repository.js';
import { AppError, invalidField, onKind } from '../../shared/app-error.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { type Principal, type Role, ROLES } from '../../shared/principal.js';
import { said } from '../../shared/said.js';
import { type User, type UserDraft, USERS } from './user.schema.js';
import { isEmailAddress } from './users.wire.js';

/** The users of all companies. What is asked on behalf of a person names that person's company. */
export class UsersRepository extends repositoryOf(USERS, 'user') {
  /** Of whatever company: who signs in does not say which. */
  async findByEmail(email: string): Promise<User | null> {
    const [user] = await this.anywhere({ email: email.toLowerCase() }, { limit: 1 });
    return user ?? null;
  }
}

export type { User, UserDraft } from './user.schema.js';
export { EMAIL_FORM, FullUser, ReducedUser, fullUser, reducedUser } from './users.wire.js';

const MIN_PASSWORD_LENGTH = 8;
/** Hashing costs time for every character; nobody remembers more. */
export const MAX_PASSWORD_LENGTH = 1000;
export const MAX_NAME_LENGTH = 100;
/** The name of whoever was erased. */
export const ERASED_NAME = 'somebody who was removed';

type Who = Pick<User, 'companyId' | 'id'>;

export interface UserChange {
  readonly role?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
}

/** Reads, makes and changes users. */
@Injectable()
export class UsersFacade {
  private readonly erasers: ((user: User) => Promise<void>)[] = [];

  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  find(companyId: CompanyId, id: UserId): Promise<User | null> {
    return this.users.find(companyId, id);
  }

  /** Of whatever company. */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findByEmail(email);
  }

  /** Null when nobody has this address or the password is another: one answer, after the same time. */
  async findByPassword(email: string, password: string): Promise<User | null> {
    const user = await this.users.findByEmail(email);
    const right = await this.hasher.verify(user?.passwordHash ?? null, password);
    return right ? user : null;
  }

  /** `system` reaches every company, everybody else their own; somebody else's user and an unknown one can't be told apart. */
  async get(by: Principal, id: UserId): Promise<User> {
    return there(by.role === 'system' ? await this.users.findAnywhere(id) : await this.find(by.companyId, id));
  }

  /** Of the caller's own company, whatever the role. */
  list(by: Principal, page: Page): Promise<PageOf<User>> {
    return this.users.pageOf(by.companyId, {}, page, NEWEST_FIRST);
  }

  /** Of every company, for administration. */
  all(): Promise<readonly User[]> {
    return this.users.anywhere({}, { sort: NEWEST_FIRST });
  }

  /** Whether somebody of another company has an address in this domain. */
  async isDomainUsedElsewhere(companyId: CompanyId, domain: string): Promise<boolean> {
    const users = await this.users.anywhere({ email: { contains: `@${domain}` } });
    return users.some((user) => user.companyId !== companyId && user.email.endsWith(`@${domain}`));
  }

  /** How many may look after the company's people. */
  activeManagers(companyId: CompanyId): Promise<number> {
    return this.users.countOf(companyId, { role: { in: ['manager', 'system'] }, isActive: true });
  }

  /** Null when the user was deactivated or got a new password since `user` was read. */
  recordLogin(user: User): Promise<User | null> {
    const { passwordHash } = user;
    return this.users.swap(user, { isActive: true, passwordHash }, { lastLogin: this.clock.now() });
  }

  async recordLogout(companyId: CompanyId, id: UserId): Promise<void> {
    await this.users.swap({ companyId, id }, {}, { lastLogout: this.clock.now() });
  }

  /** @throws AppError `invalid_input`, `conflict` when the address is taken. */
  async create(draft: UserDraft): Promise<User> {
    const user = { ...newUser(draft), id: this.ids.next<UserId>(), createdAt: this.clock.now() };
    const stored = { ...user, passwordHash: await this.hashed(draft.password) };
    const taken = `there is already a user with the email ${stored.email}`;
    await this.users.insert(stored).catch(
      onKind('conflict', (cause) => {
        throw new AppError('conflict', taken, { cause });
      }),
    );
    return stored;
  }

  /** @throws AppError `invalid_input`, `not_found` */
  async changeOf({ companyId, id }: Who, { role, isActive, firstName, lastName }: UserChange): Promise<User> {
    const set = said({ role: role === undefined ? null : roleFrom(role), isActive, firstName, lastName });
    return there(await this.users.swap({ companyId, id }, {}, set));
  }

  /** @throws AppError `invalid_input`, `not_found` */
  async setPasswordOf({ companyId, id }: Who, password: string): Promise<User> {
    return there(await this.users.swap({ companyId, id }, {}, { passwordHash: await this.hashed(password) }));
  }

  /** What else names a person, and forgets them when they are erased. */
  alsoErase(eraser: (user: User) => Promise<void>): void {
    this.erasers.push(eraser);
  }

  async eraseNameOf(user: User): Promise<void> {
    for (const erase of this.erasers) await erase(user);
  }

  /** False when the user was gone already. */
  remove(who: Who): Promise<boolean> {
    return this.users.remove(who);
  }

  private async hashed(password: string): Promise<string> {
    assertPassword(password);
    return this.hasher.hash(password);
  }
}

function there(user: User | null): User {
  if (user === null) throw new AppError('not_found', 'user not found');
  return user;
}

function newUser(draft: UserDraft): Omit<User, 'id' | 'passwordHash' | 'createdAt'> {
  if (!isEmailAddress(draft.email)) throw invalidField('email', 'email must be an email address');
  return {
    ...USERS.blank,
    companyId: draft.companyId,
    email: draft.email.toLowerCase(),
    role: roleFrom(draft.role),
    firstName: draft.firstName,
    lastName: draft.lastName,
    avatar: '',
    isActive: true,
    meta: {},
  };
}

/** @throws AppError `invalid_input` that names the roles there are. */
function roleFrom(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role === undefined) throw invalidField('role', `role must be one of ${ROLES.join(', ')}`);
  return role;
}

/** @throws AppError `invalid_input` */
function assertPassword(password: string): void {
  const { length } = password;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    throw invalidField('password', `password must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
  }
}
