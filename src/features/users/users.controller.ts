import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, KeyScope } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import type { UserId } from '../../shared/ids.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { UsersFacade } from './users.facade.js';
import {
  fullUser,
  simplifiedUser,
  type CurrentUserResponse,
  type UserResponse,
  type UsersResponse,
} from './users.wire.js';

@ApiTags('Users')
@KeyScope('none')
@Controller('secure')
export class UsersController {
  constructor(private readonly users: UsersFacade) {}

  /** The caller. What the token says is given back, and nothing is looked up. */
  @Get('currentuser')
  @Access('user')
  @KeyScope('read', 'ask', 'write')
  current(@CurrentUser() user: Principal): CurrentUserResponse {
    return ok('current user', { user: simplifiedUser(user) });
  }

  /** The users of the caller's company. Only managers may ask for them. */
  @Get('user/list')
  @Access('manager')
  @KeyScope('read')
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<UsersResponse> {
    const { entries, total } = await this.users.list(user, page);
    return ok('users retrieved', { users: entries.map(fullUser), total });
  }

  /** One user. A manager sees those of the own company, `system` all. */
  @Get('user/:id')
  @Access('manager')
  @KeyScope('read')
  async get(@CurrentUser() user: Principal, @Param('id', IdPipe) id: UserId): Promise<UserResponse> {
    return ok('user retrieved', { user: fullUser(await this.users.get(user, id)) });
  }
}
