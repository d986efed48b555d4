import { Module } from '@nestjs/common';
import { UsersController } from './users.controller.js';
import { UsersFacade } from './users.facade.js';
import { UsersRepository } from './users.repository.js';

/** The people of the companies. */
@Module({
  controllers: [UsersController],
  providers: [UsersRepository, UsersFacade],
  exports: [UsersFacade],
})
export class UsersModule {}
