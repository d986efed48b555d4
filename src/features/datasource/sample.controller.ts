import { Controller, Injectable } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, PostOk } from '../../http/access.js';
import { ClientGone, CurrentUser } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import { SampleFile } from '../../ports/sample-file.js';
import type { DatasourceId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { DatasourceService } from './datasource.service.js';
import type { DatasourceDraft } from './datasource.types.js';
import { DatasourceCreatedResponse } from './datasource.wire.js';
import { StorageQuota } from './upload/storage-quota.js';
import { UploadService } from './upload/upload.service.js';

const NAME = 'Weather (sample)';
const DRAFT: Omit<DatasourceDraft, 'filename'> = {
  name: NAME,
  type: 'csv',
  files: [],
  config: {
    isTimeseries: true,
    timeField: 'date',
    metaField: 'location',
    values: [],
    timeFormat: 'yyyy-MM-dd',
    granularity: 'days',
    lifespan: 0,
    context:
      'Daily weather of Seattle and New York, 2012 to 2015. Temperatures in °C, precipitation in mm, wind in km/h. Sample data from NOAA.',
  },
};

/** Makes a datasource of the sample that comes with the service. */
@Injectable()
export class SampleService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly uploads: UploadService,
    private readonly quota: StorageQuota,
    private readonly file: SampleFile,
  ) {}

  /** The one that the company has already, unless it was deleted or its import failed. */
  async create(by: Principal, gone: AbortSignal): Promise<DatasourceId> {
    const { entries } = await this.datasources.list(by, { index: 0, size: 100 }, NAME);
    const known = entries.find(
      ({ sources, import: { status } }) => sources[0]?.name === this.file.name && status !== 'failed',
    );
    if (known !== undefined) return known.id;
    using room = await this.quota.reserve(by.companyId, null);
    const incoming = { source: this.file.open(), originalName: this.file.name, room, gone };
    const { upload } = await this.uploads.receive(by, incoming);
    return await this.datasources.create(by, { ...DRAFT, filename: upload.storageKey });
  }
}

@ApiTags('Datasources')
@Controller('secure/datasource/sample')
export class SampleController {
  constructor(private readonly samples: SampleService) {}

  /** Creates a datasource of sample data, to try the service with. A company that has one gets that one. */
  @Access('manager')
  @PostOk()
  async create(@CurrentUser() user: Principal, @ClientGone() gone: AbortSignal): Promise<DatasourceCreatedResponse> {
    return ok('datasource created', { datasource_id: await this.samples.create(user, gone) });
  }
}
