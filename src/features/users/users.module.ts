import { Module } from '@nestjs/common';
import { UsersController } from './users.controller.js';
import { UsersFacade, UsersRepository } from './users.facade.js';

/** The people of the companies. */
@Module({
  controllers: [UsersController],
  providers: [UsersRepository, UsersFacade],
  exports: [UsersFacade],
})
export class UsersModule {}
