import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CSV } from '../../../http/attachment.js';
import { ClientGone } from '../../../http/client-gone.js';
import { CurrentUser } from '../../../http/current-user.js';
import { IdPipe } from '../../../http/id.pipe.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { DownloadsService } from './downloads.service.js';
import { ExportParameters, exportRequestFrom, ROWS, savedFile } from './downloads.wire.js';

@ApiTags('Rows')
@Access('user')
@Controller('secure/datasource')
export class DownloadsController {
  constructor(private readonly downloads: DownloadsService) {}

  /** The rows as CSV, Excel workbook or Parquet, values as they were imported. In CSV, what a spreadsheet would run as a formula has an apostrophe before it. */
  @Get('export')
  @ApiOkResponse(ROWS)
  async rows(
    @CurrentUser() user: Principal,
    @Query() parameters: ExportParameters,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    return savedFile(await this.downloads.rows(user, exportRequestFrom(parameters), gone));
  }

  /** What the import left out, as CSV. Each record has file, line, reason and text; there are up to a million. */
  @Get('rejects')
  @ApiOkResponse(CSV)
  async rejects(
    @CurrentUser() user: Principal,
    @Query('id', IdPipe) id: DatasourceId,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    return savedFile(await this.downloads.rejects(user, id, gone), '-rejects');
  }
}
