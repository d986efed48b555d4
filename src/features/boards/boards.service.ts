import { Injectable } from '@nestjs/common';
import { assertColumns } from '../../answering/given-plan.js';
import { purposeOf } from '../../plan/wording.js';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { ChartRequest } from '../../ports/chart-renderer.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { AppError, invalidField } from '../../shared/app-error.js';
import type { BoardId, ConversationId, DatasourceId, MessageId, TileId } from '../../shared/ids.js';
import { capital } from '../../shared/number-words.js';
import { turnWhenSet } from '../../shared/planned-turns.js';
import type { Principal } from '../../shared/principal.js';
import { AssistantFacade } from '../assistant/assistant.facade.js';
import { type MailState, RecipientsFacade } from '../deliveries/mail.facade.js';
import { JoinableTables } from '../datasource/joinable-tables.facade.js';
import { BoardFigures, type FigureWish, type ShownFigure } from './board-figures.js';
import { BoardRecords } from './board-records.js';
import {
  type Board,
  type Figure,
  mailName,
  type MailSchedule,
  type Note,
  type Tile,
  type TilePlace,
} from './board.schema.js';

const MOST_TILES = 40;
const LONGEST_TITLE = 200;
/** What is left out stays. */
export type MailEdit = Partial<Omit<MailSchedule, 'notifyEmails'>> & { readonly notifyEmails?: readonly string[] };

export type BoardEdit = Partial<Pick<Board, 'title' | 'notes' | 'range' | 'filters' | 'refreshMinutes'>> & {
  /** Where tiles lie from now on; those that it does not name stay. */
  readonly layout?: readonly (TilePlace & { readonly id: TileId })[];
  readonly mail?: MailEdit;
};

export type PinDraft =
  | Note
  | {
      readonly kind: 'answer';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      readonly title: string | null;
    }
  | {
      readonly kind: 'plan';
      /** The first is the one that the plan is about; it may join the others. */
      readonly datasourceIds: readonly [DatasourceId, ...DatasourceId[]];
      readonly plan: AnalysisPlan;
      readonly chart: ChartRequest | null;
      readonly title: string | null;
    };

export interface TileEdit {
  readonly title?: string;
  readonly text?: string;
}

export interface OpenedBoard {
  readonly board: Board;
  /** By tile, where there is one. */
  readonly figures: ReadonlyMap<string, ShownFigure>;
  /** How the last one stands with each who gets it. */
  readonly mails: readonly MailState[];
}

type Size = Pick<TilePlace, 'w' | 'h'>;
type Content = (Note | Figure) & { readonly id: TileId; readonly size: Size };

/** What a new tile shows. */
@Injectable()
export class PinnedThings {
  constructor(
    private readonly assistant: AssistantFacade,
    private readonly tables: JoinableTables,
    private readonly ids: IdSource,
  ) {}

  async contentOf(by: Principal, draft: PinDraft): Promise<Content> {
    switch (draft.kind) {
      case 'note':
        return { ...draft, id: this.ids.next(), size: { w: 6, h: 3 } };
      case 'answer':
        return this.answered(by, draft);
      case 'plan':
        return this.planned(by, draft);
    }
  }

  private async answered(by: Principal, draft: Extract<PinDraft, { kind: 'answer' }>): Promise<Content> {
    const kept = await this.assistant.answer(by, draft.conversationId, draft.messageId);
    const { answer, plan, question, isFirst } = kept;
    const [datasourceId] = kept.datasourceIds;
    if (answer.dbquery === '') throw new AppError('invalid_input', 'this answer has no figure that could be pinned');
    const query = { plan, sql: plan === null ? answer.dbquery : null };
    await this.tables.get(by.companyId, [datasourceId]);
    const others = await this.tables.othersOf(by.companyId, kept.datasourceIds, query);
    if (others.length === 0 && (answer.evidence.joins ?? []).length > 0)
      throw new AppError('invalid_input', 'no confirmed relation joins the datasources of this answer any more');
    const chart = answer.chartRequest ?? null;
    const isOne = answer.data?.rows.length === 1 && answer.data.columns.length < 3;
    // `As a pie chart` says nothing on a board.
    const title = titled(draft.title ?? (isFirst || answer.query === '' ? question : answer.query));
    return this.figure({ title, datasourceId, others, ...query, chart }, isOne);
  }

