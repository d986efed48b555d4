import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser } from '../../../http/current-user.js';
import { ok } from '../../../http/envelope.js';
import { IdPipe } from '../../../http/id.pipe.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { SummaryService } from './summary.service.js';
import { SummaryParameters, SummaryResponse, summaryView } from './summary.wire.js';

@ApiTags('Rows')
@Access('user')
@Controller('secure/datasource')
export class SummaryController {
  constructor(private readonly summaries: SummaryService) {}

  /** Describes the rows as they are now. The assistant uses the description from then on. */
  @Get('store-ds-schema-summary')
  async store(
    @CurrentUser() user: Principal,
    @Query('id', IdPipe) id: DatasourceId,
    @Query() { bins }: SummaryParameters,
  ): Promise<SummaryResponse> {
    return ok('schema summary stored', { summary: summaryView(await this.summaries.rebuild(user, id, bins)) });
  }
}
