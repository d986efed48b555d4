import { Body, Controller, Patch, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiBody } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import type { Principal } from '../../../shared/principal.js';
import { InsertService } from './insert.service.js';
import { InsertBody, InsertResponse, insertedStatus, insertedView, insertionFrom } from './insert.wire.js';

@ApiBearerAuth()
@Access('user')
@Controller('secure/datasource')
export class InsertController {
  constructor(private readonly insertions: InsertService) {}

  /** Adds up to 1,000 rows; those that do not fit are skipped, each with its reason. What is acknowledged is kept. */
  @Patch('insert')
  @ApiBody({ type: InsertBody })
  async insert(
    @CurrentUser() user: Principal,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InsertResponse> {
    const inserted = await this.insertions.insert(user, insertionFrom(body));
    void reply.status(insertedStatus(inserted));
    return insertedView(inserted);
  }
}
