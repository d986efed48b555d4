import { Injectable } from '@nestjs/common';
import { invalidToken, KeyBearers } from '../../http/access.js';
import { Clock } from '../../ports/clock.js';
import { Log, warned } from '../../ports/log.js';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { isSecretOf } from '../../shared/secret-hash.js';
import { CompanyFacade } from '../company/company.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import { API_KEYS, type ApiKey } from './api-key.schema.js';
import { isAlive, isNoteworthy, principalOfKey, readKey } from './key-rules.js';
import { repositoryOf } from '../../ports/tenant-repository.js';

export class ApiKeyRepository extends repositoryOf(API_KEYS) {}

export { KEY_PREFIX } from '../../http/access.js';

/** Keys for who looks after sessions: finds out who asks with one, as users, roles and companies are stored at this moment. */
@Injectable()
export class ApiKeysFacade extends KeyBearers {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly users: UsersFacade,
    private readonly companies: CompanyFacade,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  override async bearerOf(text: string): Promise<Principal> {
    const given = readKey(text);
    const key = given === null ? null : await this.keys.findAnywhere(given.id);
    if (given === null || key === null || !isSecretOf(key.secretHash, given.secret)) throw invalidToken();
    const principal = await this.bearer(key);
    if (principal === null) throw invalidToken();
    await this.noteUse(key);
    return principal;
  }

  /** Those of these keys that still let somebody in, by the ids that stand for their sessions. */
  async aliveAmong(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
    const keys = await this.keys.anywhere({ id: { in: ids } });
    const bearers = await Promise.all(keys.map((key) => this.bearer(key)));
    return new Set(bearers.flatMap((bearer) => (bearer === null ? [] : [bearer.sessionId])));
  }

  /** Removes the keys that somebody holds. */
  removeOf(companyId: CompanyId, holderId: UserId): Promise<void> {
    return this.keys.removeWhere(companyId, { holderId });
  }

  private async bearer(key: ApiKey): Promise<Principal | null> {
    if (!isAlive(key, this.clock.now())) return null;
    const { companyId, holderId, accountRole } = key;
    const [isOpen, user] = await Promise.all([
      this.companies.isOpen(companyId),
      accountRole === null ? this.users.find(companyId, holderId) : null,
    ]);
    return isOpen ? principalOfKey(key, user) : null;
  }

  /** Nothing when somebody else has noted a use since. Nobody is kept out because a use could not be noted. */
  private async noteUse(key: ApiKey): Promise<void> {
    const now = this.clock.now();
    if (!isNoteworthy(key, now)) return;
    const { lastUsedAt } = key;
    await this.keys
      .swap(key, { lastUsedAt }, { lastUsedAt: now })
      .catch(warned(this.log, 'the use of an API key could not be noted', { key: key.id }));
  }
}
