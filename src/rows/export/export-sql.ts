import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../../plan/plan-columns.js';
import { formulaSafe } from '../../shared/csv-text.js';
import { parseLayout } from '../../shared/time-format/time-format.js';
import { countOf, valuesOf } from '../cells.js';
import { balancedSum, quotedName, quotedText, whereClause } from '../sql-text.js';
import { LATER_ROWS } from '../row-files.js';
import { metaText, STORED_TYPES, timestamp } from '../table-shape.js';
import type { ExportOrder } from './export-runs.js';
import { isoText, timeText } from './export-time.js';

/** What is read: the base that is attached, and a file in the folder of the export. */
export const BASE = 'rows.main.data';
const LATER = `read_parquet('${LATER_ROWS}')`;

const FORMULA = String.raw`^[=+@\t\r-]`;
const PLAIN_NUMBER = String.raw`[+-]?[.,]?[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?`;
/** Up to here a number without a fraction is written as a whole number. */
const PLAINLY_WHOLE = 2 ** 53;

/** Writes the statements of an export: for CSV selects whose cells are texts, or null, as they are to stand in the file; else typed ones. */
export class ExportSql {
  private readonly cells: string;

  constructor(private readonly order: ExportOrder) {
    if (order.format !== 'csv') {
      this.cells = order.columns.map(typedCell).join(', ');
      return;
    }
    const alone = order.columns.length === 1;
    // A record of one empty field would be an empty line, which readers pass over; an empty text is written with quotes.
    this.cells = order.columns
      .map((column) => (alone ? `coalesce(${this.cellOf(column)}, '')` : this.cellOf(column)))
      .join(', ');
  }

  header(): string {
    return `SELECT ${this.order.columns.map(({ name }) => literal(formulaSafe(name))).join(', ')}`;
  }

  /** No row, with the columns of all. */
  nothing(): string {
    return `SELECT ${this.cells} FROM ${BASE} WHERE false`;
  }

  /** Rows of the base in the order they are stored in: asset by asset, each in the order of time; `before` cuts that of one asset. */
  stored(span: Span, before: string | null): string {
    const conditions = [
      ...this.inRange(),
      inSpan(span),
      this.isAsset(),
      before === null ? null : `${this.time} < ${before}`,
    ];
    return `SELECT ${this.cells} FROM ${BASE}${whereClause(conditions)}`;
  }

  /** All later inserts, by time. */
  later(): string {
    return `SELECT ${this.cells} FROM ${LATER}${whereClause(this.inRange())} ORDER BY ${this.time}`;
  }

  /** When the later inserts of the asset begin. */
  firstLater(): string {
    return `SELECT CAST(min(${this.time}) AS VARCHAR) FROM ${LATER}${whereClause([...this.inRange(), this.isAsset()])}`;
  }

  /** The asset's rows of base, where it has some, and later inserts from a time on, in the order of time. */
  merged(span: Span | null, since: string): string {
    const conditions = [...this.inRange(), this.isAsset(), `${this.time} >= ${since}`];
    const columns = [...new Set([this.order.time, ...this.order.columns].map(({ physical }) => physical))].join(', ');
    const ofBase = span === null ? 'false' : inSpan(span);
    const stored = `SELECT ${columns}, 0 AS part FROM ${BASE}${whereClause([...conditions, ofBase])}`;
    const added = `SELECT ${columns}, 1 AS part FROM ${LATER}${whereClause(conditions)}`;
    return `SELECT ${this.cells} FROM (${stored} UNION ALL ${added}) ORDER BY ${this.time}, part`;
  }

  private isAsset(): string | null {
    return this.order.asset === null ? null : `${metaText(this.order.meta)} = ${literal(this.order.asset)}`;
  }

  private get time(): string {
    return this.order.time.physical;
  }

  private inRange(): readonly (string | null)[] {
    const { from, to } = this.order;
    return [
      from === null ? null : `${this.time} >= ${timestamp(from)}`,
      to === null ? null : `${this.time} < ${timestamp(to)}`,
    ];
  }

  private cellOf(column: TableColumn): string {
    const { physical } = column;
    switch (column.type) {
      case 'text':
        return safeText(physical);
      case 'number':
        return numberText(physical);
      case 'integer':
      case 'boolean':
        return `CAST(${physical} AS VARCHAR)`;
      case 'time':
        return this.timeOf(physical);
    }
  }

