import { Body, Controller, Delete, Patch } from '@nestjs/common';
import { ApiForbiddenResponse, ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../../http/access.js';
import { ClientGone, CurrentUser } from '../../../http/parameters.js';
import { ok } from '../../../http/envelope.wire.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceResponse, datasourceView } from '../datasource.wire.js';
import { uploadView, type UploadResponse } from '../upload/upload.wire.js';
import { PlaceService } from './place.service.js';
import { ChangePlaceBody, FetchPlaceBody, placeChangeFrom, placeFrom, RefetchBody } from './place.wire.js';

@ApiTags('Datasources')
@ApiForbiddenResponse({ description: 'The caller is neither its creator nor a manager, or the place is a database.' })
@Access('user')
@Controller('secure/datasource')
export class PlaceController {
  constructor(private readonly places: PlaceService) {}

  /** Fetches a table from an https address, an S3 object or, for managers, a query on PostgreSQL or MySQL. It answers as an upload does, when all of it has come; a datasource that is made of it can be fetched again. */
  @PostOk('fetch')
  async fetch(
    @CurrentUser() user: Principal,
    @Body() body: FetchPlaceBody,
    @ClientGone() gone: AbortSignal,
  ): Promise<UploadResponse> {
    return ok('datasource file fetched', uploadView(await this.places.fetch(user, placeFrom(body), gone)));
  }

  /** Begins to fetch the datasource again from where it came. Its rows stay as they are until all of the new ones are there. */
  @PostOk('refetch')
  async refetch(@CurrentUser() user: Principal, @Body() body: RefetchBody): Promise<DatasourceResponse> {
    const begun = await this.places.refetch(user, body.id);
    return ok('fetch begun', { datasource: datasourceView(begun) });
  }

  /** Stops a further fetch of a datasource, or the import of what it brought. The rows that were there before stay as they are. */
  @Delete('refetch')
  async stop(@CurrentUser() user: Principal, @Body() body: RefetchBody): Promise<DatasourceResponse> {
    const stopped = await this.places.stop(user, body.id);
    return ok('fetch stopped', { datasource: datasourceView(stopped) });
  }

  /** Says how often a datasource is fetched by itself, and where and what is asked. With another address the secret has to be sent again, if there is one. */
  @Patch('place')
  async change(@CurrentUser() user: Principal, @Body() body: ChangePlaceBody): Promise<DatasourceResponse> {
    const changed = await this.places.change(user, body.id, placeChangeFrom(body));
    return ok('place changed', { datasource: datasourceView(changed) });
  }
}
