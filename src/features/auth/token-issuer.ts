import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../../ports/clock.js';
import type { User } from '../users/users.facade.js';
import type { Session } from './session.types.js';
import { payloadFor } from './token-claims.js';

/** Writes tokens. */
@Injectable()
export class TokenIssuer {
  constructor(
    private readonly jwt: JwtService,
    private readonly clock: Clock,
  ) {}

  /** The current token of the session, good for 15 minutes. */
  issue(user: User, session: Session): string {
    return this.jwt.sign({ ...payloadFor(user, session, this.clock.now()) });
  }
}
