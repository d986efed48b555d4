import { readFile } from 'node:fs/promises';
import type { DocumentBlock, DocumentType } from '../../ports/document-reader.js';
import { decoded } from '../../shared/text-encoding.js';
import { Hyphenation, Outline, rowText } from './outline.js';
import type { ReadingOrder } from './process-document-reader.js';
import { HOLDS_NO_TEXT, IS_EMPTY, type ReadingLimits, refused, tooMuchText } from './reading-limits.js';
import { textEncodingOf } from './text-encoding.js';

/** Characters and blocks that travel together. */
const PIECE_CHARACTERS = 128 * 1024;
const PIECE_BLOCKS = 2000;
const LONGEST_HEADING = 300;

/**
 * Reads a document, cleans and counts its blocks and sends them on in pieces, one at a time, so that nothing piles up.
 *
 * @param send Resolves when the next may come.
 * @throws AppError `invalid_input` when it can't be read, or is more than the limits allow
 */
export async function readDocument(
  { path, type, limits }: Omit<Extract<ReadingOrder, { kind: 'read' }>, 'kind'>,
  send: (blocks: readonly DocumentBlock[]) => Promise<void>,
): Promise<void> {
  const read = await readerOf(type);
  let piece: DocumentBlock[] = [];
  let [pieceCharacters, characters, blocks] = [0, 0, 0];
  for await (const block of read(path, limits)) {
    const text = cleanLines(block.text);
    if (text === '') continue;
    characters += text.length;
    blocks += 1;
    if (characters > limits.characters) throw tooMuchText(limits.characters, 'characters');
    if (blocks > limits.blocks) throw tooMuchText(limits.blocks, 'paragraphs');
    // The last part is the nearest heading, and says most.
    const heading = cleanText(block.heading ?? '').slice(-LONGEST_HEADING);
    piece.push({ text, page: block.page, heading: heading === '' ? null : heading });
    pieceCharacters += text.length;
    if (pieceCharacters < PIECE_CHARACTERS && piece.length < PIECE_BLOCKS) continue;
    await send(piece);
    [piece, pieceCharacters] = [[], 0];
  }
  if (piece.length > 0) await send(piece);
  if (blocks === 0) throw refused(HOLDS_NO_TEXT[type]);
}

/** Only the library that this document needs is loaded. */
async function readerOf(type: DocumentType): Promise<typeof readText> {
  switch (type) {
    case 'text/plain':
      return readText;
    case 'application/pdf':
      return (await import('./pdf-document.js')).readPdf;
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return (await import('./docx-document.js')).readDocx;
  }
}

/** Bounded: to find the end of a run of millions, an expression may need more stack than there is. */
const LONG_BLANKS = /\s{3,1000}/g;

/** Reads a text in whatever common encoding it is written. */
async function* readText(path: string, limits: ReadingLimits): AsyncGenerator<DocumentBlock> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw refused(IS_EMPTY);
  const encoding = textEncodingOf(bytes);
  if (encoding === null) throw refused('not a text file');
  yield* textBlocks(fitted(decoded(bytes, encoding), limits));
}

/** A text that is too long is not even cut into lines; one that is only long because of its blanks loses them. */
function fitted(text: string, limits: ReadingLimits): string {
  if (text.length <= limits.characters) return text;
  let letters = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x20) letters++;
  if (letters > limits.characters) throw tooMuchText(limits.characters, 'characters');
  return text.replace(LONG_BLANKS, '\n\n');
}

