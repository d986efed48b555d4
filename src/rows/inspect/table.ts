import type { DecimalSign } from '../../shared/number-notation.js';
import { unusable } from './encoding.js';
import { type Header, type HeaderJudge, headerOf, isSameRow, joinedHeader, judgeBelow } from './header.js';
import type { Layout } from '../import/record-scanner.js';
import { type FoundRow, LINE_BREAK, mostFrequent, type Row } from './records.js';
import { decimalOf, kindOf } from './types.js';

/** Where a table lies in its file, and how wide it is. */
export interface TableShape {
  readonly preambleLines: number;
  readonly headerRows: number;
  /** The cells of the header, of several rows joined; none without a header. */
  readonly header: Row;
  readonly columns: number;
  readonly fewestFields: number;
  readonly decimal: DecimalSign;
  /** All rows behind the header, also those that are too long or too short, but not the header again. */
  readonly body: readonly FoundRow[];
}

type Widths = Pick<TableShape, 'columns' | 'fewestFields'>;

const MOST_COLUMNS = 2000;
/** So many records may stand above the table. */
const MOST_ABOVE = 25;
/** A row that stands above so many of the usual length is the table's. */
const SURE_RUN = 3;
const NEARLY_ALL = 0.9;
const BLANK_SHARE = 0.2;
const FEW_BLANKS = 3;
/** What stands below a table does not count among its rows. */
const MOST_BELOW = 12;
const LOOKED_AT_ROWS = 1000;
const LOOKED_AT_CELLS = 200_000;

/** How a file is written, as far as it is known before its table is found. */
interface KnownSyntax {
  readonly layout: Layout;
  readonly decimal?: DecimalSign;
  /** Where the numbers can be read either way. */
  readonly usualDecimal?: DecimalSign | undefined;
}

/**
 * Finds the table among the records of a file's head: what stands above it, the rows that name its columns, and its width. The sign before fractions is
 * found too, unless it is known.
 */
export function tableOf(rows: readonly FoundRow[], text: string, known: KnownSyntax): TableShape {
  const { layout, usualDecimal } = known;
  const width = usualWidth(rows);
  assertWidth(width);
  const told = belowHeader(fittingRows(rows, width)).slice(0, Math.ceil(LOOKED_AT_CELLS / width));
  const decimal = known.decimal ?? decimalOf(told, width, layout.delimiter, usualDecimal);
  const start = new TableStart(rows, width, decimal).find();
  const above = rows.slice(start);
  const { rows: headerRows, groups } = headerFrom(above, width, decimal);
  const names = joinedHeader(
    above.slice(0, headerRows).map(({ cells }) => cells),
    groups,
  );
  const below = above.slice(headerRows);
  const body = headerRows === 1 ? below.filter(({ cells }) => !isSameRow(cells, names)) : below;
  const firstLine = (above[0] ?? rows[0])?.line ?? 1;
  const header = headerRows > 0 ? names : brokenHeader(text, firstLine - 2, { ...layout, width });
  const widths = widthsOf(header, body, width);
  assertWidth(widths.columns);
  const preambleLines = header.length > 0 ? firstLine - 1 : remarkLines(rows.slice(0, start), firstLine, decimal);
  return { preambleLines, headerRows, header, decimal, body, ...widths };
}

/** Without a header nothing tells a bad row from a remark but its values: what has some is counted as a row, and rejected. */
function remarkLines(above: readonly FoundRow[], firstLine: number, decimal: DecimalSign): number {
  const row = above.find(
    ({ cells }) => cells.length > 1 && cells.some((cell) => kindOf(cell.trim(), decimal) !== 'text'),
  );
  return (row?.line ?? firstLine) - 1;
}

/** Asked first: to look for a header in millions of columns would take long. */
export function assertWidth(columns: number): void {
  if (columns > MOST_COLUMNS) throw unusable(`the file has ${columns} columns; at most ${MOST_COLUMNS} are possible`);
}

/** The length that most rows have; of several columns, if any are. */
function usualWidth(rows: readonly FoundRow[]): number {
  const several = rows.map(({ cells }) => cells.length).filter((length) => length > 1);
  return Math.max(
    1,
    several.length * 4 < rows.length ? mostFrequent(rows.map(({ cells }) => cells.length)) : mostFrequent(several),
  );
}

