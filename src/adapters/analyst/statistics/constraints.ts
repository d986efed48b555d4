import type { Filter } from '../../../ports/analysis-plan.js';
import type { Piece } from '../pieces.js';
import type { Clause } from './clause.js';
import { conditionsOf } from './conditions.js';
import { exclusionIn } from './exclusions.js';
import { USUAL_THRESHOLDS } from './asked.js';
import { isNarrative } from './leftover-words.js';
import type { MarkKind } from './marks.js';
import { missingConditions } from './missing-conditions.js';
import { NO_CONSTRAINTS, type Constraints, type Script } from './script.js';

const OPENS =
  /^(?:(?:please|also|note that|for (?:all|both|each) (?:questions?|parts?|calculations?|these)|before (?:answering|that|calculating|computing|analysis|you begin|starting),?|in (?:all|both|your) (?:cases|calculations?|analysis),?|for this(?: analysis| purpose)?,?|first,?|when (?:doing|computing|calculating) (?:so|this|that),?)\s*)*(?:use|using|exclude|excluding|ignore|drop|remove|filter|restrict|limit|keep|select|subset|focus on|retain|narrow|include|including|consider|only|assume|treat|define|set|take|do|perform|conduct|run|judge|decide|do not|don'?t|handle|omit|discard|disregard|where|let|base|apply|an? (?:value|point|row|outlier)|outliers? (?:are|is|should)|missing|rows? (?:with|where|that)|the significance|the (?:z-?score )?threshold|the test|we (?:only|are only)|i(?: am|'m) only|look only|look at)\b/iu;
/** `Welch's t-test, alpha 0.05.` */
const FRAGMENT =
  /^(?:an? |the )?(?:one|two|paired|independent|unpaired|student|welch|mann|wilcoxon|kruskal|chi|anova|pearson|spearman|shapiro|jarque|alpha|significance|\d+(?:\.\d+)? ?(?:%|percent))\b/iu;
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
  return exclusionAlone(text, script) ?? settingIn(text, script);
}

/** `ignore tanks below 100 l`. */
function exclusionAlone(text: string, script: Script): ConstraintRead {
  const exclusion = exclusionIn(text, script);
  return exclusion !== null && isAll(exclusion.rest) ? constraintOf(exclusion.filters) : null;
}

function settingIn(text: string, script: Script): ConstraintRead {
  const clause = script.clauseOf(text.replace(BEFORE, ''));
  const population = populationIn(text, script.clauseOf(text.replace(FORMULA_AGAIN, '')));
  if (population !== null) return { kind: 'constraint', constraints: { ...NO_CONSTRAINTS, population }, notes: [] };
  if (asksItself(clause)) return null;
  const read = wholeConstraint(clause, script);
  if (read === null) return RESTRICTS.test(text) ? { kind: 'unread', text } : null;
  return isEmpty(read.constraints) && !saysHow(clause) ? null : read;
}

const SETTING =
  /^(?:please |also |here |always |for (?:this|all|both|everything),? )*(?:use|using|apply|take|assume|with|work with)\b/iu;
