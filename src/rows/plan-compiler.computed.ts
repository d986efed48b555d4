import type { Computed, SeriesKind } from '../ports/analysis-plan.js';
import { AppError } from '../shared/app-error.js';
import { assertNumber } from '../plan/plan-figures.js';
import type { Figure, Grouping } from './plan-compiler.figures.js';
import { orderTerm, sortKey } from './plan-compiler.order.js';
import { axesOf, isSeries, type Pair, pairType, type Series, seriesType, seriesWindow } from '../plan/plan-series.js';
import { assertKnown } from '../plan/plan-words.js';
import { clause } from './plan-compiler.steps.js';
import type { PlanWriter } from './plan-compiler.writers.js';

/** What computed figures follow from. */
export interface ComputedPlace {
  readonly measures: readonly Figure[];
  readonly dimensions: readonly Grouping[];
  readonly writer: PlanWriter;
}

/** A computed figure over the groups, which have their figures under the labels. */
export function computedOf(computed: Computed, place: ComputedPlace): Figure {
  return isSeries(computed) ? seriesOf(computed, place) : pairOf(computed, place);
}

function measureAt(index: number, { measures }: ComputedPlace): Figure {
  const figure = measures[index];
  if (!figure) throw new AppError('invalid_input', `the plan computes with measure ${index}, which it lacks`);
  assertNumber(figure);
  return figure;
}

const PAIRS: Readonly<Record<Pair['kind'], (left: string, right: string) => string>> = {
  ratio: (left, right) => `${left} / nullif(${right}, 0)`,
  percent: (left, right) => `100 * ${left} / nullif(${right}, 0)`,
  difference: (left, right) => `${left} - ${right}`,
  sum: (left, right) => `${left} + ${right}`,
  product: (left, right) => `${left} * ${right}`,
  percent_change: (left, right) => `100 * (${left} - ${right}) / nullif(${right}, 0)`,
};

function pairOf(computed: Pair, place: ComputedPlace): Figure {
  assertKnown(computed.kind, Object.keys(PAIRS));
  const sides = [measureAt(computed.left, place), measureAt(computed.right, place)];
  const [left = '', right = ''] = sides.map(({ label }) => wide(label, place));
  return {
    expression: PAIRS[computed.kind](left, right),
    label: computed.label,
    type: pairType(computed.kind, sides),
  };
}

function wide(label: string, { writer }: ComputedPlace): string {
  return writer.guarded ? `${writer.label(label)}::DOUBLE` : writer.label(label);
}

function seriesOf(computed: Series, place: ComputedPlace): Figure {
  const { label, type } = measureAt(computed.of, place);
  const expression = SERIES[computed.kind](wide(label, place), windowsOf(computed, place));
  return { expression, label: computed.label, type: seriesType(computed.kind, type) };
}

interface Windows {
  /** All groups of the series. */
  readonly all: string;
  /** In the order of the dimensions. */
  readonly ordered: () => string;
  /** This one and those before it. */
  readonly running: () => string;
  readonly moving: () => string;
  readonly highest: (figure: string) => string;
}

const SERIES: Readonly<Record<SeriesKind, (figure: string, windows: Windows) => string>> = {
  share: (figure, { all }) => `${figure} / nullif(sum(${figure}) OVER ${all}, 0)`,
  cumulative: (figure, { running }) => `sum(${figure}) OVER ${running()}`,
  cumulative_share: (figure, { running, all }) =>
    `sum(${figure}) OVER ${running()} / nullif(sum(${figure}) OVER ${all}, 0)`,
  change: (figure, { ordered }) => `${figure} - lag(${figure}) OVER ${ordered()}`,
  growth: (figure, { ordered }) =>
    `(${figure} - lag(${figure}) OVER ${ordered()}) / nullif(lag(${figure}) OVER ${ordered()}, 0)`,
  moving_average: (figure, { moving }) => `avg(${figure}) OVER ${moving()}`,
  rank: (figure, { highest }) => `CASE WHEN ${figure} IS NOT NULL THEN rank() OVER ${highest(figure)} END`,
};

function windowsOf({ window }: Series, { dimensions, writer }: ComputedPlace): Windows {
  const size = seriesWindow(window);
  const along = axesOf(dimensions);
  const within = dimensions.filter((dimension) => !along.includes(dimension)).map(({ label }) => writer.label(label));
  const partition = within.length === 0 ? [] : [`PARTITION BY ${within.join(', ')}`];
  let known: readonly string[] | null = null;
  // Written where it is wanted alone: an order of texts binds them, and what is bound has to be named in the query.
  const sorted = (): readonly string[] => {
    known ??= clause(
      'ORDER BY',
      along.map((dimension) => orderTerm(sortKey(dimension, writer), 'asc')),
      ', ',
    );
    return known;
  };
  const frame = (before: string): string =>
    `(${[...partition, ...sorted(), `ROWS BETWEEN ${before} PRECEDING AND CURRENT ROW`].join(' ')})`;
  return {
    all: `(${partition.join(' ')})`,
    ordered: () => `(${[...partition, ...sorted()].join(' ')})`,
    running: () => frame('UNBOUNDED'),
    moving: () => frame(String(size - 1)),
    highest: (figure) => `(${[...partition, `ORDER BY ${figure} DESC NULLS LAST`].join(' ')})`,
  };
}
