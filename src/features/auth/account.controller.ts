import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../http/access.js';
import { KeyScope } from '../../http/api-keys.js';
import { CurrentUser } from '../../http/current-user.js';
import { ok } from '../../http/envelope.js';
import { Envelope } from '../../http/envelope.wire.js';
import { IdPipe } from '../../http/id.pipe.js';
import type { SessionId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { fullUser } from '../users/users.facade.js';
import { AccountService } from './account.service.js';
import {
  AccountResponse,
  ChangeAccountBody,
  ChangePasswordBody,
  namesFrom,
  SessionsResponse,
  sessionView,
} from './account.wire.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('Account')
@Access('user')
@KeyScope('none')
@Controller('secure/currentuser')
export class AccountController {
  constructor(
    private readonly account: AccountService,
    private readonly sessions: SessionsService,
  ) {}

  /** Changes the caller's own name. Tokens say it from the next refresh on. */
  @Patch()
  async change(@CurrentUser() user: Principal, @Body() body: ChangeAccountBody): Promise<AccountResponse> {
    return ok('account changed', { user: fullUser(await this.account.rename(user, namesFrom(body))) });
  }

  /** Sets a new password, given the present one. All other sessions of the caller end. */
  @Post('password')
  @HttpCode(200)
  async changePassword(@CurrentUser() user: Principal, @Body() body: ChangePasswordBody): Promise<Envelope> {
    await this.account.changePassword(user, body.current_password, body.new_password);
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
