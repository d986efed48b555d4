import { Body, Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiForbiddenResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../../http/access.js';
import { CurrentUser, OptionalIdPipe, RequestedPage } from '../../../http/parameters.js';
import { Envelope, ok } from '../../../http/envelope.wire.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { RelationsService } from './relations.service.js';
import {
  proposalFrom,
  ProposeRelationsBody,
  RelationIdBody,
  RelationResponse,
  RelationsResponse,
  relationView,
} from './relations.wire.js';

const FORBIDDEN = { description: 'The caller has created neither datasource and is no manager.' };

@ApiTags('Datasources')
@Access('user')
@Controller('secure/relations')
export class RelationsController {
  constructor(private readonly relations: RelationsService) {}

  /** The relations of the company, or of one datasource, newest first. Questions join datasources along confirmed ones alone. */
  @Get()
  @ApiQuery({ name: 'datasource_id', required: false, type: String })
  async list(
    @CurrentUser() user: Principal,
    @Query('datasource_id', OptionalIdPipe) datasourceId: DatasourceId | null,
    @RequestedPage() page: Page,
  ): Promise<RelationsResponse> {
    const { entries, total } = await this.relations.list(user, datasourceId, page);
    return ok('relations retrieved', { relations: entries.map(relationView), total });
  }

  /** Measures on all rows how two datasources may belong together. What is likely is kept as a proposal, which a person confirms or dismisses. */
  @PostOk('propose')
  async propose(@CurrentUser() user: Principal, @Body() body: ProposeRelationsBody): Promise<RelationsResponse> {
    const found = await this.relations.propose(user, proposalFrom(body));
    return ok('relations measured', { relations: found.map(relationView), total: found.length });
  }

  /** Lets questions join along a relation. For the creator of one of its datasources and managers. */
  @PostOk('confirm')
  @ApiForbiddenResponse(FORBIDDEN)
  async confirm(@CurrentUser() user: Principal, @Body() { id }: RelationIdBody): Promise<RelationResponse> {
    const relation = await this.relations.decide(user, id, 'confirmed');
    return ok('relation confirmed', { relation: relationView(relation) });
  }

  /** Says that the rows do not belong together. Nothing is joined along it, and it is not proposed again. */
  @PostOk('dismiss')
  @ApiForbiddenResponse(FORBIDDEN)
  async dismiss(@CurrentUser() user: Principal, @Body() { id }: RelationIdBody): Promise<RelationResponse> {
    const relation = await this.relations.decide(user, id, 'dismissed');
    return ok('relation dismissed', { relation: relationView(relation) });
  }

  /** Forgets a relation. It may be proposed again. */
  @Delete()
  @ApiForbiddenResponse(FORBIDDEN)
  async delete(@CurrentUser() user: Principal, @Body() { id }: RelationIdBody): Promise<Envelope> {
    await this.relations.delete(user, id);
    return ok('relation deleted');
  }
}
