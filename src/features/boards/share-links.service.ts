import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { RateLimiter } from '../../http/rate-limiter.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { SharedLimits } from '../../ports/shared-limits.js';
import { NEWEST_FIRST } from '../../ports/tenant-repository.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import type { BoardId, ShareLinkId, TileId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { hasRole, type Principal } from '../../shared/principal.js';
import { secretHash } from '../../shared/secret-hash.js';
import { AssistantFacade, type KeptAnswer } from '../assistant/assistant.facade.js';
import { CompanyFacade } from '../company/company.facade.js';
import type { ShownFigure } from './board-figures.js';
import { BoardRecords } from './board-records.js';
import type { ShareLink } from './board.schema.js';
import { ShareLinksRepository } from './boards.repository.js';
import { BoardsService, type OpenedBoard } from './boards.service.js';
import { DAY_MS } from '../../shared/durations.js';

const DEFAULT_DAYS = 30;
/** Open at once in a company. */
const MOST_OPEN = 500;
const FULL = `there are ${MOST_OPEN} open links: revoke some of them first`;

/** One of the two. */
export type SharedThing =
  | { readonly boardId: BoardId; readonly answer: null }
  | { readonly boardId: null; readonly answer: NonNullable<ShareLink['answer']> };

/** Links that show one board or one answer without a session, until they expire or are revoked. */
@Injectable()
export class ShareLinksService {
  constructor(
    private readonly links: ShareLinksRepository,
    private readonly boards: BoardRecords,
    private readonly assistant: AssistantFacade,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** A link with what it holds, which nobody is told again. @throws AppError `not_found`, `forbidden` for a board that the caller may not change, `conflict` when too many are open. */
  async make(
    by: Principal,
    thing: SharedThing,
    days?: number | null,
  ): Promise<{ readonly link: ShareLink; readonly token: string }> {
    const now = this.clock.now();
    const title = await this.titleOf(by, thing);
    const token = `${this.ids.token()}${this.ids.token()}`;
    const link: ShareLink = {
      id: this.ids.next(),
      companyId: by.companyId,
      tokenHash: secretHash(token),
      ...thing,
      title,
      madeBy: by.userId,
      makerEmail: by.email,
      createdAt: now,
      expiresAt: new Date(now.getTime() + (days ?? DEFAULT_DAYS) * DAY_MS),
    };
    const limit = { most: MOST_OPEN, where: { expiresAt: { gt: now } }, full: FULL };
    await this.links.insertWithin(by.companyId, limit, [link]);
    return { link, token };
  }

  /** One's own that are open, newest first; for managers those of the company. */
  open(by: Principal, page: Page): Promise<PageOf<ShareLink>> {
    const own = hasRole(by.role, 'manager') ? {} : { madeBy: by.userId };
    return this.links.pageOf(by.companyId, { ...own, expiresAt: { gt: this.clock.now() } }, page, NEWEST_FIRST);
  }

  /** @throws AppError `not_found`, also for another user's, unless a manager asks. */
  async revoke(by: Principal, id: ShareLinkId): Promise<void> {
    const link = await this.links.find(by.companyId, id);
    const isTheirs = link !== null && (link.madeBy === by.userId || hasRole(by.role, 'manager'));
    if (!isTheirs || !(await this.links.remove(link))) throw new AppError('not_found', 'link not found');
  }

  private async titleOf(by: Principal, { boardId, answer }: SharedThing): Promise<string> {
    if (answer === null) return (await this.boards.getOwn(by, boardId)).title;
    return (await this.assistant.answer(by, answer.conversationId, answer.messageId)).question.slice(0, 200);
  }
}

/** Who holds a link, as far as it goes. */
@Injectable()
export class LinkBearers {
  constructor(
    private readonly links: ShareLinksRepository,
    private readonly companies: CompanyFacade,
    private readonly clock: Clock,
  ) {}

  /** Of whatever company: who holds a token does not say which. @throws AppError `not_found`: never made, revoked, expired, or its company is closed. */
  async linkOf(token: string): Promise<ShareLink> {
    const where = { tokenHash: secretHash(token), expiresAt: { gt: this.clock.now() } };
    const [link] = await this.links.anywhere(where, { limit: 1 });
    if (link === undefined || !(await this.companies.isOpen(link.companyId))) throw linkEnded();
    return link;
  }
}

export function linkEnded(): AppError {
  return new AppError('not_found', 'this link does not exist, has expired or was revoked: ask whoever gave it to you');
}

export type Shared = { readonly expiresAt: Date } & (
  | ({ readonly kind: 'board' } & OpenedBoard)
  | ({ readonly kind: 'answer' } & KeptAnswer)
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
