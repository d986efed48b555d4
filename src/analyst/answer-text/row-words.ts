import type { PlanOrder, RowsPlan } from '../../ports/analysis-plan.js';
import { counted, joined, placeWords } from '../../shared/number-words.js';
import { withinWords } from '../../plan/wording.js';
import { said, type Row, type Telling } from './telling.js';

/** Values that fit into a sentence, together so long. */
const LISTED = 12;
const LISTED_LETTERS = 300;
/** Cells of a single row that fit into a sentence. */
const CELLS = 8;
const LONG_CELL = 400;

type Listing = Telling<RowsPlan>;

/** Rows: the cell that was asked for, the values of a column, the row at the top, or how many there are. */
export function rowsSentence(telling: Listing): string {
  const { plan, rows, where, result } = telling;
  const [first] = rows;
  if (first === undefined) return `There are **no rows**${where}.`;
  const [order] = plan.order;
  const isRanked = order !== undefined && plan.limit !== null;
  const isByItself = isRanked && order.by === result.columns[0]?.name;
  if (result.columns.length === 1 && !isByItself) return columnSentence(telling, first);
  if (isRanked) return rankedSentence(telling, first, order);
  const cells = rows.length === 1 ? `: ${cellsOf(telling, first, null)}` : '';
  const number = counted(rows.length, plan.distinct === true ? 'different row' : 'row');
  if (isListCut(telling)) return `There are **at least ${number}**${where}${cells}.`;
  return `There ${rows.length === 1 ? 'is' : 'are'} **${number}**${where}${cells}.`;
}

/** Whether the list ended where it was told to, so that there may be more. */
export function isListCut({ rows, result, plan }: Telling): boolean {
  return result.truncated || (plan.kind === 'rows' && rows.length === plan.limit);
}

/** Whether the sentence has named all cells of the rows. */
export function namesAllCells({ rows, result }: Telling): boolean {
  return result.columns.length === 1
    ? fitsSentence(rows, result.truncated)
    : rows.length === 1 && result.columns.length <= CELLS;
}

/** Whether values can be listed in a sentence. */
export function fitsSentence(rows: readonly Row[], truncated: boolean): boolean {
  const letters = rows.reduce((sum, [cell]) => sum + String(cell ?? '').length, 0);
  return !truncated && rows.length <= LISTED && letters <= LISTED_LETTERS;
}

/** One column alone: its values are the answer. */
function columnSentence(telling: Listing, first: Row): string {
  const { plan, rows, where, result } = telling;
  const name = result.columns[0]?.name ?? '';
  const of = rankOf(telling);
  if (rows.length === 1 && !result.truncated) {
    return `The ${said(name)}${of}${where} is ${telling.bold(first, name, LONG_CELL)}.`;
  }
  const isShort = fitsSentence(rows, result.truncated);
  const list = isShort ? `: ${joined(rows.map((row) => telling.bold(row, name)))}` : '';
  const number = counted(rows.length, `${plan.distinct === true ? 'different ' : ''}${said(name)} value`);
  if (of !== '') return `These are the **${number}**${of}${where}${list}.`;
  const [verb, most] = isListCut(telling) ? ['are', 'at least '] : [rows.length === 1 ? 'is' : 'are', ''];
  return `There ${verb} **${most}${number}**${where}${list}.`;
}

/** ` with the highest fare`, where rows are ranked by a column that was not asked for. */
function rankOf({ plan, result }: Listing): string {
  const [order] = plan.order;
  if (order === undefined || plan.limit === null || result.columns.some(({ name }) => name === order.by)) return '';
  const end = order.direction === 'desc' ? 'highest' : 'lowest';
  return ` with the ${placeWords(plan.skip)}${end} ${said(order.by)}${withinWords(plan.each?.map(said))}`;
}

function rankedSentence(telling: Listing, first: Row, order: PlanOrder): string {
  const { plan, rows, where } = telling;
  const number = `These are the **${counted(rows.length, 'row')}**`;
  if (telling.column(order.by) === null) {
    const which = rankOf(telling);
    return rows.length > 1
      ? `${number}${which}${where}.`
      : `The row${which}${where} has ${cellsOf(telling, first, null)}.`;
  }
  const end = `${placeWords(plan.skip)}${endOf(telling, order)} ${said(order.by)}`;
  const within = withinWords(plan.each?.map(said));
  if (rows.length > 1) {
    const start = within === '' ? `, starting with ${telling.bold(first, order.by)}` : '';
    return `${number} with the ${end}${within}${where}${start}.`;
  }
  const others = cellsOf(telling, first, order.by);
  return `The ${end}${where} is ${telling.bold(first, order.by)}${others === '' ? '' : ` (${others})`}.`;
}

/** The lowest of times is the earliest. */
function endOf(telling: Listing, { by, direction }: PlanOrder): string {
  const isTime = telling.column(by)?.type === 'time';
  if (direction === 'desc') return isTime ? 'latest' : 'highest';
  return isTime ? 'earliest' : 'lowest';
}

/** `name Ann Lee, age 38`; what is empty is left out, of many columns the first are named. */
function cellsOf(telling: Listing, row: Row, except: string | null): string {
  const isAsked = telling.plan.columns.length > 0 && except === null;
  const cells = telling.result.columns
    .filter(({ name }) => name !== except && telling.cell(row, name) !== null)
    .slice(0, CELLS)
    .map(({ name }) => `${said(name)} ${isAsked ? telling.bold(row, name) : telling.words(row, name)}`);
  if (cells.length === 0) return except === null ? 'no values' : '';
  return isAsked ? joined(cells) : cells.join(', ');
}
