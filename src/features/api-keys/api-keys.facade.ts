import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { KeyBearersService } from './key-bearers.service.js';

export { KEY_PREFIX } from '../../http/api-keys.js';

/** Keys for who looks after sessions. */
@Injectable()
export class ApiKeysFacade {
  constructor(private readonly bearers: KeyBearersService) {}

  /** @throws AppError `unauthorized` */
  bearerOf(key: string): Promise<Principal> {
    return this.bearers.bearerOf(key);
  }

  /** Those of these ids that are keys which still let somebody in. */
  aliveAmong(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
    return this.bearers.aliveAmong(ids);
  }
}
