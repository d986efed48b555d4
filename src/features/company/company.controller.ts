import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../../http/access.js';
import { CurrentUser } from '../../http/parameters.js';
import { ok } from '../../http/envelope.wire.js';
import type { Principal } from '../../shared/principal.js';
import { CompanyFacade } from './company.facade.js';
import { companyView, type CompanyResponse } from './company.wire.js';

@ApiTags('Company')
@Access('user')
@Controller('secure/currentcompany')
export class CompanyController {
  constructor(private readonly companies: CompanyFacade) {}

  /** The caller's company. It is the one that the token names. */
  @Get()
  async current(@CurrentUser() user: Principal): Promise<CompanyResponse> {
    return ok('company retrieved', { company: companyView(await this.companies.current(user)) });
  }
}
