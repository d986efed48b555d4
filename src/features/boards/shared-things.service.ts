import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { SharedLimits } from '../../ports/shared-limits.js';
import { isAppError } from '../../shared/app-error.js';
import type { TileId } from '../../shared/ids.js';
import { secretHash } from '../../shared/secret-hash.js';
import { AssistantFacade, type KeptAnswer } from '../assistant/assistant.facade.js';
import type { ShownFigure } from './board-figures.js';
import { BoardsService, type OpenedBoard } from './boards.service.js';
import type { ShareLink } from './share-link.schema.js';
import { LinkBearers, linkEnded } from './share-links.service.js';

export type Shared = { readonly expiresAt: Date } & (
  ({ readonly kind: 'board' } & OpenedBoard) | ({ readonly kind: 'answer' } & KeptAnswer)
);

/** What a link shows: what its maker's company has now, and nothing but it. */
@Injectable()
export class SharedThings {
  private readonly asked: RateLimiter;

  constructor(
    private readonly bearers: LinkBearers,
    private readonly boards: BoardsService,
    private readonly assistant: AssistantFacade,
    config: AppConfig,
    limits: SharedLimits,
  ) {
    const { requestsPerMinute } = config.limits;
    this.asked = new RateLimiter(limits, { name: 'shared', limit: requestsPerMinute, windowSeconds: 60 });
  }

  /** @throws AppError `not_found` when the link, or what it shows, is gone; `rate_limited` */
  async look(token: string, address: string): Promise<Shared> {
    const link = await this.linkOf(token, address);
    const { expiresAt } = link;
    try {
      if (link.boardId !== null) return { kind: 'board', expiresAt, ...(await this.boards.open(link, link.boardId)) };
      return { kind: 'answer', expiresAt, ...(await this.answerOf(link)) };
    } catch (error) {
      throw isAppError(error, 'not_found') ? linkEnded() : error;
    }
  }

  /** One figure of the board with the rows as they are now, or were within the last minute. @throws AppError as `look`. */
  async figure(token: string, tileId: TileId, address: string): Promise<ShownFigure> {
    const link = await this.linkOf(token, address);
    if (link.boardId === null) throw linkEnded();
    return this.boards.figure(link, { id: link.boardId, tileId }, { own: null, isPatient: true });
  }

  /** Each address, and each link, has so many requests a minute. */
  private async linkOf(token: string, address: string): Promise<ShareLink> {
    await this.asked.consume(address);
    const link = await this.bearers.linkOf(token);
    await this.asked.consume(secretHash(token));
    return link;
  }

  private async answerOf({ companyId, madeBy, answer }: ShareLink): Promise<KeptAnswer> {
    if (answer === null) throw linkEnded();
    return this.assistant.answer({ companyId, userId: madeBy }, answer.conversationId, answer.messageId);
  }
}
