import type { PlanOrder } from '../../../ports/analysis-plan.js';
import { counted, joined, placeWords } from '../number-words.js';
import { said, type Listing, type Row, type Telling } from './telling.js';

/** Values that fit into a sentence, together so long. */
const LISTED = 12;
const LISTED_LETTERS = 300;
/** Cells of a single row that fit into a sentence. */
const CELLS = 8;
const LONG_CELL = 400;

/** Rows: the cell that was asked for, the values of a column, the row at the top, or how many there are. */
export function rowsSentence(telling: Telling<Listing>): string {
  const { rows, where } = telling;
  const [first] = rows;
  if (first === undefined) return `**No row** fits: there is none${where}.`;
  if (telling.result.columns.length === 1 && !isOrderedByItself(telling)) return columnSentence(telling, first);
  const [order] = telling.plan.order;
  if (order !== undefined && telling.plan.limit !== null) return rankedSentence(telling, first);
  const cells = rows.length === 1 ? cellsOf(telling, first, null) : '';
  return `${numberOfRows(telling)}${where}${cells === '' ? '' : `: ${cells}`}.`;
}

/** Whether the sentence has named all cells of the rows. */
export function namesAllCells({ rows, result }: Telling<Listing>): boolean {
  return result.columns.length === 1
    ? fitsSentence(rows, result.truncated)
    : rows.length === 1 && result.columns.length <= CELLS;
}

/** `**At least 100 rows** fit`, where the list ended at its limit. */
function numberOfRows(telling: Telling<Listing>): string {
  const { rows, plan } = telling;
  const number = counted(rows.length, plan.distinct === true ? 'different row' : 'row');
  if (isCut(telling)) return `**At least ${number}** fit`;
  return `**${number}** ${rows.length === 1 ? 'fits' : 'fit'}`;
}

function isOrderedByItself({ plan, result }: Telling<Listing>): boolean {
  const [order] = plan.order;
  return plan.limit !== null && order !== undefined && order.by === result.columns[0]?.name;
}

/** One column alone: its values are the answer. */
function columnSentence(telling: Telling<Listing>, first: Row): string {
  const { rows, where, result } = telling;
  const name = result.columns[0]?.name ?? '';
  const of = rankOf(telling);
  if (rows.length === 1 && !result.truncated) {
    return `The ${said(name)}${of}${where} is ${telling.bold(first, name, LONG_CELL)}.`;
  }
  const isShort = fitsSentence(rows, result.truncated);
  const list = isShort ? `: ${joined(rows.map((row) => telling.bold(row, name)))}` : '';
  const number = counted(rows.length, valueNoun(telling, name));
  if (of !== '') return `These are the **${number}**${of}${where}${list}.`;
  return `There are **${isCut(telling) ? 'at least ' : ''}${number}**${where}${list}.`;
}

function valueNoun({ plan }: Telling<Listing>, name: string): string {
  return `${plan.distinct === true ? 'different ' : ''}${said(name)} value`;
}

function isCut({ rows, result, plan }: Telling<Listing>): boolean {
  return result.truncated || rows.length === plan.limit;
}

function fitsSentence(rows: readonly Row[], truncated: boolean): boolean {
  const letters = rows.reduce((sum, [cell]) => sum + String(cell ?? '').length, 0);
  return !truncated && rows.length <= LISTED && letters <= LISTED_LETTERS;
}

/** ` with the highest fare`, where rows are ranked by a column that was not asked for. */
function rankOf({ plan, result }: Telling<Listing>): string {
  const [order] = plan.order;
  if (order === undefined || plan.limit === null || result.columns.some(({ name }) => name === order.by)) return '';
  return ` with the ${placeWords(plan.skip)}${order.direction === 'desc' ? 'highest' : 'lowest'} ${said(order.by)}${withinOf(plan)}`;
}

function withinOf({ each = [] }: Listing): string {
  return each.length === 0 ? '' : ` of each ${said(joined(each))}`;
}

function rankedSentence(telling: Telling<Listing>, first: Row): string {
  const { plan, rows, where } = telling;
  const [order] = plan.order;
  if (order === undefined || telling.column(order.by) === null) {
    const which = rankOf(telling);
    return rows.length === 1
      ? `The row${which}${where} has ${cellsOf(telling, first, null)}.`
      : `These are the **${counted(rows.length, 'row')}**${which}${where}.`;
  }
  const end = `${placeWords(plan.skip)}${endOf(telling, order)} ${said(order.by)}`;
  const within = withinOf(plan);
  if (within !== '' && rows.length > 1) {
    return `These are the rows with the ${end}${within}${where}: **${counted(rows.length, 'row')}**.`;
  }
  const others = rows.length > 1 ? '' : cellsOf(telling, first, order.by);
  const figure = telling.bold(first, order.by);
  return `${firstOf(telling)} ${end}${where} is ${figure}${others === '' ? '' : ` (${others})`}.`;
}

function firstOf({ rows, result }: Telling<Listing>): string {
  return rows.length > 1 ? `The first of ${rows.length}${result.truncated ? ' and more' : ''}: the` : 'The';
}

/** The lowest of times is the earliest. */
function endOf(telling: Telling<Listing>, { by, direction }: PlanOrder): string {
  const isTime = telling.column(by)?.type === 'time';
  if (direction === 'desc') return isTime ? 'latest' : 'highest';
  return isTime ? 'earliest' : 'lowest';
}

/** `name Ann Lee, age 38`; what is empty is left out, of many columns the first are named. */
function cellsOf(telling: Telling<Listing>, row: Row, except: string | null): string {
  const isAsked = telling.plan.columns.length > 0 && except === null;
  const cells = telling.result.columns
    .filter(({ name }) => name !== except && telling.cell(row, name) !== null)
    .slice(0, CELLS)
    .map(({ name }) => `${said(name)} ${isAsked ? telling.bold(row, name) : telling.words(row, name)}`);
  return isAsked ? joined(cells) : cells.join(', ');
}