  private timeOf(physical: string): string {
    const [, format] = this.order.timeFormats.find(([column]) => column === physical) ?? [];
    return format === undefined ? isoText(physical) : safeText(timeText(physical, parseLayout(format)));
  }
}

/** As its type says, also where the file is narrower than what was inserted later. */
function typedCell({ physical, type, name }: TableColumn): string {
  return `CAST(${physical} AS ${STORED_TYPES[type]}) AS ${quotedName(name.replaceAll('\0', ''))}`;
}

/** A statement ends at a zero, which a text may hold. */
function literal(text: string): string {
  return `(${text.split('\0').map(quotedText).join(' || chr(0) || ')})`;
}

/** What comes before letters is rare, so that the dear questions are asked of few cells. */
function safeText(text: string): string {
  const isFormula = `regexp_matches(${text}, '${FORMULA}') AND NOT regexp_full_match(${text}, '${PLAIN_NUMBER}')`;
  return `CASE WHEN ${text} < 'A' THEN CASE WHEN ${isFormula} THEN '''' || ${text} ELSE ${text} END ELSE ${text} END`;
}

/** The shortest text that reads back as the same number. */
function numberText(physical: string): string {
  const isWhole = `${physical} = trunc(${physical}) AND abs(${physical}) < ${PLAINLY_WHOLE}`;
  return `CASE WHEN ${isWhole} THEN CAST(CAST(${physical} AS BIGINT) AS VARCHAR) ELSE CAST(CAST(${physical} AS DOUBLE) AS VARCHAR) END`;
}

/** Rows that lie together in a base, by their places in it; both are included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The database works on so many rows at once, and has their texts several times in memory while it does. */
const ROWS_AT_ONCE = 2048;
const BYTES_AT_ONCE = 8 * 1024 ** 2;
const FEWEST_ROWS = 4;
/** Many short cells are no reason to go in steps, which cost more memory then than they save. */
const SHORT_CELL = 16;
/** Places of the span that are looked at, and rows at each. */
const PLACES = 8;
const ROWS_AT_A_PLACE = 8;

/** About how long its rows are: what they take on the disk and, because that may be compressed well, some of them are looked at. */
export async function rowLength(connection: DuckDBConnection, order: ExportOrder, span: Span): Promise<number> {
  return Math.max(await storedLength(connection, order), await lengthOfSome(connection, order, span));
}

/** Parts of a span that can be worked on one after the other in bounded memory. The whole, unless its rows are long. */
export function stepsOf(span: Span, length: number): readonly Span[] {
  const rows = Math.floor(BYTES_AT_ONCE / Math.max(length, 1));
  return rows >= ROWS_AT_ONCE ? [span] : cut(span, Math.max(rows, FEWEST_ROWS));
}

function cut({ first, last }: Span, rows: number): readonly Span[] {
  const count = Math.max(Math.ceil((last - first + 1) / rows), 0);
  return Array.from({ length: count }, (_, index) => {
    const begin = first + index * rows;
    return { first: begin, last: Math.min(begin + rows - 1, last) };
  });
}

function inSpan({ first, last }: Span): string {
  return `rowid BETWEEN ${first} AND ${last}`;
}

async function storedLength(connection: DuckDBConnection, order: ExportOrder): Promise<number> {
  const rows = await countOf(connection, BASE);
  return (await stat(order.base)).size / Math.max(rows, ROWS_AT_ONCE) - order.width * SHORT_CELL;
}

async function lengthOfSome(connection: DuckDBConnection, order: ExportOrder, { first, last }: Span): Promise<number> {
  const texts = order.columns
    .filter(({ type }) => type === 'text')
    .map(({ physical }) => `coalesce(strlen(${physical}), 0)`);
  if (texts.length === 0) return 0;
  let longest = 0;
  for (let place = 0; place < PLACES; place++) {
    const begin = first + Math.floor(((last - first) * place) / PLACES);
    const some = inSpan({ first: begin, last: Math.min(begin + ROWS_AT_A_PLACE - 1, last) });
    const [[length] = []] = await valuesOf(connection, `SELECT avg(${balancedSum(texts)}) FROM ${BASE} WHERE ${some}`);
    longest = Math.max(longest, Number(length ?? 0));
  }
  return longest;
}
