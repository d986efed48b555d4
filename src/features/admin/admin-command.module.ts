import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { CompanyModule } from '../company/company.module.js';
import { SettingsRecordsModule } from '../settings/settings-records.module.js';
import { UsersModule } from '../users/users.module.js';
import { VerifiedRecordsModule } from '../verified/verified-records.module.js';
import { AdminService } from './admin.service.js';
import { EvaluationCommand } from './evaluation-command.js';

/** Administration from outside, by the command line. It makes nothing that it was not told to make. */
@Module({
  imports: [CompanyModule, UsersModule, SettingsRecordsModule, AuthModule, VerifiedRecordsModule],
  providers: [AdminService, EvaluationCommand],
  exports: [AdminService, EvaluationCommand],
})
export class AdminCommandModule {}
