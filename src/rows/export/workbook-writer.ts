import { once } from 'node:events';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DuckDBDataChunk, DuckDBValue } from '@duckdb/node-api';
import { ZipFile } from 'yazl';
import type { ResultColumn } from '../../ports/table.js';
import { cellFrom } from '../cells.js';
import { DAY_MS } from '../../shared/durations.js';

/** What a sheet of Excel holds, its header included. */
const MOST_ROWS = 1_048_576;
const LONGEST_TEXT = 32_767;
/** Characters that are handed on at once. */
const PIECE = 256 * 1024;
/** Days from Excel's first to 1970. */
const EPOCH_DAY = 25_569;
/** Excel counts a 29 February 1900, and no day after 9999. */
const FIRST_DAY = 61;
const LAST_DAY = 2_958_466;
/** The places of their formats in the styles. */
const TIME_STYLE = 1;
const FRACTION_STYLE = 2;

/**
 * Writes rows as an Excel workbook (.xlsx), piece by piece: memory does not grow with their number. A full sheet is followed by another. Texts are
 * texts whatever they begin with, so that none is run as a formula; whole numbers that Excel would round are texts too.
 */
export async function writeWorkbook(
  columns: readonly ResultColumn[],
  chunks: AsyncIterable<DuckDBDataChunk>,
  output: Writable,
): Promise<void> {
  const zip = new ZipFile();
  const broken = new Promise<never>((_, reject) => zip.once('error', reject));
  // A file has to begin with what it is.
  zip.addBuffer(Buffer.from(CONTENT_TYPES), '[Content_Types].xml');
  zip.addBuffer(Buffer.from(PACKAGE), '_rels/.rels');
  zip.addBuffer(Buffer.from(STYLES), 'xl/styles.xml');
  await Promise.race([Promise.all([pipeline(zip.outputStream, output), addSheets(zip, columns, chunks)]), broken]);
}

async function addSheets(
  zip: ZipFile,
  columns: readonly ResultColumn[],
  chunks: AsyncIterable<DuckDBDataChunk>,
): Promise<void> {
  const letters = columns.map((_, place) => lettersOf(place));
  const rows = rowsOf(chunks);
  let next = await rows.next();
  const sheet = async function* (): AsyncGenerator<string> {
    let piece = `${SHEET}${rowOf(letters, 1, (place) => textCell(columns[place]?.name ?? ''))}`;
    for (let line = 2; line <= MOST_ROWS && next.done !== true; line++) {
      const { value: valueAt } = next;
      piece += rowOf(letters, line, (place) => cellOf(valueAt(place)));
      next = await rows.next();
      if (piece.length < PIECE) continue;
      yield piece;
      piece = '';
    }
    yield `${piece}</sheetData></worksheet>`;
  };
  let sheets = 0;
  do {
    sheets++;
    const stream = Readable.from(sheet(), { objectMode: false });
    zip.addReadStream(stream, `xl/worksheets/sheet${sheets}.xml`);
    await once(stream, 'end');
  } while (next.done !== true);
  zip.addBuffer(Buffer.from(workbookOf(sheets)), 'xl/workbook.xml');
  zip.addBuffer(Buffer.from(relationsOf(sheets)), 'xl/_rels/workbook.xml.rels');
  zip.end();
}

/** The values of each row by their places: chunks do not end where sheets do. */
async function* rowsOf(chunks: AsyncIterable<DuckDBDataChunk>): AsyncGenerator<(place: number) => DuckDBValue> {
  for await (const chunk of chunks) {
    for (let row = 0; row < chunk.rowCount; row++) yield (place) => chunk.getColumnVector(place).getItem(row);
  }
}

function rowOf(letters: readonly string[], line: number, written: (place: number) => string): string {
  const cells = letters.map((letter, place) => {
    const cell = written(place);
    return cell === '' ? '' : `<c r="${letter}${line}"${cell}</c>`;
  });
  return `<row r="${line}">${cells.join('')}</row>`;
}

/** What follows a cell's place; empty when there is no value. */
function cellOf(value: DuckDBValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return textCell(value);
  if (typeof value === 'boolean') return ` t="b"><v>${value ? 1 : 0}</v>`;
  if (typeof value === 'bigint' && !Number.isSafeInteger(Number(value))) return textCell(String(value));
  const cell = cellFrom(value);
  if (cell === null) return '';
  if (typeof cell === 'number') return `><v>${cell}</v>`;
  // Times come as ISO 8601, which the text of no other value is.
  const isTime = typeof value === 'object' && /^\d{4}-\d\d-\d\dT.*Z$/.test(String(cell));
  return isTime ? timeCell(String(cell)) : textCell(String(cell));
}

/** A day that Excel does not have is a text in the form that the others are read in. */
function timeCell(iso: string): string {
  const day = Date.parse(iso) / DAY_MS + EPOCH_DAY;
  if (day < FIRST_DAY || day >= LAST_DAY) return textCell(iso.replace('T', ' ').replace(/(?:\.000)?Z$/, ''));
  return ` s="${iso.endsWith('.000Z') ? TIME_STYLE : FRACTION_STYLE}"><v>${day}</v>`;
}

function textCell(text: string): string {
  return ` t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is>`;
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** What looks like an escape of Excel's, and what XML has no room for. */
// oxlint-disable-next-line no-control-regex -- these are the characters that are escaped
const ESCAPED = /_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b-\x1f\ufffe\uffff]/g;

function xmlText(text: string): string {
  const whole = text.length <= LONGEST_TEXT ? text : text.slice(0, LONGEST_TEXT);
  return whole
    .toWellFormed()
    .replace(ESCAPED, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>]/g, (sign) => MARKUP[sign] ?? sign);
}

/** A, B … Z, AA … */
function lettersOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : lettersOf(Math.floor(place / 26) - 1) + letter;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const SHEET = `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`;

const CONTENT_TYPES = `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`;

const PACKAGE = `${HEAD}<Relationships xmlns="${PACKAGE_RELATIONS}"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`;

function workbookOf(sheets: number): string {
  const listed = numbers(sheets).map(
    (sheet) => `<sheet name="Rows${sheet === 1 ? '' : ` ${sheet}`}" sheetId="${sheet}" r:id="rId${sheet}"/>`,
  );
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${listed.join('')}</sheets></workbook>`;
}

function relationsOf(sheets: number): string {
  const relation = (id: number, kind: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`;
  const listed = numbers(sheets).map((sheet) => relation(sheet, 'worksheet', `worksheets/sheet${sheet}.xml`));
  const all = [...listed, relation(sheets + 1, 'styles', 'styles.xml')];
  return `${HEAD}<Relationships xmlns="${PACKAGE_RELATIONS}">${all.join('')}</Relationships>`;
}

function numbers(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
