import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional } from 'class-validator';
import { TimeRangeView } from '../../../http/answer.wire.js';
import { Envelope } from '../../../http/envelope.wire.js';
import { WholeNumber } from '../../../http/fields.js';
import { onWire } from '../../../http/on-wire.js';
import { tableText } from '../../../ports/table-text.js';
import { COLUMN_ROLES, type ColumnProfile, type ColumnRole, type TableProfile } from '../../../ports/table.js';
import { roleOf } from '../../../plan/column-roles.js';
import type { HistogramBin } from './histograms.js';
import type { Summary } from './summary.service.js';

const MOST_TOP_VALUES = 20;

export class SummaryParameters {
  /** How many bins the histograms of numbers have at most; none are counted unless it is given. */
  @IsOptional()
  @Type(() => Number)
  @WholeNumber(1, 100)
  readonly bins?: number;
}

export class TopValueView {
  readonly value!: string;
  readonly count!: number;
}

/** How many values lie from `from` up to, but without, `to`; the last bin has its end in it. */
export class HistogramBinView {
  readonly from!: number;
  /** The same as `from` where a bin is one value. */
  readonly to!: number;
  readonly count!: number;
}

export class ColumnSummaryView {
  readonly name!: string;
  /** number, integer, boolean, time or text. */
  readonly type!: string;
  /** What is done with the numbers of several rows where nobody says it: `sum`, `average`, or `none` of what is no figure; else empty. */
  @ApiProperty({ enum: COLUMN_ROLES })
  readonly role!: ColumnRole;
  readonly null_count!: number;
  /** Exact up to 150,000, an estimate above. */
  readonly distinct_count!: number;
  // The plugin has no word for a value of any simple type.
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], nullable: true })
  readonly min!: string | number | boolean | null;
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }], nullable: true })
  readonly max!: string | number | boolean | null;
  /** Of numbers. */
  readonly mean!: number | null;
  /** Of texts and booleans: the 20 most frequent, most frequent first. */
  readonly top_values!: TopValueView[];
  /**
   * Of numbers, when `bins` was given: bins of equal width from the lowest to the highest value. Of up to 100 columns; not there when
   * counting took too long.
   */
  readonly histogram?: HistogramBinView[];
}

export class SummaryView {
  readonly row_count!: number;
  /** First and last timestamp; null when there are no rows. */
  readonly time_range!: TimeRangeView | null;
  readonly columns!: ColumnSummaryView[];
  /** The form that the assistant is given. */
  readonly text!: string;
}

export class SummaryResponse extends Envelope {
  readonly summary!: SummaryView;
}

export function summaryView({ briefing, histograms }: Summary): SummaryView {
  const { profile } = briefing;
  const { rowCount, timeRange, columns } = profile;
  return {
    row_count: rowCount,
    time_range: timeRange === null ? null : { from: timeRange.from, to: timeRange.to },
    columns: columns.map((column) => columnView(column, profile, histograms.get(column.name))),
    text: tableText(briefing),
  };
}

function columnView(column: ColumnProfile, table: TableProfile, bins?: readonly HistogramBin[]): ColumnSummaryView {
  return {
    ...onWire(column, 'name', 'type', 'min', 'max', 'mean'),
    role: roleOf(column, table),
    null_count: column.nulls,
    distinct_count: column.distinct,
    top_values: column.topValues.slice(0, MOST_TOP_VALUES).map(({ value, count }) => ({ value, count })),
    ...(bins === undefined ? {} : { histogram: bins.map(({ from, to, count }) => ({ from, to, count })) }),
  };
}
