import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope } from '../../http/access.js';
import { attachment, CSV, CSV_TYPE } from '../../http/attachment.js';
import { CurrentUser, RequestedPage } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import type { Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { AuditFacade } from './audit.facade.js';
import { auditEntryView, auditFilterFrom, AuditParameters, AuditResponse } from './audit.wire.js';

@ApiTags('Members')
@Access('manager')
@KeyScope('none')
@Controller('secure/audit')
export class AuditController {
  constructor(private readonly audit: AuditFacade) {}

  /** What people and programs of the company did in the last year. Changes, questions and sign-ins, newest first. */
  @Get()
  async list(
    @CurrentUser() user: Principal,
    @Query() parameters: AuditParameters,
    @RequestedPage() page: Page,
  ): Promise<AuditResponse> {
    const { entries, total } = await this.audit.page(user, auditFilterFrom(parameters), page);
    return ok('audit log retrieved', { entries: entries.map(auditEntryView), total });
  }

  /** The audit log as CSV, in the order in which things happened. All that fits the filter, however much it is. */
  @Get('csv')
  @ApiOkResponse(CSV)
  csv(@CurrentUser() user: Principal, @Query() parameters: AuditParameters): StreamableFile {
    const disposition = attachment('audit', '.csv');
    return new StreamableFile(this.audit.csv(user, auditFilterFrom(parameters)), { type: CSV_TYPE, disposition });
  }
}
