import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Board, BOARDS } from './board.schema.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError } from '../../shared/app-error.js';
import type { BoardId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { firstTurn } from '../../shared/planned-turns.js';
import { assertMayManage, manageableBy, nameOf, type Principal } from '../../shared/principal.js';
import { Bin } from '../bin/bin.facade.js';
import { BoardFigures } from './board-figures.js';
import { BoardsRepository } from './boards.repository.js';

const MOST_BOARDS = 500;
const LIMIT = {
  most: MOST_BOARDS,
  where: { deletedAt: null },
  full: `a company has at most ${MOST_BOARDS} boards: delete one first`,
};
/** Others may change a board meanwhile. */
const MOST_TRIES = 10;

export type BoardDraft = Pick<Board, 'title' | 'notes'>;

/** Boards as they are written down, and who may change and delete them: whoever made one, and managers. */
@Injectable()
export class BoardRecords implements OnModuleInit {
  constructor(
    private readonly boards: BoardsRepository,
    private readonly figures: BoardFigures,
    private readonly bin: Bin,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.bin.holds({
      kind: 'board',
      things: this.boards,
      nameOf: ({ title }) => title,
      deletableBy: manageableBy,
      whenRestored: ({ mailEnabled, mailAt }) => {
        const now = this.clock.now();
        return mailEnabled && mailAt !== null ? { nextMailAt: firstTurn(now, mailAt), mailScheduledAt: now } : {};
      },
      remove: (board) => this.removeWhole(board),
    });
  }

  list(by: Principal, page: Page): Promise<PageOf<Board>> {
    return this.boards.pageOf(by.companyId, { deletedAt: null }, page, [
      ['updatedAt', 'desc'],
      ['id', 'desc'],
    ]);
  }

  /** @throws AppError `conflict` */
  async create(by: Principal, { title, notes }: BoardDraft): Promise<Board> {
    const now = this.clock.now();
    const board: Board = {
      ...BOARDS.blank,
      id: this.ids.next(),
      companyId: by.companyId,
      title,
      notes,
      filters: [],
      tiles: [],
      mailEnabled: false,
      notifyEmails: [],
      createdBy: by.userId,
      createdByName: nameOf(by),
      revision: 0,
      createdAt: now,
      updatedAt: now,
    };
    await this.boards.insertWithin(by.companyId, LIMIT, [board]);
    return board;
  }

  get({ companyId }: Pick<Principal, 'companyId'>, id: BoardId): Promise<Board> {
    return this.boards.get(companyId, id);
  }

  /** One that the caller may change. @throws AppError `not_found`, `forbidden` */
  async getOwn(by: Principal, id: BoardId): Promise<Board> {
    const board = await this.get(by, id);
    assertMayManage(by, board, 'only whoever made this board and managers may change it');
    return board;
  }

  /** Makes the change of the board as it is, however many change it at once. @throws AppError `not_found`, `forbidden`, `conflict` */
  async edit(
    by: Principal,
    id: BoardId,
    change: (board: Board) => Partial<Board> | Promise<Partial<Board>>,
  ): Promise<Board> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const board = await this.getOwn(by, id);
      const { revision } = board;
      const set = { ...(await change(board)), revision: revision + 1, updatedAt: this.clock.now() };
      const changed = await this.boards.swap(board, { revision, deletedAt: null }, set);
      if (changed !== null) return changed;
    }
    throw new AppError('conflict', 'others are changing this board at the moment: try again');
  }

  /** It sends no mails from then on. @throws AppError `not_found`, `forbidden` */
  async delete(by: Principal, id: BoardId, permanent: boolean): Promise<void> {
    const board = await this.getOwn(by, id);
    const deletion = { at: this.clock.now(), permanent };
    const deleted = await this.boards.hide(board, {}, deletion, { nextMailAt: null, mailScheduledAt: null });
    // Null: somebody else has deleted it at this moment.
    if (deleted === null) throw this.boards.missing();
    if (permanent) await this.removeWhole(deleted);
  }

  /** Its record last: a cut-off removal is found again. */
  private async removeWhole(board: Board): Promise<void> {
    await this.figures.forget(board.companyId, board.tiles);
    await this.boards.removeDeleted(board);
  }
}
