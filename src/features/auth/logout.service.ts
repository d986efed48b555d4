import { Injectable } from '@nestjs/common';
import type { Principal } from '../../shared/principal.js';
import { UsersFacade } from '../users/users.facade.js';
import { SessionsService } from './sessions.service.js';

@Injectable()
export class LogoutService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly users: UsersFacade,
  ) {}

  /** Ends the session of this token at once; other sessions of the same user go on. */
  async logout(by: Principal): Promise<void> {
    await this.sessions.end(by.companyId, by.userId, by.sessionId);
    await this.users.recordLogout(by.companyId, by.userId);
  }
}
