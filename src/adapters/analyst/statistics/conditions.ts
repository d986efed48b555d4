import type { Filter } from '../../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../../ports/plan-filters.js';
import { bindGroups } from '../bind-groups.js';
import { bindComparisons, bindEqualNumbers } from '../bind-numbers.js';
import { bindTimes } from '../bind-times.js';
import { absorbNames, bindBooleans, bindEmpty, bindValues, checkAlternatives } from '../bind-values.js';
import type { ColumnFacts } from '../column-facts.js';
import type { DimensionDraft } from '../../../analyst/reading/draft.js';
import type { Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';
import { Workbench, type Problem } from '../workbench.js';
import { withoutColumns, withoutEquals, withoutSides } from './alternatives.js';
import type { Clause } from './clause.js';
import type { MarkOf } from './marks.js';
import { withRankedGroups } from './ranked-groups.js';

/** A clause after the table's rules took their conditions and groups; what they left is the statistic. */
export interface Conditioned {
  readonly clause: Clause;
  readonly filters: readonly Filter[];
  readonly dimensions: readonly DimensionDraft[];
  /** The yes-or-no column both of whose answers are named, and which of them comes first. */
  readonly flag?: { readonly column: string; readonly first: boolean };
  /** Pieces that are no condition and no group, marks among them. */
  readonly free: readonly Piece[];
  readonly problems: readonly Problem[];
  readonly notes: readonly string[];
}

/** Takes conditions and groups out of a clause; one that is a condition as a whole may name yes-or-no columns alone. */
export function conditionsOf(clause: Clause, facts: TableFacts, isCondition = false): Conditioned {
  const content = clause.pieces.filter(
    (piece, place) => !isWholeOf(clause.pieces, place) && (piece.kind !== 'filler' || clause.markOf(piece) !== null),
  );
  const said = content
    .filter(
      (piece, place) =>
        !isPlainBetween(piece, content[place + 1]) &&
        !isOfThose(piece, content[place + 1]) &&
        !isAgent(piece, content[place - 1], content[place + 1]) &&
        !(isBy(piece) && EXPLAINED.test(clause.text)) &&
        !isWholeCount(piece, content[place - 1], content[place + 1]),
    )
    .map(
      (piece, place, all) =>
        noAsValue(piece, columnBefore(all, place)) ??
        (isEachOf(clause.markOf(piece)?.kind, all[place + 1]) ? groupPiece(piece) : piece),
    );
  const { pieces: plainer, filters: sides } = withoutSides(withoutEquals(withRankedGroups(said, clause)));
  const compared = withoutColumns(plainer);
  const against = againstFigures(compared.pieces, clause);
  const bench = new Workbench(against.pieces, facts);
  checkAlternatives(bench);
  absorbNames(bench);
  bindComparisons(bench);
  bindEmpty(bench);
  bindEqualNumbers(bench);
  bindValues(bench);
  if (isCondition || bench.figures().length > 0 || clause.has('share')) bindBooleans(bench);
  bindTimes(bench);
  bindGroups(bench, false);
  bindAdverbs(bench);
  const filters = [...bench.filters, ...against.filters, ...compared.filters, ...sides];
  const tested = new Set(filters.flatMap(columnsOfFilter));
  const free = against.pieces.filter((piece, place) => bench.isFree(place) && !isTested(piece, tested));
  return { clause, filters, dimensions: bench.dimensions, free, problems: bench.problems, notes: bench.notes };
}

/** `vaccinated and unvaccinated animals`: both answers of a yes-or-no column are its two groups, not a condition that nothing fits. */
export function withOpposites(read: Conditioned): Conditioned {
  const pair = oppositesIn(read.filters);
  if (pair === null) return read;
  const filters = read.filters.filter((filter) => !(filter.kind === 'in' && filter.column === pair.column));
  const isGrouped = read.dimensions.some(({ column }) => column === pair.column);
  return {
    ...read,
    filters,
    flag: { column: pair.column, first: pair.values[0] === true },
    dimensions: isGrouped ? read.dimensions : [...read.dimensions, { kind: 'column', column: pair.column }],
  };
}

const APART = /\b(among|amongst|for|in|of|at|from|on)\b(?: the)? [^.,;?]{1,60}? (?:and|or)(?: also)? \1\b/iu;

/** `… for a = x and a = y`, `… of x compared with y`. */
export const SETS_APART: readonly RegExp[] = [
  APART,
  /^compare\b|\bcompare (?:it|this|that|them) (?:with|to|against)\b/iu,
  /\b(?:versus|vs\b|compared (?:to|with|against)|as opposed to|respectively|separately)/iu,
  /("[^"]{1,60}"|\b\p{L}[\p{L}\p{N}_]*) (?:=|is|equal to) (?:"[^"]{1,60}"|[^\s,;?]+),? and (?:(?:for|of|in|among) )?(?:the )?(?:\p{L}+ )?(?:with |where |whose |having )?\1 (?:=|is|equal to)/iu,
];

/** `the mean among smokers and among others`: two groups told apart, each with a figure of its own. */
export function withApart(read: Conditioned): Conditioned {
  const { clause, dimensions, filters } = read;
  if (dimensions.length > 0 || !isOfFigureOrRate(clause)) return read;
  const named = filters.find((one) => one.kind === 'in' && !one.negated && one.values.length > 1);
  if (named?.kind !== 'in' || !SETS_APART.some((said) => said.test(clause.text))) return read;
  return { ...read, dimensions: [{ kind: 'column', column: named.column }] };
}

/** A figure of each group, or the rate of a yes-or-no column. */
function isOfFigureOrRate(clause: Clause): boolean {
  if (clause.has('combine', 'test', 'relation', 'regression')) return false;
  const isOfRate = clause.all('share').some(({ of }) => of !== undefined);
  return clause.has('figure') ? !clause.has('share') : isOfRate;
}

/** `smk = 1 and smk = 0` of a column that holds nothing else: its two groups. */
export function withCodes(read: Conditioned, facts: TableFacts): Conditioned {
  const codes = read.filters.filter((one) => one.kind === 'compare' && one.operator === '=');
  const pair = codes.find(
    (one) => 'column' in one && new Set(codes.flatMap((other) => valuesOf(other, one.column))).size === 2,
  );
  if (pair === undefined || !('column' in pair)) return read;
  const column = facts.columns.find(({ name }) => name === pair.column);
  if (column?.profile.distinct !== 2 || read.dimensions.length > 0) return read;
  const filters = read.filters.filter((one) => !(one.kind === 'compare' && one.column === pair.column));
  return { ...read, filters, dimensions: [{ kind: 'column', column: pair.column }] };
}

function valuesOf(filter: Filter, column: string): readonly number[] {
  return filter.kind === 'compare' && filter.column === column ? [filter.value] : [];
}

/** The yes-or-no column both of whose answers are conditions. */
function oppositesIn(filters: readonly Filter[]): Extract<Filter, { kind: 'in' }> | null {
  const flags = filters.filter((one) => one.kind === 'in').filter(({ values }) => typeof values[0] === 'boolean');
  return (
    flags.find(
      ({ column, values, negated }) =>
        (!negated && new Set(values).size > 1) ||
        flags.some((other) => other.column === column && other.values[0] !== values[0]),
    ) ?? null
  );
}

/** `customers who churned (Churn = Yes)`: a column of categories that is tested is named, not asked for. */
function isTested(piece: Piece, tested: ReadonlySet<string>): boolean {
  return piece.kind === 'column' && piece.column.role !== 'figure' && tested.has(piece.column.name);
}

/** `between a and b` compares only where numbers follow. */
function isPlainBetween(piece: Piece, next: Piece | undefined): boolean {
  const isWord = piece.kind === 'operator' && /^(?:between|over)$/iu.test(piece.text);
  return isWord && next?.kind !== 'number' && (piece.operator === 'between' || next?.kind !== 'filler');
}

/** `among smokers`: the rows with that value, no groups. */
function isOfThose({ text }: Piece, next: Piece | undefined): boolean {
  return /^among(?:st)?$/iu.test(text) && next?.kind === 'value';
}

/** `requested by women`: who did it, and no grouping. */
function isAgent(piece: Piece, before: Piece | undefined, next: Piece | undefined): boolean {
  return (
    isBy(piece) &&
    next?.kind === 'value' &&
    before?.kind === 'word' &&
    /(?:ed|en|wn|id|orn|eld|ade|ght)$/u.test(before.key)
  );
}

function isBy({ kind, text }: Piece): boolean {
  return kind === 'group' && /^by$/iu.test(text);
}

/** `a is explained by b` groups nothing. */
const EXPLAINED = /\b(?:explained|predicted|modell?ed|determined|driven|influenced|affected) by\b/iu;

/** The column that a piece is said of: right before it, or before an equals sign. */
function columnBefore(pieces: readonly Piece[], place: number): Piece | undefined {
  const before = pieces[place - 1];
  return before?.kind === 'operator' && before.operator === '=' ? pieces[place - 2] : before;
}

/** `customers with churn no`: after a column that has it, it is a value. */
function noAsValue(piece: Piece, before: Piece | undefined): Piece | null {
  if (piece.kind !== 'negation' || !/^no$/iu.test(piece.text) || before?.kind !== 'column') return null;
  const known = before.column.profile.topValues.find(({ value }) => /^no$/iu.test(value));
  return known === undefined
    ? null
    : { kind: 'value', column: before.column.name, values: [known.value], part: null, figure: null, text: piece.text };
}

/** `over all stations` chooses none of them. */
function isWholeOf(pieces: readonly Piece[], place: number): boolean {
  if (place < 2) return false;
  const [link, all, piece] = pieces.slice(place - 2, place + 1);
  if (piece?.kind !== 'column' || piece.column.role !== 'category') return false;
  return isAll(all) && link?.kind !== 'group';
}

function isAll(piece: Piece | undefined): boolean {
  return piece?.kind === 'filler' && piece.text.toLowerCase() === 'all';
}

/** `the four stations` where there are four. */
function isWholeCount(piece: Piece, before: Piece | undefined, next: Piece | undefined): boolean {
  if (piece.kind !== 'number' || next?.kind !== 'column' || before?.kind === 'operator') return false;
  return next.column.role !== 'figure' && next.column.profile.distinct === piece.value;
}

/** `for each` and what follows it: only where nothing does it speaks of groups that were made before. */
function isEachOf(kind: string | undefined, next: Piece | undefined): boolean {
  return kind === 'each' && (next?.kind === 'column' || next?.kind === 'bucket' || next?.kind === 'part');
}

function groupPiece({ text }: Piece): Piece {
  return { kind: 'group', text };
}

/** `monthly`. */
function bindAdverbs(bench: Workbench): void {
  const { time } = bench.facts;
  for (const place of bench.places('bucket')) {
    const piece = bench.at(place, 'bucket');
    // `the mean daily takings of each shop`: days are no groups beside others.
    const isBeside = piece?.bucket === 'day' && bench.dimensions.length > 0;
    if (piece?.noun !== false || time === null || isBeside) continue;
    bench.take(place);
    bench.dimensions.push({ kind: 'bucket', column: time.name, bucket: piece.bucket });
  }
}

interface Against {
  readonly pieces: readonly Piece[];
  readonly filters: readonly Filter[];
}

/** `fare above the mean`: a comparison with a figure of the column itself, or of the one named after it. */
function againstFigures(pieces: readonly Piece[], clause: Clause): Against {
  const at = pieces.findIndex((piece, place) => isAgainst(piece, clause.markOf(pieces[place + 1])?.kind));
  const named = pieces[at + 2];
  const of = named?.kind === 'column' && named.column.role === 'figure' ? named.column : null;
  const filter = at < 1 ? null : againstFilter(pieces.slice(at - 1, at + 2), of, clause);
  if (filter === null) return { pieces, filters: [] };
  const rest = [...pieces.slice(0, at - 1), ...pieces.slice(at + (of === null ? 2 : 3))];
  const more = againstFigures(rest, clause);
  return { pieces: more.pieces, filters: [filter, ...more.filters] };
}

function againstFilter(pieces: readonly Piece[], of: ColumnFacts | null, clause: Clause): Filter | null {
  const [subject, operator, figure] = pieces;
  const mark = clause.markOf(figure);
  if (subject?.kind !== 'column' || operator?.kind !== 'operator' || mark?.kind !== 'figure') return null;
  if (operator.operator === 'between') return null;
  return {
    kind: 'against',
    column: subject.column.name,
    operator: operator.operator,
    aggregate: mark.aggregate,
    ...ofOther(of, subject.column),
    ...parameterOf(mark),
    reach: 'matching',
  };
}

function parameterOf({ parameter }: MarkOf<'figure'>): { readonly parameter?: number } {
  return parameter === undefined ? {} : { parameter };
}

function isAgainst(piece: Piece, next: string | undefined): boolean {
  return piece.kind === 'operator' && next === 'figure';
}

function ofOther(of: ColumnFacts | null, subject: ColumnFacts): { readonly of?: string } {
  return of === null || of.name === subject.name ? {} : { of: of.name };
}
