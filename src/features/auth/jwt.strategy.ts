import { type KeyObject, randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { bearerToken } from '../../http/access.js';
import { messageOf } from '../../shared/app-error.js';
import type { Principal } from '../../shared/principal.js';
import { SessionsService } from './sessions.service.js';
import { claimsFrom, TOKEN_MINUTES, type TokenClaims, TOKEN_CHECKS } from './token-claims.js';

/** Tokens whose signature was right: it is right for as long as the key is ours. */
const MOST_VERIFIED = 10_000;

/** What tokens are signed with. A key object: a text would be turned into one at every check, which costs 0.6 ms. */
export class SigningKey {
  constructor(readonly key: KeyObject) {}
}

/** What the access guard asks of every request that needs a token. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') implements OnApplicationShutdown {
  /** Passport keeps one strategy of a name for the whole process: each application in it has a name of its own. */
  override readonly name = `jwt ${randomUUID()}`;
  private readonly verified = new LRUCache<string, TokenClaims>({ max: MOST_VERIFIED, ttl: TOKEN_MINUTES * 60_000 });

  constructor(
    { key }: SigningKey,
    private readonly sessions: SessionsService,
  ) {
    super({
      ...TOKEN_CHECKS,
      jwtFromRequest: tokenOf,
      passReqToCallback: true,
      // The package's types don't know key objects; it hands the key on to a library that does.
      secretOrKey: key as unknown as Buffer,
    });
    passport.use(this.name, this);
  }

  /** Only the signature of a token seen before is taken as read: its age and its session are looked at each time. */
  override authenticate(request: Parameters<Strategy['authenticate']>[0]): void {
    const claims = this.verified.get(tokenOf(request) ?? '');
    if (claims === undefined) super.authenticate(request);
    else
      this.bearerOf(claims).then(
        (principal) => {
          this.success(principal);
        },
        (error: unknown) => {
          this.error(error instanceof Error ? error : new Error(messageOf(error)));
        },
      );
  }

  /** The token is ours; whether its session is alive decides who asks. */
  override validate(request: TokenCarrier, payload: unknown): Promise<Principal> {
    const claims = claimsFrom(payload);
    this.verified.set(tokenOf(request) ?? '', claims);
    return this.bearerOf(claims);
  }

  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }

  private async bearerOf(claims: TokenClaims): Promise<Principal> {
    await this.sessions.require(claims);
    return claims.principal;
  }
}

type TokenCarrier = Pick<FastifyRequest, 'headers'>;

function tokenOf({ headers }: TokenCarrier): string | null {
  return bearerToken(headers.authorization);
}
