import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { Envelope } from '../../../http/envelope.wire.js';
import { IsIdentifier } from '../../../http/is-identifier.js';
import type { ResultPage } from '../../../ports/row-downloads.js';
import { asId } from '../../../shared/ids.js';
import type { JsonPrimitive } from '../../../shared/json.js';
import type { PageRequest } from './query.service.js';

const LONGEST_QUERY = 20_000;
const MOST_ROWS = 1000;
const DEFAULT_ROWS = 100;
const CELL_TYPES = ['string', 'number', 'boolean', 'null'];

export class ResultCsvBody {
  @IsIdentifier()
  readonly datasource_id!: string;

  /** One SELECT in the SQL of DuckDB over the table `data`, such as an answer's `dbquery`. */
  @IsString()
  @Length(1, LONGEST_QUERY)
  readonly query!: string;
}

export class QueryBody extends ResultCsvBody {
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

export function pageRequestFrom({
  datasource_id: id,
  query,
  offset = 0,
  limit = DEFAULT_ROWS,
}: QueryBody): PageRequest {
  return { datasourceId: asId(id.toLowerCase()), statement: query, skip: offset, maxRows: limit };
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
