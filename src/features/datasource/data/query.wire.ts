import { planFrom } from '../../../answering/given-plan.js';
import { AnswerJoinView, Cells } from '../../../http/answer.wire.js';
import { Envelope, onWire } from '../../../http/envelope.wire.js';
import {
  IsIdentifier,
  OptionalIdentifiers,
  OptionalOneOf,
  OptionalPlan,
  OptionalText,
  OptionalWholeNumber,
} from '../../../http/fields.js';
import { FILE_FORMATS, type FileFormat, type ResultPage } from '../../../ports/row-downloads.js';
import { AppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { JsonPrimitive } from '../../../shared/json.js';
import { idsFrom, MOST_TOGETHER } from '../joinable-tables.facade.js';
import type { FileRequest, Listing, PageRequest, ResultRequest } from './query.service.js';

const LONGEST_QUERY = 20_000;
const MOST_ROWS = 5000;
const DEFAULT_ROWS = 100;

const EVERY_ROW = { kind: 'rows', columns: [], filters: [], order: [], limit: null };

class ResultBody {
  @IsIdentifier() readonly datasource_id!: DatasourceId;

  /**
   * Further datasources that a join may read, along relations that are confirmed: at most four. Statements call them by their names in small letters
   * with `_` between words, and the first `data`.
   */
  @OptionalIdentifiers(MOST_TOGETHER - 1) readonly datasource_ids?: DatasourceId[];
  /** One SELECT in the SQL of DuckDB over the table `data`, such as an answer's `dbquery`. Either this or `plan`. */
  @OptionalText(1, LONGEST_QUERY) readonly query?: string;

  /**
   * Which rows, as a plan of the kind `rows`: columns, filters and order as `understood` of an answer has them; or figures of groups of rows,
   * as a plan of the kind `aggregate`.
   */
  @OptionalPlan() readonly plan?: Record<string, unknown>;
  /** With `plan`: only rows that have this text in a column of texts, or this number in one of numbers. */
  @OptionalText(0, 1000) readonly search?: string;
}

export class ResultCsvBody extends ResultBody {
  /** How the result is written; csv without it. */
  @OptionalOneOf(FILE_FORMATS) readonly format?: FileFormat;
}

export class QueryBody extends ResultBody {
  /** Rows of the result before the page; 0 without it. */
  @OptionalWholeNumber(0, 1_000_000_000) readonly offset?: number;
  /** Most rows of the page; 100 without it. Rows that are too large together come in smaller pages. */
  @OptionalWholeNumber(1, MOST_ROWS) readonly limit?: number;
}

export class ResultColumnView {
  readonly name!: string;
  /** number, integer, boolean, time or text. */
  readonly type!: string;
}

export class QueryResponse extends Envelope {
  readonly columns!: ResultColumnView[];
  /** Times are ISO 8601. */
  @Cells() readonly rows!: JsonPrimitive[][];
  readonly offset!: number;
  /** Rows of the whole result. */
  readonly total!: number;
  /** Rows that the datasource has now. */
  readonly rows_scanned!: number;
  /** Of each relation that it joins along: what becomes of the rows. Tables have the names that the statement calls them by. */
  readonly joins!: AnswerJoinView[];
}

export function pageRequestFrom({ offset = 0, limit = DEFAULT_ROWS, ...body }: QueryBody): PageRequest {
  return { ...resultRequestFrom(body), skip: offset, maxRows: limit };
}

export function fileRequestFrom({ format = 'csv', ...body }: ResultCsvBody): FileRequest {
  return { ...resultRequestFrom(body), format };
}

function resultRequestFrom({
  datasource_id: id,
  datasource_ids: others,
  query,
  plan,
  search = '',
}: ResultBody): ResultRequest {
  // Null is not sent.
  if ([query, plan].filter(Boolean).length !== 1) {
    throw new AppError('invalid_input', 'either query or plan must be given');
  }
  return { datasourceIds: idsFrom(id, others), asked: query ?? { plan: listFrom(plan), search } };
}

function listFrom(given: Record<string, unknown> = {}): Listing['plan'] {
  const { kind = 'rows' } = given;
  const plan = kind === 'rows' ? planFrom({ ...EVERY_ROW, ...given }) : kind === 'aggregate' ? planFrom(given) : null;
  if (plan === null || plan.kind === 'statistic')
    throw new AppError('invalid_input', 'plan.kind must be rows or aggregate');
  if (plan.kind === 'aggregate') return plan;
  if (plan.limit === null && plan.skip === undefined && plan.each === undefined) return plan;
  throw new AppError('invalid_input', 'plan can have no limit here: offset and limit say which rows');
}

export function pageView(
  { columns, rows, total, rowsScanned, joins = [] }: ResultPage,
  offset: number,
): Omit<QueryResponse, keyof Envelope> {
  return {
    columns: columns.map((column) => onWire(column, 'name', 'type')),
    rows: rows.map((row) => [...row]),
    offset,
    total,
    rows_scanned: rowsScanned,
    joins: joins.map((join) => onWire(join, 'left', 'right', 'of', 'rows', 'alone')),
  };
}
