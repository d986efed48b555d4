import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { invalidToken } from './auth.errors.js';
import { ALGORITHM, AUDIENCE, ISSUER } from './signing-key.js';
import { claimsFrom, type TokenClaims } from './token-claims.js';

/** What must be right about a token. Whether it has expired is judged by our clock, not by the library's. */
export const TOKEN_CHECKS = {
  algorithms: [ALGORITHM],
  issuer: ISSUER,
  audience: AUDIENCE,
  ignoreExpiration: true,
} satisfies Parameters<JwtService['verify']>[1];

/** Reads tokens that no request brings in its header alone: a socket's, and one that is to be refreshed. */
@Injectable()
export class TokenReader {
  constructor(private readonly jwt: JwtService) {}

  /** Whether it has expired is for the caller to judge. @throws AppError `unauthorized` */
  read(token: string): TokenClaims {
    return claimsFrom(this.payloadOf(token));
  }

  private payloadOf(token: string): unknown {
    try {
      return this.jwt.verify<object>(token, TOKEN_CHECKS);
    } catch {
      // One answer to whatever is wrong with it.
      throw invalidToken();
    }
  }
}

/** The token of an `Authorization: Bearer …` header; null when it is none. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null;
}
