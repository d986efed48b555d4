import { columnsOfFilter } from '../../ports/plan-filters.js';
import type { QueryResult } from '../../ports/table.js';
import { CellWriter } from './cells.js';
import { inline, tableOf } from './markdown.js';
import { isListedInFull } from './telling/group-words.js';
import { namesAllCells } from './telling/row-words.js';
import { hasTableOfFigures } from './telling/single-words.js';
import { Telling, type Aggregation, type Told } from './telling/telling.js';

const SHOWN_ROWS = 10;
const SHOWN_COLUMNS = 8;
/** Lists end here unless somebody says a number. */
const LIST_END = 100;

/** The rows behind an answer as a table; `null` where its sentence has said them all. */
export function answerTable(told: Told): string | null {
  const { plan } = told;
  switch (plan.kind) {
    case 'rows':
      return told.result.rows.length < 2 || namesAllCells(new Telling(plan, told)) ? null : rowsTable(told);
    case 'statistic':
      return told.result.rows.length > (plan.method === 'describe' ? 0 : 1) ? rowsTable(told) : null;
    case 'aggregate':
      return aggregateTable(new Telling(plan, told));
  }
}

function aggregateTable(telling: Telling<Aggregation>): string | null {
  const { plan, told, rows } = telling;
  if (plan.summary !== undefined || rows.length === 0) return null;
  if (plan.dimensions.length === 0) return isManyFigures(telling) ? figuresTable(telling) : null;
  return isListedInFull(telling) || isSaidInFull(telling) ? null : rowsTable(told);
}

function isManyFigures({ plan, told }: Telling<Aggregation>): boolean {
  return hasTableOfFigures(plan) || (told.focus !== undefined && plan.measures.length > 2);
}

/** One group with one figure. */
function isSaidInFull({ plan, rows, result }: Telling<Aggregation>): boolean {
  return rows.length === 1 && result.columns.length <= plan.dimensions.length + 1;
}

/** The figures of a single row below each other; of one figure for many columns by the column, and nothing that is zero missing. */
function figuresTable(telling: Telling<Aggregation>): string | null {
  const { measures, computed = [] } = telling.plan;
  const [row] = telling.rows;
  const isMissing = measures.every(({ aggregate }) => aggregate === 'missing');
  const shown = isMissing ? measures.filter(({ label }) => telling.number(row, label) !== 0) : measures;
  const lines = [
    ...shown.map(({ label, column }) => [inline(isMissing ? (column ?? label) : label), telling.words(row, label)]),
    ...computed.map(({ label }) => [inline(label), telling.words(row, label)]),
  ];
  const head = isMissing ? ['column', 'missing'] : ['figure', 'value'];
  return lines.length === 0 ? null : tableOf(head, lines, [false, true]);
}

function rowsTable(told: Told): string {
  const { plan, result, facts } = told;
  const cells = new CellWriter(plan, facts, told.format, told.focus?.term ?? null);
  const shown = shownPlaces(told);
  const columns = shown.flatMap((place) => result.columns[place] ?? []);
  const rows = result.rows
    .slice(0, SHOWN_ROWS)
    .map((row) => columns.map((column, index) => cells.write(row[shown[index] ?? 0] ?? null, column)));
  const head = columns.map(({ name }) => inline(name));
  const right = columns.map((column) => cells.isFigure(column));
  const more = moreWords(result, plan.kind === 'rows' && plan.limit === result.rows.length, shown.length);
  return [tableOf(head, rows, right), ...(more === '' ? [] : [more])].join('\n\n');
}

/** Of many columns those that say which row it is and those that were asked about, in the table's order. */
function shownPlaces({ plan, result, facts }: Told): readonly number[] {
  const places = result.columns.map((_, place) => place);
  if (plan.kind === 'statistic') return places;
  const { identity, time, meta } = facts;
  const asked = [...plan.filters.flatMap(columnsOfFilter), ...(plan.derived ?? []).map(({ name }) => name)];
  const first = [identity?.name, time?.name, meta?.name, ...asked];
  const wanted = places.filter((place) => first.includes(result.columns[place]?.name));
  const others = places.filter((place) => !wanted.includes(place));
  return [...wanted, ...others].slice(0, SHOWN_COLUMNS).sort((a, b) => a - b);
}

/** `mayBeMore`: the list ended where it was told to. */
function moreWords({ rows, columns, truncated }: QueryResult, mayBeMore: boolean, shown: number): string {
  const parts: string[] = [];
  const total = mayBeMore && rows.length >= LIST_END ? `at least ${rows.length}` : String(rows.length);
  if (truncated) parts.push(`the first ${Math.min(rows.length, SHOWN_ROWS)} of more than ${rows.length} rows`);
  else if (rows.length > SHOWN_ROWS) parts.push(`the first ${SHOWN_ROWS} of ${total} rows`);
  if (columns.length > shown) parts.push(`${shown} of ${columns.length} columns`);
  return parts.length === 0 ? '' : `These are ${parts.join(' and ')}.`;
}
