import { Body, Controller, Headers, HttpCode, Ip, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { Access } from '../../http/access.js';
import { KeyScope } from '../../http/api-keys.js';
import { CurrentUser } from '../../http/current-user.js';
import { ok } from '../../http/envelope.js';
import type { Envelope } from '../../http/envelope.wire.js';
import type { Principal } from '../../shared/principal.js';
import {
  LoginBody,
  RefreshBody,
  loginView,
  refreshView,
  type LoginResponse,
  type RefreshResponse,
} from './auth.wire.js';
import { LoginService } from './login.service.js';
import { LogoutService, RefreshService } from './refresh.service.js';

@ApiTags('Sessions')
@KeyScope('none')
@Controller()
export class AuthController {
  constructor(
    private readonly logins: LoginService,
    private readonly refreshes: RefreshService,
    private readonly logouts: LogoutService,
  ) {}

  /** Opens a session. It lasts 7 days; its token lasts 15 minutes and is renewed with `refresh-token`. */
  @Post('login')
  @Access('public')
  @HttpCode(200)
  @ApiUnauthorizedResponse({ description: 'There is no user with this email and password.' })
  @ApiForbiddenResponse({ description: 'The user is inactive.' })
  async login(
    @Body() body: LoginBody,
    @Ip() address: string,
    @Headers('user-agent') agent = '',
  ): Promise<LoginResponse> {
    return ok('login successful', loginView(await this.logins.login(body, { address, agent })));
  }

  /** Gives a new token for one that has expired or is about to. Both the header and the body carry it. */
  @Post('refresh-token')
  @Access('public')
  @HttpCode(200)
  @ApiBearerAuth()
  async refresh(
    @Headers('authorization') authorization: string | undefined,
    @Body() body: RefreshBody,
  ): Promise<RefreshResponse> {
    return ok('token refreshed', refreshView(await this.refreshes.refresh(authorization, body.token)));
  }

  /** Ends the session. Its token is worth nothing afterwards, and its sockets are closed. */
  @Post('secure/logout')
  @Access('user')
  @HttpCode(200)
  async logout(@CurrentUser() user: Principal): Promise<Envelope> {
    await this.logouts.logout(user);
    return ok('logged out');
  }
}
