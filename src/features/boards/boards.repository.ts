import { Injectable } from '@nestjs/common';
import { BinRepository } from '../../ports/bin-repository.js';
import { DocumentStore, type TenantCollection } from '../../ports/document-store.js';
import { TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId, DatasourceId, TileId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { type Board, BOARD_FIGURES, BOARDS, type KeptFigure, SHARE_LINKS, type ShareLink } from './board.schema.js';

@Injectable()
export class BoardsRepository extends BinRepository<Board> {
  private readonly links: TenantCollection<ShareLink>;

  constructor(store: DocumentStore) {
    super(store, BOARDS);
    this.links = store.tenantCollection(SHARE_LINKS);
  }

  /** Last changed first. */
  list(companyId: CompanyId, page: Page): Promise<PageOf<Board>> {
    return this.pageOf(companyId, { deletedAt: null }, page, [
      ['updatedAt', 'desc'],
      ['id', 'desc'],
    ]);
  }

  count(companyId: CompanyId): Promise<number> {
    return this.collection.of(companyId).count({ deletedAt: null });
  }

  /** Of all companies, the longest due first. */
  allToMail(now: Date, limit: number): Promise<readonly Board[]> {
    return this.collection.ofAll().find({ nextMailAt: { lte: now } }, { sort: [['nextMailAt', 'asc']], limit });
  }

  /** Those whose next mail was set when the clock said more than this. */
  allScheduledAfter(time: Date): Promise<readonly Board[]> {
    return this.collection.ofAll().find({ mailScheduledAt: { gt: time } });
  }

  /** With the links to it, which show nothing any more. */
  override async removeDeleted(board: Pick<Board, 'companyId' | 'id'>): Promise<void> {
    await this.links.of(board.companyId).remove({ boardId: board.id });
    await super.removeDeleted(board);
  }
}

@Injectable()
export class KeptFiguresRepository extends TenantRepository<KeptFigure> {
  constructor(store: DocumentStore) {
    super(store, BOARD_FIGURES);
  }

  /** Whoever reads last is right. */
  async keep(figure: KeptFigure): Promise<void> {
    const { id, companyId, ...set } = figure;
    if ((await this.swap({ id, companyId }, {}, set)) === null) await this.insertOnce(figure);
  }

  of(companyId: CompanyId, tiles: readonly TileId[]): Promise<readonly KeptFigure[]> {
    return this.collection.of(companyId).find({ id: { in: tiles } });
  }

  async removeOf(companyId: CompanyId, tiles: readonly TileId[]): Promise<void> {
    await this.collection.of(companyId).remove({ id: { in: tiles } });
  }

  async removeOfDatasource(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    await this.collection.of(companyId).remove({ datasourceId });
  }
}
