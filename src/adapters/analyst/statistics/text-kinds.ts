import type { Clause } from './clause.js';
import type { Mark, MarkKind } from './marks.js';
import type { Script } from './script.js';

/** `is … different` is no count of different values. */
const DIFFERS = /^(?:is|are|do|does|did)\b[^?]*\bdiffer/iu;

const BASIC = new Set(['avg', 'sum', 'min', 'max', 'median', 'stddev', 'count_distinct', 'mode']);
const NEUTRAL: ReadonlySet<MarkKind> = new Set([
  'reference',
  'each',
  'population',
  'level',
  'both ways',
  'factor',
  'term',
  'present',
]);

/**
 * What a text holds: `statistics`, only what the table's grammar knows as well (`basic`), or `nothing`, neither a column nor a figure; `empty`: no unknown word either.
 */
export function isBasic(text: string, script: Script): 'statistics' | 'basic' | 'nothing' | 'empty' {
  const clause = script.clauseOf(text);
  if (isStatistical(clause)) return 'statistics';
  if (!isBare(clause)) return 'basic';
  return clause.pieces.some(({ kind }) => kind === 'word' || kind === 'quoted') ? 'nothing' : 'empty';
}

function isStatistical(clause: Clause): boolean {
  if (DIFFERS.test(clause.text) || (clause.has('population') && clause.has('figure'))) return true;
  const marks = clause.pieces.map((piece) => clause.markOf(piece)).filter((mark) => mark !== null);
  const strong = marks.filter(isStrong);
  const isOfRows = strong.every(({ kind }) => kind === 'missing') && clause.pieces.some(({ kind }) => kind === 'rows');
  return strong.length > 0 && !isOfRows;
}

function isStrong(mark: Mark): boolean {
  return !NEUTRAL.has(mark.kind) && !(mark.kind === 'figure' && BASIC.has(mark.aggregate));
}

function isBare(clause: Clause): boolean {
  const namesValue = clause.pieces.some(({ kind }) => kind === 'value');
  return clause.columns.length === 0 && !clause.has('figure') && !namesValue;
}

const SHARED: ReadonlySet<MarkKind> = new Set([
  ...NEUTRAL,
  'figure',
  'quartiles',
  'share',
  'series',
  'describe',
  'which column',
]);

/** Whether the table's grammar may have a try at it: all its statistics are such as it may know, too. */
export function isTables(text: string, script: Script): boolean {
  const clause = script.clauseOf(text);
  if (DIFFERS.test(text)) return false;
  return clause.pieces.every((piece) => {
    const mark = clause.markOf(piece);
    return mark === null || SHARED.has(mark.kind);
  });
}