  private async planned(by: Principal, draft: Extract<PinDraft, { kind: 'plan' }>): Promise<Content> {
    const { plan, chart, title } = draft;
    const [datasourceId] = draft.datasourceIds;
    const others = await this.tables.othersNamed(by.companyId, draft.datasourceIds, { plan, sql: null });
    const main = await this.tables.getKept(by.companyId, { datasourceId, others });
    if (main.profile !== null) assertColumns(plan, { profile: main.profile, joined: main.joined });
    const words = title ?? chart?.title ?? '';
    const told = titled(words === '' ? purposeOf(plan) : words);
    return this.figure({ title: told, datasourceId, others, plan, sql: null, chart }, false);
  }

  private figure(figure: Omit<Figure, 'kind'>, isOne: boolean): Content {
    return { ...figure, kind: 'figure', id: this.ids.next(), size: sizeOf(figure.chart, isOne) };
  }
}

/** Boards of a company: everybody in it sees them; whoever made one and managers change it. */
@Injectable()
export class BoardsService {
  constructor(
    private readonly records: BoardRecords,
    private readonly figures: BoardFigures,
    private readonly pinned: PinnedThings,
    private readonly recipients: RecipientsFacade,
    private readonly clock: Clock,
  ) {}

  async open(by: Pick<Principal, 'companyId'>, id: BoardId): Promise<OpenedBoard> {
    const board = await this.records.get(by, id);
    const { companyId, lastMailAt } = board;
    const mails = lastMailAt === null ? [] : await this.recipients.told(companyId, mailName(id, lastMailAt));
    return { board, figures: await this.figures.last(board), mails };
  }

  /** One figure with the rows as they are now. @throws AppError `not_found`, `invalid_input` when the tile is a note. */
  async figure(by: Pick<Principal, 'companyId'>, { id, tileId }: TileAddress, wish: FigureWish): Promise<ShownFigure> {
    const board = await this.records.get(by, id);
    const tile = tileOf(board, tileId);
    if (tile.kind === 'note') throw new AppError('invalid_input', 'this tile is a note and has no figure');
    return this.figures.now(board, tile, wish);
  }

  /** @throws AppError `not_found`, `forbidden`, as all that change a board. */
  change(by: Principal, id: BoardId, { layout = [], mail = {}, ...edit }: BoardEdit): Promise<Board> {
    const places = new Map(layout.map(({ id: tile, ...place }) => [tile, place]));
    return this.records.edit(by, id, async (board) => ({
      ...edit,
      ...(await this.mailChange(by, board, mail)),
      tiles: settled(board.tiles.map((tile) => ({ ...tile, ...places.get(tile.id) }))),
    }));
  }

  /** @throws AppError `not_found`, also for somebody else's answer; `invalid_input` when it has no figure. */
  async pin(by: Principal, id: BoardId, draft: PinDraft): Promise<Tile> {
    await this.records.getOwn(by, id);
    const { size, ...content } = await this.pinned.contentOf(by, draft);
    const { tiles } = await this.records.edit(by, id, (board) => {
      if (board.tiles.length >= MOST_TILES)
        throw new AppError('conflict', `a board has at most ${MOST_TILES} tiles: remove one, or make another board`);
      return { tiles: [...board.tiles, { ...content, ...freePlace(board.tiles, size) }] };
    });
    return tileOf({ tiles }, content.id);
  }

