import { createSecretKey } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TOKEN_STRATEGY } from '../../http/access.js';
import { TokenSecret } from '../../ports/token-secret.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { CompanyModule } from '../company/company.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController, AuthController } from './auth.controller.js';
import { AuthFacade } from './auth.facade.js';
import { JwtStrategy, SigningKey } from './jwt.strategy.js';
import { LoginLimits } from './login-limits.js';
import { LoginService } from './login.service.js';
import { SessionsRepository, SessionsService } from './sessions.service.js';
import { ALGORITHM, AUDIENCE, ISSUER, Tokens } from './token-claims.js';

/** Signing in, staying in and getting out. Global, since the guard of every route needs the strategy. */
@Global()
@Module({
  imports: [
    ApiKeysModule,
    UsersModule,
    CompanyModule,
    JwtModule.registerAsync({
      inject: [TokenSecret],
      useFactory: async (secret: TokenSecret) => ({
        secret: createSecretKey(await secret.read()),
        signOptions: { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE },
      }),
    }),
  ],
  controllers: [AuthController, AccountController],
  providers: [
    Tokens,
    SessionsRepository,
    SessionsService,
    LoginLimits,
    LoginService,
    JwtStrategy,
    {
      provide: SigningKey,
      inject: [TokenSecret],
      useFactory: async (secret: TokenSecret) => new SigningKey(createSecretKey(await secret.read())),
    },
    { provide: TOKEN_STRATEGY, inject: [JwtStrategy], useFactory: ({ name }: JwtStrategy) => name },
    AuthFacade,
  ],
  exports: [AuthFacade, TOKEN_STRATEGY],
})
export class AuthModule {}
