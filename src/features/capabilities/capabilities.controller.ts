import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AppConfig } from '../../config/app-config.js';
import { Access } from '../../http/access.js';
import { CurrentUser } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import type { Principal } from '../../shared/principal.js';
import { CompanyModels } from '../models/company-models.facade.js';
import { CapabilitiesResponse, capabilitiesView } from './capabilities.wire.js';

@ApiTags('Service')
@Access('user')
@Controller('secure/capabilities')
export class CapabilitiesController {
  constructor(
    private readonly config: AppConfig,
    private readonly models: CompanyModels,
  ) {}

  /** What the service takes and how much of it. It also says which model answers the questions of the caller's company. */
  @Get()
  async read(@CurrentUser() { companyId }: Principal): Promise<CapabilitiesResponse> {
    return ok('capabilities retrieved', capabilitiesView(this.config, await this.models.inUse(companyId)));
  }
}
