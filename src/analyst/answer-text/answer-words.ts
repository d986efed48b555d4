import type { AggregatePlan } from '../../ports/analysis-plan.js';
import { columnsOfFilter, columnsOfOneValue } from '../../ports/plan-filters.js';
import type { QueryResult } from '../../ports/table.js';
import { groupSentence, havingWords, isListedInFull } from './group-words.js';
import { bullets, inline, tableOf } from '../../shared/markdown.js';
import { numberWords } from '../../shared/number-words.js';
import { isListCut, namesAllCells, rowsSentence } from './row-words.js';
import { figuresTable, hasTableOfFigures, singleSentence, summarySentence } from './single-words.js';
import { statisticSentences } from './statistic-words.js';
import { tieWords } from './tie-words.js';
import { said, Telling, type Bounds, type Groups, type Told } from './telling.js';

const LONG = 600;
/** The months of a year. */
const SHOWN_ROWS = 12;
const SHOWN_COLUMNS = 8;
/** Lists end here unless somebody says a number. */
const LIST_END = 100;

/** How the question was read. */
interface Reading {
  readonly purpose: string;
  readonly notes: readonly string[];
}

/** An answer in paragraphs: the figure, the rows behind it, and what was assumed. */
export function answerWords({ purpose, notes }: Reading, told: Told): readonly string[] {
  const table = answerTable(told);
  const assumed = bullets(notes.map((note) => inline(note, LONG)));
  return [
    headlineOf(told),
    ...(table === null ? [] : [table]),
    ...(notes.length === 0 ? [] : [`I read this as “${inline(purpose, LONG)}”:\n\n${assumed}`]),
  ];
}

/** The sentences that an answer begins with, with their figures in bold. */
export function headlineOf(told: Told): string {
  const { bounds = null } = told;
  const sentences = `${sentencesOf(told)}${tieWords(told)}`;
  return bounds === null ? sentences : `${sentences} ${boundsWords(bounds)}`;
}

function sentencesOf(told: Told): string {
  const { plan } = told;
  switch (plan.kind) {
    case 'rows':
      return rowsSentence(new Telling(plan, told));
    case 'statistic':
      return statisticSentences(new Telling(plan, told));
    case 'aggregate':
      return aggregateSentence(new Telling(plan, told));
  }
}

function aggregateSentence(telling: Groups): string {
  const { plan, rows, where } = telling;
  if (plan.summary !== undefined) return summarySentence(telling, plan.summary);
  if (plan.dimensions.length > 0) return groupSentence(telling);
  return rows.length === 0 ? `There is **no figure**${where}${havingWords(plan)}.` : singleSentence(telling);
}

function boundsWords({ column, low, high }: Bounds): string {
  return `Values of ${said(column)} below **${numberWords(low)}** or above **${numberWords(high)}** count as outliers.`;
}

/** The rows behind an answer as a table; `null` where its sentence has said them all. */
function answerTable(told: Told): string | null {
  const { plan, result } = told;
  const [telling, count] = [new Telling(plan, told), result.rows.length];
  switch (plan.kind) {
    case 'rows':
      return count < 2 || namesAllCells(telling) ? null : rowsTable(telling);
    case 'statistic':
      return count > (plan.method === 'describe' ? 0 : 1) ? rowsTable(telling) : null;
    case 'aggregate':
      return aggregateTable(new Telling(plan, told));
  }
}

function aggregateTable(telling: Groups): string | null {
  const { plan, rows, result } = telling;
  if (plan.summary !== undefined || rows.length === 0) return null;
  if (plan.dimensions.length === 0) return hasTableOfFigures(plan) ? figuresTable(telling) : null;
  const isSaid = isListedInFull(telling) || isOneFigure(plan, result);
  return isSaid ? null : rowsTable(telling);
}

/** One group with one figure. */
function isOneFigure({ dimensions }: AggregatePlan, { rows, columns }: QueryResult): boolean {
  return rows.length === 1 && columns.length <= dimensions.length + 1;
}

function rowsTable(telling: Telling): string {
  const { result } = telling;
  const places = shownPlaces(telling);
  const columns = places.flatMap((place) => result.columns[place] ?? []);
  const rows = result.rows
    .slice(0, SHOWN_ROWS)
    .map((row) => columns.map((column, index) => telling.write(row[places[index] ?? 0] ?? null, column)));
  const head = columns.map(({ name }) => inline(name));
  const table = tableOf(
    head,
    rows,
    columns.map((column) => telling.isFigure(column)),
  );
  const more = moreWords(telling, places.length);
  return more === '' ? table : `${table}\n\n${more}`;
}

/** Of many columns those that say which row it is and those that were asked about, in the table's order; last what is the same in all rows. */
function shownPlaces({ plan, result, facts }: Telling): readonly number[] {
  const places = result.columns.map((_, place) => place);
  if (plan.kind === 'statistic') return places;
  const { identity, time, meta } = facts;
  const asked = [...plan.filters.flatMap(columnsOfFilter), ...(plan.derived ?? []).map(({ name }) => name)];
  const first = [identity?.name, time?.name, meta?.name, ...asked];
  const wanted = places.filter((place) => first.includes(result.columns[place]?.name));
  const others = places.filter((place) => !wanted.includes(place));
  const alike = columnsOfOneValue(plan.filters);
  const isAlike = (place: number): boolean => alike.includes(result.columns[place]?.name ?? '');
  return [...wanted, ...others]
    .toSorted((a, b) => Number(isAlike(a)) - Number(isAlike(b)))
    .slice(0, SHOWN_COLUMNS)
    .sort((a, b) => a - b);
}

/** `Showing 10 of 34 rows.`; nothing where the table is whole. */
function moreWords(telling: Telling, shown: number): string {
  const { rows, columns, truncated } = telling.result;
  const isCut = truncated || (rows.length >= LIST_END && isListCut(telling));
  const total = `${isCut ? (truncated ? 'more than ' : 'at least ') : ''}${numberWords(rows.length)}`;
  const parts = [
    ...(isCut || rows.length > SHOWN_ROWS ? [`${Math.min(rows.length, SHOWN_ROWS)} of ${total} rows`] : []),
    ...(columns.length > shown ? [`${shown} of ${columns.length} columns`] : []),
  ];
  return parts.length === 0 ? '' : `Showing ${parts.join(' and ')}.`;
}
