import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TOKEN_STRATEGY } from '../../http/access.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { CompanyModule } from '../company/company.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController, AuthController } from './auth.controller.js';
import { AuthFacade } from './auth.facade.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LoginLimits } from './login-limits.js';
import { LoginService } from './login.service.js';
import { SessionsRepository, SessionsService } from './sessions.service.js';
import { ALGORITHM, AUDIENCE, ISSUER, SigningKey, SigningKeyModule } from './signing-key.module.js';
import { Tokens } from './token-claims.js';

/** Signing in, staying in and getting out. Global, since the guard of every route needs the strategy. */
@Global()
@Module({
  imports: [
    ApiKeysModule,
    UsersModule,
    CompanyModule,
    SigningKeyModule,
    JwtModule.registerAsync({
      imports: [SigningKeyModule],
      inject: [SigningKey],
      useFactory: ({ key }: SigningKey) => ({
        secret: key,
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
    { provide: TOKEN_STRATEGY, inject: [JwtStrategy], useFactory: ({ name }: JwtStrategy) => name },
    AuthFacade,
  ],
  exports: [AuthFacade, TOKEN_STRATEGY],
})
export class AuthModule {}