const LINE_BREAKS = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/;
const FENCE = /^\s{0,3}```/;
const MARKED = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^(?:={3,}|-{3,})\s*$/;
const LONGEST_TITLE = 150;

interface Title {
  readonly level: number;
  readonly text: string;
}

/** Paragraphs of a text; what Markdown calls a heading goes with the paragraphs below it. */
function* textBlocks(text: string): Generator<DocumentBlock> {
  const outline = new Outline();
  let paragraph: string[] = [];
  for (const line of readLines(text.split(LINE_BREAKS))) {
    if (typeof line === 'string') {
      paragraph.push(line);
      continue;
    }
    for (const block of paragraphBlocks(paragraph)) yield outline.block(block);
    paragraph = [];
    if (line !== null) yield* outline.enter(line.level, withoutMarks(line.text));
  }
  for (const block of paragraphBlocks(paragraph)) yield outline.block(block);
  yield* outline.leave();
}

/** A paragraph, or the rows of what Markdown calls a table, with the lines before it. */
function paragraphBlocks(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  if (FENCE.test(lines[0] ?? '')) return [joinedLines(lines)];
  const ruler = lines.findIndex(
    (line, at) => isRuler(line) && cellsOf(line).length === cellsOf(lines[at - 1] ?? '').length,
  );
  const rows = ruler < 0 ? [] : lines.slice(ruler + 1);
  if (rows.length === 0) return [withoutMarks(joinedLines(lines))];
  const header = cellsOf(lines[ruler - 1] ?? '');
  const texts = rows.map((row) => rowText(cellsOf(row).slice(0, header.length), header));
  return [...paragraphBlocks(lines.slice(0, ruler - 1)), ...texts];
}

/** `|---|:-:|` below the names of columns. */
function isRuler(line: string): boolean {
  return line.includes('|') && cellsOf(line).every((cell) => /^:?-+:?$/.test(cell));
}

function cellsOf(row: string): readonly string[] {
  const cells = row
    .trim()
    .replace(/^\|/, '')
    .split(/(?<!\\)\|/);
  if (cells.length > 1 && isBlank(cells.at(-1) ?? '')) cells.pop();
  return cells.map((cell) => withoutMarks(cell.trim().replaceAll('\\|', '|')));
}

const STRESSED = /(?<![\p{L}\p{N}*])(\*{1,3})([^\s*](?:[^*\n]{0,300}[^\s*])?)\1(?![\p{L}\p{N}*])/gu;
const LINKED = /!?\[([^[\]\n]{1,300})\]\((https?:[^()\s]{1,1000})\)/g;

/** What Markdown stresses and links, as words. */
function withoutMarks(text: string): string {
  return text.replace(STRESSED, '$2').replace(LINKED, '$1 ($2)');
}

/** Titles and words; null for a blank line, and for the ruler below a title. What a fence encloses stays together, blank lines and all. */
function* readLines(lines: readonly string[]): Generator<Title | string | null> {
  const hasFences = lines.filter((line) => FENCE.test(line)).length % 2 === 0;
  let isFenced = false;
  for (const [at, text] of lines.entries()) {
    if (hasFences && FENCE.test(text)) isFenced = !isFenced;
    if (isFenced) yield text;
    else yield isBlank(text) || isUnderlined(lines, at - 1) ? null : (titleAt(lines, at, text) ?? text);
  }
}

function titleAt(lines: readonly string[], at: number, text: string): Title | null {
  if (text.length > LONGEST_TITLE) return null;
  if (!isUnderlined(lines, at)) return markedTitle(text, [lines[at - 1] ?? '', lines[at + 1] ?? '']);
  return { level: lines[at + 1]?.startsWith('=') === true ? 1 : 2, text };
}

/** `## Prices`; but several such lines below each other are comments of a program. */
function markedTitle(line: string, neighbours: readonly string[]): Title | null {
  const [, marks = '', text = ''] = MARKED.exec(line) ?? [];
  if (marks === '' || neighbours.some((other) => MARKED.exec(other)?.[1] === marks)) return null;
  return { level: marks.length, text: text.replace(/[ \t]+#+[ \t]*$/, '') };
}

/** A single line with a ruler of its length below it. */
function isUnderlined(lines: readonly string[], at: number): boolean {
  const [before = '', line = '', after = ''] = [lines[at - 1], lines[at], lines[at + 1]];
  if (!isBlank(before) || isBlank(line) || !UNDERLINE.test(after)) return false;
  return line.length <= LONGEST_TITLE && after.trimEnd().length >= line.trim().length - 2;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Lines that somebody wrapped at a fixed width are about this long. */
const NARROWEST = 40;
const WIDEST = 132;
const LIST_ITEM = /^\s*(?:[-*+•◦▪–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+/u;
/** Columns, tables, quotations, code, logs: their lines mean something. */
const MEANT = /^\s*\[?\d{4}-\d\d-|\t|\S {3,}\S|\||^\s*[>{}[\]<]|[{};\\]\s*$|(?:[,;][^\s\d]\S*){3}/u;

/** The lines of a paragraph, those that were only wrapped joined to one. */
function joinedLines(lines: readonly string[]): string {
  const width = lines.reduce((most, line) => Math.max(most, line.trimEnd().length), 0);
  if (width < NARROWEST || width > WIDEST || !couldBeWrapped(lines)) return lines.join('\n');
  const isWrapped = lines.map((line, at) => at > 0 && isWrappedBetween(lines[at - 1] ?? '', line, width));
  if (!isWrapped.includes(true)) return lines.join('\n');
  const hyphenation = new Hyphenation();
  for (const line of lines) hyphenation.learn(line);
  const trimmed = lines.map((line, at) => (isWrapped[at] === true ? line.trim() : line.trimEnd()));
  return hyphenation.join(trimmed, (at) => isWrapped[at] !== true);
}

/** The longer of two lines never has room for more, so that only the words can tell. */
function couldBeWrapped(lines: readonly string[]): boolean {
  if (lines.length < 2 || lines.some((line) => MEANT.test(line))) return false;
  return lines.length > 2 || /^\s*\p{Ll}/u.test(lines[1] ?? '');
}

/** Whether the next line's first word had no room on this one, and its text goes on where this one's began. */
function isWrappedBetween(line: string, next: string, width: number): boolean {
  if (LIST_ITEM.test(next)) return false;
  const [word = ''] = next.trim().split(/\s/, 1);
  const hasRoom = line.trimEnd().length + 1 + word.length <= width;
  const [from, to] = [textStart(line), textStart(next)];
  return !hasRoom && (LIST_ITEM.test(line) ? Math.abs(to - from) <= 4 : to <= from);
}

/** Where the text of a line begins, after the mark of a list's item. */
function textStart(line: string): number {
  return LIST_ITEM.exec(line)?.[0].length ?? line.length - line.trimStart().length;
}

/** Letters that fonts join into one shape: `ﬁ` is `fi` to whoever searches. */
const LIGATURES = /[\ufb00-\ufb06\ufb13-\ufb17]/g;
/** Controls other than line breaks and tabs, zero-width spaces, direction marks, soft hyphens, tags, noncharacters. */
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
const SPACES = /[\t\p{Zs}]+/gu;

/** One line without what nobody sees, in normal form C, with single spaces. */
function cleanText(text: string): string {
  return withoutInvisible(text).split(LINE_BREAKS).join(' ').replace(SPACES, ' ').trim();
}

/** As `cleanText`, but lines stay lines, and keep their indentation; the blank ones before and after are gone. */
function cleanLines(text: string): string {
  const lines = withoutInvisible(text).split(LINE_BREAKS).map(cleanLine);
  return lines.join('\n').trim();
}

function cleanLine(line: string): string {
  const indent = /^[\t\p{Zs}]*/u.exec(line)?.[0] ?? '';
  const rest = line.slice(indent.length).replace(SPACES, ' ').trimEnd();
  return rest === '' ? '' : indent.replace(/\t/g, '  ').replace(SPACES, (run) => ' '.repeat(run.length)) + rest;
}

/** Unpaired halves of characters become U+FFFD: they are no text, and break whoever encodes them. */
function withoutInvisible(text: string): string {
  const visible = text.replace(LIGATURES, (ligature) => ligature.normalize('NFKC')).replace(INVISIBLE, '');
  return visible.toWellFormed().normalize('NFC');
}
