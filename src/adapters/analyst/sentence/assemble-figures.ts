import type { DimensionDraft, Draft, MeasureDraft } from '../../../analyst/reading/draft.js';
import { aggregate, groupedBy, havingOf, isSame, ordersOf, usualMeasure } from './assemble-parts.js';
import type { Item, Sentence } from './sentence.js';
import { columnDimension } from './targets.js';

/** Figures, with the columns and spans beside them as groups: `the countries and the number of stores in each`. */
export function figuresDraft(sentence: Sentence): Draft | null {
  const dimensions = groupsAmongItems(sentence);
  if (dimensions === null) return null;
  return countsGroups(sentence) ?? groupedFigures(sentence, dimensions);
}

/** `null` when something beside the figures is neither a figure nor a group. */
function groupsAmongItems(sentence: Sentence): readonly DimensionDraft[] | null {
  const dimensions = [...sentence.groups];
  for (const item of sentence.items) {
    const added = groupOrMeasure(sentence, item);
    if (added === null) return null;
    if (added !== 'measure' && !dimensions.some((one) => isSame(one, added))) dimensions.push(added);
  }
  const isOfEach = sentence.each && sentence.items.some(({ kind }) => kind === 'column');
  return isOfEach && dimensions.length === 0 ? null : dimensions;
}

function groupOrMeasure(sentence: Sentence, item: Item): DimensionDraft | 'measure' | null {
  if (item.kind === 'measure') return 'measure';
  return item.kind === 'bucket' ? item.dimension : columnAsGroup(sentence, item.column);
}

/** A column of categories is a group, and so is any where a condition on groups was said; another figure is one more figure. */
function columnAsGroup(sentence: Sentence, name: string): DimensionDraft | 'measure' | null {
  const column = sentence.columnNamed(name);
  if (column === undefined || column.role === 'time') return null;
  // `an average score over 87, with the score`: the figure that the condition speaks of.
  const known = sentence.having.find(({ measure }) => measure.column === name && column.role === 'figure');
  if (known !== undefined) {
    sentence.addMeasure(known.measure);
    return 'measure';
  }
  if (column.role !== 'figure' || sentence.having.length > 0) return columnDimension(column);
  sentence.addMeasure(usualMeasure(sentence, column));
  return 'measure';
}

function groupedFigures(sentence: Sentence, dimensions: readonly DimensionDraft[]): Draft | null {
  const needsGroups = sentence.summary !== null || sentence.having.length > 0;
  if (needsGroups && dimensions.length === 0) return null;
  const measures = [...sentence.measures];
  const having = havingOf(sentence.having, measures);
  const order = ordersOf(sentence, measures, dimensions);
  if (order === null) return null;
  return aggregate(sentence, {
    measures,
    having,
    ...groupedBy(dimensions, order),
    ...(sentence.summary === null ? {} : { summary: sentence.summary }),
  });
}

/** `how many majors have more than 100 students` counts the groups that are left. */
function countsGroups(sentence: Sentence): Draft | null {
  const dimension = sentence.having.length > 0 && sentence.groups.length === 0 ? countedColumn(sentence) : null;
  if (dimension === null) return null;
  const measures: MeasureDraft[] = [];
  const having = havingOf(sentence.having, measures);
  const summary = { aggregate: 'count', measure: null } as const;
  return aggregate(sentence, { measures, dimensions: [dimension], having, summary });
}

/** The column whose different values are all that is counted. */
function countedColumn(sentence: Sentence): DimensionDraft | null {
  const [counted, another] = sentence.measures;
  if (counted?.aggregate !== 'count_distinct' || counted.column === null || another !== undefined) return null;
  const column = sentence.columnNamed(counted.column);
  return column === undefined ? null : columnDimension(column);
}
