import type { ColumnFacts, Direction } from './column-facts.js';
import type { Aggregate } from '../../ports/analysis-plan.js';
import { addDimension, dimensionAt } from './bind-groups.js';
import { chosenAggregate, defaultAggregate, takeAggregates } from './bind-measures.js';
import type { RankDraft } from '../../analyst/reading/draft.js';
import type { Piece, PieceOf } from './pieces.js';
import { columnsHinted, extremeOf } from './table-facts.js';
import type { Workbench } from './workbench.js';

const MAX_LIMIT = 1000;
/** How many are shown when somebody asks for the highest ones without a number. */
const SOME = 5;

export type RankPiece = PieceOf<'superlative' | 'top' | 'newest' | 'frequent'>;

/** What is ranked and how, as far as the words say it. */
export interface Ranking {
  readonly place: number;
  readonly piece: RankPiece;
  readonly limit: number | null;
}

/** What a ranking becomes. `extreme`: the highest or lowest figure itself, with whatever it is grouped by. */
export type Ranked =
  | { readonly kind: 'groups'; readonly rank: RankDraft }
  | { readonly kind: 'rows'; readonly by: string; readonly direction: Direction; readonly limit: number }
  | { readonly kind: 'extreme'; readonly direction: Direction };

/** Finds the superlative of the question and the number that belongs to it. */
export function findRanking(bench: Workbench): Ranking | null {
  const places = bench.places('superlative', 'top', 'newest', 'frequent');
  const chosen = places.find((place) => bench.at(place, 'top') === null) ?? places[0];
  const piece = chosen === undefined ? undefined : bench.items[chosen];
  if (chosen === undefined || piece === undefined || !isRank(piece)) return null;
  const directions = new Set(places.map((place) => directionOf(bench.items[place])));
  if (directions.size > 1 || places.length > 2) bench.problem('You name more than one order at once.');
  const limit = limitOf(bench, places);
  bench.take(...places);
  return { place: chosen, piece, limit };
}

function isRank(piece: Piece): piece is RankPiece {
  return piece.kind === 'superlative' || piece.kind === 'top' || piece.kind === 'newest' || piece.kind === 'frequent';
}

function directionOf(piece: Piece | undefined): Direction {
  return piece !== undefined && isRank(piece) ? piece.direction : 'desc';
}

function limitOf(bench: Workbench, ranks: readonly number[]): number | null {
  for (const place of bench.places('number')) {
    const after = bench.after(place);
    const beside = bench.beside(place).some((one) => one !== null && ranks.includes(one));
    const counted = bench.canGroup(after) || bench.at(after, 'rows') !== null;
    const number = bench.at(place, 'number');
    if (number === null || !isLimit(number) || (!beside && !counted)) continue;
    bench.take(place);
    return number.value;
  }
  return null;
}

function isLimit({ unit, value }: PieceOf<'number'>): boolean {
  return unit === null && Number.isInteger(value) && value >= 1 && value <= MAX_LIMIT;
}

/** Binds the ranking to what it ranks and by which figure. */
export function bindRanking(bench: Workbench, ranking: Ranking): Ranked | null {
  const { piece } = ranking;
  if (piece.kind === 'newest') return newestRows(bench, ranking, piece.direction);
  const target = targetOf(bench, ranking);
  if (target === 'rows') return rankRows(bench, ranking);
  if (target !== null) return rankGroups(bench, ranking, target);
  if (bench.has('rows') && bench.figures().length === 0) return rankRows(bench, ranking);
  return rankFigure(bench, ranking);
}

function newestRows(bench: Workbench, { limit }: Ranking, direction: Direction): Ranked | null {
  const time = bench.facts.time;
  if (time === null) {
    bench.problem('The rows of this table have no time of their own, so none of them is the newest.', 'cannot');
    return null;
  }
  const named = bench.places('column').filter((place) => bench.column(place)?.role === 'time');
  const aboutRows = named.length === 0 || limit !== null || bench.has('rows') || asks(bench, 'when', 'who');
  bench.take(...named, ...bench.places('rows', 'asker', 'list'));
  if (aboutRows) return { kind: 'rows', by: time.name, direction, limit: limit ?? 1 };
  // `the earliest date` is a figure, not a row.
  bench.measures.push({ aggregate: direction === 'desc' ? 'max' : 'min', column: time.name });
  return { kind: 'extreme', direction };
}

