import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import type { Principal } from '../../shared/principal.js';
import { SessionsService } from './sessions.service.js';
import { SigningKey } from './signing-key.js';
import { claimsFrom } from './token-claims.js';
import { bearerToken, TOKEN_CHECKS } from './token-reader.js';

/** What the access guard asks of every request that needs a token. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') implements OnApplicationShutdown {
  /** Passport keeps one strategy of a name for the whole process: each application in it has a name of its own. */
  override readonly name = `jwt ${randomUUID()}`;

  constructor(
    { key }: SigningKey,
    private readonly sessions: SessionsService,
  ) {
    super({
      ...TOKEN_CHECKS,
      jwtFromRequest: ({ headers }: FastifyRequest) => bearerToken(headers.authorization),
      // The package's types don't know key objects; it hands the key on to a library that does.
      secretOrKey: key as unknown as Buffer,
    });
    passport.use(this.name, this);
  }

  /** The token is ours; whether its session is alive decides who asks. */
  override async validate(payload: unknown): Promise<Principal> {
    const claims = claimsFrom(payload);
    await this.sessions.require(claims);
    return claims.principal;
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }
}
