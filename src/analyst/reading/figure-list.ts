import type { DerivedColumn } from '../../ports/analysis-plan.js';
import type { ComputedDraft, MeasureDraft } from './draft.js';
import type { Features, Part, Question, Use } from './question.js';
import { feature } from './weights.js';

export const ROW_COUNT: MeasureDraft = { aggregate: 'count', column: null };

/** Figures that are asked for together. */
export interface FigureList extends Part {
  readonly measures: readonly MeasureDraft[];
  readonly derived: readonly DerivedColumn[];
  /** What is worked out of two of them. */
  readonly computed?: readonly ComputedDraft[];
  readonly key: string;
  readonly aggregates: ReadonlySet<string>;
  /** Where the word stands that says what to work out. */
  readonly at: number;
}

/** One figure, before it is known which others are asked for with it. */
export interface Figure {
  readonly measure: MeasureDraft;
  readonly derived: readonly DerivedColumn[];
  readonly features: Features;
  readonly uses: readonly Use[];
  readonly at: number;
}

export function listOf(question: Question, figures: readonly Figure[]): FigureList {
  const measures = figures.map(({ measure }) => measure);
  const names = measures.map(({ column, aggregate }) => (column === null ? 'count' : aggregate));
  const own = [
    feature(`figures|${figures.length}`),
    feature(`figures|${figures.length}|${Math.min(3, question.strong.length)}`),
    ...names.flatMap((name) => question.tag(`agg:${name}`)),
  ];
  const score = [...figures, { features: own }].reduce((sum, { features }) => question.score(features, sum), 0);
  // Most lists are not likely enough to be asked for the rest.
  let all: Features | null = null;
  let key: string | null = null;
  return {
    score,
    get features(): Features {
      return (all ??= [...figures.flatMap(({ features }) => features), ...own]);
    },
    get key(): string {
      return (key ??= JSON.stringify(figures.map(({ measure, derived }) => [measure, derived])));
    },
    uses: figures.flatMap(({ uses }) => uses),
    measures,
    derived: figures.flatMap(({ derived }) => derived),
    at: figures[0]?.at ?? 0,
    aggregates: new Set(measures.map(({ aggregate }) => aggregate)),
  };
}

/** Figures that go with the first of them, which alone has features of its own. */
export function withFirst(figures: readonly Figure[], name: string): readonly Figure[] {
  return figures.map((one, at) => (at === 0 ? one : { ...one, features: [feature(name)] }));
}

export function isRowCount({ measures: [measure, another] }: FigureList): boolean {
  return another === undefined && measure?.aggregate === 'count' && measure.column === null;
}

/** The first few lists, and the number of rows in any case, which many other figures would displace. */
export function withRowCount(lists: readonly FigureList[], count: number): readonly FigureList[] {
  const first = lists.slice(0, count);
  return first.some(isRowCount) ? first : [...first.slice(0, -1), ...lists.filter(isRowCount).slice(0, 1)];
}
