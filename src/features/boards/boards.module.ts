import { Module } from '@nestjs/common';
import { AssistantModule } from '../assistant/assistant.module.js';
import { CompanyModule } from '../company/company.module.js';
import { DatasourceModule } from '../datasource/datasource.module.js';
import { BoardFigures, FigureReader } from './board-figures.js';
import { BoardsController } from './boards.controller.js';
import { BoardsRepository, KeptFiguresRepository } from './boards.repository.js';
import { BoardsService, PinnedThings } from './boards.service.js';
import { SharedController, ShareLinksController } from './share-links.controller.js';
import { LinkBearers, ShareLinksRepository, ShareLinksService } from './share-links.service.js';
import { SharedThings } from './shared-things.service.js';

/** Figures that are looked at again and again, side by side, and links that show them to others. */
@Module({
  imports: [AssistantModule, CompanyModule, DatasourceModule],
  controllers: [BoardsController, ShareLinksController, SharedController],
  providers: [
    BoardFigures,
    BoardsRepository,
    BoardsService,
    FigureReader,
    KeptFiguresRepository,
    LinkBearers,
    PinnedThings,
    SharedThings,
    ShareLinksRepository,
    ShareLinksService,
  ],
})
export class BoardsModule {}
