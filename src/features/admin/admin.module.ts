import { Module } from '@nestjs/common';
import { CompanyModule } from '../company/company.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { UsersModule } from '../users/users.module.js';
import { Bootstrap } from './bootstrap.js';

/** Administration inside the service: the first company of an empty store. */
@Module({ imports: [CompanyModule, SettingsModule, UsersModule], providers: [Bootstrap] })
export class AdminModule {}
