import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../http/access.js';
import { CurrentUser } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import type { Principal } from '../../shared/principal.js';
import { UsageService } from './usage.service.js';
import { type UsageResponse, UsageParameters, usageView } from './usage.wire.js';

@ApiTags('Company')
@Access('manager')
@Controller('secure/usage')
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  /**
   * What the company's answers took and cost. For managers: by day, user or model, with how much of the month's budget is spent.
   */
  @Get()
  async report(@CurrentUser() user: Principal, @Query() parameters: UsageParameters): Promise<UsageResponse> {
    return ok('usage retrieved', usageView(await this.usage.report(user, parameters)));
  }
}
