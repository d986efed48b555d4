import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { MAX_MEASURES, type Asked, type Built } from './asked.js';

const MAX_MATRIX = 20;

/** Correlation of two columns, of each pair of several, or of each group. */
export function buildRelation(asked: Asked): Built | null {
  if (!asked.clause.has('matrix', 'relation')) return null;
  asked.use('relation', 'matrix', 'all columns', 'which column', 'term');
  const columns = relatedColumns(asked);
  const [first, second] = columns;
  if (first === undefined) return null;
  if (second === undefined) return withEachOther(asked, first) ?? tooFew(asked);
  return between(asked, columns, [first, second]);
}

function relatedColumns(asked: Asked): readonly ColumnFacts[] {
  return asked.clause.has('matrix') && asked.figures.length < 2 ? everyFigure(asked) : asked.figures;
}

type Two = readonly [ColumnFacts, ColumnFacts];

function between(asked: Asked, columns: readonly ColumnFacts[], [first, second]: Two): Built | null {
  const isMatrix = asked.clause.has('matrix');
  if (asked.columns.length > columns.length && !isMatrix) return null;
  if (asked.dimensions.length > 0) return perGroup(asked, columns);
  if (columns.length > 2) return ofSeveral(asked, columns);
  return isMatrix && !asked.clause.has('relation') ? matrix(asked, columns) : ofTwo(asked, first, second);
}

function ofTwo(asked: Asked, first: ColumnFacts, second: ColumnFacts): Built {
  const built = asked.statistic(methodOf(asked), [first.name, second.name]);
  const isOfP = asked.clause.first('term')?.term === 'p-value';
  return {
    ...built,
    verdict: asked.verdict('correlation'),
    focus: isOfP ? { on: 'column', term: 'p-value' } : undefined,
  };
}

function tooFew(asked: Asked): Built | null {
  // `related to` is an everyday word; alone it is no question about statistics.
  const isLoose = asked.clause.all('relation').every(({ loose }) => loose);
  return isLoose ? null : asked.problem('A correlation needs two columns of numbers.');
}

function methodOf(asked: Asked): 'pearson' | 'spearman' {
  const said = asked.clause.all('relation').find(({ method }) => method !== null)?.method ?? null;
  if (said === null) asked.note('I took Pearson’s correlation.');
  return said ?? 'pearson';
}

export function everyFigure(asked: Asked): readonly ColumnFacts[] {
  const columns = asked.facts.columns.filter(({ role, identifies, name }) => {
    const isOwn = asked.script.columns.some((made) => made.name === name);
    return role === 'figure' && !identifies && !isOwn;
  });
  if (columns.length > MAX_MATRIX) asked.note(`I took the first ${MAX_MATRIX} columns of numbers.`);
  return columns.slice(0, MAX_MATRIX);
}

function matrix(asked: Asked, columns: readonly ColumnFacts[]): Built {
  if (columns.length < 2) return asked.problem('A correlation needs two columns of numbers.');
  if (methodOf(asked) === 'spearman')
    return asked.problem('I can work out a table of Pearson’s correlations, but not of Spearman’s.', true);
  return asked.statistic(
    'correlation_matrix',
    columns.slice(0, MAX_MATRIX).map(({ name }) => name),
  );
}

function aggregateOf(asked: Asked): Aggregate {
  return methodOf(asked) === 'spearman' ? 'rank_correlation' : 'correlation';
}

function perGroup(asked: Asked, columns: readonly ColumnFacts[]): Built {
  const [first, second, third] = columns;
  if (first === undefined || second === undefined || third !== undefined)
    return asked.problem('By groups I work out the correlation of two columns.');
  return asked.aggregate([{ aggregate: aggregateOf(asked), column: first.name, second: second.name }]);
}

/** `which of a and b correlates more with c`, else all pairs. */
function ofSeveral(asked: Asked, columns: readonly ColumnFacts[]): Built {
  const target = targetOf(asked, columns);
  if (!/\b(?:which|what)\b/iu.test(asked.clause.text) || target === null) return matrix(asked, columns);
  return against(
    asked,
    target,
    columns.filter(({ name }) => name !== target.name),
  );
}

/** The single column behind the `with` of a correlation: what the others are set against. */
function targetOf({ clause, script }: Asked, columns: readonly ColumnFacts[]): ColumnFacts | null {
  const at = clause.pieces.findLastIndex((piece) => clause.markOf(piece)?.kind === 'relation');
  const after = clause.pieces.slice(at + 1);
  const link = after.findIndex(({ text }) => /^(?:with|to)$/iu.test(text));
  const behind = link < 0 ? [] : after.slice(link + 1);
  const end = behind.findIndex(({ kind, text }) => kind === 'join' || /^[:,;(]/u.test(text));
  const named = (end < 0 ? behind : behind.slice(0, end)).flatMap((one) =>
    one.kind === 'column' ? [script.meantBy(one.column)] : [],
  );
  const [only, another] = named;
  if (only !== undefined && another === undefined) return only;
  return /\bwhich (?:one )?of\b/iu.test(clause.text) ? (columns.at(-1) ?? null) : null;
}

/** `which column is most strongly correlated with a`. */
function withEachOther(asked: Asked, target: ColumnFacts): Built | null {
  if (!asked.clause.has('which column') && !/\bwhich\b/iu.test(asked.clause.text)) return null;
  const others = everyFigure(asked).filter(({ name }) => name !== target.name);
  return others.length === 0 ? null : against(asked, target, others.slice(0, MAX_MEASURES));
}

function against(asked: Asked, target: ColumnFacts, others: readonly ColumnFacts[]): Built {
  const aggregate = aggregateOf(asked);
  const built = asked.aggregate(others.map(({ name }) => ({ aggregate, column: target.name, second: name })));
  const lowest = asked.free.some((piece) => piece.kind === 'superlative' && piece.direction === 'asc');
  return { ...built, focus: { on: lowest ? 'lowest' : 'highest', term: null } };
}

export function buildCovariance(asked: Asked): Built | null {
  if (!asked.clause.has('covariance')) return null;
  asked.use('covariance');
  const [first, second, third] = asked.figures;
  if (first === undefined || second === undefined || third !== undefined)
    return asked.problem('A covariance needs two columns of numbers.');
  if (asked.isPopulation) return asked.problem('I work out the covariance of a sample, but not of a population.', true);
  asked.note('I took the rows as a sample (dividing by n − 1).');
  return asked.aggregate([{ aggregate: 'covariance', column: first.name, second: second.name }]);
}
