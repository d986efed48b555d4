import { Injectable } from '@nestjs/common';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { invalidToken } from './auth.errors.js';
import { ALGORITHM, AUDIENCE, ISSUER, SigningKey } from './signing-key.js';
import { claimsFrom, type TokenClaims } from './token-claims.js';

interface Reading {
  readonly token: string;
}
/** The part of passport that we use, without its `any`. */
interface Checks {
  use(name: string, strategy: Strategy): unknown;
  authenticate(
    name: string,
    options: { readonly session: false },
    finish: (error: unknown, payload: unknown) => void,
  ): (reading: Reading, response: object, failed: (error: unknown) => void) => void;
}

/** Reads tokens: signature, algorithm, issuer and audience must be right. Whether one has expired is for the caller to judge, by our clock. */
@Injectable()
export class TokenReader {
  /** Our own: the package's default one is global to the process, and two apps in it would share a key. */
  private readonly checks: Checks = new passport.Passport();

  constructor(signing: SigningKey) {
    const strategy = new Strategy(
      {
        jwtFromRequest: ({ token }: Reading) => token,
        // The package's types don't know key objects; it hands the key on to a library that does.
        secretOrKey: signing.key as unknown as Buffer,
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        ignoreExpiration: true,
      },
      (payload: unknown, done) => {
        done(null, payload);
      },
    );
    this.checks.use('jwt', strategy);
  }

  /** @throws AppError `unauthorized` */
  read(token: string): Promise<TokenClaims> {
    return new Promise((resolve, reject) => {
      const finish = (_error: unknown, payload: unknown): void => {
        const claims = claimsFrom(payload);
        if (claims === null) reject(invalidToken());
        else resolve(claims);
      };
      const check = this.checks.authenticate('jwt', { session: false }, finish);
      check({ token }, {}, reject);
    });
  }
}

/** The token of an `Authorization: Bearer …` header; null when it is none. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}
