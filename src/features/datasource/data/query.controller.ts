import { Body, Controller, HttpCode, Post, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { ClientGone } from '../../../http/client-gone.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import type { Principal } from '../../../shared/principal.js';
import { ROWS, savedFile } from '../downloads/downloads.wire.js';
import { QueryService } from './query.service.js';
import { fileRequestFrom, pageRequestFrom, pageView, QueryBody, QueryResponse, ResultCsvBody } from './query.wire.js';

@ApiTags('Rows')
@Access('user')
@KeyScope('read')
@Controller('secure/data')
export class QueryController {
  constructor(private readonly queries: QueryService) {}

  /** Runs one read-only query on the rows as they are now, or lists them by a plan. It gives a page of the result, and how many rows that has. */
  @Post('query')
  @HttpCode(200)
  async page(
    @CurrentUser() user: Principal,
    @Body() body: QueryBody,
    @ClientGone() gone: AbortSignal,
  ): Promise<QueryResponse> {
    const request = pageRequestFrom(body);
    return ok('query result retrieved', pageView(await this.queries.page(user, request, gone), request.skip));
  }

  /** The whole result of such a query or list as CSV, or in another `format`. In CSV, what a spreadsheet would run as a formula has an apostrophe before it. */
  @Post('query/csv')
  @HttpCode(200)
  @ApiOkResponse(ROWS)
  async file(
    @CurrentUser() user: Principal,
    @Body() body: ResultCsvBody,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    return savedFile(await this.queries.file(user, fileRequestFrom(body), gone), '-result');
  }
}
