import { Module } from '@nestjs/common';
import { CompanyController } from './company.controller.js';
import { CompanyFacade, CompanyService } from './company.facade.js';
import { CompanyRepository } from './company.repository.js';

/** The tenants. */
@Module({
  controllers: [CompanyController],
  providers: [CompanyRepository, CompanyService, CompanyFacade],
  exports: [CompanyFacade],
})
export class CompanyModule {}