  async changeTile(by: Principal, { id, tileId }: TileAddress, edit: TileEdit): Promise<Tile> {
    const board = await this.records.edit(by, id, (now) => {
      const changed = edited(tileOf(now, tileId), edit);
      return { tiles: now.tiles.map((tile) => (tile.id === tileId ? changed : tile)) };
    });
    return tileOf(board, tileId);
  }

  async removeTile(by: Principal, { id, tileId }: TileAddress): Promise<void> {
    const gone: Tile[] = [];
    const { companyId } = await this.records.edit(by, id, (board) => {
      gone.push(tileOf(board, tileId));
      return { tiles: board.tiles.filter((tile) => tile.id !== tileId) };
    });
    await this.figures.forget(companyId, gone);
  }

  private async mailChange(by: Principal, board: Board, edit: MailEdit): Promise<Partial<Board>> {
    if (Object.keys(edit).length === 0) return {};
    const { mailEnabled = board.mailEnabled, mailAt = board.mailAt } = edit;
    const notifyEmails = await this.recipients.checked(by, edit.notifyEmails, board.notifyEmails);
    if (mailEnabled && mailAt === null) throw invalidField('mail_at', 'mail_at must say when the board goes out');
    if (mailEnabled && notifyEmails.length === 0)
      throw invalidField('notify_emails', 'notify_emails must name who gets the board');
    const now = this.clock.now();
    const nextMailAt = turnWhenSet(board.mailEnabled ? board.mailAt : null, mailEnabled ? mailAt : null, now);
    return {
      mailEnabled,
      mailAt,
      notifyEmails,
      mailSetBy: by.userId,
      mailNote: null,
      ...(nextMailAt === undefined ? {} : { nextMailAt, mailScheduledAt: nextMailAt === null ? null : now }),
    };
  }
}

export interface TileAddress {
  readonly id: BoardId;
  readonly tileId: TileId;
}

function sizeOf(chart: ChartRequest | null, isOneFigure: boolean): Size {
  if (chart !== null) return { w: 6, h: 6 };
  return isOneFigure ? { w: 3, h: 3 } : { w: 6, h: 5 };
}

function titled(words: string): string {
  return capital(words.trim().replace(/\s+/g, ' ').slice(0, LONGEST_TITLE));
}

function edited(tile: Tile, { title, text }: TileEdit): Tile {
  return tile.kind === 'note' ? { ...tile, text: text ?? tile.text } : { ...tile, title: title ?? tile.title };
}

function tileOf({ tiles }: Pick<Board, 'tiles'>, id: TileId): Tile {
  const tile = tiles.find((one) => one.id === id);
  if (tile === undefined) throw new AppError('not_found', 'tile not found');
  return tile;
}

/** Of the grid. */
export const COLUMNS = 12;
export const MOST_ROWS = 1000;

/** The first place, in reading order, where nothing lies. */
function freePlace(tiles: readonly TilePlace[], size: Size): TilePlace {
  for (let y = 0; ; y += 1) {
    for (let x = 0; x + size.w <= COLUMNS; x += 1) {
      const place = { x, y, ...size };
      if (!tiles.some((other) => overlap(place, other))) return place;
    }
  }
}

/** Without two in one place: the lower of them, in reading order the later, goes further down. */
function settled<T extends TilePlace>(tiles: readonly T[]): readonly T[] {
  const placed: T[] = [];
  for (const tile of tiles.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    let { y } = tile;
    for (;;) {
      const below = placed.filter((other) => overlap({ ...tile, y }, other)).map((other) => other.y + other.h);
      if (below.length === 0) break;
      y = Math.max(...below);
    }
    placed.push({ ...tile, y });
  }
  return placed;
}

function overlap(one: TilePlace, other: TilePlace): boolean {
  const isBeside = one.x + one.w <= other.x || other.x + other.w <= one.x;
  return !isBeside && one.y < other.y + other.h && other.y < one.y + one.h;
}
