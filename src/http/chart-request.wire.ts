import { IsIn } from 'class-validator';
import { OptionalText, Text } from './fields.js';
import { CHART_KINDS, type ChartKind, type ChartRequest } from '../ports/chart-renderer.js';

/** What is drawn of a result. */
export class ChartRequestBody {
  @IsIn(CHART_KINDS)
  readonly kind!: ChartKind;

  /** A column of the result, as are `y` and `series`. */
  @Text(1, 1000)
  readonly x!: string;

  @OptionalText(0, 1000)
  readonly y?: string | null;

  @OptionalText(0, 1000)
  readonly series?: string | null;

  @OptionalText(0, 120)
  readonly title?: string | null;
}

export function chartFrom({ kind, x, y, series, title }: ChartRequestBody): ChartRequest {
  return { kind, x, y: y ?? null, series: series ?? null, title: title ?? '', xTitle: null, yTitle: null };
}
