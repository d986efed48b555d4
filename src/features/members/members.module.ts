import { Module } from '@nestjs/common';
import { AssistantModule } from '../assistant/assistant.module.js';
import { CompanyModule } from '../company/company.module.js';
import { UsersModule } from '../users/users.module.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';
import { InvitationController, MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

/** Managing the people of one's own company. */
@Module({
  imports: [UsersModule, CompanyModule, AssistantModule],
  controllers: [MembersController, InvitationController],
  providers: [InvitationsRepository, InvitationsService, MembersService],
})
export class MembersModule {}
