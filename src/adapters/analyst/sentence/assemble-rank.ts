import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { AggregateDraft, DimensionDraft, Draft, MeasureDraft } from '../../../analyst/reading/draft.js';
import { aggregate, hasOwnValues, isSame, placeOf, ROW_COUNT, usualMeasure } from './assemble-parts.js';
import { rankedRows } from './assemble-ranked-rows.js';
import { theOnly } from './only.js';
import type { Item, Rank, Sentence } from './sentence.js';
import { columnDimension } from './targets.js';

/** How many are shown when somebody asks for the highest ones without a number. */
const SOME = 5;

/** A superlative picks rows, picks groups, or asks for the extreme itself. */
export function rankedDraft(sentence: Sentence, rank: Rank): Draft | null {
  if (!isPlain(sentence)) return null;
  const targets = targetsOf(sentence);
  const { by } = rank;
  const isOfValues = by.kind === 'column' && by.measure === null && sentence.measures.length === 0;
  if (isOfValues) return columnRank(sentence, rank, { by: by.column, targets });
  return targets === null ? null : groupRank(sentence, rank, targets);
}

/** By a figure or a count, or with a figure beside it: there must be groups. */
function groupRank(sentence: Sentence, rank: Rank, targets: readonly DimensionDraft[]): Draft | null {
  if (sentence.measures.length > 0) return measuredGroups(sentence, rank, targets);
  return rank.by.kind === 'open' ? openRank(sentence, rank, targets) : rankedGroups(sentence, rank, targets);
}

/** What changes groups or figures can't stand beside a superlative. */
function isPlain({ having, order, computed, summary }: Sentence): boolean {
  return having.length + order.length + computed.length === 0 && summary === null;
}

/** What could be ranked in groups: columns of categories and spans of time that were asked for; `null` when one is neither. */
function targetsOf(sentence: Sentence): readonly DimensionDraft[] | null {
  const found: DimensionDraft[] = [];
  for (const item of sentence.items) {
    if (item.kind === 'measure') continue;
    const dimension = targetOf(sentence, item);
    if (dimension === null) return null;
    found.push(dimension);
  }
  return found;
}

function targetOf(sentence: Sentence, item: Exclude<Item, { kind: 'measure' }>): DimensionDraft | null {
  if (item.kind === 'bucket') return item.dimension;
  const column = sentence.columnNamed(item.column);
  return column === undefined ? null : columnDimension(column);
}

interface ByColumn {
  readonly by: string;
  readonly targets: readonly DimensionDraft[] | null;
}

/** By what stands in a column: the figure itself, the groups that were asked for, or rows. */
function columnRank(sentence: Sentence, rank: Rank, { by, targets }: ByColumn): Draft | null {
  if (isFigureItself(sentence, rank)) return extreme(sentence, rank, by);
  const counted = countedGroup(sentence, rank, by);
  if (counted !== null) return rankedGroups(sentence, rank, [counted]);
  if (isLaterFigure(sentence, rank)) return laterFigure(sentence, rank, by);
  return targets !== null && picksGroups(sentence, rank, targets)
    ? rankedGroups(sentence, rank, targets)
    : rankedRows(sentence, rank, by);
}

/** `the department with the greatest number of enrolled students`: of all rows of each, where the number adds up. */
function countedGroup(sentence: Sentence, { text }: Rank, by: string): DimensionDraft | null {
  const { columns, facts, groups } = sentence;
  const group = theOnly(columns.filter((name) => name !== by));
  const column = group === null ? undefined : sentence.columnNamed(group);
  const adds = facts.columns.some(({ name, additive }) => name === by && additive);
  const isCounted = groups.length === 0 && adds && /\b(?:number|amount|total)\b/iu.test(text);
  return isCounted && column !== undefined && hasFewValues(sentence, column) ? columnDimension(column) : null;
}

function hasFewValues({ facts }: Sentence, { role, identifies, profile }: ColumnFacts): boolean {
  return role === 'category' && !identifies && profile.distinct * 2 <= facts.profile.rowCount;
}

function picksGroups(sentence: Sentence, rank: Rank, targets: readonly DimensionDraft[]): boolean {
  const isOfGroups = !sentence.rows || (sentence.pluralRows && sentence.opener === 'which' && rank.limit === null);
  return (
    isOfGroups &&
    targets.length === 1 &&
    !isOfFigure(sentence, targets[0]) &&
    sentence.opener !== 'when' &&
    !isOwn(sentence, targets[0])
  );
}

