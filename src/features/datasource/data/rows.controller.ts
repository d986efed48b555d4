import { Body, Controller, Get, Headers, Patch, Query, Res, type StreamableFile } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access, KeyScope, PostOk } from '../../../http/access.js';
import { CSV } from '../../../http/attachment.js';
import { ClientGone, CurrentUser, IdPipe } from '../../../http/parameters.js';
import { ok } from '../../../http/envelope.wire.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { pageFrom } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { DownloadsService } from '../downloads/downloads.service.js';
import { ExportParameters, exportRequestFrom, ROWS, savedFile } from '../downloads/downloads.wire.js';
import { InsertService } from './insert.service.js';
import {
  InsertBody,
  InsertResponse,
  insertedHeaders,
  insertedStatus,
  insertedView,
  insertionFrom,
} from './insert.wire.js';
import { QueryService } from './query.service.js';
import { fileRequestFrom, pageRequestFrom, pageView, QueryBody, QueryResponse, ResultCsvBody } from './query.wire.js';
import { RowsService, SummaryService } from './rows.service.js';
import {
  MetadataBody,
  MetadataResponse,
  PlotBody,
  plotRequestFrom,
  PlotResponse,
  plotView,
  SummaryParameters,
  SummaryResponse,
  summaryView,
} from './rows.wire.js';

@ApiTags('Rows')
@Access('user')
@Controller('secure/datasource')
export class MetadataController {
  constructor(private readonly rows: RowsService) {}

  /** The distinct values of the metafield, sorted, a page at a time. With `search`, only those that have that text. */
  @PostOk('distinct-metadata')
  @KeyScope('read')
  async list(@CurrentUser() user: Principal, @Body() body: MetadataBody): Promise<MetadataResponse> {
    const page = pageFrom(body.page, body.page_size);
    const { values, total } = await this.rows.metadata(user, body.datasource_id, page, body.search ?? '');
    return ok('metadata retrieved', { metadata: [...values], total });
  }
}

@ApiTags('Rows')
@Access('user')
@Controller('secure/data')
export class PlotController {
  constructor(private readonly rows: RowsService) {}

  /** One column over time, of one asset or all. When there are more rows than points, buckets keep the lowest and the highest value. */
  @PostOk('plot')
  @KeyScope('read')
  async plot(@CurrentUser() user: Principal, @Body() body: PlotBody): Promise<PlotResponse> {
    return ok('data view retrieved', plotView(await this.rows.plot(user, plotRequestFrom(body))));
  }
}

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

@ApiTags('Rows')
@Access('user')
@KeyScope('read')
@Controller('secure/data')
export class QueryController {
  constructor(private readonly queries: QueryService) {}

  /** Runs one read-only query on the rows as they are now, or lists them by a plan. It gives a page of the result, and how many rows that has. */
  @PostOk('query')
  async page(
    @CurrentUser() user: Principal,
    @Body() body: QueryBody,
    @ClientGone() gone: AbortSignal,
  ): Promise<QueryResponse> {
    const request = pageRequestFrom(body);
    return ok('query result retrieved', pageView(await this.queries.page(user, request, gone), request.skip));
  }

  /** The whole result of such a query or list as CSV, or in another `format`. In CSV, what a spreadsheet would run as a formula has an apostrophe before it. */
  @PostOk('query/csv')
  @ApiOkResponse(ROWS)
  async file(
    @CurrentUser() user: Principal,
    @Body() body: ResultCsvBody,
    @ClientGone() gone: AbortSignal,
  ): Promise<StreamableFile> {
    return savedFile(await this.queries.file(user, fileRequestFrom(body), gone), '-result');
  }
}

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
