import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import type { Principal } from '../../../shared/principal.js';
import { AppendBody, appendDraftFrom, appendView, type AppendResponse } from './append.wire.js';
import { AppendService } from './append.service.js';

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource/append')
export class AppendController {
  constructor(private readonly appends: AppendService) {}

  /** Adds the rows of an uploaded file to a datasource, all or nothing. With `keys`, rows that are there already are replaced. The rows arrive later; `updating` tells when, and `import` what became of them. */
  @Post()
  @HttpCode(200)
  async append(@CurrentUser() user: Principal, @Body() body: AppendBody): Promise<AppendResponse> {
    return ok('file is being added', appendView(await this.appends.begin(user, appendDraftFrom(body))));
  }
}
