import type { Aggregate, Expression, Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { ComputedDraft, MeasureDraft, RankDraft } from '../../../analyst/reading/draft.js';
import type { Piece } from '../pieces.js';
import { nameOf } from './arithmetic.js';
import { distinct, MAX_MEASURES, sourcesOf, tellsRows, type Asked, type Built } from './asked.js';
import { sideMeasures } from './build-sides.js';
import { measureOf } from './measures.js';

const OF_ANYTHING: ReadonlySet<Aggregate> = new Set(['mode', 'count_distinct', 'missing', 'count', 'min', 'max']);

/** Figures of columns: `mean and standard deviation of a and b`. */
export function buildFigures(asked: Asked): Built | null {
  asked.use('figure', 'quartiles', 'variation');
  if (tellsScale(asked)) return null;
  const wanted = asked.clause.all('figure').length + asked.clause.all('quartiles').length;
  if (wanted === 0 && !asked.clause.has('variation')) return null;
  const pairs = pairsOf(asked);
  if (asked.clause.has('variation')) return variationOf(asked, asked.clause.has('figure') ? pairs : []);
  return figuresOf(asked, pairs);
}

function figuresOf(asked: Asked, pairs: readonly Pair[]): Built {
  if (pairs.length === 0) return asked.problem('Of which column? Name one of the columns of numbers.');
  if (pairs.length > MAX_MEASURES)
    return asked.problem(`That is more than ${MAX_MEASURES} figures; ask for fewer at once.`);
  const unfit = pairs.find(({ measure, column }) => !suits(measure.aggregate, column));
  if (unfit !== undefined) return asked.problem(`${unfit.column.name} is no column of numbers.`);
  return asked.aggregate(eachOnce(pairs), { rank: rankOf(asked) });
}

/** `how skewed is a (skewness)` names one figure twice. */
function eachOnce(pairs: readonly Pair[]): readonly MeasureDraft[] {
  return [...new Map(pairs.map(({ measure }) => [JSON.stringify(measure), measure])).values()];
}

/** `a z-score above 2 (sample standard deviation)`: the deviation says how the z-score is meant. */
function tellsScale({ clause, conditions, script }: Asked): boolean {
  const isSpread = clause.all('figure').every(({ aggregate }) => aggregate.startsWith('stddev'));
  const made = new Set(script.columns.map(({ name }) => name));
  const isCondition = conditions.some((one) => 'column' in one && made.has(one.column));
  return clause.has('scale', 'method') && isSpread && isCondition;
}

/** `skewness of a before and after taking its logarithm`. */
export function buildBeforeAndAfter(asked: Asked): Built | null {
  const { clause, script } = asked;
  const applied = clause.first('function');
  const [column, another] = asked.figures;
  if (!clause.has('both ways') || column === undefined || another !== undefined) return null;
  if (applied === null) return sinceMade(asked, column);
  asked.use('both ways', 'function', 'figure');
  const of: Expression = { kind: 'column', column: column.name };
  const expression: Expression = { kind: 'function', function: applied.function, of };
  const made = script.make(nameOf(expression), expression);
  const figures = clause.all('figure').map((mark) => measureOf(asked, mark));
  return asked.aggregate([column, made].flatMap(({ name }) => figures.map((figure) => ({ ...figure, column: name }))));
}

const CHANGES = /\b(?:imput\w+|fill\w*|replac\w+|transform\w*|normali[sz]\w+|standardi[sz]\w+|scal\w+)\b/iu;

/** `variance before and after the imputation`: of the column as it was, and as the message made it. */
function sinceMade(asked: Asked, column: ColumnFacts): Built | null {
  const [source, another] = sourcesOf(asked.script, column);
  if (source === undefined || another !== undefined || !CHANGES.test(asked.clause.text)) return null;
  asked.use('both ways', 'figure', 'fill', 'scale');
  const figures = asked.clause.all('figure').map((mark) => measureOf(asked, mark));
  return asked.aggregate([source, column.name].flatMap((name) => figures.map((one) => ({ ...one, column: name }))));
}

/** Of a mean the extreme, of a figure of names nothing. */
function suits(aggregate: Aggregate, column: ColumnFacts): boolean {
  if (column.role === 'figure' || OF_ANYTHING.has(aggregate)) return true;
  return column.role === 'time' && (aggregate === 'min' || aggregate === 'max');
}

interface Pair {
  readonly measure: MeasureDraft;
  readonly column: ColumnFacts;
}

/** Each figure of the columns named after it, up to the next figures; figures at the end are of the columns before. */
function pairsOf(asked: Asked): readonly Pair[] {
  const columns = figuredOf(asked);
  const measures = asked.free.flatMap((piece) => measuresOf(asked, piece));
  const runs = runsOf(asked);
  if (runs.some(({ columns: own }) => own.length === 0) || runs.length < 2)
    return columns.flatMap((column) => measures.map((measure) => pairOf(measure, column)));
  return runs.flatMap((run) => run.columns.flatMap((column) => run.measures.map((measure) => pairOf(measure, column))));
}

/** `the hour of departure with the highest mean wind`: beside a column of numbers a time is not what the figure is of. */
function figuredOf({ columns, clause, facts }: Asked): readonly ColumnFacts[] {
  const isOfTimes = clause.all('figure').some(({ aggregate }) => OF_ANYTHING.has(aggregate));
  const bare = columns.filter((column) => column.role !== 'time' && !tellsRows(column, facts) && !isOfMany(column));
  return !isOfTimes && bare.some(({ role }) => role === 'figure') ? bare : columns;
}

/** `among donors`, of a column of their numbers: too many to be groups. */
function isOfMany({ role, profile }: ColumnFacts): boolean {
  return role === 'category' && profile.distinct > MOST_GROUPS;
}

const MOST_GROUPS = 60;

function pairOf(measure: MeasureDraft, column: ColumnFacts): Pair {
  return { measure: { ...measure, column: column.name }, column };
}

interface Run {
  readonly measures: readonly MeasureDraft[];
  readonly columns: readonly ColumnFacts[];
}

function runsOf(asked: Asked): readonly Run[] {
  const runs: Run[] = [];
  for (const piece of asked.free) {
    const last = runs.at(-1);
    const measures = measuresOf(asked, piece);
    if (measures.length > 0) {
      const isNew = last === undefined || last.columns.length > 0;
      if (isNew) runs.push({ measures, columns: [] });
      else runs[runs.length - 1] = { ...last, measures: [...last.measures, ...measures] };
    } else if (piece.kind === 'column' && last !== undefined) {
      runs[runs.length - 1] = { ...last, columns: [...last.columns, asked.script.meantBy(piece.column)] };
    }
  }
  return runs;
}

function measuresOf(asked: Asked, piece: Piece): readonly MeasureDraft[] {
  const mark = asked.clause.markOf(piece);
  if (mark?.kind === 'figure') return [measureOf(asked, mark)];
  if (mark?.kind === 'quartiles')
    return mark.parameters.map((parameter) => ({ aggregate: 'percentile', column: null, parameter }));
  return [];
}

/** The standard deviation as a share of the mean, after figures that were asked for as well. */
function variationOf(asked: Asked, pairs: readonly Pair[]): Built {
  const [column, another] = asked.figures;
  if (column === undefined || another !== undefined)
    return asked.problem('I work out the coefficient of variation of one column at a time.');
  const others = eachOnce(pairs);
  const aggregate = asked.isPopulation ? 'stddev_pop' : 'stddev';
  const measures: readonly MeasureDraft[] = [
    ...others,
    { aggregate, column: column.name },
    { aggregate: 'avg', column: column.name },
  ];
  const [left, right] = [others.length, others.length + 1];
  const rank = rankOf(asked);
  const figure = measures.length;
  return asked.aggregate(measures, {
    computed: [{ kind: 'ratio', left, right }],
    rank: rank === null ? null : { ...rank, figure },
  });
}

/** `mean of price weighted by quantity`: rows that lack one of the two count for nothing. */
export function buildWeighted(asked: Asked): Built | null {
  if (!asked.clause.has('weighted')) return null;
  asked.use('weighted', 'figure');
  const [value, weight, another] = asked.figures;
  if (value === undefined || weight === undefined || another !== undefined)
    return asked.problem('A weighted mean needs the column to average and the one with the weights.');
  if (asked.clause.all('figure').some(({ aggregate }) => aggregate !== 'avg'))
    return asked.problem('Of weighted figures I work out the mean.', true);
  const [left, right] = [value, weight].map(({ name }): Expression => ({ kind: 'column', column: name }));
  if (left === undefined || right === undefined) return null;
  const product: Expression = { kind: 'arithmetic', operator: '*', left, right };
  const made = asked.script.make(nameOf(product), product);
  asked.note(`I weighted ${value.name} by ${weight.name}.`);
  const present: Filter = { kind: 'null', column: value.name, negated: true };
  const measures: readonly MeasureDraft[] = [
    { aggregate: 'sum', column: made.name },
    { aggregate: 'sum', column: weight.name },
  ];
  const filters = distinct([...asked.filtersFor([value.name]), present]);
  return asked.aggregate(measures, { computed: [{ kind: 'ratio', left: 0, right: 1 }], filters });
}

/** `which team has the highest variance`. */
export function rankOf(asked: Asked): RankDraft | null {
  const extreme = asked.free.find((piece) => piece.kind === 'superlative');
  if (extreme?.kind !== 'superlative' || asked.dimensions.length === 0) return null;
  return { direction: extreme.direction, limit: 1 };
}

/** `difference between the means of two groups`, `ratio of the median to the mean`. */
export function buildContrast(asked: Asked): Built | null {
  const combine = asked.firstFree('combine');
  if (combine === null || (combine.operator !== '-' && combine.operator !== '/')) return null;
  const [first] = asked.clause.all('figure');
  if (first === undefined) return null;
  asked.use('combine', 'figure');
  const computed: ComputedDraft = { kind: combine.operator === '-' ? 'difference' : 'ratio', left: 0, right: 1 };
  const measures = contrastOf(asked);
  return measures === null
    ? asked.problem('I need two groups, two columns or two figures to set against each other.')
    : asked.aggregate(measures.measures, { computed: [computed], filters: measures.filters });
}

function contrastOf(asked: Asked): Contrast | null {
  return sideMeasures(asked) ?? groupMeasures(asked) ?? flagMeasures(asked) ?? pairMeasures(asked);
}

interface Contrast {
  readonly measures: readonly MeasureDraft[];
  readonly filters: Asked['conditions'];
}

/** The same figure of the rows with one value and of those with the other. */
function groupMeasures(asked: Asked): Contrast | null {
  const [mark, ...others] = asked.clause.all('figure');
  const [column, another] = asked.figures;
  const isRepeated = others.every(({ aggregate }) => aggregate === mark?.aggregate);
  const groups = asked.conditions.find((one) => one.kind === 'in' && !one.negated && one.values.length === 2);
  if (mark === undefined || column === undefined || another !== undefined || !isRepeated) return null;
  if (groups?.kind !== 'in') return null;
  const measure = { ...measureOf(asked, mark), column: column.name };
  const measures = groups.values.map((value) => ({ ...measure, filters: [{ ...groups, values: [value] }] }));
  return { measures, filters: asked.filtersFor([column.name]).filter((filter) => filter !== groups) };
}

/** The same figure of the rows where a yes-or-no column says yes, and where it says no. */
function flagMeasures(asked: Asked): Contrast | null {
  const [mark, ...others] = asked.clause.all('figure');
  const [column, another] = asked.figures;
  const flag = asked.takeFlag();
  if (mark === undefined || others.length > 0 || column === undefined || another !== undefined || flag === undefined)
    return null;
  const measure = { ...measureOf(asked, mark), column: column.name };
  const measures = [flag.first, !flag.first].map((value) => ({
    ...measure,
    filters: [{ kind: 'in' as const, column: flag.column, values: [value], negated: false }],
  }));
  return { measures, filters: asked.filtersFor([column.name]) };
}

/** Two figures of one column, or one figure of two columns. */
function pairMeasures(asked: Asked): Contrast | null {
  const pairs = pairsOf(asked);
  const [first, second, third] = pairs;
  if (first === undefined || second === undefined || third !== undefined) return null;
  // `differ between regions` sets groups side by side; a text has no average.
  if (pairs.some(({ column, measure }) => column.role === 'category' && measure.aggregate === 'avg')) return null;
  const names = [first.column.name, second.column.name];
  return { measures: [first.measure, second.measure], filters: asked.filtersFor(names) };
}
