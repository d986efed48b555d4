import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { ComputedDraft, MeasureDraft, RankDraft } from '../../../analyst/reading/draft.js';
import { MAX_MEASURES, tellsRows, type Asked, type Built } from './asked.js';
import { rankOf } from './build-figures.js';
import { everyFigure } from './build-relations.js';
import { measureOf } from './measures.js';
import type { Clause } from './clause.js';
import { yesOf } from './flag-rates.js';

const LIST_LIMIT = 100;
const PERCENT: ComputedDraft = { kind: 'percent', left: 0, right: 1 };
const RATIO: ComputedDraft = { kind: 'ratio', left: 0, right: 1 };
const ALL: MeasureDraft = { aggregate: 'count', column: null };

/** Outliers: how many, which share, which rows, their bounds, or a figure with or without them. */
export function buildOutliers(asked: Asked): Built | null {
  const { clause } = asked;
  if (!speaksOfOutliers(asked)) return null;
  asked.use('outliers', 'scale', 'removing', 'both ways', 'bounds', 'share', 'figure', 'all columns');
  const columns = outlierColumns(asked);
  const [column] = columns;
  if (column === undefined) return asked.problem('Outliers of which column of numbers?');
  if (clause.has('bounds')) return boundsOf(asked, column);
  const figures = figuresBeside(asked);
  return figures.length > 0 ? figuresOf(asked, columns, figures) : outlierRows(asked, column, columns);
}

/** Those that are named, all of them, or those that were spoken of before: `which members are outliers?` */
function outlierColumns(asked: Asked): readonly ColumnFacts[] {
  if (asked.figures.length > 0) return asked.figures;
  if (asked.clause.has('all columns')) return everyFigure(asked);
  return asked.script.focus.filter(({ role }) => role === 'figure');
}

function speaksOfOutliers({ clause, free }: Asked): boolean {
  if (clause.has('outliers') || (clause.has('method') && clause.has('removing', 'bounds'))) return true;
  // `a z-score above 2` was made into a condition on the scaled column.
  const ways = free.map((piece) => clause.markOf(piece)).filter((mark) => mark?.kind === 'method');
  return ways.some(({ threshold }) => threshold !== null) && !clause.has('figure', 'scale');
}

function outlierRows(asked: Asked, column: ColumnFacts, columns: readonly ColumnFacts[]): Built {
  const counts = columns.slice(0, MAX_MEASURES - 1).map(({ name }) => outlierCount(asked, name));
  if (asked.clause.has('share')) return shareOf(asked, counts);
  if (columns.length > 1) return asked.aggregate(counts);
  // Those that are left out of other figures are the ones asked for.
  const others = asked
    .filtersFor([])
    .filter((filter) => !(filter.kind === 'outlier' && filter.negated && filter.column === column.name));
  const filters = [...others, outliersAs(asked, column.name)];
  return isList(asked) ? asked.rows([], filters, LIST_LIMIT) : asked.aggregate([ALL], { filters });
}

/** As a sentence before left them out, else as the question says. */
function outliersAs(asked: Asked, name: string): Filter {
  const left = asked.constraints.filters.find((filter) => filter.kind === 'outlier' && filter.column === name);
  const isSaid = asked.clause.has('method', 'factor', 'scale');
  return left?.kind === 'outlier' && !isSaid ? { ...left, negated: false } : asked.outlierFilter(name, false);
}

function outlierCount(asked: Asked, name: string): MeasureDraft {
  return { ...ALL, filters: [asked.outlierFilter(name, false)] };
}

/** Figures but the interquartile range, which names the rule. */
function figuresBeside(asked: Asked): readonly MeasureDraft[] {
  const isRule = asked.outlierRule.method === 'iqr';
  return asked.clause
    .all('figure')
    .filter(
      ({ aggregate }) =>
        !(isRule ? aggregate === 'iqr' : aggregate.startsWith('stddev') && asked.clause.all('figure').length === 1),
    )
    .map((mark) => measureOf(asked, mark));
}