/**
 * The names in a line right above the first row that is no record, because a quote is too many in it: it is passed over as a remark, but says what the
 * columns are called.
 */
function brokenHeader(text: string, index: number, syntax: Layout & { readonly width: number }): Row {
  const { delimiter, quote, width } = syntax;
  const line = text.split(LINE_BREAK)[index] ?? '';
  const cells = line.split(delimiter).map((cell) => cell.trim());
  const names = quote === '' ? cells : cells.map((cell) => cell.replaceAll(quote, ''));
  const isHeader =
    width > 1 && line.includes(quote) && names.length === width && !names.some((name) => /^[-+.\d]*$/.test(name));
  return isHeader ? names : [];
}

/** The rows of the usual length, from the first one on that is no title. */
function fittingRows(rows: readonly FoundRow[], width: number): readonly FoundRow[] {
  const fitting = rows.slice(0, LOOKED_AT_ROWS).filter(({ cells }) => cells.length === width);
  const first = fitting.findIndex(({ cells }) => width < 3 || !isTitle(cells, width));
  return fitting.slice(Math.max(first, 0));
}

/** The first rows may be the header, and tell nothing about what is below it. */
function belowHeader(rows: readonly FoundRow[]): readonly Row[] {
  const first = rows.length > 8 ? 4 : Math.min(1, rows.length - 1);
  return rows.slice(first).map(({ cells }) => cells);
}

function headerFrom(rows: readonly FoundRow[], width: number, decimal: DecimalSign): Header {
  const [first, ...others] = rows.slice(0, LOOKED_AT_ROWS);
  if (first === undefined) return { rows: 0, groups: 0 };
  const below = others.filter(({ cells }, index) => cells.length === width || (index < 2 && cells.length > 1));
  const cells = [first, ...below].map((row) => row.cells);
  const found = headerOf(cells, width, decimal);
  // Rows of the header follow each other.
  const isWhole = below.slice(0, found.rows - 1).every((row, index) => row === others[index]);
  return isWhole ? found : { rows: 1, groups: 0 };
}

/** Looks for the row with which the table begins. */
class TableStart {
  private readonly judge: HeaderJudge;

  constructor(
    private readonly rows: readonly FoundRow[],
    private readonly width: number,
    decimal: DecimalSign,
  ) {
    const fitting = fittingRows(rows, width);
    this.judge = judgeBelow(fitting[0]?.cells ?? [], belowHeader(fitting), width, decimal);
  }

  find(): number {
    const runs = this.runs();
    const sure = runs.find(({ length }) => length >= SURE_RUN) ?? runs.at(-1);
    if (sure === undefined) return 0;
    const named = runs.filter(({ start }) => start <= sure.start && this.isNamed(start)).at(-1);
    if (named !== undefined) return this.withGroups(this.behindTitles(named.start));
    const longer = this.odd(sure.start);
    if (longer !== null) return longer;
    return this.behindTitles(this.continued(runs, sure.start));
  }

  /** Rows of the usual length that follow each other, near the start. Blank lines part them, unless they stand everywhere. */
  private runs(): readonly { readonly start: number; readonly length: number }[] {
    const found: { start: number; length: number }[] = [];
    const looked = this.rows.slice(0, MOST_ABOVE + SURE_RUN);
    const blanks = looked.filter((_, index) => this.isBehindBlank(index)).length;
    const isParted = blanks <= Math.max(FEW_BLANKS, looked.length * BLANK_SHARE);
    for (const [index, { cells }] of looked.entries()) {
      const last = found.at(-1);
      if (cells.length !== this.width) continue;
      const isNext =
        last !== undefined && last.start + last.length === index && !(isParted && this.isBehindBlank(index));
      if (isNext) last.length++;
      else if (index <= MOST_ABOVE) found.push({ start: index, length: 1 });
    }
    return found;
  }

  private isBehindBlank(index: number): boolean {
    const above = this.rows[index - 1];
    return above !== undefined && (this.rows[index]?.line ?? 0) > above.lastLine + 1;
  }

  /** The row, or one of those behind the titles that it begins, names the columns. */
  private isNamed(start: number): boolean {
    const row = this.cellsAt(this.behindTitles(start));
    return this.judge.votes(row) > 0 || (this.judge.votes(this.cellsAt(start + 1)) > 0 && isSparse(row));
  }

