import { Body, Controller, Delete, Get, Headers, Ip, Param, Patch } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse, ApiTags, ApiUnauthorizedResponse } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe } from '../../http/parameters.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import type { SessionId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { fullUser, UsersFacade } from '../users/users.facade.js';
import {
  AccountResponse,
  ChangeAccountBody,
  ChangePasswordBody,
  LoginBody,
  LoginResponse,
  loginView,
  namesFrom,
  RefreshBody,
  RefreshResponse,
  refreshView,
  SessionsResponse,
  sessionView,
} from './auth.wire.js';
import { LoginService } from './login.service.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Sessions')
@KeyScope('none')
@Controller()
export class AuthController {
  constructor(private readonly logins: LoginService) {}

  /** Opens a session. It lasts 7 days; its token lasts 15 minutes and is renewed with `refresh-token`. */
  @PostOk('login')
  @Access('public')
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
  @PostOk('refresh-token')
  @Access('public')
  @ApiBearerAuth()
  async refresh(
    @Headers('authorization') authorization: string | undefined,
    @Body() body: RefreshBody,
  ): Promise<RefreshResponse> {
    return ok('token refreshed', refreshView(await this.logins.refresh(authorization, body.token)));
  }

  /** Ends the session. Its token is worth nothing afterwards, and its sockets are closed. */
  @PostOk('secure/logout')
  @Access('user')
  async logout(@CurrentUser() user: Principal): Promise<Envelope> {
    await this.logins.logout(user);
    return ok('logged out');
  }
}

@ApiTags('Account')
@Access('user')
@KeyScope('none')
@Controller('secure/currentuser')
export class AccountController {
  constructor(
    private readonly users: UsersFacade,
    private readonly logins: LoginService,
    private readonly sessions: SessionsService,
  ) {}

  /** Changes the caller's own name. Tokens say it from the next refresh on. */
  @Patch()
  async change(@CurrentUser() user: Principal, @Body() body: ChangeAccountBody): Promise<AccountResponse> {
    const own = { companyId: user.companyId, id: user.userId };
    return ok('account changed', { user: fullUser(await this.users.changeOf(own, namesFrom(body))) });
  }

  /** Sets a new password, given the present one. All other sessions of the caller end. */
  @PostOk('password')
  async changePassword(@CurrentUser() user: Principal, @Body() body: ChangePasswordBody): Promise<Envelope> {
    await this.logins.changePassword(user, body.current_password, body.new_password);
    return ok('password changed');
  }

  /** Where the caller is signed in, newest first. API keys are no sessions: see `GET api-keys`. */
  @Get('sessions')
  async list(@CurrentUser() user: Principal): Promise<SessionsResponse> {
    const sessions = await this.sessions.aliveOf(user);
    return ok('sessions retrieved', { sessions: sessions.map((session) => sessionView(session, user)) });
  }

  /** Ends one of the caller's own sessions. Its token is worth nothing at once, and its sockets are closed. */
  @Delete('sessions/:id')
  async end(@CurrentUser() user: Principal, @Param('id', IdPipe) id: SessionId): Promise<Envelope> {
    await this.sessions.endOwn(user, id);
    return ok('session ended');
  }
}
