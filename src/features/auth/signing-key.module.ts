import { createSecretKey, type KeyObject } from 'node:crypto';
import { Module } from '@nestjs/common';
import { TokenSecret } from '../../ports/token-secret.js';

/** Only ever this algorithm, whatever a token says of itself. */
export const ALGORITHM = 'HS256';
/** Who writes our tokens, and for whom. */
export const ISSUER = 'data-analytics-service';
export const AUDIENCE = 'data-analytics-api';

/** What tokens are signed with. A key object: a text would be turned into one at every check, which costs 0.6 ms. */
export class SigningKey {
  constructor(readonly key: KeyObject) {}
}

/** One key for who signs and who checks. */
@Module({
  providers: [
    {
      provide: SigningKey,
      useFactory: async (secret: TokenSecret) => new SigningKey(createSecretKey(await secret.read())),
      inject: [TokenSecret],
    },
  ],
  exports: [SigningKey],
})
export class SigningKeyModule {}