/** The place of what is ranked in groups, `rows`, or `null` when only a figure is asked for. */
function targetOf(bench: Workbench, { piece }: Ranking): number | 'rows' | null {
  if (asks(bench, 'when')) return 'rows';
  const category = bench.categories().find((place) => !bench.isGrouped(place));
  if (category !== undefined) return category;
  if (piece.kind === 'superlative' && piece.form === 'comparative') return comparedColumn(bench);
  return timeTarget(bench) ?? (asks(bench, 'who') || ranksRows(bench) ? 'rows' : null);
}

/** `the coldest days` are rows where each row is of a day. */
function timeTarget(bench: Workbench): number | 'rows' | null {
  const noun = bench
    .places('bucket', 'part')
    .find((place) => !bench.isGrouped(place) && bench.at(place, 'bucket')?.noun !== false);
  if (noun === undefined) return null;
  if (bench.at(noun, 'bucket')?.bucket !== 'day' || !bench.facts.daily || bench.has('aggregate')) return noun;
  bench.take(noun);
  return 'rows';
}

function ranksRows(bench: Workbench): boolean {
  const rows = bench.first('rows');
  return rows !== null && !bench.isGrouped(rows) && !bench.has('group');
}

function asks(bench: Workbench, ...what: readonly string[]): boolean {
  return bench.places('asker').some((place) => what.includes(bench.at(place, 'asker')?.asks ?? ''));
}

/** `is A slower than B`: the groups are the values that were named. */
function comparedColumn(bench: Workbench): null {
  const several = bench.severalValues();
  if (several !== null) addDimension(bench, { kind: 'column', column: several });
  else bench.problem('I need two values of one column to compare.');
  return null;
}

function rankRows(bench: Workbench, ranking: Ranking): Ranked | null {
  const column = rankedColumn(bench, ranking);
  bench.take(...bench.places('rows', 'asker', 'list', 'group'));
  if (column === null) return null;
  if (column.profile.nulls > 0) bench.filters.push({ kind: 'null', column: column.name, negated: true });
  const { direction } = ranking.piece;
  return { kind: 'rows', by: column.name, direction, limit: ranking.limit ?? 1 };
}

/** The figure that is ranked by; complains when none can be told. */
function rankedColumn(bench: Workbench, { piece }: Ranking): ColumnFacts | null {
  const hinted = piece.kind === 'superlative' && piece.hints !== null;
  const column = hinted ? hintedColumn(bench, piece) : (onlyFigure(bench) ?? vagueColumn(bench, piece.direction));
  if (column === null) bench.problem('I can’t tell by which figure you want it ranked.');
  return column;
}

function onlyFigure(bench: Workbench): ColumnFacts | null {
  const [place, another] = bench.figures();
  if (place === undefined || another !== undefined) return null;
  const column = bench.column(place);
  bench.take(place);
  return column;
}

/** What an adjective speaks of. Another figure in the same question is one too many: the wind of the hottest days. */
function hintedColumn(bench: Workbench, { hints, text, direction }: PieceOf<'superlative'>): ColumnFacts | null {
  const found = hints === null ? null : columnsHinted(bench.facts, hints);
  if (found === null) return null;
  const named = bench.figures().filter((place) => found.columns.some((column) => column === bench.column(place)));
  const [place = null, another] = named;
  const column = place === null ? extremeOf(found.columns, direction) : bench.column(place);
  if (another === undefined) bench.take(place);
  if (column === null) bench.problem(`“${text}” could be about ${found.columns.map(({ name }) => name).join(' or ')}.`);
  if (bench.figures().length > 0) {
    bench.problem('I can’t pick rows by one figure and work out another of them.', 'cannot');
  }
  return column;
}

