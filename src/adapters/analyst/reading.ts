import type { Filter } from '../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import { bindCompare, bindGroups, bindTrend, dimensionAt } from './bind-groups.js';
import { bindCounts, bindFigures, defaultAggregate } from './bind-measures.js';
import { bindComparisons, bindEqualNumbers } from './bind-numbers.js';
import { bindRanking, findRanking, type Ranked } from './bind-ranking.js';
import { bindTimes } from './bind-times.js';
import { absorbNames, bindBooleans, bindEmpty, bindValues, checkAlternatives } from './bind-values.js';
import type { DimensionDraft, Draft, RankDraft } from '../../analyst/reading/draft.js';
import type { Piece } from './pieces.js';
import type { TableFacts } from './table-facts.js';
import type { ColumnFacts } from './column-facts.js';
import { Workbench } from './workbench.js';

const LIST_LIMIT = 100;
const MAX_COMPARED = 4;

/** What the pieces of a question come to. Without a draft they are only a part of one, as in `only 2013`. */
export interface Reading {
  readonly draft: Draft | null;
  readonly bench: Workbench;
  /** `top 3`, of what was asked before. */
  readonly limit: number | null;
}

/** Puts the pieces of a question together. Each rule takes the pieces it understands; what is left over is a problem. */
export function readingOf(pieces: readonly Piece[], facts: TableFacts): Reading {
  const items = preferFigures(preferComparisons(pieces.filter(({ kind }) => kind !== 'filler')));
  const bench = new Workbench(items, facts);
  checkAlternatives(bench);
  absorbNames(bench);
  bindComparisons(bench);
  bindEmpty(bench);
  const ranking = findRanking(bench);
  bindEqualNumbers(bench);
  bindValues(bench);
  bindBooleans(bench);
  bindTimes(bench);
  bindGroups(bench, ranking !== null);
  const ranked = ranking === null ? null : bindRanking(bench, ranking);
  bindCompare(bench);
  bindTrend(bench);
  bindFree(bench, ranked);
  const draft = draftOf(bench, ranked);
  bench.take(...bench.places('join', 'list', 'asker', 'amount', 'distinct'));
  return { draft, bench, limit: ranking?.limit ?? null };
}

/** `do women earn more than men`: between values it compares groups, not numbers. */
function preferComparisons(items: readonly Piece[]): readonly Piece[] {
  return items.map((piece, place) => {
    const next = items[place + 1];
    const compares =
      piece.kind === 'operator' && piece.operator !== '=' && piece.operator !== '!=' && next?.kind === 'value';
    return compares ? { kind: 'compare', text: piece.text } : piece;
  });
}

/** `most rain`, `how much rain`: the word means the figure there, and elsewhere the kind of weather. */
function preferFigures(items: readonly Piece[]): readonly Piece[] {
  const isNeeded = items.some(isGrouping) && !items.some(isFigure);
  return items.map((piece, place) => {
    if (piece.kind !== 'value' || piece.figure === null) return piece;
    const before = items[place - 1];
    const isMeant = measures(before) || (isNeeded && before?.kind !== 'negation');
    return isMeant ? { kind: 'column', column: piece.figure, implied: null, text: piece.text } : piece;
  });
}

function isGrouping({ kind }: Piece): boolean {
  return kind === 'group' || kind === 'trend' || kind === 'bucket';
}

function isFigure(piece: Piece): boolean {
  return piece.kind === 'column' ? piece.column.role === 'figure' : piece.kind === 'count' || piece.kind === 'rows';
}

function measures(piece: Piece | undefined): boolean {
  if (piece?.kind === 'superlative') return piece.hints === null;
  return piece?.kind === 'aggregate' || piece?.kind === 'amount';
}

/** What no ranking took: counts, figures, and the columns and spans of time that are listed or grouped by. */
function bindFree(bench: Workbench, ranked: Ranked | null): void {
  if (ranked?.kind === 'rows') return;
  bindCounts(bench);
  bindFigures(bench);
  bindCategories(bench, ranked);
  bindSpans(bench);
  bindRowCounts(bench);
  if (bench.says('compare') && bench.measures.length === 0 && bench.dimensions.length > 0) compareEverything(bench);
}

/** A column that is named without a `by`: it is listed, or (`revenue country`) grouped by after all. */
function bindCategories(bench: Workbench, ranked: Ranked | null): void {
  if (ranked !== null) return;
  for (const place of bench.categories()) {
    const column = bench.column(place);
    const dimension = dimensionAt(bench, place);
    if (column === null || dimension === null) continue;
    bench.take(place);
    if (!isActor(bench, column)) bench.dimensions.push(dimension);
  }
}

/** `how much did customers spend`, `average cpu of hosts`: they are whose figures it is, not a wish for groups. */
function isActor(bench: Workbench, column: ColumnFacts): boolean {
  const isAsset = column.name === bench.facts.meta?.name;
  return bench.says('amount') || (isAsset && bench.measures.length > 0 && bench.having.length === 0);
}

