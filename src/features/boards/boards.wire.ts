import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, ValidateIf } from 'class-validator';
import { planFrom } from '../../answering/given-plan.js';
import { AnswerDataView, answerDataView } from '../../http/answer.wire.js';
import { chartFrom, ChartRequestBody } from '../../http/chart-request.wire.js';
import { answerOf, onWire } from '../../http/envelope.wire.js';
import {
  IsIdentifier,
  Name,
  OptionalFlag,
  OptionalIdentifier,
  OptionalIdentifiers,
  OptionalPart,
  OptionalParts,
  OptionalPlan,
  OptionalText,
  OptionalWholeNumber,
  Recipients,
  Text,
  WholeNumber,
} from '../../http/fields.js';
import type { MailView } from '../../http/mail.wire.js';
import { WeeklyTimeBody, weeklyTimeFrom, type WeeklyTimeView, weeklyTimeView } from '../../http/weekly-time.wire.js';
import { instantFrom } from '../../plan/instants.js';
import type { TimeBucket } from '../../ports/analysis-plan.js';
import type { JsonObject } from '../../shared/json.js';
import { AppError, invalidField } from '../../shared/app-error.js';
import type { ConversationId, DatasourceId, MessageId, TileId } from '../../shared/ids.js';
import { said } from '../../shared/said.js';
import {
  type Board,
  type BoardFilter,
  type BoardRange,
  type BoardView,
  RANGE_UNITS,
  type Tile,
} from './board.schema.js';
import { idsFrom, MOST_TOGETHER } from '../datasource/joinable-tables.facade.js';
import type { ShownFigure } from './board-figures.js';
import type { BoardDraft } from './board-records.js';
import {
  type BoardEdit,
  COLUMNS,
  MOST_ROWS,
  type OpenedBoard,
  type PinDraft,
  type TileEdit,
} from './boards.service.js';

const LONGEST_TITLE = 200;
const LONGEST_NOTES = 5000;
const MOST_FILTERS = 10;
const MOST_VALUES = 100;
const LONGEST_VALUE = 1000;
const MOST_MINUTES = 1440;
const SCALARS = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];

/** Either `from` and `to`, one of which may be left out, or `last` and `unit`. */
export class BoardRangeBody {
  /** ISO 8601, inclusive. */
  @OptionalText(1, 100) readonly from?: string | null;
  /** ISO 8601, exclusive. */
  @OptionalText(1, 100) readonly to?: string | null;
  /** So many units up to the newest row of each datasource, and not beyond now. Days and longer units are whole days, UTC. */
  @OptionalWholeNumber(1, 1000) readonly last?: number | null;

  @ValidateIf(({ last, unit }: BoardRangeBody) => last != null || unit != null)
  @IsIn(RANGE_UNITS)
  readonly unit?: TimeBucket | null;
}

export class BoardFilterBody {
  /** A column's name, in whatever datasource of the board has one. */
  @Text(1, 1000) readonly column!: string;

  /** One of these must be in it. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_VALUES)
  @ApiProperty({ type: 'array', items: { oneOf: SCALARS } })
  readonly values!: (string | number | boolean)[];
}

export class BoardViewBody {
  /** The time that all figures are of; null for all of it. */
  @OptionalPart(() => BoardRangeBody) readonly range?: BoardRangeBody | null;

  @OptionalParts(MOST_FILTERS, () => BoardFilterBody, { message: 'filters must be a list of objects' })
  readonly filters?: BoardFilterBody[];
}

export class CreateBoardBody {
  @Name(LONGEST_TITLE) readonly title!: string;
  @OptionalText(0, LONGEST_NOTES) readonly notes?: string;
}

export class TilePlaceBody {
  @IsIdentifier() readonly id!: TileId;
  /** Column, counted from 0. */
  @WholeNumber(0, COLUMNS - 1) readonly x!: number;
  /** Row, counted from 0. */
  @WholeNumber(0, MOST_ROWS) readonly y!: number;
  /** Columns of 12. */
  @WholeNumber(1, COLUMNS) readonly w!: number;
  /** Rows. */
  @WholeNumber(1, 50) readonly h!: number;
}