/** A mean of a column whose outliers are left out, or of the outliers alone. */
function figuresOf(asked: Asked, columns: readonly ColumnFacts[], figures: readonly MeasureDraft[]): Built {
  const leaves = asked.clause.has('removing', 'both ways');
  const own = { filters: asked.filtersFor([]) };
  const measures = columns.flatMap(({ name }) => figures.map((measure) => ({ ...measure, column: name })));
  const [column] = columns;
  if (column === undefined) return asked.problem('Outliers of which column of numbers?');
  if (asked.clause.has('both ways')) {
    const without = measures.map((measure) => ({ ...measure, filters: [asked.outlierFilter(measure.column, true)] }));
    return asked.aggregate([...measures, ...without], own);
  }
  const filters = [...asked.filtersFor([]), asked.outlierFilter(column.name, leaves)];
  return asked.aggregate(measures, {
    filters: [...new Map(filters.map((one) => [JSON.stringify(one), one])).values()],
  });
}

/** The quartiles, from which the bounds follow. */
function boundsOf(asked: Asked, { name }: ColumnFacts): Built {
  const { method, threshold } = asked.outlierRule;
  const measures: readonly MeasureDraft[] =
    method === 'iqr'
      ? [
          { aggregate: 'percentile', column: name, parameter: 0.25 },
          { aggregate: 'percentile', column: name, parameter: 0.75 },
          { aggregate: 'iqr', column: name },
        ]
      : [
          { aggregate: 'avg', column: name },
          { aggregate: asked.isPopulation ? 'stddev_pop' : 'stddev', column: name },
        ];
  const built = asked.aggregate(measures, { filters: asked.filtersFor([]) });
  return { ...built, focus: { on: 'bounds', term: null, factor: threshold } };
}

function isList(asked: Asked): boolean {
  const counts =
    asked.free.some(({ kind }) => kind === 'count') || /\bhow many\b|\bnumber of\b/iu.test(asked.clause.text);
  const names = /\b(?:list|show|display|which|who)\b/iu.test(asked.clause.text);
  return !counts && names;
}

function shareOf(asked: Asked, counts: readonly MeasureDraft[]): Built {
  const [first, another] = counts;
  if (first === undefined || another !== undefined)
    return asked.problem('I work out the share of one column’s outliers at a time.');
  return asked.aggregate([first, ALL], { computed: [shareKind(asked)], filters: asked.filtersFor([]) });
}

function shareKind(asked: Asked): ComputedDraft {
  return asked.clause.first('share')?.as === 'ratio' ? RATIO : PERCENT;
}

/** Missing values: of columns, of all columns, or rows with any. */
export function buildMissing(asked: Asked): Built | null {
  const { clause } = asked;
  if (clause.has('removing') && clause.has('figure')) return null;
  if (clause.has('any missing') && !isOfEachColumn(asked)) return rowsWith(asked, anyMissing(asked));
  if (clause.has('complete') && !clause.has('figure')) return rowsWith(asked, complete(asked));
  return isOfMissing(clause) ? missingValues(asked) : null;
}

function isOfMissing(clause: Clause): boolean {
  return clause.has('missing', 'any missing') && !clause.has('figure', 'relation', 'regression');
}

function isOfEachColumn({ clause }: Asked): boolean {
  return clause.has('all columns') && EACH_COLUMN.test(clause.text);
}

/** `in every column which has at least one`: of each column how many. */
const EACH_COLUMN =
  /\b(?:each|every|per) (?:of the )?(?:column|variable|feature|field)|\ball (?:of )?(?:the )?columns\b/iu;

function missingValues(asked: Asked): Built | null {
  const { clause } = asked;
  asked.use('missing', 'any missing', 'which column', 'all columns', 'share');
  const columns = missingColumns(asked).slice(0, MAX_MEASURES);
  const measures = columns.map(({ name }) => ({ aggregate: 'missing' as const, column: name }));
  const [first, another] = measures;
  if (first === undefined) return null;
  if (clause.has('share') && another === undefined)
    return asked.aggregate([first, ALL], { computed: [shareKind(asked)], rank: shareRank(asked) });
  const built = asked.aggregate(measures);
  const fewest = /\b(?:fewest|least|lowest|smallest)\b/iu.test(clause.text);
  return clause.has('which column') ? { ...built, focus: { on: fewest ? 'lowest' : 'highest', term: null } } : built;
}

