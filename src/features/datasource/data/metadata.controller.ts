import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { KeyScope } from '../../../http/api-keys.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import type { Principal } from '../../../shared/principal.js';
import { MetadataService } from './metadata.service.js';
import { MetadataBody, MetadataResponse, metadataRequestFrom, metadataView } from './metadata.wire.js';

@ApiTags('Rows')
@Access('user')
@Controller('secure/datasource')
export class MetadataController {
  constructor(private readonly metadata: MetadataService) {}

  /** The distinct values of the metafield, sorted, a page at a time. With `search`, only those that have that text. */
  @Post('distinct-metadata')
  @KeyScope('read')
  @HttpCode(200)
  async list(@CurrentUser() user: Principal, @Body() body: MetadataBody): Promise<MetadataResponse> {
    return ok('metadata retrieved', metadataView(await this.metadata.list(user, metadataRequestFrom(body))));
  }
}
