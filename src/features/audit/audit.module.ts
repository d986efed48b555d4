import { Global, Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Refusals } from '../../http/access.js';
import { AssistantModule } from '../assistant/assistant.module.js';
import { UsersModule } from '../users/users.module.js';
import { AuditFacade, AuditRepository } from './audit.facade.js';
import { AuditController } from './audit.controller.js';
import { AuditedRefusals, AuditInterceptor } from './audit.interceptor.js';

/** Who did what, for the managers of a company. Global, since the guard of every route tells of refusals. */
@Global()
@Module({
  imports: [UsersModule, AssistantModule],
  controllers: [AuditController],
  providers: [
    AuditFacade,
    AuditRepository,
    { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
    { provide: Refusals, useClass: AuditedRefusals },
  ],
  exports: [AuditFacade, Refusals],
})
export class AuditModule {}
