import type { Piece } from '../pieces.js';
import type { Clause } from './clause.js';
import { conditionsOf } from './conditions.js';
import { isNarrative } from './leftover-words.js';
import type { MarkKind } from './marks.js';
import { missingConditions } from './missing-conditions.js';
import { NO_CONSTRAINTS, type Constraints, type Script } from './script.js';

const OPENS =
  /^(?:(?:please|also|note that|for (?:all|both|each) (?:questions?|parts?|calculations?|these)|before (?:answering|that|calculating|computing|analysis|you begin|starting),?|in (?:all|both|your) (?:cases|calculations?|analysis),?|for this(?: analysis| purpose)?,?|first,?|when (?:doing|computing|calculating) (?:so|this|that),?)\s*)*(?:use|using|exclude|excluding|ignore|drop|remove|filter|restrict|limit|keep|include|including|consider|only|assume|treat|define|set|take|do|perform|conduct|run|judge|decide|do not|don'?t|handle|omit|discard|disregard|where|let|base|apply|an? (?:value|point|row|outlier)|outliers? (?:are|is|should)|missing|rows? (?:with|where|that)|the significance|the (?:z-?score )?threshold|the test|we (?:only|are only)|i(?: am|'m) only|look only|look at)\b/iu;
/** `Welch's t-test, alpha 0.05.` */
const FRAGMENT =
  /^(?:an? |the )?(?:one|two|paired|independent|unpaired|student|welch|mann|wilcoxon|kruskal|chi|anova|pearson|spearman|shapiro|alpha|significance|\d+(?:\.\d+)? ?(?:%|percent))\b/iu;
const BEFORE = /^(?:before|when|while|for) [^,]{0,40}ing\b[^,]{0,40},\s*/iu;
const RESTRICTS =
  /\b(?:only (?:interested|consider|include|use|rows|records|the)|exclud\w+|ignor\w+|restrict\w*|limited? to|filter\w*|remov\w+|drop\w*|omit\w*|disregard\w*|discard\w*)\b/iu;
/** `standardise a, missing values ignored` makes a column. */
const SCALES = /^(?:z-?\s?)?(?:standardi[sz]e|normali[sz]e|rescale)\b/iu;
const SETTINGS: ReadonlySet<MarkKind> = new Set([
  'level',
  'method',
  'factor',
  'population',
  'removing',
  'outliers',
  'missing',
  'any missing',
  'significant',
  'bounds',
  'relation',
  'scale',
  'normality',
  'term',
  'reference',
  'each',
  'complete',
  'test',
  'figure',
  'regression',
  'equal variances',
  'both ways',
  'all columns',
  'combine',
  'present',
]);

/** What a sentence of its own says about the questions of a message. */
export type ConstraintRead =
  | { readonly kind: 'constraint'; readonly constraints: Constraints; readonly notes: readonly string[] }
  /** It restricts, but not in words that were read. */
  | { readonly kind: 'unread'; readonly text: string }
  | null;

/** Reads `exclude rows with missing values`, `use a significance level of 0.05`, `consider only homes in Birchwood`. */
export function readConstraint(text: string, script: Script): ConstraintRead {
  if (!mayConstrain(text) || SCALES.test(text)) return null;
  const clause = script.clauseOf(text.replace(BEFORE, ''));
  if (asksItself(clause)) return null;
  const read = wholeConstraint(clause, script);
  if (read === null) return RESTRICTS.test(text) ? { kind: 'unread', text } : null;
  return isEmpty(read.constraints) && !saysHow(clause) ? null : read;
}

function mayConstrain(text: string): boolean {
  return (RESTRICTS.test(text) || OPENS.test(text) || FRAGMENT.test(text)) && !text.trim().endsWith('?');
}

