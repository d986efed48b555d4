import type { Computed, SeriesKind } from '../../../ports/analysis-plan.js';
import { AppError } from '../../../shared/app-error.js';
import { assertNumber } from '../../../plan/plan-figures.js';
import {
  axesOf,
  isSeries,
  type Pair,
  pairType,
  type Series,
  seriesType,
  seriesWindow,
} from '../../../plan/plan-series.js';
import { assertKnown } from '../../../plan/plan-words.js';
import type { Stage } from './mongo-table.js';
import type { Figure, Grouping, Output } from './pipeline-figures.js';
import { sortingOf } from './pipeline-order.js';
import { isPresent, quotient, type Term, when } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

/** What computed figures follow from. */
export interface ComputedPlace {
  readonly measures: readonly Figure[];
  readonly dimensions: readonly Grouping[];
  readonly writer: PipelineWriter;
}

/** A computed figure, and the stages that add it to the groups, which have their figures under the labels. */
export interface ComputedFigure extends Output {
  readonly stages: readonly Stage[];
}

export function computedOf(computed: Computed, place: ComputedPlace): ComputedFigure {
  return isSeries(computed) ? seriesOf(computed, place) : pairOf(computed, place);
}

function measureAt(index: number, { measures }: ComputedPlace): Figure {
  const figure = measures[index];
  if (!figure) throw new AppError('invalid_input', `the plan computes with measure ${index}, which it lacks`);
  assertNumber(figure);
  return figure;
}

const percent = (of: Term): Term => ({ $multiply: [100, of] });

const PAIRS: Readonly<Record<Pair['kind'], (left: Term, right: Term) => Term>> = {
  ratio: (left, right) => quotient(left, right),
  percent: (left, right) => quotient(percent(left), right),
  difference: (left, right) => ({ $subtract: [left, right] }),
  sum: (left, right) => ({ $add: [left, right] }),
  product: (left, right) => ({ $multiply: [left, right] }),
  percent_change: (left, right) => quotient(percent({ $subtract: [left, right] }), right),
};

function pairOf(computed: Pair, place: ComputedPlace): ComputedFigure {
  assertKnown(computed.kind, Object.keys(PAIRS));
  const sides = [measureAt(computed.left, place), measureAt(computed.right, place)];
  const [left = null, right = null] = sides.map(({ label }) => `$${place.writer.label(label)}`);
  const added = { [place.writer.label(computed.label)]: PAIRS[computed.kind](left, right) };
  const { label } = computed;
  return { label, type: pairType(computed.kind, sides), isTime: false, empty: null, stages: [{ $set: added }] };
}

function seriesOf(computed: Series, place: ComputedPlace): ComputedFigure {
  const { label, type } = measureAt(computed.of, place);
  const size = seriesWindow(computed.window);
  const field = place.writer.label(computed.label);
  const building = new SeriesBuilding(`$${place.writer.label(label)}`, size, place);
  const value = SERIES[computed.kind](building);
  return {
    label: computed.label,
    type: seriesType(computed.kind, type),
    isTime: false,
    empty: null,
    stages: [...building.stages(), { $set: { [field]: value } }],
  };
}

const SERIES: Readonly<Record<SeriesKind, (series: SeriesBuilding) => Term>> = {
  share: (series) => quotient(series.figure, series.total()),
  cumulative: (series) => series.running(),
  cumulative_share: (series) => quotient(series.running(), series.total()),
  change: (series) => ({ $subtract: [series.figure, series.before()] }),
  growth: (series) => quotient({ $subtract: [series.figure, series.before()] }, series.before()),
  moving_average: (series) => series.moving(),
  rank: (series) => when(isPresent(series.figure), series.rank()),
};

class SeriesBuilding {
  private readonly whole: Record<string, Term> = {};
  private readonly ordered: Record<string, Term> = {};
  private readonly ranked: Record<string, Term> = {};
  private previous: string | null = null;

  constructor(
    readonly figure: string,
    private readonly size: number,
    private readonly place: ComputedPlace,
  ) {}

  total(): Term {
    return this.added(this.whole, 'total', { $sum: this.figure });
  }

  /** Null as long as there was no value. */
  running(): Term {
    const window = { documents: ['unbounded', 'current'] };
    const sum = this.added(this.ordered, 'running', { $sum: this.figure, window });
    const any = this.added(this.ordered, 'highest', { $max: this.figure, window });
    return when(isPresent(any), sum);
  }

  before(): Term {
    this.previous ??= this.added(this.ordered, 'before', { $shift: { output: this.figure, by: -1, default: null } });
    return this.previous;
  }

  moving(): Term {
    const window = { documents: [1 - this.size, 'current'] };
    return this.added(this.ordered, 'moving', { $avg: this.figure, window });
  }

  rank(): Term {
    return this.added(this.ranked, 'rank', { $rank: {} });
  }

  stages(): readonly Stage[] {
    const { dimensions, writer } = this.place;
    const along = axesOf(dimensions);
    const within = dimensions.filter((dimension) => !along.includes(dimension)).map(({ label }) => writer.label(label));
    const parts = within.map((field, index) => [`part_${index}`, { $ifNull: [`$${field}`, null] }] as const);
    const partition = within.length === 0 ? {} : { partitionBy: Object.fromEntries(parts) };
    const keys = along.map(({ label, ranked }) => ({ field: writer.label(label), direction: 'asc' as const, ranked }));
    const { added, sort } = sortingOf(keys, writer);
    // A window needs an order, also where there is one group.
    const order = keys.length === 0 ? { [this.figure.slice(1)]: 1 } : sort;
    const stage = (output: Record<string, Term>, sortBy: Term): readonly Stage[] =>
      Object.keys(output).length === 0
        ? []
        : [{ $setWindowFields: { ...partition, ...(sortBy === null ? {} : { sortBy }), output } }];
    const isOrdered = Object.keys(this.ordered).length > 0;
    return [
      ...(isOrdered && keys.length > 0 ? [{ $set: added }] : []),
      ...stage(this.whole, null),
      ...stage(this.ordered, order),
      ...stage(this.ranked, { [this.figure.slice(1)]: -1 }),
    ];
  }

  private added(output: Record<string, Term>, name: string, accumulator: Term): string {
    const field = this.place.writer.fresh(name);
    output[field] = accumulator;
    return `$${field}`;
  }
}
