import { Body, Controller, Get, Put, Query, StreamableFile } from '@nestjs/common';
import { ApiForbiddenResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../../../http/access.js';
import { CurrentUser, IdPipe } from '../../../http/parameters.js';
import { ok } from '../../../http/envelope.wire.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { attachment } from '../../../http/attachment.js';
import { SemanticsService } from './semantics.service.js';
import {
  PutSemanticsBody,
  SemanticsDraftResponse,
  SemanticsParameters,
  SemanticsResponse,
  semanticsFields,
  semanticsFrom,
  semanticsView,
  semanticsYaml,
} from './semantics.wire.js';

const YAML = 'application/yaml';

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource/semantics')
export class SemanticsController {
  constructor(private readonly semantics: SemanticsService) {}

  /** What the columns of a datasource mean, and its figures that have names. The assistant reads it with every question. */
  @Get()
  async get(@CurrentUser() user: Principal, @Query() { id, version }: SemanticsParameters): Promise<SemanticsResponse> {
    const current = await this.semantics.get(user, id, version);
    return ok('datasource semantics retrieved', semanticsFields(current));
  }

  /** A first version, proposed from the table itself. Nothing is kept until it is written with a PUT. */
  @Get('draft')
  async draft(@CurrentUser() user: Principal, @Query('id', IdPipe) id: DatasourceId): Promise<SemanticsDraftResponse> {
    return ok('datasource semantics drafted', { semantics: semanticsView(await this.semantics.draft(user, id)) });
  }

  /** The last version as a YAML file. A PUT takes it as `yaml`, of this datasource or of another with such columns. */
  @Get('yaml')
  @ApiOkResponse({ content: { [YAML]: { schema: { type: 'string', format: 'binary' } } } })
  async yaml(@CurrentUser() user: Principal, @Query('id', IdPipe) id: DatasourceId): Promise<StreamableFile> {
    const current = await this.semantics.get(user, id);
    return new StreamableFile(Buffer.from(semanticsYaml(current)), {
      type: `${YAML}; charset=utf-8`,
      disposition: attachment(current.name, '.yaml'),
    });
  }

  /** Writes a new version, of which the last 20 are kept. For the creator of the datasource and managers; each metric is run before. */
  @Put()
  @ApiForbiddenResponse({ description: 'The caller is neither its creator nor a manager.' })
  async put(@CurrentUser() user: Principal, @Body() body: PutSemanticsBody): Promise<SemanticsResponse> {
    const current = await this.semantics.put(user, body.id, await semanticsFrom(body), body.version);
    return ok('datasource semantics updated', semanticsFields(current));
  }
}