/** What is left out stays. */
export class ChangeBoardBody extends BoardViewBody {
  @IsOptional() @Name(LONGEST_TITLE) readonly title?: string;
  @OptionalText(0, LONGEST_NOTES) readonly notes?: string;
  /** While the board is open its figures are read anew every so many minutes; null for never. */
  @OptionalWholeNumber(1, MOST_MINUTES) readonly refresh_minutes?: number | null;
  /** True: the board goes out by mail at `mail_at` to `notify_emails`, both of which it must have. */
  @OptionalFlag() readonly mail_enabled?: boolean;
  @OptionalPart(() => WeeklyTimeBody) readonly mail_at?: WeeklyTimeBody | null;
  /** Who gets it, up to 20: people of the company, and whomever a manager names. */
  @Recipients() readonly notify_emails?: string[];

  /** Where tiles lie from now on. Those that it does not name stay, and where two would overlap one goes further down. */
  @OptionalParts(100, () => TilePlaceBody, { message: 'layout must be a list of objects' })
  readonly layout?: TilePlaceBody[];
}

/** A note (`text`), an answer of one's own (`conversation_id` and `message_id`), or a plan (`datasource_id` and `plan`). */
export class PinBody {
  /** Markdown. */
  @OptionalText(1, LONGEST_NOTES) readonly text?: string | null;
  @OptionalIdentifier() readonly conversation_id?: ConversationId | null;
  @OptionalIdentifier() readonly message_id?: MessageId | null;
  @OptionalIdentifier() readonly datasource_id?: DatasourceId | null;
  /** What is asked of the rows, as `understood` of an answer has it. */
  @OptionalPlan() readonly plan?: Record<string, unknown> | null;
  /** With `plan`: further datasources that it may join, along relations that are confirmed. */
  @OptionalIdentifiers(MOST_TOGETHER - 1) readonly datasource_ids?: DatasourceId[];
  /** With `plan`: what is drawn of the result. */
  @OptionalPart(() => ChartRequestBody) readonly chart?: ChartRequestBody | null;
  /** Left out: the question that began a conversation; else what is shown, in words. */
  @OptionalText(1, LONGEST_TITLE) readonly title?: string | null;
}

export class ChangeTileBody {
  /** Of a figure. */
  @OptionalText(1, LONGEST_TITLE) readonly title?: string;
  /** Of a note, Markdown. */
  @OptionalText(1, LONGEST_NOTES) readonly text?: string;
}

export class BoardRangeView {
  readonly from?: string | null;
  readonly to?: string | null;
  readonly last?: number;
  readonly unit?: TimeBucket;
}

export class BoardFilterView {
  readonly column!: string;
  @ApiProperty({ type: 'array', items: { oneOf: SCALARS } }) readonly values!: (string | number | boolean)[];
}

/** What the rows gave, or why there is nothing to show. */
export class FigureView {
  /** When the rows were read; null with a problem. */
  readonly at!: string | null;
  /** Whether the rows are still the same; if not, `figure` of the tile reads them anew. */
  readonly is_current!: boolean;
  readonly data!: AnswerDataView | null;
  /** Rows of the result, of which `data` has the first 100. */
  readonly rows!: number;
  /** Vega-Lite specification with its data. */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) readonly chart!: JsonObject | null;
  /** What of the board's view does not fit the tile's datasource: `time range`, or names of filters' columns. */
  readonly unfiltered!: string[];
  /** The time that the figure is of, from and to; null when no time range applies. */
  readonly shown!: BoardRangeView | null;
  /** Sentences: rows that a join counts several times, and rows without a partner. */
  readonly warnings!: string[];
  /** A sentence; null when there is a result. */
  readonly problem!: string | null;
}

/** What of a tile everybody sees. */
export class ShownTileView {
  readonly id!: string;
  readonly kind!: 'note' | 'figure';
  /** Columns of 12 and rows of the grid, counted from 0. */
  readonly x!: number;
  readonly y!: number;
  readonly w!: number;
  readonly h!: number;
  /** Of a figure. */
  readonly title!: string | null;
  /** Of a note, Markdown. */
  readonly text!: string | null;
  /** As it was read last; null when it never was, or looked at otherwise. */
  readonly figure!: FigureView | null;
}

export class TileView extends ShownTileView {
  /** Of a figure. */
  readonly datasource_id!: string | null;
  /** Those that it joins. */
  readonly datasource_ids!: string[];
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  readonly plan!: Record<string, unknown> | null;
  /** The query of an answer that no plan is behind. */
  readonly sql!: string | null;
}