/** `the highest temperature` of two temperatures. */
export function vagueColumn(bench: Workbench, direction: Direction): ColumnFacts | null {
  const place = bench.first('ambiguous');
  const piece = bench.at(place, 'ambiguous');
  const column = piece === null ? null : extremeOf(piece.columns, direction);
  if (column === null || place === null) return null;
  bench.take(place);
  return column;
}

function rankGroups(bench: Workbench, ranking: Ranking, target: number): Ranked | null {
  const dimension = dimensionAt(bench, target);
  if (dimension === null) return null;
  if (bench.dimensions.length > 0 || bench.has('group')) {
    bench.problem('I can rank one kind of group at a time.', 'cannot');
  }
  const text = bench.items[target]?.text ?? '';
  bench.take(target, ...bench.places('asker', 'list'));
  addDimension(bench, dimension);
  rankMeasure(bench, ranking);
  return {
    kind: 'groups',
    rank: { direction: ranking.piece.direction, limit: ranking.limit ?? impliedLimit(ranking, text) },
  };
}

/** `which product` is one, `which products` are some. */
function impliedLimit({ piece }: Ranking, target: string): number {
  return /s$/i.test(target) && piece.kind !== 'frequent' ? SOME : 1;
}

function rankMeasure(bench: Workbench, ranking: Ranking): void {
  if (bench.measures.length > 0) return;
  const counts = bench.has('rows', 'count') || ranking.piece.kind === 'frequent';
  const speaksOfColumn = ranking.piece.kind === 'superlative' && ranking.piece.hints !== null;
  if (bench.figures().length === 0 && counts && !speaksOfColumn) {
    bench.take(...bench.places('rows', 'count', 'distinct'));
    bench.measures.push({ aggregate: 'count', column: null });
    return;
  }
  const column = rankedColumn(bench, ranking);
  if (column === null) return;
  bench.measures.push({ aggregate: groupAggregate(bench, ranking, column), column: column.name });
}

/** The highest single value for `highest`; for adjectives and `most` a sum where sums mean something, else the average. */
function groupAggregate(bench: Workbench, { piece }: Ranking, column: ColumnFacts): Aggregate {
  const chosen = chosenAggregate(takeAggregates(bench));
  if (chosen !== null) return chosen;
  const literal = piece.kind === 'superlative' && piece.form === 'extreme' && piece.hints === null;
  if (!literal || column.additive) return defaultAggregate(bench, column);
  bench.note(`I compared the single ${piece.direction === 'desc' ? 'highest' : 'lowest'} ${column.name} of each.`);
  return piece.direction === 'desc' ? 'max' : 'min';
}

/** Nothing to rank: the extreme itself, alone or per group, or the two sides of a comparison. */
function rankFigure(bench: Workbench, ranking: Ranking): Ranked | null {
  const { piece } = ranking;
  if (piece.kind === 'top') return rankTop(bench, ranking);
  if (piece.kind !== 'superlative') {
    bench.problem('I can’t tell of what you want the most frequent.');
    return null;
  }
  const column = rankedColumn(bench, ranking);
  if (column === null) return null;
  const chosen = chosenAggregate(takeAggregates(bench));
  bench.measures.push({ aggregate: chosen ?? extremeAggregate(bench, piece, column), column: column.name });
  return { kind: 'extreme', direction: piece.direction };
}

function extremeAggregate(bench: Workbench, piece: PieceOf<'superlative'>, column: ColumnFacts): Aggregate {
  if (piece.form === 'comparative') return defaultAggregate(bench, column);
  return piece.direction === 'desc' ? 'max' : 'min';
}

/** `top 5 revenue`: the rows with most of it. `top 3 instead` names nothing of its own: it is about the question before. */
function rankTop(bench: Workbench, ranking: Ranking): Ranked | null {
  if (!bench.has('column', 'ambiguous', 'rows') || bench.dimensions.length > 0) return null;
  const column = rankedColumn(bench, ranking);
  if (column === null) return null;
  return { kind: 'rows', by: column.name, direction: ranking.piece.direction, limit: ranking.limit ?? SOME };
}
