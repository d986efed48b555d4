import { Module } from '@nestjs/common';
import { CompanyController } from './company.controller.js';
import { CompanyFacade } from './company.facade.js';
import { CompanyRepository } from './company.repository.js';
import { CompanyService } from './company.service.js';

/** The tenants. */
@Module({
  controllers: [CompanyController],
  providers: [CompanyRepository, CompanyService, CompanyFacade],
  exports: [CompanyFacade],
})
export class CompanyModule {}