/** `salary of the second best paid clerk`: a figure is asked for, of a row. */
function isOfFigure(sentence: Sentence, target: DimensionDraft | undefined): boolean {
  return target?.kind === 'column' && target.column === rankedColumn(sentence);
}

function rankedColumn({ rank }: Sentence): string | null {
  return rank?.by.kind === 'column' ? rank.by.column : null;
}

/** A column in which each row has its own value names rows, not groups. */
function isOwn(sentence: Sentence, target: DimensionDraft | undefined): boolean {
  return target?.kind === 'column' && hasOwnValues(sentence, sentence.columnNamed(target.column));
}

const ASKS_FIGURE: readonly Sentence['opener'][] = [null, 'which', 'list'];

/** `the highest rating of dramas` is a figure, `the film with the highest rating` a row. */
function isFigureItself({ items, opener }: Sentence, { literal, limit }: Rank): boolean {
  return literal && limit === null && items.length === 0 && ASKS_FIGURE.includes(opener);
}

/** `the second highest rating` is a figure as well: of the different ones the second. */
function isLaterFigure(sentence: Sentence, rank: Rank): boolean {
  return (rank.skip ?? 0) > 0 && sentence.groups.length === 0 && isFigureItself(sentence, { ...rank, limit: null });
}

function laterFigure({ filters, derived }: Sentence, { direction, skip }: Rank, by: string): Draft {
  const order = [{ by, direction }];
  const present: Filter = { kind: 'null', column: by, negated: true };
  return {
    kind: 'rows',
    ...{ derived, columns: [by], distinct: true, filters: [...filters, present], order, limit: 1, skip },
  };
}

function extreme(sentence: Sentence, { direction }: Rank, column: string): Draft {
  return aggregate(sentence, {
    measures: [extremeOf(direction, column)],
    dimensions: sentence.groups,
    rank: sentence.groups[0]?.kind === 'column' ? { direction, limit: null } : null,
  });
}

function extremeOf(direction: Rank['direction'], column: string): MeasureDraft {
  return { aggregate: direction === 'desc' ? 'max' : 'min', column };
}

function rankedGroups(sentence: Sentence, rank: Rank, targets: readonly DimensionDraft[]): Draft | null {
  const each = sentence.groups;
  const measure = measureOf(sentence, rank);
  const added = targets.filter((one) => !each.some((group) => isSame(group, one)));
  if (measure === null || added.length === 0) return null;
  return aggregate(sentence, {
    measures: [measure],
    dimensions: [...each, ...added],
    filters: [...sentence.filters, ...namedGroups(sentence, added)],
    rank: {
      direction: rank.direction,
      limit: rank.limit ?? (rank.by.kind === 'count' ? 1 : usualLimit(sentence)),
      skip: rank.skip,
    },
    ...(each.length > 0 ? { each: each.map((_, place) => place) } : {}),
  });
}

/** Which one has the fewest is never the one that has no name. */
function namedGroups(sentence: Sentence, targets: readonly DimensionDraft[]): readonly Filter[] {
  return targets.flatMap(({ kind, column }) => {
    const nulls = kind === 'column' ? (sentence.columnNamed(column)?.profile.nulls ?? 0) : 0;
    return nulls > 0 ? [{ kind: 'null' as const, column, negated: true }] : [];
  });
}

function usualLimit({ plural }: Sentence): number {
  return plural ? SOME : 1;
}

/** What groups are compared by; `null` where that was left open. */
function measureOf(sentence: Sentence, rank: Rank): MeasureDraft | null {
  const { by } = rank;
  if (by.kind === 'count') return ROW_COUNT;
  if (by.kind === 'open') return null;
  return by.measure ?? measureOfColumn(sentence, rank, by.column);
}

function measureOfColumn(sentence: Sentence, rank: Rank, name: string): MeasureDraft {
  const column = sentence.columnNamed(name);
  if (column === undefined) return { aggregate: 'sum', column: name };
  if (column.role === 'time') return extremeOf(rank.direction, name);
  if (!comparesSingle(rank, column)) return usualMeasure(sentence, column);
  sentence.note(`I compared the single ${rank.direction === 'desc' ? 'highest' : 'lowest'} ${name} of each.`);
  return extremeOf(rank.direction, name);
}

