import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TOKEN_STRATEGY } from '../../http/access.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { CompanyModule } from '../company/company.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccountController } from './account.controller.js';
import { AccountService } from './account.service.js';
import { AuthController } from './auth.controller.js';
import { AuthFacade } from './auth.facade.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LoginLimits } from './login-limits.js';
import { LoginService } from './login.service.js';
import { LogoutService, RefreshService } from './refresh.service.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { ALGORITHM, AUDIENCE, ISSUER, SigningKey, SigningKeyModule } from './signing-key.module.js';
import { TokenIssuer, TokenReader } from './token-claims.js';

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
    TokenReader,
    TokenIssuer,
    SessionsRepository,
    SessionsService,
    LoginLimits,
    LoginService,
    RefreshService,
    LogoutService,
    AccountService,
    JwtStrategy,
    { provide: TOKEN_STRATEGY, inject: [JwtStrategy], useFactory: ({ name }: JwtStrategy) => name },
    AuthFacade,
  ],
  exports: [AuthFacade, TOKEN_STRATEGY],
})
export class AuthModule {}
