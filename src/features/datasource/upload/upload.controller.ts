import { Body, Controller, Delete, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AppConfig } from '../../../config/app-config.js';
import { Access, KeyScope, PostOk } from '../../../http/access.js';
import { ClientGone, CurrentUser } from '../../../http/parameters.js';
import { Envelope, ok } from '../../../http/envelope.wire.js';
import { receiveFile } from '../../../http/multipart.js';
import type { Principal } from '../../../shared/principal.js';
import { type ReservedRoom, StorageQuota } from './storage-quota.js';
import { UploadService } from './upload.service.js';
import { DetectTimeFormatBody, detectedTimeFormat, DetectTimeFormatResponse } from './upload.wire.js';
import { UploadKeyBody, uploadView, type UploadResponse } from './upload.wire.js';

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource/upload')
export class UploadController {
  constructor(
    private readonly uploads: UploadService,
    private readonly room: StorageQuota,
    private readonly config: AppConfig,
  ) {}

  /** Takes a table of up to 10 GiB: CSV, TSV, an Excel workbook (XLSX), Parquet, JSON or NDJSON, also packed by gzip or zstd, or a ZIP archive of them. The answer says what the columns are; an upload that no datasource is made from is removed after 24 hours. */
  @PostOk()
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
  })
  async upload(
    @CurrentUser() user: Principal,
    @Req() request: FastifyRequest,
    @ClientGone() gone: AbortSignal,
  ): Promise<UploadResponse> {
    const { uploadMaxBytes: maxBytes, uploadMinBytesPerSecond: minBytesPerSecond } = this.config.limits;
    const admit = (announced: number | null): Promise<ReservedRoom> => this.room.reserve(user.companyId, announced);
    const form = { field: 'file', maxBytes, minBytesPerSecond, admit };
    const received = await receiveFile(request, form, (source, originalName, room) =>
      this.uploads.receive(user, { source, originalName, room, gone }),
    );
    return ok('datasource file uploaded', uploadView(received));
  }

  /** Removes an upload that no datasource was made from. An upload that became a datasource is not found. */
  @Delete()
  async delete(@CurrentUser() user: Principal, @Body() body: UploadKeyBody): Promise<Envelope> {
    await this.uploads.delete(user, body.filename);
    return ok('datasource file deleted');
  }
}

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource')
export class TimeFormatController {
  /** The layout of a timestamp, as the `timeformat` of a datasource takes it. `ambiguous` has the other readings when day and month can't be told apart. */
  @PostOk('detect-timeformat')
  @KeyScope('read')
  detect(@Body() body: DetectTimeFormatBody): DetectTimeFormatResponse {
    return ok('time format detected', detectedTimeFormat(body));
  }
}
