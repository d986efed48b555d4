import { ApiProperty } from '@nestjs/swagger';
import { AnswerDataView, answerDataView } from '../../http/answer.wire.js';
import { Envelope, onWire } from '../../http/envelope.wire.js';
import { IsIdentifier, OptionalIdentifier, OptionalWholeNumber, Text } from '../../http/fields.js';
import { AppError } from '../../shared/app-error.js';
import type { BoardId, ConversationId, MessageId, TileId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';
import type { ShownFigure } from './board-figures.js';
import { BoardFilterView, BoardRangeView, shownTile, ShownTileView, viewOf } from './boards.wire.js';
import type { ShareLink } from './board.schema.js';
import type { Shared, SharedThing } from './share-links.service.js';

const MOST_DAYS = 365;

/** A board (`board_id`), or an answer of one's own (`conversation_id` and `message_id`). */
export class MakeLinkBody {
  @OptionalIdentifier() readonly board_id?: BoardId | null;
  @OptionalIdentifier() readonly conversation_id?: ConversationId | null;
  @OptionalIdentifier() readonly message_id?: MessageId | null;
  /** Days until it expires, 1 to 365; 30 without it. */
  @OptionalWholeNumber(1, MOST_DAYS) readonly days?: number | null;
}

export class LookBody {
  /** What the link holds. */
  @Text(64, 64, { message: 'this is no token of a link' }) readonly token!: string;
}

export class LookFigureBody extends LookBody {
  @IsIdentifier() readonly tile_id!: TileId;
}

export class ShareLinkView {
  readonly id!: string;
  /** The board that it shows; null for an answer. */
  readonly board_id!: string | null;
  /** The answer that it shows; null for a board. */
  readonly message_id!: string | null;
  /** The board's title, or the question, when the link was made. */
  readonly title!: string;
  /** The e-mail address of whoever made it. */
  readonly made_by!: string;
  readonly created_at!: string;
  readonly expires_at!: string;
}

export class LinkMadeResponse extends Envelope {
  readonly link!: ShareLinkView;
  /** Goes into the address `/shared#token` of the console. It is said this once. */
  readonly token!: string;
}

export class ShareLinksResponse extends Envelope {
  /** Those that are open, newest first. */
  readonly links!: ShareLinkView[];
  readonly total!: number;
}

export class SharedBoardView {
  readonly title!: string;
  readonly notes!: string;
  /** What all figures are of; null for all of their time. */
  readonly range!: BoardRangeView | null;
  readonly filters!: BoardFilterView[];
  readonly refresh_minutes!: number | null;
  readonly tiles!: ShownTileView[];
}

export class SharedAnswerView {
  readonly question!: string;
  /** Markdown. */
  readonly response!: string;
  /** Vega-Lite specification with its data. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) readonly chart!: JsonObject | null;
  readonly data!: AnswerDataView | null;
  /** Rows that were found; `data` may have the first of them alone. */
  readonly rows_returned!: number;
  /** When it was answered. */
  readonly at!: string;
}

export class SharedResponse extends Envelope {
  readonly board!: SharedBoardView | null;
  /** Exactly one of the two is there. */
  readonly answer!: SharedAnswerView | null;
  readonly expires_at!: string;
}

export function sharedThingFrom(body: MakeLinkBody): SharedThing {
  const { board_id: boardId, conversation_id: conversationId, message_id: messageId } = body;
  if (boardId != null && conversationId == null && messageId == null) return { boardId, answer: null };
  if (boardId == null && conversationId != null && messageId != null)
    return { boardId: null, answer: { conversationId, messageId } };
  throw new AppError('invalid_input', 'give either board_id, or conversation_id and message_id together');
}

export function linkView(link: ShareLink): ShareLinkView {
  return {
    ...onWire(link, 'id', 'boardId', 'title', 'createdAt', 'expiresAt'),
    message_id: link.answer?.messageId ?? null,
    made_by: link.makerEmail,
  };
}

/** Nothing of how it came about, and nothing of the company. */
export function sharedView(shared: Shared): Omit<SharedResponse, keyof Envelope> {
  const expires = onWire(shared, 'expiresAt');
  if (shared.kind === 'board') {
    const { board, figures } = shared;
    const tiles = board.tiles.map((tile) => shownTile(tile, discreet(figures.get(tile.id) ?? null)));
    return { ...expires, answer: null, board: { ...onWire(board, 'title', 'notes'), ...viewOf(board), tiles } };
  }
  const { response, chart, data, evidence } = shared.answer;
  const answer = {
    ...onWire(shared, 'question', 'at'),
    ...onWire(evidence, 'rowsReturned'),
    ...{ response, chart, data: data && answerDataView(data) },
  };
  return { ...expires, board: null, answer };
}

/** What went wrong may name columns that the figure does not show. */
export function discreet<T extends ShownFigure | null>(figure: T): T | ShownFigure {
  if (figure?.kind !== 'problem') return figure;
  return { kind: 'problem', problem: 'This figure can’t be shown at the moment.' };
}
