import { type AnalysisPlan, TIME_BUCKETS, type TimeBucket } from '../../ports/analysis-plan.js';
import type { AnswerData } from '../../ports/assistant-answer.js';
import type { BinDocument } from '../../ports/bin-repository.js';
import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { TenantDocument } from '../../ports/document-store.js';
import { binKind, lists, MIXED, nullable, required, tenantKind } from '../../ports/stored-kind.schema.js';
import type {
  BoardId,
  ConversationId,
  DatasourceId,
  MessageId,
  ShareLinkId,
  TileId,
  UserId,
} from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import type { WeeklyTime } from '../../shared/planned-turns.js';
import type { JoinedDatasources } from '../datasource/joinable-tables.facade.js';
import type { Recipient } from '../deliveries/mail.facade.js';

export const RANGE_UNITS = TIME_BUCKETS;

/** Half open, ISO 8601. */
export interface Stretch {
  readonly from: string | null;
  readonly to: string | null;
}

/** A fixed stretch of time; or so many units up to the newest row of each datasource, and not beyond now. */
export type BoardRange = Stretch | { readonly last: number; readonly unit: TimeBucket };

/** One of these values in the column of this name, in whatever datasource has one. */
export interface BoardFilter {
  readonly column: string;
  readonly values: readonly (string | number | boolean)[];
}

/** What all figures of a board are looked at through. */
export interface BoardView {
  readonly range: BoardRange | null;
  readonly filters: readonly BoardFilter[];
}

/** Where a tile lies on a grid of 12 columns, counted from 0; rows of the grid are all alike. */
export interface TilePlace {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Markdown. */
export interface Note {
  readonly kind: 'note';
  readonly text: string;
}

/** Asked of the rows as they are when it is looked at. Exactly one of `plan` and `sql` is there. */
export interface Figure {
  readonly kind: 'figure';
  readonly title: string;
  readonly datasourceId: DatasourceId;
  /** Those that it joins. */
  readonly others?: JoinedDatasources;
  readonly plan: AnalysisPlan | null;
  readonly sql: string | null;
  /** `null`: the result is shown as it is. */
  readonly chart: ChartRequest | null;
}

export type Tile = TilePlace & { readonly id: TileId } & (Note | Figure);
export type FigureTile = Extract<Tile, Figure>;

/** At times of the week a board goes out by mail. */
export interface MailSchedule {
  readonly mailEnabled: boolean;
  /** Kept while it is off. */
  readonly mailAt: WeeklyTime | null;
  readonly notifyEmails: readonly Recipient[];
}

/** One mail to each recipient is about this. */
export function mailName(id: BoardId, planned: Date): string {
  return `${id} ${planned.toISOString()}`;
}

export interface Board extends BinDocument, BoardView, MailSchedule {
  readonly id: BoardId;
  readonly title: string;
  readonly notes: string;
  /** While it is open its figures are read anew so often; `null`: when it is opened, and when somebody asks for it. */
  readonly refreshMinutes: number | null;
  readonly tiles: readonly Tile[];
  /** Who set the schedule of mails last: without them it pauses. */
  readonly mailSetBy: UserId | null;
  /** Null while it is off. */
  readonly nextMailAt: Date | null;
  /** What the clock said when `nextMailAt` was set: later than now means that the clock was set back. */
  readonly mailScheduledAt: Date | null;
  /** The planned time of the last mail that was ordered. */
  readonly lastMailAt: Date | null;
  /** Why the last mail was not sent, or there will be none; null: all is well. */
  readonly mailNote: string | null;
  readonly createdBy: UserId;
  /** As it was then. */
  readonly createdByName: string;
  /** Counts changes, so that two at once are both kept. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const BOARDS = binKind<Board>(
  'boards',
  {
    ...required({ title: String, createdBy: String, createdByName: String, revision: Number }),
    ...required({ createdAt: Date, updatedAt: Date }),
    notes: { type: String, default: '' },
    ...lists({ filters: MIXED, tiles: MIXED, notifyEmails: MIXED }),
    ...nullable({ range: MIXED, refreshMinutes: Number, mailAt: MIXED, mailSetBy: String }),
    ...nullable({ nextMailAt: Date, mailScheduledAt: Date, lastMailAt: Date, mailNote: String }),
    mailEnabled: { type: Boolean, default: false },
  },
  [{ companyId: 1, updatedAt: -1, _id: -1 }, { nextMailAt: 1 }, { mailScheduledAt: 1 }],
);

/** What a figure's rows gave. */
export interface FigureResult {
  /** When they were read. */
  readonly at: Date;
  readonly data: AnswerData;
  /** Rows of the result, of which `data` has the first. */
  readonly rows: number;
  readonly dbquery: string;
  readonly chart: JsonObject | null;
  /** What of the board's view could not be applied: `time range`, or the name of a filter's column. */
  readonly unfiltered: readonly string[];
  /** What the board's time range came to; left out: there is none that could be applied. */
  readonly stretch?: Stretch;
  /** What joins make of the rows. */
  readonly warnings?: readonly string[];
}

/** The last result of a tile, so that a board shows something at once. Nobody misses it: it can be read again. */
export interface KeptFigure extends TenantDocument {
  readonly id: TileId;
  readonly datasourceId: DatasourceId;
  /** Of which question, through which view it is. */
  readonly key: string;
  /** Of which rows: see `ReadableDatasource`. */
  readonly version: string;
  readonly result: FigureResult;
  readonly expiresAt: Date;
}

export const BOARD_FIGURES = tenantKind<KeptFigure>(
  'board-figures',
  required({ datasourceId: String, key: String, version: String, result: MIXED, expiresAt: Date }),
  [{ companyId: 1, datasourceId: 1 }, [{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
);

/** Shows one board, or one answer, to whoever has it. */
export interface ShareLink extends TenantDocument {
  readonly id: ShareLinkId;
  /** SHA-256 of the token, which is random and long. */
  readonly tokenHash: string;
  readonly boardId: BoardId | null;
  /** Of whoever made the link, to whom the conversation belongs. */
  readonly answer: { readonly conversationId: ConversationId; readonly messageId: MessageId } | null;
  /** What it shows, in words. */
  readonly title: string;
  readonly madeBy: UserId;
  readonly makerEmail: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export const SHARE_LINKS = tenantKind<ShareLink>(
  'share-links',
  {
    ...required({ tokenHash: String, title: String, madeBy: String, makerEmail: String }),
    ...required({ createdAt: Date, expiresAt: Date }),
    ...nullable({ boardId: String, answer: MIXED }),
  },
  [
    [{ tokenHash: 1 }, { unique: true }],
    { companyId: 1, createdAt: -1, _id: -1 },
    { companyId: 1, boardId: 1 },
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
);