  /** Titles and blank rows that were filled up with delimiters, if names follow. */
  private behindTitles(start: number): number {
    let at = start;
    while (this.width > 2 && at < start + MOST_ABOVE && isTitle(this.cellsAt(at), this.width)) at++;
    return at > start && this.judge.votes(this.cellsAt(at)) > 0 ? at : start;
  }

  /** Titles of groups right above, from which the cells at the end were left out. */
  private withGroups(start: number): number {
    const above = this.rows[start - 1];
    const cells = above?.cells ?? [];
    const hasGroups =
      !this.isBehindBlank(start) &&
      isSparse(cells) &&
      cells.length < this.width &&
      cells.filter((cell) => cell !== '').length > 1;
    return hasGroups ? start - 1 : start;
  }

  /** Names right above the first rows, more or fewer than they have cells. */
  private odd(start: number): number | null {
    const above = this.cellsAt(start - 1);
    const isLike = above.length > 1 && above.length * 2 >= this.width && above.length <= this.width * 2;
    if (this.isBehindBlank(start) || !isLike) return null;
    if (this.judge.typed === 0) return start === 1 ? 0 : null;
    return this.judge.votes(above) > 0 ? start - 1 : null;
  }

  /** Where nothing names the columns, a bad row does not part the first rows from the others. */
  private continued(runs: readonly { readonly start: number; readonly length: number }[], start: number): number {
    const [first] = runs;
    if (first === undefined || first.start > 0 || start === 0) return start;
    const between = this.rows.slice(0, start).filter(({ cells }) => cells.length !== this.width);
    const isBroken = between.length > 2 || between.some(({ cells }) => cells.length === 1);
    return isBroken ? start : 0;
  }

  private cellsAt(index: number): Row {
    return this.rows[index]?.cells ?? [];
  }
}

function isSparse(row: Row): boolean {
  return row.some((cell) => cell.trim() === '');
}

/** Nothing, or something in the first cells alone. */
function isTitle(row: Row, width: number): boolean {
  if (row.length !== width) return false;
  const last = row.findLastIndex((cell) => cell.trim() !== '');
  return last === -1 || (last < 2 && (last + 1) * 2 < width);
}

/**
 * How many columns there are, and how many of them a row may lack: all names stay, and so do all cells of rows that are nearly all longer.
 */
function widthsOf(header: Row, body: readonly FoundRow[], width: number): Widths {
  const lengths = withoutFooter(body).map(({ cells }) => cells.length);
  const names = header.length;
  if (lengths.length === 0) return { columns: Math.max(names, 1), fewestFields: Math.max(names, 1) };
  const usual = mostFrequent(lengths);
  if (names === 0 || shareOf(lengths, (length) => length === usual) >= NEARLY_ALL)
    return usualWidths(header, body, usual);
  if (shareOf(lengths, (length) => length < names) >= NEARLY_ALL)
    return { columns: names, fewestFields: leastUsual(lengths) };
  const isLonger = usual > names && usual === width && shareOf(lengths, (length) => length === usual) >= 0.5;
  const columns = isLonger ? usual : names;
  return { columns, fewestFields: columns };
}

function usualWidths({ length: names }: Row, body: readonly FoundRow[], usual: number): Widths {
  if (usual < names) return { columns: names, fewestFields: usual };
  const fitting = body.filter(({ cells }) => cells.length === usual);
  const endsEmpty = names > 0 && usual === names + 1 && fitting.every(({ cells }) => cells.at(-1)?.trim() === '');
  return { columns: usual, fewestFields: endsEmpty ? names : usual };
}

/** The shortest length that is no exception. */
function leastUsual(lengths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const length of lengths) counts.set(length, (counts.get(length) ?? 0) + 1);
  const usual = [...counts].filter(([, count]) => count >= lengths.length * 0.05).map(([length]) => length);
  return usual.reduce((one, other) => Math.min(one, other));
}

function withoutFooter(body: readonly FoundRow[]): readonly FoundRow[] {
  const usual = mostFrequent(body.map(({ cells }) => cells.length));
  const last = body.findLastIndex(({ cells }) => cells.length === usual);
  return body.length - last - 1 <= MOST_BELOW ? body.slice(0, last + 1) : body;
}

function shareOf(values: readonly number[], claim: (value: number) => boolean): number {
  return values.filter(claim).length / values.length;
}