/** What a clause comes to where every piece of it was read. */
function wholeConstraint(clause: Clause, script: Script): (ConstraintRead & { kind: 'constraint' }) | null {
  const missing = missingConditions(clause);
  const { filters, free, dimensions, problems, notes } = conditionsOf(missing.clause, script.facts);
  if (problems.length + dimensions.length > 0 || free.some((piece) => isLeft(piece, clause))) return null;
  const constraints = settingsOf(clause, [...filters, ...missing.filters], missing.dropsMissing);
  return { kind: 'constraint', constraints, notes };
}

/** Several figures, or a figure of a column, are asked for; the interquartile range alone is a way to tell outliers. */
function asksItself(clause: Clause): boolean {
  const figures = clause.all('figure').filter(({ aggregate }) => aggregate !== 'iqr');
  const isOfColumn = clause.has('figure', 'relation', 'regression', 'test', 'normality', 'describe', 'matrix', 'scale');
  const columns = new Set(clause.columns.filter(({ role }) => role === 'figure'));
  const restricts = clause.has('removing') && clause.has('missing', 'any missing', 'outliers');
  const figured = columns.size > (restricts ? 1 : 0);
  return (
    (figures.length > 0 && !isByShape(clause)) ||
    clause.has('beyond', 'share', 'predict', 'fill', 'bins') ||
    (isOfColumn && figured)
  );
}

function numberIn(clause: Clause): number | null {
  const number = clause.pieces.find(({ kind }) => kind === 'number');
  return number?.kind === 'number' && clause.has('figure') ? number.value : null;
}

/** `judge by the skewness`. */
function isByShape(clause: Clause): boolean {
  return (
    clause.columns.length === 0 &&
    clause.all('figure').every(({ aggregate }) => /^(?:skewness|kurtosis|iqr)/.test(aggregate))
  );
}

function isLeft(piece: Piece, clause: Clause): boolean {
  const mark = clause.markOf(piece);
  if (mark !== null) return !SETTINGS.has(mark.kind);
  if (piece.kind === 'word') return !isNarrative(piece, clause);
  if (isByShape(clause) && clause.has('figure') && (piece.kind === 'number' || piece.kind === 'operator')) return false;
  return !['rows', 'list', 'asker', 'join', 'filler', 'amount', 'distinct', 'compare', 'negation', 'group'].includes(
    piece.kind,
  );
}

const METHODS = ['test', 'normality', 'relation', 'equal variances'] as const;

function settingsOf(clause: Clause, filters: Constraints['filters'], dropsMissing: boolean): Constraints {
  const methods = METHODS.flatMap((kind) => clause.all(kind));
  const shapes = isByShape(clause) ? clause.all('figure').filter(({ aggregate }) => aggregate !== 'iqr') : [];
  return {
    ...NO_CONSTRAINTS,
    filters,
    level: clause.first('level')?.level ?? null,
    method: methodIn(clause),
    factor: factorIn(clause),
    population: clause.first('population')?.population ?? null,
    marks: [...methods, ...shapes],
    dropsMissing,
    dropsOutliers: clause.has('removing') && clause.has('outliers', 'method'),
  };
}

function methodIn(clause: Clause): Constraints['method'] {
  const said = clause.first('method')?.method;
  if (said !== undefined) return said;
  if (clause.all('figure').some(({ aggregate }) => aggregate === 'iqr')) return 'iqr';
  return clause.has('scale') ? 'zscore' : null;
}

function factorIn(clause: Clause): number | null {
  const said = clause.first('method')?.threshold ?? clause.first('factor')?.value;
  return said ?? (isByShape(clause) ? numberIn(clause) : null);
}

function isEmpty({
  filters,
  level,
  method,
  factor,
  population,
  marks,
  dropsMissing,
  dropsOutliers,
}: Constraints): boolean {
  const isSet = marks.length > 0 || [level, method, factor, population].some((one) => one !== null);
  return !isSet && filters.length === 0 && !dropsMissing && !dropsOutliers;
}

/** `treat values above the upper bound as outliers` tells again what a method is. */
function saysHow(clause: Clause): boolean {
  return clause.has('outliers', 'significant', 'normality', 'missing') && clause.columns.length === 0;
}
