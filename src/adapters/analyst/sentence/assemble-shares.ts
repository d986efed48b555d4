import type { Filter } from '../../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../../ports/plan-filters.js';
import type { Draft, MeasureDraft } from '../../../analyst/reading/draft.js';
import { aggregate, ROW_COUNT, timeFirst, usualMeasure } from './assemble-parts.js';
import type { PartOfWhole, Sentence } from './sentence.js';

/** A part of the rows, or of a figure, that fits what is said of it, as percent of the whole. */
export function partDraft(sentence: Sentence, part: PartOfWhole): Draft | null {
  if (sentence.items.length > 0 || sentence.having.length > 0) return null;
  const whole = sentence.filters.slice(0, part.from);
  const claimed = sentence.filters.slice(part.from);
  return claimed.length === 0 ? shareOfEach(sentence, part, whole) : shareOfAll(sentence, part, { whole, claimed });
}

/** Without anything that is claimed it is the share of each group. */
function shareOfEach(sentence: Sentence, { figure }: PartOfWhole, filters: readonly Filter[]): Draft | null {
  const dimensions = timeFirst(sentence.groups);
  if (dimensions.length === 0) return null;
  return aggregate(sentence, { measures: [figure], dimensions, filters, computed: [{ kind: 'share', of: 0 }] });
}

interface Claim {
  readonly whole: readonly Filter[];
  readonly claimed: readonly Filter[];
}

/** `what share of rentals was paid in 2020`: when it was is no part of the claim where something else is. */
function shareOfAll(sentence: Sentence, { figure }: PartOfWhole, { whole, claimed }: Claim): Draft {
  const others = claimed.filter(({ kind }) => kind !== 'time');
  const times = claimed.filter(({ kind }) => kind === 'time');
  const [common, own] = others.length > 0 ? [[...whole, ...times], others] : [whole, claimed];
  return aggregate(sentence, {
    measures: [{ ...figure, filters: own }, figure],
    dimensions: timeFirst(sentence.groups),
    filters: common,
    computed: [{ kind: 'percent', left: 0, right: 1 }],
  });
}

/** Two stretches of time side by side. */
export function periodsDraft(sentence: Sentence, [later, earlier]: readonly [Filter, Filter]): Draft | null {
  const figure = isBareOf(sentence, columnsOfFilter(later)) ? onlyFigure(sentence) : null;
  if (figure === null) return null;
  return aggregate(sentence, {
    measures: [
      { ...figure, filters: [later] },
      { ...figure, filters: [earlier] },
    ],
    dimensions: [],
    computed: [
      { kind: 'difference', left: 0, right: 1 },
      { kind: 'percent_change', left: 0, right: 1 },
    ],
  });
}

/** Nothing is grouped or computed, and no condition speaks of these columns. */
function isBareOf(sentence: Sentence, columns: readonly string[]): boolean {
  const isPlain = sentence.groups.length === 0 && sentence.having.length === 0 && sentence.computed.length === 0;
  return isPlain && !sentence.filters.flatMap(columnsOfFilter).some((column) => columns.includes(column));
}

/** The one figure that was named, or else the count of the rows that were. */
function onlyFigure(sentence: Sentence): MeasureDraft | null {
  const named = sentence.columns.flatMap((name) => figureOf(sentence, name));
  const [measure, another] = [...sentence.measures, ...named];
  if (another !== undefined) return null;
  return measure ?? (sentence.rows ? ROW_COUNT : null);
}

function figureOf(sentence: Sentence, name: string): readonly MeasureDraft[] {
  const column = sentence.columnNamed(name);
  return column?.role === 'figure' ? [usualMeasure(sentence, column)] : [];
}