/** `highest` is said of single values where they can't be added up. */
function comparesSingle({ text }: Rank, { additive }: ColumnFacts): boolean {
  return !additive && /highest|lowest|largest|smallest|maximum|minimum|max|min/.test(text.toLowerCase());
}

/** `top 3 stores` without a figure: the one figure that adds up, or else how often; said as an assumption. */
function openRank(sentence: Sentence, rank: Rank, targets: readonly DimensionDraft[]): Draft | null {
  if (targets.length !== 1 || rank.limit === null || isOwn(sentence, targets[0])) return null;
  const [only, another] = sentence.facts.columns.filter((column) => column.additive);
  if (another !== undefined) return null;
  const by: Rank['by'] = only === undefined ? { kind: 'count' } : { kind: 'column', column: only.name, measure: null };
  sentence.note(only === undefined ? 'I ranked by the number of rows.' : `I ranked by the total of ${only.name}.`);
  return rankedGroups(sentence, { ...rank, by }, targets);
}

/** `how many …` beside a superlative is beyond a plan; a figure of the groups that are ranked is not. */
function measuredGroups(sentence: Sentence, rank: Rank, targets: readonly DimensionDraft[]): Draft | null {
  if (targets.length === 0) return figureOfTop(sentence, rank) ?? rankedFigures(sentence, rank);
  const by = measureOf(sentence, rank) ?? sentence.measures[0];
  if (by === undefined || sentence.groups.length > 0) return null;
  const measures = [...sentence.measures];
  const figure = placeOf(measures, by);
  const { direction, limit, skip } = rank;
  return aggregate(sentence, {
    measures,
    dimensions: targets,
    filters: [...sentence.filters, ...namedGroups(sentence, targets)],
    rank: { direction, limit: limit ?? usualLimit(sentence), skip, figure },
  });
}

const OVER_TOP = ['avg', 'sum', 'min', 'max', 'median'] as const;

/** `the average price of the five oldest`: one figure over the rows that are picked. */
function figureOfTop(sentence: Sentence, { by, direction, limit, skip }: Rank): Draft | null {
  const figure = by.kind === 'column' && by.measure === null && limit !== null ? topFigure(sentence) : null;
  const dimension = figure === null ? null : rowByRow(sentence);
  if (figure === null || dimension === null || by.kind !== 'column') return null;
  return aggregateOfTop(sentence, [figure.column, by.column], {
    dimensions: [dimension],
    rank: { direction, limit, skip },
    order: [{ figure: 1, direction }],
    summary: { aggregate: figure.aggregate, measure: 0 },
  });
}

interface TopFigure {
  readonly aggregate: (typeof OVER_TOP)[number];
  readonly column: string;
}

/** The one figure that was asked for, of a column. */
function topFigure({ measures: [measure, another], groups }: Sentence): TopFigure | null {
  const aggregate = OVER_TOP.find((one) => one === measure?.aggregate);
  if (aggregate === undefined || measure?.column == null || another !== undefined || groups.length > 0) return null;
  return { aggregate, column: measure.column };
}

/** Groups of one row each, where a column names every one of them. */
function rowByRow({ facts: { identity, profile } }: Sentence): DimensionDraft | null {
  return identity?.profile.distinct === profile.rowCount ? columnDimension(identity) : null;
}

function aggregateOfTop(
  sentence: Sentence,
  [column, by]: readonly [string, string],
  parts: Pick<AggregateDraft, 'dimensions' | 'rank' | 'order' | 'summary'>,
): Draft {
  const measures: MeasureDraft[] = [
    { aggregate: 'max', column },
    { aggregate: 'max', column: by },
  ];
  return aggregate(sentence, { measures, ...parts });
}

/** `total fines per member, top 10`: the groups are there, and so is their figure. */
function rankedFigures(sentence: Sentence, { by, direction, limit, skip }: Rank): Draft | null {
  if (by.kind !== 'open' || limit === null || sentence.groups.length !== 1) return null;
  return aggregate(sentence, {
    measures: sentence.measures,
    dimensions: sentence.groups,
    rank: { direction, limit, skip },
  });
}
