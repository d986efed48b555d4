import { Global, Module } from '@nestjs/common';
import { KeyBearers } from '../../http/access.js';
import { CompanyModule } from '../company/company.module.js';
import { UsersModule } from '../users/users.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeyRepository, ApiKeysFacade } from './api-keys.facade.js';
import { ApiKeysService } from './api-keys.service.js';

/** Keys for programs. Global, since the guard of every route asks who holds one. */
@Global()
@Module({
  imports: [UsersModule, CompanyModule],
  controllers: [ApiKeysController],
  providers: [ApiKeyRepository, ApiKeysService, ApiKeysFacade, { provide: KeyBearers, useExisting: ApiKeysFacade }],
  exports: [ApiKeysFacade, KeyBearers],
})
export class ApiKeysModule {}
