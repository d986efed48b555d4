import { createSecretKey } from 'node:crypto';
import { Module } from '@nestjs/common';
import { TokenSecret } from '../../ports/token-secret.js';
import { SigningKey } from './signing-key.js';

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
