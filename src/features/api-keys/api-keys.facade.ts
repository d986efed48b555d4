import { Injectable } from '@nestjs/common';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { KeyBearersService } from './key-bearers.service.js';

export { KEY_PREFIX } from '../../http/api-keys.js';

/** Keys for who looks after sessions. */
@Injectable()
export class ApiKeysFacade {
  constructor(
    private readonly bearers: KeyBearersService,
    private readonly keys: ApiKeyRepository,
  ) {}

  /** @throws AppError `unauthorized` */
  bearerOf(key: string): Promise<Principal> {
    return this.bearers.bearerOf(key);
  }

  /** Removes the keys that somebody holds. */
  removeOf(companyId: CompanyId, userId: UserId): Promise<void> {
    return this.keys.removeOf(companyId, userId);
  }

  /** Those of these ids that are keys which still let somebody in. */
  aliveAmong(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
    return this.bearers.aliveAmong(ids);
  }
}
