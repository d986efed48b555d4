import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsObject, IsOptional, IsString, Length, Max, MaxLength, Min } from 'class-validator';
import { planFrom } from '../../../answering/given-plan.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import { FILE_FORMATS, type FileFormat, type ResultPage } from '../../../ports/row-downloads.js';
import type { RowsPlan } from '../../../ports/analysis-plan.js';
import { AppError } from '../../../shared/app-error.js';
import { asId, type DatasourceId } from '../../../shared/ids.js';
import type { JsonPrimitive } from '../../../shared/json.js';
import type { FileRequest, PageRequest, ResultRequest } from './query.service.js';

const LONGEST_QUERY = 20_000;
const MOST_ROWS = 1000;
const DEFAULT_ROWS = 100;
const CELL_TYPES = ['string', 'number', 'boolean', 'null'];

const EVERY_ROW = { kind: 'rows', columns: [], filters: [], order: [], limit: null };

class ResultBody {
  @IsIdentifier()
  readonly datasource_id!: string;

  /** One SELECT in the SQL of DuckDB over the table `data`, such as an answer's `dbquery`. Either this or `plan`. */
  @IsOptional()
  @IsString()
  @Length(1, LONGEST_QUERY)
  readonly query?: string;

  /** Which rows, as a plan of the kind `rows`: columns, filters and order as `understood` of an answer has them. */
  @IsOptional()
  @IsObject()
  // The language of plans is richer than a schema can show.
  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  readonly plan?: Record<string, unknown>;

  /** With `plan`: only rows that have this text in a column of texts, or this number in one of numbers. */
  @IsOptional()
  @IsString()
  @MaxLength(1000)
  readonly search?: string;
}

export class ResultCsvBody extends ResultBody {
  /** How the result is written; csv without it. */
  @IsOptional()
  @IsIn(FILE_FORMATS)
  readonly format?: FileFormat;
}

export class QueryBody extends ResultBody {
  /** Rows of the result before the page; 0 without it. */
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(1_000_000_000)
  readonly offset?: number;

  /** Most rows of the page; 100 without it. Rows that are too large together come in smaller pages. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  readonly limit?: number;
}

export class ResultColumnView {
  readonly name!: string;
  /** number, integer, boolean, time or text. */
  readonly type!: string;
}

export class QueryResponse extends Envelope {
  readonly columns!: ResultColumnView[];
  /** Times are ISO 8601. */
  // Written by hand, since the generator takes a cell for an object.
  @ApiProperty({ type: 'array', items: { type: 'array', items: { oneOf: CELL_TYPES.map((type) => ({ type })) } } })
  readonly rows!: JsonPrimitive[][];
  readonly offset!: number;
  /** Rows of the whole result. */
  readonly total!: number;
  /** Rows that the datasource has now. */
  readonly rows_scanned!: number;
}

export function pageRequestFrom({ offset = 0, limit = DEFAULT_ROWS, ...body }: QueryBody): PageRequest {
  return { ...resultRequestFrom(body), skip: offset, maxRows: limit };
}

export function fileRequestFrom({ format = 'csv', ...body }: ResultCsvBody): FileRequest {
  return { ...resultRequestFrom(body), format };
}

function resultRequestFrom({ datasource_id: id, query, plan, search = '' }: ResultBody): ResultRequest {
  const datasourceId = asId<DatasourceId>(id.toLowerCase());
  if ((query === undefined) === (plan === undefined)) {
    throw new AppError('invalid_input', 'either query or plan must be given');
  }
  return { datasourceId, asked: query ?? { plan: listFrom(plan), search } };
}

function listFrom(given: Record<string, unknown> = {}): RowsPlan {
  const { kind = 'rows' } = given;
  const plan = kind === 'rows' ? planFrom({ ...EVERY_ROW, ...given }) : null;
  if (plan?.kind !== 'rows') throw new AppError('invalid_input', 'plan.kind must be rows');
  if (plan.limit === null && plan.skip === undefined && plan.each === undefined) return plan;
  throw new AppError('invalid_input', 'plan can have no limit here: offset and limit say which rows');
}

export function pageView(
  { columns, rows, total, rowsScanned }: ResultPage,
  offset: number,
): Omit<QueryResponse, keyof Envelope> {
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => [...row]),
    offset,
    total,
    rows_scanned: rowsScanned,
  };
}