/** `use the population formula, m3 / m2^1.5`. */
const FORMULA_AGAIN = /(?<=\b(?:formula|form|version|definition|estimator))\s*[,(:].*$/iu;
const SPREAD = /^(?:stddev|variance|skewness|kurtosis)/;

/** `use the population standard deviation`: says how spreads are meant, and asks for none. */
function populationIn(text: string, clause: Clause): boolean | null {
  if (!SETTING.test(text) || !isOfSpreads(clause)) return null;
  const figures = clause.all('figure');
  if (figures.some(({ aggregate }) => aggregate.endsWith('_pop'))) return true;
  const said = clause.first('population')?.population;
  return said ?? (figures.length > 0 && /\bsample\b/iu.test(text) ? false : null);
}

/** It speaks of spreads alone, of no column. */
function isOfSpreads(clause: Clause): boolean {
  const isPlain = clause.columns.length === 0 && !clause.has('removing', 'outliers', 'missing');
  const chooses = clause.pieces.some(({ kind }) => kind === 'value' || kind === 'number');
  return isPlain && !chooses && clause.all('figure').every(({ aggregate }) => SPREAD.test(aggregate));
}

/** Nothing but the words before an exclusion is left. */
function isAll(rest: string): boolean {
  return /^(?:(?:please|first|also|then|and|for|in|this|that|these|all|the|analysis|question|questions|calculation|calculations|from|data|dataset)\b|[\s,.])*$/iu.test(
    rest,
  );
}

function constraintOf(filters: Constraints['filters']): ConstraintRead {
  return { kind: 'constraint', constraints: { ...NO_CONSTRAINTS, filters }, notes: [] };
}

function mayConstrain(text: string): boolean {
  return (RESTRICTS.test(text) || OPENS.test(text) || FRAGMENT.test(text)) && !text.trim().endsWith('?');
}

/** What a clause comes to where every piece of it was read. */
function wholeConstraint(clause: Clause, script: Script): (ConstraintRead & { kind: 'constraint' }) | null {
  const present = presentIn(clause);
  const missing = missingConditions(present.clause);
  const { filters, free, dimensions, problems, notes } = conditionsOf(missing.clause, script.facts);
  if (problems.length + dimensions.length > 0 || free.some((piece) => isLeft(piece, clause))) return null;
  const constraints = settingsOf(clause, [...filters, ...present.filters, ...missing.filters], missing.dropsMissing);
  return { kind: 'constraint', constraints, notes };
}

interface Present {
  readonly clause: Clause;
  readonly filters: Constraints['filters'];
}

/** `only rows with a known age`: the column right behind has a value. */
function presentIn(clause: Clause): Present {
  const filters: Filter[] = [];
  const pieces = clause.pieces.filter((piece, place, all) => {
    const isPresent = clause.markOf(all[place - 1])?.kind === 'present';
    if (!isPresent || piece.kind !== 'column') return true;
    filters.push({ kind: 'null', column: piece.column.name, negated: true });
    return false;
  });
  return { clause: clause.with(pieces), filters };
}

/** Several figures, or a figure of a column, are asked for; the interquartile range alone is a way to tell outliers. */
function asksItself(clause: Clause): boolean {
  const figures = clause.all('figure').filter(({ aggregate }) => aggregate !== 'iqr');
  const isOfColumn = clause.has('figure', 'relation', 'regression', 'test', 'normality', 'describe', 'matrix', 'scale');
  const columns = new Set(clause.columns.filter(({ role }) => role === 'figure'));
  const restricts = clause.has('removing') && clause.has('missing', 'any missing', 'outliers', 'method');
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
  if (piece.kind === 'column') return !isSettled(piece, clause);
  if (isByShape(clause) && clause.has('figure') && (piece.kind === 'number' || piece.kind === 'operator')) return false;
  return !['rows', 'list', 'asker', 'join', 'filler', 'amount', 'distinct', 'compare', 'negation', 'group'].includes(
    piece.kind,
  );
}

function removesOutliers(clause: Clause): boolean {
  return clause.has('removing') && clause.has('outliers', 'method');
}

function isSettled(piece: Extract<Piece, { kind: 'column' }>, clause: Clause): boolean {
  return removesOutliers(clause) ? piece.column.role === 'figure' : isOfRows(piece);
}

/** `players` where a column of their names tells rows apart. */
function isOfRows({ column, text }: Extract<Piece, { kind: 'column' }>): boolean {
  return column.role === 'category' && column.profile.distinct > MOST_GROUPS && /s$/iu.test(text);
}

const MOST_GROUPS = 60;
const METHODS = ['test', 'normality', 'relation', 'equal variances'] as const;

function settingsOf(clause: Clause, filters: Constraints['filters'], dropsMissing: boolean): Constraints {
  const methods = METHODS.flatMap((kind) => clause.all(kind));
  const named = removesOutliers(clause) ? outliersOf(clause) : [];
  const shapes = isByShape(clause) ? clause.all('figure').filter(({ aggregate }) => aggregate !== 'iqr') : [];
  return {
    ...NO_CONSTRAINTS,
    filters: [...filters, ...named],
    level: clause.first('level')?.level ?? null,
    method: methodIn(clause),
    factor: factorIn(clause),
    population: clause.first('population')?.population ?? null,
    marks: [...methods, ...shapes],
    dropsMissing,
    dropsOutliers: removesOutliers(clause) && named.length === 0,
  };
}

/** `remove the outliers of a`: of these columns, whatever is asked then. */
function outliersOf(clause: Clause): Constraints['filters'] {
  const method = methodIn(clause) ?? 'iqr';
  const names = new Set(clause.columns.filter(({ role }) => role === 'figure').map(({ name }) => name));
  const rule = { method, threshold: factorIn(clause) ?? USUAL_THRESHOLDS[method] };
  const population = clause.first('population')?.population ?? false;
  return [...names].map((column) => ({ kind: 'outlier', column, ...rule, population, negated: true }));
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

const SETS =
  /^(?:(?:please|also|note that|first|for this|here|and|but),?\s+)*(?:treat|consider|assume|count|regard|only|use only|using only|take|keep|include|limit|set|let|add|create|make|define|flag|mark|convert|recode|encode|weight)\b/iu;

const ONLY =
  /^(?:(?:please|also|first|here|and|but),?\s+)*(?:(?:consider|include|use|take|keep|look at|count|analy[sz]e|work with|restrict\w*|limit\w*)\s+(?:yourself to |it to )?only|only (?:consider|include|use|take|keep|look at|count))\b/iu;

/** What is to be done to the rows before anything is asked. */
const TAKES_OUT =
  /^(?:(?:please|then|next|first|also|and|now|finally|afterwards),?\s+)*(?:remove|drop|exclude|filter|delete|discard|eliminate|omit|ignore|keep|retain|restrict|limit|select|subset)\b/iu;

/** `use only …`, `keep …`: an order about the rows of the questions, which asks for none. */
export function saysWhichRows(text: string): boolean {
  return ONLY.test(text) || TAKES_OUT.test(text);
}

/** Whether a sentence that was not read says which rows count or what their values stand for, so that it must not pass for background. */
export function setsRows(text: string, script: Script): boolean {
  if (saysWhichRows(text) || saysMethodUnread(text)) return true;
  if (!SETS.test(text)) return false;
  const clause = script.clauseOf(text);
  if (clause.has('outliers', 'significant', 'normality', 'level')) return false;
  return clause.columns.length > 0 || clause.pieces.some(({ kind }) => CHOOSES.has(kind));
}

const METHOD = /^(?:(?:please|also|here|always|and),?\s+)*(?:use|apply|work with|employ|adopt)\s+\p{L}/iu;
/** What is done anyway. */
const USUAL =
  /\b(?:linear interpolation|two[- ](?:sided|tailed)|least squares|all (?:the |available )?(?:rows|data|records|observations|values)|whole (?:data ?set|table)|standard (?:formula|definition)|usual|default|conventional|this data|the data ?set|the (?:table|file|data)|(?:calculator|python|pandas|scipy|sql|excel|r|numpy))\b/iu;

/** `use the … formula`: it says how a figure is worked out, in words that were not read. */
function saysMethodUnread(text: string): boolean {
  return METHOD.test(text) && !USUAL.test(text);
}

const CHOOSES: ReadonlySet<Piece['kind']> = new Set(['value', 'number', 'operator', 'time', 'date', 'quoted', 'empty']);