export class BoardMakerView {
  readonly id!: string;
  readonly name!: string;
}

export class BoardSummaryView {
  readonly id!: string;
  readonly title!: string;
  readonly notes!: string;
  readonly tile_count!: number;
  readonly created_by!: BoardMakerView;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class BoardFullView extends BoardSummaryView {
  readonly range!: BoardRangeView | null;
  readonly filters!: BoardFilterView[];
  readonly refresh_minutes!: number | null;
  readonly mail_enabled!: boolean;
  /** Kept while it is off. */
  readonly mail_at!: WeeklyTimeView | null;
  readonly notify_emails!: string[];
  /** Null while it is off. */
  readonly next_mail_at!: string | null;
  /** Why the last mail was not sent, or the schedule has paused; null: all is well. */
  readonly mail_note!: string | null;
  /** The planned time of the last mail, and how it stands with each who gets it, for 30 days. */
  readonly last_mail_at!: string | null;
  readonly last_mails!: MailView[];
  readonly tiles!: TileView[];
}

export class BoardResponse extends answerOf({ board: BoardFullView }) {}
export class BoardsResponse extends answerOf({ boards: [BoardSummaryView], total: Number }) {}
export class TileResponse extends answerOf({ tile: TileView }) {}
export class FigureResponse extends answerOf({ figure: FigureView }) {}

export function boardDraftFrom({ title, notes = '' }: CreateBoardBody): BoardDraft {
  return { title: titleFrom(title), notes };
}

/** @throws AppError `invalid_input` when a range is of two kinds, or of none. */
export function boardEditFrom(body: ChangeBoardBody): BoardEdit {
  const { title, notes, range, filters, refresh_minutes: refreshMinutes, layout, mail_at: at } = body;
  return {
    ...said({
      title: title && titleFrom(title),
      notes,
      filters: filters?.map(filterFrom),
      layout: layout?.map(placeFrom),
    }),
    // Null is none.
    ...(range === undefined ? {} : { range: rangeFrom(range) }),
    ...(refreshMinutes === undefined ? {} : { refreshMinutes }),
    mail: {
      ...said({ mailEnabled: body.mail_enabled, notifyEmails: body.notify_emails }),
      ...(at === undefined ? {} : { mailAt: at && weeklyTimeFrom(at) }),
    },
  };
}

/** A view of the reader's own; null when nothing is said, and the board's is meant. */
export function boardViewFrom({ range, filters }: BoardViewBody): BoardView | null {
  if (range === undefined && filters == null) return null;
  return { range: rangeFrom(range ?? null), filters: (filters ?? []).map(filterFrom) };
}

export function pinDraftFrom(body: PinBody): PinDraft {
  const { text, conversation_id: conversationId, message_id: messageId, plan, chart } = body;
  const { datasource_id: datasource, datasource_ids: others } = body;
  const title = body.title == null ? null : titleFrom(body.title);
  const given = [text != null, conversationId != null || messageId != null, datasource != null || plan != null];
  if (given.filter(Boolean).length !== 1)
    throw new AppError(
      'invalid_input',
      'give one of text, conversation_id with message_id, or datasource_id with plan',
    );
  if (text != null) return { kind: 'note', text };
  if (conversationId != null && messageId != null) return { kind: 'answer', conversationId, messageId, title };
  if (datasource != null && plan != null) {
    const drawn = chart == null ? null : chartFrom(chart);
    return { kind: 'plan', datasourceIds: idsFrom(datasource, others), plan: planFrom(plan), chart: drawn, title };
  }
  const [one, other] = given[1] === true ? ['conversation_id', 'message_id'] : ['datasource_id', 'plan'];
  throw new AppError('invalid_input', `${one} and ${other} must be given together`);
}

export function tileEditFrom({ title, text }: ChangeTileBody): TileEdit {
  return said({ title: title && titleFrom(title), text });
}

function titleFrom(text: string): string {
  const title = text.trim().replace(/\s+/g, ' ');
  if (title !== '') return title;
  throw invalidField('title', 'title must not be empty');
}

function rangeFrom(range: BoardRangeBody | null): BoardRange | null {
  if (range === null) return null;
  const { from = null, to = null, last = null, unit = null } = range;
  const isStretch = from !== null || to !== null;
  if (isStretch === (last !== null || unit !== null))
    throw invalidField('range', 'a range has either from and to, or last and unit');
  if (isStretch) return stretchFrom(from, to);
  if (last === null || unit === null) throw invalidField('range', 'last and unit must be given together');
  return { last, unit };
}

/** A time without an offset is UTC, as rows are. */
function stretchFrom(first: string | null, end: string | null): BoardRange {
  const [from, to] = [first, end].map((text) => (text === null ? null : instantFrom(text).toISOString()));
  if (from != null && to != null && from >= to) throw invalidField('range', 'the range must begin before it ends');
  return { from: from ?? null, to: to ?? null };
}

function filterFrom({ column, values }: BoardFilterBody): BoardFilter {
  const known = values.every((value) => {
    if (typeof value === 'string') return value.length <= LONGEST_VALUE;
    return typeof value === 'boolean' || Number.isFinite(value);
  });
  if (known) return { column, values };
  throw invalidField(
    'filters',
    `values must be texts of up to ${LONGEST_VALUE} characters, numbers, or true and false`,
  );
}

function placeFrom({ id, x, y, w, h }: TilePlaceBody): NonNullable<BoardEdit['layout']>[number] {
  if (x + w <= COLUMNS) return { id, x, y, w, h };
  throw invalidField('layout', `a tile must end within ${COLUMNS} columns: x and w are together too large`);
}

export function boardSummary(board: Board): Pick<BoardSummaryView, keyof BoardSummaryView> {
  return {
    ...onWire(board, 'id', 'title', 'notes', 'createdAt', 'updatedAt'),
    tile_count: board.tiles.length,
    created_by: { id: board.createdBy, name: board.createdByName },
  };
}

export function boardView({ board, figures, mails }: OpenedBoard): BoardFullView {
  return {
    ...boardSummary(board),
    ...viewOf(board),
    ...onWire(board, 'mailEnabled', 'nextMailAt', 'mailNote', 'lastMailAt'),
    last_mails: [...mails],
    mail_at: board.mailAt && weeklyTimeView(board.mailAt),
    notify_emails: board.notifyEmails.map(({ address }) => address),
    tiles: board.tiles.map((tile) => tileView(tile, figures.get(tile.id) ?? null)),
  };
}

/** Through what its figures are looked at, and how often. */
export function viewOf(board: Board): Pick<BoardFullView, 'range' | 'filters' | 'refresh_minutes'> {
  return {
    range: board.range && { ...board.range },
    filters: board.filters.map((filter) => onWire(filter, 'column', 'values')),
    refresh_minutes: board.refreshMinutes,
  };
}

export function tileView(tile: Tile, figure: ShownFigure | null): TileView {
  const shown = shownTile(tile, figure);
  if (tile.kind === 'note') return { ...shown, datasource_id: null, datasource_ids: [], plan: null, sql: null };
  return {
    ...shown,
    ...onWire(tile, 'datasourceId', 'sql'),
    datasource_ids: (tile.others ?? []).map(({ id }) => id),
    plan: tile.plan && { ...tile.plan },
  };
}

/** Without how it came about. */
export function shownTile(tile: Tile, figure: ShownFigure | null): Pick<ShownTileView, keyof ShownTileView> {
  return {
    ...onWire(tile, 'id', 'kind', 'x', 'y', 'w', 'h'),
    title: tile.kind === 'note' ? null : tile.title,
    text: tile.kind === 'note' ? tile.text : null,
    figure: figure && figureView(figure),
  };
}

const NO_FIGURE = {
  at: null,
  is_current: true,
  data: null,
  rows: 0,
  chart: null,
  unfiltered: [],
  shown: null,
  warnings: [],
};

export function figureView(figure: ShownFigure): FigureView {
  if (figure.kind === 'problem') return { ...NO_FIGURE, problem: figure.problem };
  const { result, isCurrent } = figure;
  return {
    ...onWire(result, 'at', 'rows', 'chart', 'unfiltered'),
    is_current: isCurrent,
    data: answerDataView(result.data),
    shown: result.stretch === undefined ? null : { ...result.stretch },
    warnings: [...(result.warnings ?? [])],
    problem: null,
  };
}
