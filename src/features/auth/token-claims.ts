import { invalidToken } from '../../http/access.js';
import { onWire } from '../../http/envelope.wire.js';
import { asId, isId } from '../../shared/ids.js';
import { isRecord } from '../../shared/json.js';
import { ROLES, type Principal } from '../../shared/principal.js';
import type { User } from '../users/users.facade.js';
import type { Session } from './session.schema.js';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../../ports/clock.js';

export const TOKEN_MINUTES = 15;
/** Only ever this algorithm, whatever a token says of itself. */
export const ALGORITHM = 'HS256';
/** Who writes our tokens, and for whom. */
export const ISSUER = 'data-analytics-service';
export const AUDIENCE = 'data-analytics-api';

/** What a token says whose signature is right. */
export interface TokenClaims {
  readonly principal: Principal;
  readonly jti: string;
  readonly expiresAt: Date;
}

type Payload = Readonly<Record<string, string | number>>;

/** The claims of a token for this user as stored, from now on. */
function payloadFor(user: User, session: Session, now: Date): Payload {
  const iat = Math.floor(now.getTime() / 1000);
  return {
    sub: user.id,
    sid: session.id,
    jti: session.jti,
    ...onWire(user, 'email', 'firstName', 'lastName', 'companyId', 'role'),
    iat,
    exp: iat + TOKEN_MINUTES * 60,
  };
}

/** @throws AppError `unauthorized` when something is missing or has another form: then we did not write it. */
export function claimsFrom(payload: unknown): TokenClaims {
  if (!isRecord(payload)) throw invalidToken();
  const principal = principalFrom(payload);
  const { jti, exp } = payload;
  if (principal === null || typeof jti !== 'string' || typeof exp !== 'number') throw invalidToken();
  return { principal, jti, expiresAt: new Date(exp * 1000) };
}

function principalFrom(payload: Record<string, unknown>): Principal | null {
  const { email, first_name: firstName, last_name: lastName } = payload;
  const [sub, sid, companyId] = [payload['sub'], payload['sid'], payload['company_id']].map(String);
  const role = ROLES.find((known) => known === payload['role']);
  if (typeof email !== 'string' || typeof firstName !== 'string' || typeof lastName !== 'string') return null;
  if (role === undefined || !isIdText(sub) || !isIdText(sid) || !isIdText(companyId)) return null;
  return { userId: asId(sub), sessionId: asId(sid), companyId: asId(companyId), role, email, firstName, lastName };
}

function isIdText(text: string | undefined): text is string {
  return text !== undefined && isId(text);
}

/** What must be right about a token. Whether it has expired is judged by our clock, not by the library's. */
export const TOKEN_CHECKS = {
  algorithms: [ALGORITHM],
  issuer: ISSUER,
  audience: AUDIENCE,
  ignoreExpiration: true,
} satisfies Parameters<JwtService['verify']>[1];

/** Writes tokens, and reads those that no request brings in its header alone: a socket's, and one that is to be refreshed. */
@Injectable()
export class Tokens {
  constructor(
    private readonly jwt: JwtService,
    private readonly clock: Clock,
  ) {}

  /** The current token of the session, good for 15 minutes. */
  issue(user: User, session: Session): string {
    return this.jwt.sign({ ...payloadFor(user, session, this.clock.now()) });
  }

  /** Whether it has expired is for the caller to judge. @throws AppError `unauthorized` */
  read(token: string): TokenClaims {
    try {
      return claimsFrom(this.jwt.verify<object>(token, TOKEN_CHECKS));
    } catch {
      // One answer to whatever is wrong with it.
      throw invalidToken();
    }
  }
}
