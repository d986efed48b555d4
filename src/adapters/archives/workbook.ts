import { posix } from 'node:path';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import type { ColumnType } from '../../ports/table.js';
import { refused, shown, WORKBOOK } from './entry-rules.js';
import type { Unpacking } from './format.js';
import { MadeFile } from './made-file.js';
import {
  type CellContext,
  numberText,
  type NumberKind,
  type PartHandler,
  readPart,
  readStyles,
  SharedTexts,
  unescaped,
} from './workbook-parts.js';
import { notesIn, rangeOf, type SheetRow, type SheetTable, tablesIn } from './sheet-tables.js';
import type { ZipDirectory, ZipEntry } from './zip-directory.js';
import { entryContent } from './zip-unpacking.js';

/** To read XML takes some times as long as to write bytes. */
const XML_COST = 4;
/** Of all sheets together, where their heads are enough. */
const HEADS_BYTES = 16 * 1024 ** 2;
const LEAST_HEAD = 64 * 1024;
const MOST_HEAD = 2 * 1024 ** 2;
/** Other parts than sheets and texts. */
const LARGEST_PART = 64 * 1024 ** 2;

interface WorkbookOrder extends Unpacking {
  readonly name: string;
  readonly isAlone: boolean;
  readonly newPath: () => string;
}

/** A sheet with cells, by name. */
type Sheet = Pick<UnpackedFile, 'name'> & { readonly entry: ZipEntry };

/**
 * Writes each sheet of a workbook as CSV: first those that are seen. Formulas count as their last values. Further tables of a sheet are files of their
 * own, called as `Sheet!F1:H9`.
 */
export async function sheetsOf(archive: ZipDirectory, order: WorkbookOrder): Promise<readonly UnpackedFile[]> {
  const parts = new WorkbookParts(archive, order.onBytes);
  const { sheets, is1904 } = await parts.sheets();
  const named = sheets.map(({ name, entry }) => ({ entry, name: order.isAlone ? name : `${order.name}/${name}` }));
  const wanted = named.filter(({ name }) => order.only?.some((one) => isIn(name, one)) ?? true);
  const planned = wanted.reduce((sum, { entry }) => sum + entry.size, parts.sizeOf('xl/sharedStrings.xml'));
  order.onPlan(planned, planned * XML_COST);
  const texts = await SharedTexts.read(parts.content('xl/sharedStrings.xml'));
  const styles = await readStyles(parts.content('xl/styles.xml'));
  const files: UnpackedFile[] = [];
  const context = { texts, styles, is1904 };
  for (const sheet of wanted) files.push(...(await written(archive, sheet, context, order, wanted.length)));
  return files.filter(({ name }) => order.only?.includes(name) ?? true);
}

function isIn(sheet: string, name: string): boolean {
  return name === sheet || name.startsWith(`${sheet}!`);
}

async function written(
  archive: ZipDirectory,
  { name, entry }: Sheet,
  context: CellContext,
  order: WorkbookOrder,
  sheets: number,
): Promise<readonly UnpackedFile[]> {
  const { headBytes, newPath, onBytes } = order;
  const share = Math.min(MOST_HEAD, Math.max(LEAST_HEAD, HEADS_BYTES / sheets));
  const most = headBytes === null ? Infinity : Math.min(headBytes, share);
  const path = newPath();
  const merged = await mergedIn(entryContent(archive, entry, () => undefined));
  await using file = await MadeFile.create(path, archive.zip.fileSize);
  const reader = new SheetReader(context, merged);
  await readPart(entryContent(archive, entry, onBytes), reader, async () => {
    await file.write(reader.takeText());
    return file.bytes < most;
  });
  const [first, ...others] = reader.tables();
  await file.write(reader.takeText(first));
  const isWhole = file.bytes < most;
  const size = isWhole ? file.bytes : Math.max(file.bytes, entry.size);
  const same = { isConverted: true, workbook: order.name };
  const files = [{ ...same, name, path, isWhole, size, written: { isTable: false, types: reader.types(first) } }];
  for (const table of others) {
    const text = reader.takeText(table);
    await using more = await MadeFile.create(newPath(), archive.zip.fileSize);
    await more.write(text);
    files.push({
      ...{ ...same, name: `${name}!${rangeOf(table)}`, path: more.path, isWhole: true, size: text.length },
      written: { isTable: false, types: reader.types(table) },
    });
  }
  return files;
}

