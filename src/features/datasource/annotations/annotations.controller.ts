import { Body, Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../../http/access.js';
import { CurrentUser, IdPipe } from '../../../http/parameters.js';
import { Envelope, ok } from '../../../http/envelope.wire.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import type { AnnotationId } from './annotation.schema.js';
import { AnnotationsService } from './annotations.service.js';
import {
  AnnotationBody,
  AnnotationResponse,
  AnnotationsResponse,
  annotationView,
  draftFrom,
} from './annotations.wire.js';

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource')
export class AnnotationsController {
  constructor(private readonly annotations: AnnotationsService) {}

  /** Notes on ranges of time, which plots show, by their beginning. There are at most 500. */
  @Get('annotations')
  async list(@CurrentUser() user: Principal, @Query('id', IdPipe) id: DatasourceId): Promise<AnnotationsResponse> {
    const all = await this.annotations.list(user, id);
    return ok('annotations retrieved', { annotations: all.map((one) => annotationView(one, user)) });
  }

  /** Keeps a note on a range of time. All of the company sees it. */
  @PostOk('annotation')
  async add(@CurrentUser() user: Principal, @Body() body: AnnotationBody): Promise<AnnotationResponse> {
    const annotation = await this.annotations.add(user, draftFrom(body));
    return ok('annotation created', { annotation: annotationView(annotation, user) });
  }

  /** Removes a note. For who wrote it and managers. */
  @Delete('annotation/:id')
  @ApiForbiddenResponse({ description: 'The caller has not written it and is no manager.' })
  async remove(@CurrentUser() user: Principal, @Param('id', IdPipe) id: AnnotationId): Promise<Envelope> {
    await this.annotations.remove(user, id);
    return ok('annotation deleted');
  }
}
