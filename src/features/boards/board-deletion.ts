import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { AppError } from '../../shared/app-error.js';
import type { BoardId } from '../../shared/ids.js';
import { firstTurn } from '../../shared/planned-turns.js';
import { hasRole, type Principal } from '../../shared/principal.js';
import { Bin } from '../bin/bin.facade.js';
import type { Board } from './board.schema.js';
import { BoardFigures } from './board-figures.js';
import { BoardRecords } from './board-records.js';
import { BoardsRepository } from './boards.repository.js';

/** Deletes boards: whoever made one may, and managers. */
@Injectable()
export class BoardDeletion implements OnModuleInit {
  constructor(
    private readonly boards: BoardsRepository,
    private readonly records: BoardRecords,
    private readonly figures: BoardFigures,
    private readonly bin: Bin,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.bin.holds({
      kind: 'board',
      things: this.boards,
      nameOf: ({ title }) => title,
      deletableBy: ({ role, userId }) => Promise.resolve(hasRole(role, 'manager') ? {} : { createdBy: userId }),
      whenRestored: ({ mailEnabled, mailAt }) => {
        const now = this.clock.now();
        return mailEnabled && mailAt !== null ? { nextMailAt: firstTurn(now, mailAt), mailScheduledAt: now } : {};
      },
      remove: (board) => this.removeWhole(board),
    });
  }

  /** It sends no mails from then on. @throws AppError `not_found`, `forbidden` */
  async delete(by: Principal, id: BoardId, permanent: boolean): Promise<void> {
    const board = await this.records.getOwn(by, id);
    const deletion = { at: this.clock.now(), permanent };
    const deleted = await this.boards.hide(board, {}, deletion, { nextMailAt: null, mailScheduledAt: null });
    // Null: somebody else has deleted it at this moment.
    if (deleted === null) throw new AppError('not_found', 'board not found');
    if (permanent) await this.removeWhole(deleted);
  }

  /** Its record last: a cut-off removal is found again. */
  private async removeWhole(board: Board): Promise<void> {
    await this.figures.forget(board.companyId, board.tiles);
    await this.boards.removeDeleted(board);
  }
}
