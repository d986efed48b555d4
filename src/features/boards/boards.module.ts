import { Module } from '@nestjs/common';
import { AnsweringModule } from '../../answering/answering.module.js';
import { AssistantModule } from '../assistant/assistant.module.js';
import { BinModule } from '../bin/bin.module.js';
import { CompanyModule } from '../company/company.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { UsersModule } from '../users/users.module.js';
import { BoardRecords } from './board-records.js';
import { BoardFigures } from './board-figures.js';
import { BoardMail, BoardMailProcessor, BoardMailReconciler } from './board-mail.js';
import { BoardsController } from './boards.controller.js';
import { BoardsRepository, KeptFiguresRepository, ShareLinksRepository } from './boards.repository.js';
import { BoardsService, PinnedThings } from './boards.service.js';
import { SharedController, ShareLinksController } from './share-links.controller.js';
import { LinkBearers, SharedThings, ShareLinksService } from './share-links.service.js';

/** Figures that are looked at again and again, side by side, and links that show them to others. */
@Module({
  imports: [
    AnsweringModule,
    AssistantModule,
    BinModule,
    CompanyModule,
    DatasourceModule,
    DeliveriesModule,
    UsersModule,
  ],
  controllers: [BoardsController, ShareLinksController, SharedController],
  providers: [
    BoardFigures,
    BoardMail,
    BoardMailProcessor,
    BoardMailReconciler,
    BoardRecords,
    BoardsRepository,
    BoardsService,
    KeptFiguresRepository,
    LinkBearers,
    PinnedThings,
    SharedThings,
    ShareLinksRepository,
    ShareLinksService,
  ],
})
export class BoardsModule {}
