import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { EventStream } from '../../ports/event-stream.js';
import { IdSource } from '../../ports/id-source.js';
import { NEWEST_FIRST } from '../../ports/tenant-repository.js';
import { AppError } from '../../shared/app-error.js';
import { asId, type ApiKeyId, type UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { hasRole, type Principal, type Role } from '../../shared/principal.js';
import { secretHash } from '../../shared/secret-hash.js';
import { UsersFacade } from '../users/users.facade.js';
import { ApiKeyRepository } from './api-keys.facade.js';
import type { AccountDraft, ApiKey, ApiKeyDraft, HeldKey } from './api-key.schema.js';
import { expiryOf, writtenKey } from './key-rules.js';

/** That one person has made and nobody has revoked. */
const MOST_KEYS = 50;
const FULL = `you have made ${MOST_KEYS} API keys: revoke one that is not used any more`;

/** A new key, and what its program has to send: told once. */
export interface MadeKey extends HeldKey {
  readonly text: string;
}

/** Makes, lists and revokes keys: each user the own ones, managers those of their company. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly users: UsersFacade,
    private readonly events: EventStream,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `forbidden` for a service account when no manager asks, `conflict` when there are too many. */
  async make(by: Principal, draft: ApiKeyDraft): Promise<MadeKey> {
    const now = this.clock.now();
    const expiresAt = expiryOf(draft, now);
    const holder =
      draft.account === null ? { holderId: by.userId, accountRole: null } : await this.account(by, draft.account);
    const secret = this.ids.token() + this.ids.token();
    const key: ApiKey = {
      id: this.ids.next(),
      companyId: by.companyId,
      name: draft.name,
      ...holder,
      createdBy: by.userId,
      scopes: draft.scopes,
      secretHash: secretHash(secret),
      createdAt: now,
      expiresAt,
      lastUsedAt: null,
    };
    const limit = { most: MOST_KEYS, where: { createdBy: by.userId }, full: FULL };
    await this.keys.insertWithin(by.companyId, limit, [key]);
    return { ...(await this.held(key)), text: writtenKey({ id: key.id, secret }) };
  }

  /** The caller's own; all of the company when a manager asks. */
  async list(by: Principal, page: Page): Promise<PageOf<HeldKey>> {
    const own = seesAll(by) ? {} : { holderId: by.userId };
    const { entries, total } = await this.keys.pageOf(by.companyId, own, page, NEWEST_FIRST);
    return { entries: await Promise.all(entries.map((key) => this.held(key))), total };
  }

  /** It lets nobody in from now on, and its sockets are closed. @throws AppError `not_found`, also for somebody else's. */
  async revoke(by: Principal, id: ApiKeyId): Promise<void> {
    const key = await this.keys.find(by.companyId, id);
    const isOurs = key !== null && (seesAll(by) || key.holderId === by.userId);
    if (!isOurs || !(await this.keys.remove(key))) throw new AppError('not_found', 'API key not found');
    const { companyId, holderId: userId } = key;
    this.events.publish({ type: 'session-ended', companyId, userId, sessionId: asId(id), at: this.clock.now() });
  }

  private async account(by: Principal, draft: AccountDraft): Promise<{ holderId: UserId; accountRole: Role }> {
    if (!seesAll(by)) throw new AppError('forbidden', 'forbidden: only managers make keys for service accounts');
    const isAccounts = { accountRole: { not: null } };
    const known = 'id' in draft ? await this.keys.first(by.companyId, { ...isAccounts, holderId: draft.id }) : null;
    if ('id' in draft && known === null) throw new AppError('not_found', 'service account not found');
    const accountRole = 'role' in draft ? draft.role : (known?.accountRole ?? 'user');
    if (!hasRole(by.role, accountRole))
      throw new AppError('forbidden', 'forbidden: a service account has at most your own role');
    return { holderId: known?.holderId ?? this.ids.next(), accountRole };
  }

  private async held(key: ApiKey): Promise<HeldKey> {
    return { key, user: key.accountRole === null ? await this.users.find(key.companyId, key.holderId) : null };
  }
}

function seesAll(by: Principal): boolean {
  return hasRole(by.role, 'manager');
}
