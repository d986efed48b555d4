import { Body, Controller, Headers, Patch, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import type { Principal } from '../../../shared/principal.js';
import { InsertService } from './insert.service.js';
import {
  InsertBody,
  InsertResponse,
  insertedHeaders,
  insertedStatus,
  insertedView,
  insertionFrom,
} from './insert.wire.js';

@ApiTags('Rows')
@Access('user')
@Controller('secure/datasource')
export class InsertController {
  constructor(private readonly insertions: InsertService) {}

  /** Adds up to 1,000 rows. Those that do not fit are skipped, each with its reason; what is acknowledged is kept. */
  @Patch('insert')
  @ApiBody({ type: InsertBody })
  @ApiHeader({
    name: 'idempotency-key',
    required: false,
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    description:
      'Names the rows of this call: sent again with the same key within 24 hours they are not stored again, and the answer is the first one, with the header `idempotency-replayed: true`. The same key with other rows is a 409.',
  })
  async insert(
    @CurrentUser() user: Principal,
    @Body() body: unknown,
    @Headers('idempotency-key') key: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InsertResponse> {
    const inserted = await this.insertions.insert(user, insertionFrom(body, key));
    void reply.status(insertedStatus(inserted)).headers(insertedHeaders(inserted));
    return insertedView(inserted);
  }
}
