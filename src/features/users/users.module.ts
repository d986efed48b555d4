import { Module } from '@nestjs/common';
import { UserAccountsFacade } from './user-accounts.facade.js';
import { UsersController } from './users.controller.js';
import { UsersFacade } from './users.facade.js';
import { UsersRepository } from './users.repository.js';

/** The people of the companies. */
@Module({
  controllers: [UsersController],
  providers: [UsersRepository, UsersFacade, UserAccountsFacade],
  exports: [UsersFacade, UserAccountsFacade],
})
export class UsersModule {}