/** `days with wind over 9` are rows where each row is a day; `which months` are groups. */
function bindSpans(bench: Workbench): void {
  for (const place of bench.places('bucket')) {
    if (isDayRow(bench, place)) bindDay(bench, place);
    else if (isAsked(bench, place)) bindSpan(bench, place);
  }
}

/** The rainy days of `average wind on rainy days` are the rows that the filter leaves. */
function bindDay(bench: Workbench, place: number): void {
  if (bench.measures.length === 0) return;
  if (bench.items[place - 1]?.kind === 'value') bench.take(place);
  else if (isAsked(bench, place)) bindSpan(bench, place);
}

function bindSpan(bench: Workbench, place: number): void {
  const dimension = dimensionAt(bench, place);
  if (dimension === null) return;
  bench.take(place);
  bench.dimensions.push(dimension);
}

function isAsked(bench: Workbench, place: number): boolean {
  return bench.previous(place, 'asker') !== null || bench.previous(place, 'aggregate') !== null;
}

function isDayRow(bench: Workbench, place: number): boolean {
  return bench.facts.daily && bench.at(place, 'bucket')?.bucket === 'day';
}

/** `strikes by size`: rows that are grouped are counted, and so are the hires of a year. */
function bindRowCounts(bench: Workbench): void {
  if (bench.measures.length > 0) {
    bench.take(...bench.places('rows'));
    return;
  }
  const moments = bench.places('column').filter((place) => bench.column(place)?.role === 'time');
  if (bench.dimensions.length === 0 || !(bench.has('rows') || moments.length > 0)) return;
  bench.take(...bench.places('rows'), ...moments);
  bench.measures.push({ aggregate: 'count', column: null });
}

function compareEverything(bench: Workbench): void {
  const measures = bench.facts.columns.filter(
    ({ name, role, identifies }) => role === 'figure' && !identifies && bench.facts.profile.values.includes(name),
  );
  for (const column of measures.slice(0, MAX_COMPARED)) {
    bench.measures.push({ aggregate: defaultAggregate(bench, column), column: column.name });
  }
}

function draftOf(bench: Workbench, ranked: Ranked | null): Draft | null {
  if (ranked?.kind === 'rows') return rankedRows(bench, ranked);
  const { measures, dimensions, filters, having } = bench;
  if (measures.length + dimensions.length === 0) return listedRows(bench);
  if (measures.length === 0) checkListed(bench);
  const groups = dimensions.filter((one, place) => dimensions.findIndex((other) => isSame(one, other)) === place);
  return { kind: 'aggregate', measures, dimensions: groups, filters, having, rank: rankOf(ranked, groups) };
}

function isSame(one: DimensionDraft, other: DimensionDraft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The lowest of each group come in that order, but times stay in theirs. */
function rankOf(ranked: Ranked | null, dimensions: readonly DimensionDraft[]): RankDraft | null {
  if (ranked?.kind === 'groups') return ranked.rank;
  const isOrdered = ranked?.kind === 'extreme' && dimensions[0]?.kind === 'column';
  return isOrdered ? { direction: ranked.direction, limit: null } : null;
}

/** `customers who spent more than 5000` may mean single rows or the sum of each. */
function checkListed(bench: Workbench): void {
  const compared = bench.filters.find(({ kind }) => kind === 'compare' || kind === 'between');
  const named = compared === undefined ? [] : columnsOfFilter(compared);
  const column = bench.facts.columns.find(({ name, additive }) => additive && named.includes(name));
  if (column !== undefined) {
    bench.problem(
      `Do you mean single rows, or the total of each? Say “total ${column.name}” or “rows with ${column.name}”.`,
    );
  }
}

/** The row that holds the extreme: what it is called, when it was, whose it is, and what it was chosen for. */
function rankedRows(bench: Workbench, { by, direction, limit }: Ranked & { kind: 'rows' }): Draft {
  const { identity, time, meta } = bench.facts;
  // `the last 10 rows` are wanted whole.
  if (by === time?.name && limit > 1) {
    return { kind: 'rows', columns: [], filters: bench.filters, order: [{ by, direction }], limit };
  }
  const named = [identity?.name, time?.name, meta?.name, by, ...bench.filters.flatMap(columnsOfFilter)];
  const columns = [...new Set(named.filter((name) => name !== undefined))];
  return { kind: 'rows', columns, filters: bench.filters, order: [{ by, direction }], limit };
}

/** Rows are listed when they are asked for by name, or when a condition on a figure says which. */
function listedRows(bench: Workbench): Draft | null {
  const days = bench.places('bucket').filter((place) => isDayRow(bench, place));
  const isNamed = bench.has('rows') || days.length > 0;
  const isWanted = isNamed ? bench.filters.length > 0 || bench.has('list') : bench.filters.some(isTest);
  if (!isWanted || bench.has('amount') || bench.orphans.length > 0) return null;
  const moments = bench.places('column').filter((place) => bench.column(place)?.role === 'time');
  bench.take(...bench.places('rows'), ...moments, ...days);
  return { kind: 'rows', columns: [], filters: bench.filters, order: [], limit: LIST_LIMIT };
}

function isTest(filter: Filter): boolean {
  return filter.kind === 'compare' || filter.kind === 'between' || filter.kind === 'null';
}
