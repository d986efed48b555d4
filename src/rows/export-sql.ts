import { formulaSafe } from '../shared/csv-text.js';
import { parseLayout } from '../shared/time-format/time-format.js';
import type { ExportOrder } from './export-protocol.js';
import { inSpan, type Span } from './export-steps.js';
import { isoText, timeText } from './export-time.js';
import type { TableColumn } from '../plan/plan-columns.js';
import { quotedText } from './sandbox-names.js';
import { metaText, physicalList, sqlTime } from './table-shape.js';

/** The columns that rows lie together and are ordered by. */
export interface ExportKeys {
  readonly time: TableColumn;
  readonly meta: TableColumn;
}

/** Where the rows of an asset are. */
export interface MergedRelations {
  readonly base: string;
  /** Null: the base has none. */
  readonly span: Span | null;
  readonly later: string;
}

const FORMULA = String.raw`^[=+@\t\r-]`;
const PLAIN_NUMBER = String.raw`[+-]?[.,]?[0-9][0-9.,]*(?:[eE][+-]?[0-9]+)?`;
/** Up to here a number without a fraction is written as a whole number. */
const PLAINLY_WHOLE = 2 ** 53;

/** Writes the statements of an export: selects whose cells are texts, or null, as they are to stand in the file. */
export class ExportSql {
  private readonly cells: string;

  constructor(
    private readonly order: ExportOrder,
    private readonly keys: ExportKeys,
  ) {
    const alone = order.columns.length === 1;
    // A record of one empty field would be an empty line, which readers pass over; an empty text is written with quotes.
    this.cells = order.columns
      .map((column) => (alone ? `coalesce(${this.cellOf(column)}, '')` : this.cellOf(column)))
      .join(', ');
  }

  header(): string {
    return `SELECT ${this.order.columns.map(({ name }) => literal(formulaSafe(name))).join(', ')}`;
  }

  /** Rows of the base in the order they are stored in: asset by asset, each in the order of time; `before` cuts that of one asset. */
  stored(base: string, span: Span, before: string | null): string {
    const conditions = [
      ...this.inRange(),
      inSpan(span),
      this.isAsset(),
      before === null ? null : `${this.time} < ${before}`,
    ];
    return `SELECT ${this.cells} FROM ${base}${where(conditions)}`;
  }

  /** All later inserts, by time. */
  later(later: string): string {
    return `SELECT ${this.cells} FROM ${later}${where(this.inRange())} ORDER BY ${this.time}`;
  }

  /** When the later inserts of the asset begin. */
  firstLater(later: string): string {
    return `SELECT CAST(min(${this.time}) AS VARCHAR) FROM ${later}${where([...this.inRange(), this.isAsset()])}`;
  }

  /** The asset's rows of base and later inserts from a time on, in the order of time. */
  merged({ base, span, later }: MergedRelations, since: string): string {
    const conditions = [...this.inRange(), this.isAsset(), `${this.time} >= ${since}`];
    const columns = physicalList(distinct([this.keys.time, ...this.order.columns]));
    const ofBase = span === null ? 'false' : inSpan(span);
    const stored = `SELECT ${columns}, 0 AS part FROM ${base}${where([...conditions, ofBase])}`;
    const added = `SELECT ${columns}, 1 AS part FROM ${later}${where(conditions)}`;
    return `SELECT ${this.cells} FROM (${stored} UNION ALL ${added}) ORDER BY ${this.time}, part`;
  }

  private isAsset(): string | null {
    return this.order.asset === null ? null : `${metaText(this.keys.meta)} = ${literal(this.order.asset)}`;
  }

  private get time(): string {
    return this.keys.time.physical;
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
        return physical === this.time ? this.ownTime(physical) : isoText(physical);
    }
  }

  private ownTime(physical: string): string {
    const { timeFormat } = this.order;
    return timeFormat === null ? isoText(physical) : safeText(timeText(physical, parseLayout(timeFormat)));
  }
}

/** A timestamp literal from ISO 8601 in UTC. */
export function timestamp(iso: string): string {
  return `TIMESTAMP ${quotedText(sqlTime(iso))}`;
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

function distinct(columns: readonly TableColumn[]): readonly TableColumn[] {
  return [...new Map(columns.map((column) => [column.physical, column])).values()];
}

function where(conditions: readonly (string | null)[]): string {
  const holds = conditions.filter((condition) => condition !== null);
  return holds.length === 0 ? '' : ` WHERE ${holds.join(' AND ')}`;
}
