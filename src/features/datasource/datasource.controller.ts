import { Body, Controller, Delete, Get, Patch, Put, Query } from '@nestjs/common';
import { ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, KeyScope, PostOk } from '../../http/access.js';
import { CurrentUser, IdPipe, RequestedPage } from '../../http/parameters.js';
import { Envelope, ok, onWire } from '../../http/envelope.wire.js';
import type { DatasourceId } from '../../shared/ids.js';
import { pageFrom, type Page } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { AppendService } from './append/append.service.js';
import { AppendBody, appendDraftFrom, type AppendResponse, appendView } from './append/append.wire.js';
import { DatasourceService } from './datasource.service.js';
import {
  CreateDatasourceBody,
  DatasourceCreatedResponse,
  DatasourceResponse,
  DatasourcesResponse,
  DeleteDatasourceBody,
  EditDatasourceBody,
  PlainDatasourcesBody,
  PlainDatasourcesResponse,
  datasourceView,
  draftFrom,
} from './datasource.wire.js';

@ApiTags('Datasources')
@Access('user')
@Controller('secure')
export class DatasourceController {
  constructor(private readonly datasources: DatasourceService) {}

  /** Creates a datasource from an uploaded file. The rows arrive later; `updating` tells when. */
  @Put('datasource')
  async create(@CurrentUser() user: Principal, @Body() body: CreateDatasourceBody): Promise<DatasourceCreatedResponse> {
    const id = await this.datasources.create(user, draftFrom(body));
    return ok('datasource created', { datasource_id: id });
  }

  /** One datasource, with the state of its import. While the import runs, `updating` is true. */
  @Get('datasource')
  async get(@CurrentUser() user: Principal, @Query('id', IdPipe) id: DatasourceId): Promise<DatasourceResponse> {
    return ok('datasource retrieved', { datasource: datasourceView(await this.datasources.get(user, id)) });
  }

  /** The company's datasources, newest first. `total` counts those on all pages. */
  @Get('datasources')
  async list(@CurrentUser() user: Principal, @RequestedPage() page: Page): Promise<DatasourcesResponse> {
    const { entries, total } = await this.datasources.list(user, page);
    return ok('datasources retrieved', { datasources: entries.map(datasourceView), total });
  }

  /** Names and ids of datasources, newest first. With `search`, only those whose name has that text. */
  @PostOk('datasources/plain')
  @KeyScope('read')
  async listPlain(
    @CurrentUser() user: Principal,
    @Body() body: PlainDatasourcesBody,
  ): Promise<PlainDatasourcesResponse> {
    const page = pageFrom(body.page, body.page_size);
    const { entries, total } = await this.datasources.list(user, page, body.search ?? '');
    return ok('plain datasources retrieved', { datasources: entries.map((one) => onWire(one, 'id', 'name')), total });
  }

  /** Changes the name and the context of a datasource, whichever is sent. This works during an import, too. */
  @Patch('datasource')
  async edit(@CurrentUser() user: Principal, @Body() { id, ...edit }: EditDatasourceBody): Promise<DatasourceResponse> {
    const edited = await this.datasources.edit(user, id, edit);
    return ok('datasource updated', { datasource: datasourceView(edited) });
  }

  /** Deletes a datasource with its rows, conversations and images. For its creator and managers, who can restore it for 30 days unless `permanent` is sent. */
  @Delete('datasource')
  @ApiForbiddenResponse({ description: 'The caller is neither its creator nor a manager.' })
  async delete(@CurrentUser() user: Principal, @Body() body: DeleteDatasourceBody): Promise<Envelope> {
    await this.datasources.delete(user, body.id, body.permanent === true);
    return ok('datasource deleted');
  }
}

@ApiTags('Datasources')
@Access('user')
@Controller('secure/datasource/append')
export class AppendController {
  constructor(private readonly appends: AppendService) {}

  /** Adds the rows of an uploaded file to a datasource, all or nothing. With `keys`, rows that are there already are replaced. The rows arrive later; `updating` tells when, and `import` what became of them. */
  @PostOk()
  async append(@CurrentUser() user: Principal, @Body() body: AppendBody): Promise<AppendResponse> {
    const draft = appendDraftFrom(body);
    return ok('file is being added', appendView(draft, await this.appends.begin(user, draft)));
  }
}
