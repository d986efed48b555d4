import { Module } from '@nestjs/common';
import { CompanyController } from './company.controller.js';
import { CompanyFacade } from './company.facade.js';
import { CompanyRepository } from './company.repository.js';

/** The tenants. */
@Module({
  controllers: [CompanyController],
  providers: [CompanyRepository, CompanyFacade],
  exports: [CompanyFacade],
})
export class CompanyModule {}
