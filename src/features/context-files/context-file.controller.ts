import { Controller, Delete, Get, Param, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiForbiddenResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { AppConfig } from '../../config/app-config.js';
import { Access } from '../../http/access.js';
import { CurrentUser, IdPipe } from '../../http/parameters.js';
import { Envelope, ok } from '../../http/envelope.wire.js';
import { PermanentParameter } from '../../http/permanent.wire.js';
import { type FilesForm, receiveFiles } from '../../http/multipart.js';
import type { FileId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { ContextFileService } from './context-file.service.js';
import { ContextFilesResponse, contextFileView } from './context-file.wire.js';
import { MAX_FILE_BYTES, MAX_FILES_AT_ONCE } from './context-file.schema.js';

@ApiTags('Context files')
@Access('user')
@Controller('secure/contextfiles')
export class ContextFileController {
  constructor(
    private readonly files: ContextFileService,
    private readonly config: AppConfig,
  ) {}

  /** All context files of the company, newest first. Files whose status is `ready` are used for answers. */
  @Get()
  async list(@CurrentUser() user: Principal): Promise<ContextFilesResponse> {
    const files = await this.files.list(user);
    return ok('context files retrieved', { files: files.map(contextFileView) });
  }

  /** Takes up to 20 text, PDF or Word files of up to 50 MiB, all or none. They are processed in the background. */
  @Put()
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['files'],
      properties: { files: { type: 'array', items: { type: 'string', format: 'binary' }, minItems: 1, maxItems: 20 } },
    },
  })
  async save(@CurrentUser() user: Principal, @Req() request: FastifyRequest): Promise<ContextFilesResponse> {
    const form: FilesForm = {
      fields: ['files', 'file'],
      maxFiles: MAX_FILES_AT_ONCE,
      maxBytes: MAX_FILE_BYTES,
      minBytesPerSecond: this.config.limits.uploadMinBytesPerSecond,
    };
    const saved = await this.files.receive(user, (take) => receiveFiles(request, form, take));
    return ok('context files saved', { files: saved.map(contextFileView) });
  }

  /** Removes a file with its passages and embeddings. For its creator and managers, who can restore it for 30 days unless `permanent` is sent; not while it is processed. */
  @Delete(':fileId')
  @ApiForbiddenResponse({ description: 'The caller is neither its creator nor a manager.' })
  @ApiParam({ name: 'fileId', type: String })
  async delete(
    @CurrentUser() user: Principal,
    @Param('fileId', IdPipe) id: FileId,
    @Query() { permanent }: PermanentParameter,
  ): Promise<Envelope> {
    await this.files.delete(user, id, permanent === 'true');
    return ok('context file deleted');
  }
}