function missingColumns(asked: Asked): readonly ColumnFacts[] {
  const named = asked.clause.has('which column', 'all columns') ? [] : asked.columns;
  return named.length > 0 ? named : tableColumns(asked);
}

/** Groups come by their share, which is the third figure. */
function shareRank(asked: Asked): RankDraft | null {
  const [only, another] = asked.dimensions;
  if (only?.kind !== 'column' || another !== undefined) return null;
  const extreme = rankOf(asked);
  return extreme === null ? { direction: 'desc', limit: null, figure: 2 } : { ...extreme, figure: 2 };
}

/** All of the table's columns; where there are too many of them, those that miss something. */
function tableColumns(asked: Asked): readonly ColumnFacts[] {
  const own = asked.facts.columns.filter(({ name }) => !asked.script.columns.some((made) => made.name === name));
  if (own.length <= MAX_MEASURES) return own;
  const missing = own.filter(({ profile }) => profile.nulls > 0);
  if (missing.length > MAX_MEASURES) asked.note(`I took the ${MAX_MEASURES} columns that miss most.`);
  else asked.note('Columns that miss no value are left out.');
  return missing.toSorted((a, b) => b.profile.nulls - a.profile.nulls);
}

function lacking(asked: Asked): readonly ColumnFacts[] {
  // What rows are called misses nothing.
  const named = asked.columns.filter(({ role, profile }) => role === 'figure' || profile.nulls > 0);
  if (named.length > 0) return named;
  const own = asked.facts.columns.filter(({ name }) => !asked.script.columns.some((made) => made.name === name));
  const missing = own.filter(({ profile }) => profile.nulls > 0);
  return missing.length > 0 ? missing : own;
}

function anyMissing(asked: Asked): readonly Filter[] {
  return [{ kind: 'any', of: lacking(asked).map(({ name }) => [{ kind: 'null', column: name, negated: false }]) }];
}

function complete(asked: Asked): readonly Filter[] {
  return lacking(asked).map(({ name }) => ({ kind: 'null', column: name, negated: true }));
}

function rowsWith(asked: Asked, filters: readonly Filter[]): Built {
  asked.use('any missing', 'complete', 'missing', 'share', 'removing');
  if (!asked.clause.has('share')) return asked.aggregate([ALL], { filters: [...asked.filtersFor([]), ...filters] });
  return asked.aggregate([{ ...ALL, filters }, ALL], { computed: [shareKind(asked)] });
}

const MAX_DESCRIBED = 50;

export function buildDescribe(asked: Asked): Built | null {
  if (!asked.clause.has('describe')) return null;
  asked.use('describe', 'all columns');
  const named = asked.free.some(({ kind }) => kind === 'column') ? asked.figures : [];
  const columns = named.length > 0 ? named : everyFigure(asked);
  if (columns.length === 0) return asked.problem('The table has no column of numbers to describe.');
  if (asked.dimensions.length > 0) return describedByGroup(asked, columns);
  return asked.statistic(
    'describe',
    columns.slice(0, MAX_DESCRIBED).map(({ name }) => name),
  );
}

function describedByGroup(asked: Asked, columns: readonly ColumnFacts[]): Built {
  const [column, another] = columns;
  if (column === undefined || another !== undefined) return asked.problem('By groups I describe one column at a time.');
  const of = (aggregate: MeasureDraft['aggregate']): MeasureDraft => ({ aggregate, column: column.name });
  return asked.aggregate([of('count'), of('avg'), of('stddev'), of('min'), of('median'), of('max')]);
}

