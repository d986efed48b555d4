import { Module } from '@nestjs/common';
import { CompanyController } from './company.controller.js';
import { CompanyFacade } from './company.facade.js';

/** The tenants. */
@Module({
  controllers: [CompanyController],
  providers: [CompanyFacade],
  exports: [CompanyFacade],
})
export class CompanyModule {}
