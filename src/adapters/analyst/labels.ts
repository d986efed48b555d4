import type { Computed, Dimension, Measure, SeriesKind, Summary, TimePart } from '../../ports/analysis-plan.js';
import { filterWords } from './condition-words.js';
import { nameOfFigure } from './figure-names.js';

type Unlabelled<T> = T extends unknown ? Omit<T, 'label'> : never;

/** Names of columns may be longer than a label can be. */
export const MAX_LABEL = 80;

const PARTS: Readonly<Record<TimePart, string>> = {
  hour: 'hour of the day',
  weekday: 'weekday',
  month: 'month of the year',
};

const SERIES: Readonly<Record<SeriesKind, (of: string, window: number) => string>> = {
  share: (of) => `share of ${of}`,
  cumulative: (of) => `running total of ${of}`,
  cumulative_share: (of) => `running share of ${of}`,
  change: (of) => `change of ${of}`,
  growth: (of) => `growth of ${of}`,
  moving_average: (of, window) => `moving average of ${of} over ${window}`,
  rank: (of) => `rank by ${of}`,
};

type PairKind = Exclude<Computed['kind'], SeriesKind>;
const COMPUTED: Readonly<Record<PairKind, (left: string, right: string) => string>> = {
  ratio: (left, right) => `ratio of ${left} to ${right}`,
  percent: (left, right) => `${left} as percent of ${right}`,
  difference: (left, right) => `${left} minus ${right}`,
  sum: (left, right) => `${left} plus ${right}`,
  product: (left, right) => `${left} times ${right}`,
  percent_change: (left, right) => `percent change of ${left} against ${right}`,
};

const SUMMARIES: Readonly<Record<Exclude<Summary['aggregate'], 'count'>, string>> = {
  sum: 'sum of',
  avg: 'average of',
  min: 'lowest',
  max: 'highest',
  median: 'median of',
  stddev: 'standard deviation of',
};

/** What a figure is called: `median fare`, `90th percentile of wind`, `number of rows where sex is female`. Not cut, and not yet unique. */
export function labelOfMeasure(measure: Unlabelled<Measure>): string {
  const { filters = [] } = measure;
  const named = nameOfFigure(measure);
  return filters.length === 0 ? named : `${named} where ${filters.map(filterWords).join(' and ')}`;
}

export function labelOfDimension(dimension: Unlabelled<Dimension>): string {
  if (dimension.kind === 'column') return dimension.column;
  return dimension.kind === 'bucket' ? dimension.bucket : PARTS[dimension.part];
}

/** `labels` are those of the plan's measures, by index. */
export function labelOfComputed(computed: Unlabelled<Computed>, labels: readonly string[]): string {
  const nameOf = (index: number): string => labels[index] ?? 'figure';
  if ('of' in computed) return SERIES[computed.kind](nameOf(computed.of), computed.window ?? 3);
  return COMPUTED[computed.kind](nameOf(computed.left), nameOf(computed.right));
}

/** `labels` are those of the measures and then of the computed figures. */
export function labelOfSummary({ aggregate, measure }: Unlabelled<Summary>, labels: readonly string[]): string {
  if (aggregate === 'count' || measure === null) return 'number of groups';
  return `${SUMMARIES[aggregate]} ${labels[measure] ?? 'figure'}`;
}
