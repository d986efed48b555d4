import { Injectable } from '@nestjs/common';
import { BinRepository } from '../../ports/bin-repository.js';
import { DocumentStore, type TenantCollection } from '../../ports/document-store.js';
import { repositoryOf } from '../../ports/tenant-repository.js';
import { ERASED_NAME, UsersFacade } from '../users/users.facade.js';
import { type Board, BOARD_FIGURES, BOARDS, type KeptFigure, SHARE_LINKS, type ShareLink } from './board.schema.js';

@Injectable()
export class BoardsRepository extends BinRepository<Board> {
  private readonly links: TenantCollection<ShareLink>;

  constructor(store: DocumentStore, users: UsersFacade) {
    super(store, BOARDS, 'board');
    this.links = store.tenantCollection(SHARE_LINKS);
    users.alsoErase(async ({ companyId, id }) => {
      await this.links.of(companyId).remove({ madeBy: id });
      for await (const board of this.allOf(companyId, { createdBy: id }))
        await this.swap(board, {}, { createdByName: ERASED_NAME });
    });
  }

  /** With the links to it, which show nothing any more. */
  override async removeDeleted(board: Pick<Board, 'companyId' | 'id'>): Promise<void> {
    await this.links.of(board.companyId).remove({ boardId: board.id });
    await super.removeDeleted(board);
  }
}

export class ShareLinksRepository extends repositoryOf(SHARE_LINKS) {}

export class KeptFiguresRepository extends repositoryOf(BOARD_FIGURES) {
  /** Whoever reads last is right. */
  async keep(figure: KeptFigure): Promise<void> {
    const { id, companyId, ...set } = figure;
    if ((await this.swap({ id, companyId }, {}, set)) === null) await this.insertOnce(figure);
  }
}