/** Which share of the rows fits the conditions. */
export function buildShare(asked: Asked, reach: readonly Filter[]): Built | null {
  if (!asked.clause.has('share') || asked.clause.has('missing', 'outliers')) return null;
  if (asked.clause.has('figure')) return shareOfSum(asked);
  const rated = asked.clause.all('share').find(({ of }) => of !== undefined)?.of;
  if (rated !== undefined) return rateOf(asked, rated);
  return asked.figures.length === 1 && !asked.figures.some((column) => saysRows(column, asked))
    ? shareOfSum(asked)
    : shareOfRows(asked, reach);
}

function shareOfRows(asked: Asked, reach: readonly Filter[]): Built | null {
  const known = new Set(reach.map((filter) => JSON.stringify(filter)));
  const part = asked.conditions.filter((filter) => !known.has(JSON.stringify(filter)));
  if (part.length === 0 || asked.columns.some((column) => !tellsRows(column, asked.facts) && !saysRows(column, asked)))
    return null;
  asked.use('share');
  const filters = [...asked.constraints.filters, ...reach];
  return asked.aggregate([{ ...ALL, filters: part }, ALL], {
    computed: [shareKind(asked)],
    filters,
    rank: shareRank(asked),
  });
}

/** `what percent of all patients`, of a column called patient age: one word of its name, in the plural, is what rows are. */
function saysRows({ name, words, role }: ColumnFacts, { free, clause }: Asked): boolean {
  const said = free.find((piece) => piece.kind === 'column' && piece.column.name === name)?.text ?? '';
  const isPart = role === 'figure' && words.length > 1 && /^\p{L}+s$/u.test(said);
  return isPart && new RegExp(`\\bof (?:the |all |our )*${said}\\b`, 'iu').test(clause.text);
}

function isOfSum({ clause }: Asked, column: ColumnFacts): boolean {
  if (clause.has('figure')) return clause.all('figure').every(({ aggregate }) => aggregate === 'sum');
  return column.additive || OF_ALL.test(clause.text);
}

/** `the fault rate of lathe-1`: of the rows that fit all other conditions. */
function rateOf(asked: Asked, flag: string): Built {
  asked.use('share');
  const isOwn = (filter: Filter): boolean => 'column' in filter && filter.column === flag;
  const column = asked.facts.columns.find(({ name }) => name === flag);
  const yes = column === undefined ? null : yesOf(column);
  if (yes === null) return asked.problem(`${flag} does not say yes or no.`);
  return asked.aggregate([{ ...ALL, filters: [yes] }, ALL], {
    computed: [shareKind(asked)],
    filters: asked.filtersFor([]).filter((filter) => !isOwn(filter)),
    rank: shareRank(asked),
  });
}

const OF_ALL = /\bof (?:the |our |its )?(?:all|total|overall|entire|whole)\b/iu;

/** `which share of the total capacity is in the north`. */
function shareOfSum(asked: Asked): Built | null {
  const [column, another] = asked.figures;
  if (column === undefined || another !== undefined || asked.conditions.length === 0) return null;
  if (!isOfSum(asked, column)) return null;
  asked.use('share', 'figure');
  const sum: MeasureDraft = { aggregate: 'sum', column: column.name };
  const filters = asked.constraints.filters;
  return asked.aggregate([{ ...sum, filters: asked.conditions }, sum], {
    computed: [shareKind(asked)],
    filters,
    rank: shareRank(asked),
  });
}

/** How many rows each group has that the message made. */
export function buildCounts(asked: Asked): Built | null {
  const isOfMade =
    asked.script.groups !== null && asked.dimensions.some(({ column }) => column === asked.script.groups?.name);
  const counts = asked.free.some(({ kind }) => kind === 'count') || /\bcount\b/iu.test(asked.clause.text);
  const isFiltered = asked.conditions.some(
    (one) => 'column' in one && asked.script.columns.some(({ name }) => name === one.column),
  );
  const namesFigure = asked.free.some((piece) => piece.kind === 'column' && piece.column.role === 'figure');
  if (!counts || namesFigure || !(isOfMade || isFiltered)) return null;
  asked.use('scale');
  return asked.aggregate([ALL]);
}
