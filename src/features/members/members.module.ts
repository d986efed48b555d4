import { Module } from '@nestjs/common';
import { AssistantModule } from '../assistant/assistant.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { SettingsRecordsModule } from '../settings/settings-records.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { CompanyModule } from '../company/company.module.js';
import { UsersModule } from '../users/users.module.js';
import { ForgottenPasswords, InvitationMails } from './invitation-mails.js';
import { InvitationsRepository, InvitationsService } from './invitations.service.js';
import { ForgottenPasswordController, InvitationController, MembersController } from './members.controller.js';
import { MembersService, PeopleTurns, PersonRemover, PersonTraces } from './members.service.js';
import { RetentionSweeper } from './retention.sweeper.js';
import { SignInController, SignInSettingsController } from './sign-in/sign-in.controller.js';
import { IdentityRepository, SignInAttemptRepository, SignInProviderRepository } from './sign-in/sign-in.repository.js';
import { SignInProviders, SignInSettingsService } from './sign-in/sign-in-providers.js';
import { SignInAccounts, SignInService } from './sign-in/sign-in.service.js';

/** Managing the people of one's own company. */
@Module({
  imports: [UsersModule, CompanyModule, AssistantModule, DatasourceModule, DeliveriesModule, SettingsRecordsModule],
  controllers: [
    MembersController,
    InvitationController,
    SignInSettingsController,
    SignInController,
    ForgottenPasswordController,
  ],
  providers: [
    ForgottenPasswords,
    IdentityRepository,
    InvitationMails,
    InvitationsRepository,
    InvitationsService,
    MembersService,
    PeopleTurns,
    PersonRemover,
    PersonTraces,
    RetentionSweeper,
    SignInAccounts,
    SignInAttemptRepository,
    SignInProviderRepository,
    SignInProviders,
    SignInService,
    SignInSettingsService,
  ],
})
export class MembersModule {}