class WorkbookParts {
  private readonly entries: ReadonlyMap<string, ZipEntry>;

  constructor(
    private readonly archive: ZipDirectory,
    private readonly onBytes: (bytes: number) => void,
  ) {
    // Programs write names of parts in upper and lower case as they like.
    this.entries = new Map(archive.entries.map((entry) => [entry.path.toLowerCase(), entry]));
  }

  sizeOf(path: string): number {
    return this.entries.get(path.toLowerCase())?.size ?? 0;
  }

  /** Nothing, when there is no such part. */
  async *content(path: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(path.toLowerCase());
    if (entry === undefined) yield Buffer.from('<none/>');
    else yield* entryContent(this.archive, entry, this.onBytes);
  }

  async sheets(): Promise<{ readonly sheets: readonly Sheet[]; readonly is1904: boolean }> {
    const targets = await this.targets();
    const sheets: (Sheet & { readonly isHidden: boolean })[] = [];
    let is1904 = false;
    await readPart(this.small(WORKBOOK), {
      open: (element, attributes) => {
        const { date1904 = '', name = '', state = '' } = attributes;
        if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(date1904);
        if (element !== 'sheet') return;
        const [, id = ''] = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key)) ?? [];
        // A sheet that is a chart has no cells.
        const entry = this.entries.get((targets.get(id) ?? '').toLowerCase());
        if (entry !== undefined) sheets.push({ name: name.trim() || id, entry, isHidden: /hidden/i.test(state) });
      },
    });
    if (sheets.length === 0) throw refused('the workbook has no sheet with cells');
    const twice = sheets.find(({ name }, index) => sheets.findIndex((other) => other.name === name) !== index);
    if (twice !== undefined) throw refused(`the workbook has two sheets of one name: ${shown(twice.name)}`);
    return { sheets: sheets.sort((one, other) => Number(one.isHidden) - Number(other.isHidden)), is1904 };
  }

  private async targets(): Promise<ReadonlyMap<string, string>> {
    const targets = new Map<string, string>();
    await readPart(this.small('xl/_rels/workbook.xml.rels'), {
      open: (name, { Id = '', Target = '', Type = '' }) => {
        if (name !== 'Relationship' || !Type.endsWith('/worksheet')) return;
        targets.set(Id, posix.normalize(Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`));
      },
    });
    return targets;
  }

  private small(path: string): AsyncGenerator<Buffer> {
    if (this.sizeOf(path) > LARGEST_PART) throw refused('the workbook has a part that is too large');
    return this.content(path);
  }
}

const MOST_COLUMNS = 2000;
const TOO_WIDE = `the workbook has a sheet with more than ${MOST_COLUMNS} columns, which is the most that is possible`;
const MOST_ROWS = 1_048_576;
const MOST_MERGED = 200_000;
/** So many rows tell how wide a sheet is. */
const FIRST_ROWS = 1000;
const FIRST_CELLS = 400_000;
const LONGEST_CELL = 1024 ** 2;

/** Cells that were made one: its value stands in the first of them. */
interface Merged {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const MERGED = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g;
const BEFORE_MERGED = Buffer.from('mergeCells');
const LONGEST_TAG = 200;

/** Which cells of a sheet are merged, by the rows where they begin; that stands behind the rows, where it is too late. */
async function mergedIn(content: AsyncIterable<Buffer>): Promise<ReadonlyMap<number, readonly Merged[]>> {
  const found = new Map<number, Merged[]>();
  let [rest, count] = [Buffer.alloc(0), 0];
  let isBehind = false;
  for await (const piece of content) {
    const bytes = Buffer.concat([rest, piece]);
    isBehind ||= bytes.includes(BEFORE_MERGED);
    let end = 0;
    for (const { 0: tag, 1: left = '', 2: top = '', 3: right = '', 4: bottom = '', index } of isBehind
      ? bytes.toString('latin1').matchAll(MERGED)
      : []) {
      end = index + tag.length;
      if (++count > MOST_MERGED) throw refused('the workbook has too many merged cells');
      const merged = { top: Number(top), bottom: Number(bottom), left: columnAt(left), right: columnAt(right) };
      const alike = found.get(merged.top) ?? [];
      alike.push(merged);
      found.set(merged.top, alike);
    }
    rest = bytes.subarray(Math.max(end, bytes.length - LONGEST_TAG));
  }
  return found;
}

/** From 0. */
function columnAt(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64;
  return column - 1;
}

const LIKE_A_NUMBER = /^[-+]?(?=[.,'\u00a0\u202f ]*\d)[\d.,'\u00a0\u202f ]+(?:[eE][-+]?\d+)?$/;

/**
 * Turns the cells of a sheet into lines of CSV, a line for each of its rows, so that they have the numbers that the sheet shows. The value of merged
 * cells stands in each of them, but for a title that is all of its row. Errors of formulas are no values.
 */
class SheetReader implements PartHandler {
  private row: string[] = [];
  private rowNumber = 0;
  private column = -1;
  private kind = '';
  private style: NumberKind | undefined;
  private value = '';
  private isValue = false;
  private isReading = false;

  private lines: string[] = [];
  private lastWritten = 0;
  private first: SheetRow[] | null = [];
  private firstCells = 0;
  private width = 0;
  /** Columns that are empty on the left. */
  private left = 0;
  /** By column: how many numbers it has, and how many texts that would be taken for numbers. */
  private readonly numbers: number[] = [];
  private readonly numberTexts: number[] = [];
  private active: { readonly merged: Merged; readonly value: string }[] = [];

  constructor(
    private readonly context: CellContext,
    private readonly merged: ReadonlyMap<number, readonly Merged[]>,
  ) {}

  /** By column: text where texts that look like numbers prevail. */
  types(table: SheetTable | undefined): readonly (ColumnType | null)[] {
    const places = table?.places ?? Array.from({ length: this.width - this.left }, (_, column) => this.left + column);
    return places.map((column) => ((this.numberTexts[column] ?? 0) > (this.numbers[column] ?? 0) ? 'text' : null));
  }

  /** The lines that were finished since it was asked last; with a table, its own. */
  takeText(table?: SheetTable): Buffer {
    if (table !== undefined) this.writeTable(table);
    const text = this.lines.join('');
    this.lines = [];
    return Buffer.from(text);
  }

  /** All rows were read: what is in them, as far as it was not written yet. */
  tables(): readonly SheetTable[] {
    return this.first === null ? [] : tablesIn(this.first);
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.beginRow(attributes['r']);
    if (name === 'c') this.beginCell(attributes);
    if (name === 'rPh') this.isReading = true;
    this.isValue = name === 'v' || (name === 't' && !this.isReading);
  }

  text(piece: string): void {
    if (this.isValue) this.value += piece;
  }

  close(name: string): void {
    this.isValue = false;
    if (name === 'rPh') this.isReading = false;
    if (name === 'c') this.endCell();
    if (name === 'row') this.endRow();
  }

  private beginRow(number: string | undefined): void {
    const next = number === undefined ? this.rowNumber + 1 : Number(number);
    if (!(next > this.rowNumber && next <= MOST_ROWS)) throw refused('the workbook is damaged: rows are out of order');
    this.rowNumber = next;
    this.column = -1;
    this.row = [];
  }

  private beginCell({ r = '', t = 'n', s }: Readonly<Record<string, string>>): void {
    const letters = /^[A-Z]{1,3}/.exec(r)?.[0];
    this.column = letters === undefined ? this.column + 1 : columnAt(letters);
    this.kind = t;
    this.style = s === undefined ? undefined : this.context.styles[Number(s)];
    this.value = '';
  }

  private endCell(): void {
    if (this.value === '') return;
    if (this.column >= MOST_COLUMNS) throw refused(TOO_WIDE);
    if (this.value.length > LONGEST_CELL) throw refused('the workbook has a cell that is too long');
    const text = this.textOf(this.value);
    if (text === '') return;
    while (this.row.length < this.column) this.row.push('');
    this.row[this.column] = text;
  }

  private textOf(value: string): string {
    switch (this.kind) {
      case 's':
        return this.textCell(this.context.texts.at(Number(value)));
      case 'str':
      case 'inlineStr':
        return this.textCell(unescaped(value));
      case 'b':
        return value.trim() === '1' ? 'true' : 'false';
      case 'e':
        return '';
      case 'd':
        return value.replace(/^(\d{4}-\d\d-\d\d)T([\d:.]+)$/, '$1 $2');
      default:
        this.numbers[this.column] = (this.numbers[this.column] ?? 0) + 1;
        return numberText(value.trim(), this.style ?? { kind: 'number' }, this.context.is1904);
    }
  }

  private textCell(text: string): string {
    if (LIKE_A_NUMBER.test(text.trim())) this.numberTexts[this.column] = (this.numberTexts[this.column] ?? 0) + 1;
    return text.replaceAll('\u0000', '');
  }

  private endRow(): void {
    const cells = this.filled();
    if (cells.length === 0) return;
    if (this.first === null) {
      this.write(this.rowNumber, cells);
      return;
    }
    this.width = Math.max(this.width, cells.length);
    this.first.push({ number: this.rowNumber, cells });
    this.firstCells += cells.length;
    if (this.first.length >= FIRST_ROWS || this.firstCells >= FIRST_CELLS) this.begin(this.first);
  }

  /** From here on rows are written as they come. */
  private begin(rows: readonly SheetRow[]): void {
    this.first = null;
    this.left = Math.min(...rows.map(({ cells }) => cells.findIndex((cell) => cell !== '')));
    for (const { number, cells } of rows) this.write(number, cells);
  }

  /** The row's cells, those that are merged with others as well. */
  private filled(): readonly string[] {
    const { row } = this;
    const starting = this.merged.get(this.rowNumber) ?? [];
    if (this.active.length > 0) this.active = this.active.filter(({ merged }) => merged.bottom >= this.rowNumber);
    if (starting.length > 0) this.active.push(...starting.map((merged) => ({ merged, value: row[merged.left] ?? '' })));
    if (this.active.length === 0 || row.length === 0) return row;
    const others = row.filter((cell) => cell !== '').length;
    for (const { merged, value } of this.active) this.fill(merged, value, others);
    return row;
  }

  /** A number is not that of the columns beside it, and a title that stands alone is that of the table. */
  private fill({ left, right }: Merged, value: string, others: number): void {
    const isWide = right > left && (others < 2 || LIKE_A_NUMBER.test(value.trim()));
    for (let column = left; column <= (isWide ? left : Math.min(right, MOST_COLUMNS - 1)); column++) {
      while (this.row.length <= column) this.row.push('');
      this.row[column] ||= value;
    }
  }

  private writeTable(table: SheetTable): void {
    this.lastWritten = 0;
    const notes = notesIn(table);
    for (const { number, cells } of table.rows) {
      const own = table.places.map((place) => cells[place] ?? '');
      this.writeLine(number, notes.has(number) ? own.filter((cell) => cell !== '') : own);
    }
  }

  /** Without the empty columns on the left. A row that has something there is too long, and is rejected by name. */
  private write(number: number, cells: readonly string[]): void {
    const isWhole = cells.slice(0, this.left).some((cell) => cell !== '');
    const own = isWhole ? cells : cells.slice(this.left);
    const missing = Math.max(0, this.width - this.left - own.length);
    this.writeLine(number, [...own, ...Array.from({ length: missing }, () => '')]);
  }

  /** A line of the file is the row of the sheet. */
  private writeLine(number: number, cells: readonly string[]): void {
    this.lines.push('\n'.repeat(number - this.lastWritten - 1), cells.map(quoted).join(','), '\n');
    this.lastWritten = number;
  }
}

function quoted(cell: string): string {
  return /[",\n\r]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
