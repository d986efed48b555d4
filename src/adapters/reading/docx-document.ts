import { readFile } from 'node:fs/promises';
import mammoth from 'mammoth';
import type { DocumentBlock } from '../../ports/document-reader.js';
import { isRecord } from '../../shared/json.js';
import { Outline, rowText } from './outline.js';
import { exhaustionOf, IS_EMPTY, type ReadingLimits, refused, withCommas } from './reading-limits.js';
import { bytesOf } from './recognise-at-a-glance.js';
import { isWordArchive, isZip, oleKind, zipDirectory, type ZipPart } from './recognise-document.js';

/** Footnotes and endnotes: numbered as they are met, and said after the paragraph that refers to them. */
class WordNotes {
  private readonly marks = new Map<string, string>();
  private readonly waiting: { readonly mark: string; readonly nodes: readonly WordNode[] }[] = [];

  constructor(private readonly shelf: unknown) {}

  /** @returns what stands in the text instead of the reference */
  refer(reference: WordNode): string {
    const key = `${String(reference['noteType'])} ${String(reference['noteId'])}`;
    const known = this.marks.get(key);
    if (known !== undefined) return known;
    const note = isShelf(this.shelf) ? this.shelf.resolve(reference) : null;
    if (!isRecord(note)) return '';
    const mark = `[${this.marks.size + 1}]`;
    this.marks.set(key, mark);
    this.waiting.push({ mark, nodes: nodesIn({ children: note['body'] }) });
    return mark;
  }

  /** The notes that were referred to since the last time. */
  take(): WordNotes['waiting'] {
    return this.waiting.splice(0);
  }
}

function isShelf(notes: unknown): notes is { resolve(reference: WordNode): unknown } {
  return isRecord(notes) && typeof notes['resolve'] === 'function';
}

const DEEPEST = 8;

/** Counts the items of ordered lists: a Word document says that an item has a number, not which. */
class WordListNumbers {
  /** By the definition of a list's level, which is the same object for all its items. */
  private readonly counts = new Map<object, { readonly level: number; count: number }>();

  /** `- ` or `3. `, drawn in by its level; empty for what is no item of a list. */
  markOf(paragraph: WordNode): string {
    const { numbering } = paragraph;
    if (!isRecord(numbering)) return '';
    const level = Math.min(Number(numbering['level']) || 0, DEEPEST);
    // An item further out begins the numbers below it anew.
    for (const [list, other] of this.counts) if (other.level > level) this.counts.delete(list);
    const indent = '  '.repeat(level);
    if (numbering['isOrdered'] !== true) return `${indent}- `;
    const counted = this.counts.get(numbering) ?? { level, count: 0 };
    counted.count++;
    this.counts.set(numbering, counted);
    return `${indent}${counted.count}. `;
  }
}

/** Paragraphs, items of lists and rows of tables of a Word document, each under its heading. */
class WordWalk {
  private readonly outline = new Outline();
  private readonly numbers = new WordListNumbers();
  private readonly notes: WordNotes;

  constructor(private readonly document: unknown) {
    this.notes = new WordNotes(isRecord(document) ? document['notes'] : null);
  }

  *blocks(): Generator<DocumentBlock> {
    yield* this.flow(nodesIn(this.document));
    yield* this.outline.leave();
  }

  private *flow(nodes: readonly WordNode[]): Generator<DocumentBlock> {
    for (const node of nodes) {
      if (node['type'] === 'paragraph') yield* this.paragraph(node);
      else if (node['type'] === 'table') yield* this.table(node);
      else yield* this.flow(nodesIn(node));
    }
  }

  private *paragraph(paragraph: WordNode): Generator<DocumentBlock> {
    const text = this.textOf(paragraph);
    const level = headingLevelOf(paragraph);
    if (level !== null) yield* this.outline.enter(level, text.replace(/\s+/g, ' '));
    else if (text.trim() !== '') yield this.outline.block(this.numbers.markOf(paragraph) + text);
    yield* this.notesBelow();
  }

  private *table(table: WordNode): Generator<DocumentBlock> {
    const rowNodes = nodesOfType(table, 'tableRow');
    // Only one cell in each row: a frame around text, not a table.
    if (rowNodes.every((row) => nodesOfType(row, 'tableCell').length <= 1)) {
      for (const row of rowNodes) yield* this.flow(nodesIn(row));
      return;
    }
    const grid = gridOf(rowNodes, (cell) => this.lineOf(cell));
    const [header] = isHeader(rowNodes, grid) ? grid : [];
    for (const row of header === undefined ? grid : grid.slice(1)) yield this.outline.block(rowText(row, header));
    yield* this.notesBelow();
  }

  private *notesBelow(): Generator<DocumentBlock> {
    for (const { mark, nodes } of this.notes.take()) {
      const text = nodes.map((node) => this.lineOf(node)).join(' ');
      yield this.outline.block(`${mark} ${text}`);
    }
  }

  /** All the text below a node as one line; what is a table there is said row by row. */
  private lineOf(node: WordNode): string {
    const parts = nodesIn(node).map((child) => {
      const inner = child['type'] === 'paragraph' ? this.textOf(child) : this.lineOf(child);
      return inner.replace(/\s+/g, ' ').trim();
    });
    const own = ['paragraph', 'run', 'hyperlink', 'text'].includes(textProperty(node, 'type')) ? this.textOf(node) : '';
    return own || parts.filter((part) => part !== '').join(node['type'] === 'tableRow' ? ' | ' : ' ');
  }

  private textOf(node: WordNode): string {
    switch (node['type']) {
      case 'text':
        return textProperty(node, 'value');
      case 'tab':
        return '\t';
      case 'break':
        return '\n';
      case 'checkbox':
        return node['checked'] === true ? '[x] ' : '[ ] ';
      case 'noteReference':
        return this.notes.refer(node);
      default:
        return nodesIn(node)
          .map((child) => this.textOf(child))
          .join('');
    }
  }
}

const MOST_COLUMNS = 200;
const LONGEST_NAME = 80;

/** The texts of a table. A cell that spans columns or rows is said in each of them, so that every row can stand alone. */
function gridOf(rowNodes: readonly WordNode[], textOf: (cell: WordNode) => string): readonly (readonly string[])[] {
  /** By column: what reaches down from a row above, and for how many rows more. */
  const hanging = new Map<number, { text: string; rows: number }>();
  return rowNodes.map((row) => {
    const cells: string[] = [];
    const takeHanging = (): void => {
      for (let above = hanging.get(cells.length); above !== undefined; above = hanging.get(cells.length)) {
        if (--above.rows === 0) hanging.delete(cells.length);
        cells.push(above.text);
      }
    };
    for (const cell of nodesOfType(row, 'tableCell')) {
      takeHanging();
      const [text, rows] = [textOf(cell), spanOf(cell, 'rowSpan', rowNodes.length)];
      for (let column = spanOf(cell, 'colSpan', MOST_COLUMNS); column > 0 && cells.length < MOST_COLUMNS; column--) {
        if (rows > 1) hanging.set(cells.length, { text, rows: rows - 1 });
        cells.push(text);
      }
    }
    takeHanging();
    return cells;
  });
}

/** The first row: marked as one, or bold above rows that are not, or words above a column of figures. */
function isHeader(
  [first, ...others]: readonly WordNode[],
  [names = [], ...rows]: readonly (readonly string[])[],
): boolean {
  if (first === undefined || rows.length === 0 || names.length < 2) return false;
  if (first['isHeader'] === true) return true;
  if (!(names.every((name) => name.length <= LONGEST_NAME) && names.filter((name) => name !== '').length >= 2))
    return false;
  return (isBold(first) && !others.every(isBold)) || isAboveFigures(names, rows);
}

function isAboveFigures(names: readonly string[], rows: readonly (readonly string[])[]): boolean {
  if (rows.length < 2 || names.some((name) => /\d/.test(name)) || new Set(names).size < names.length) return false;
  return names.some((_, column) => rows.every((row) => /\d/.test(row[column] ?? '')));
}

/** A node of a Word document as the library gives it. */
type WordNode = Readonly<Record<string, unknown>>;

function nodesIn(node: unknown): readonly WordNode[] {
  const children = isRecord(node) ? node['children'] : null;
  return Array.isArray(children) ? children.filter(isRecord) : [];
}

/** The nodes of one type among those directly below. */
function nodesOfType(node: WordNode, type: string): readonly WordNode[] {
  return nodesIn(node).filter((child) => child['type'] === type);
}

function textProperty(node: WordNode, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

/** How many columns or rows a cell spans, within reason. */
function spanOf(cell: WordNode, name: 'colSpan' | 'rowSpan', most: number): number {
  const span = Number(cell[name]);
  return Number.isSafeInteger(span) && span > 1 ? Math.min(span, most) : 1;
}

/** 0 for the title of the document, 1 to 9 for its headings, null for everything else. */
function headingLevelOf(paragraph: WordNode): number | null {
  const name = textProperty(paragraph, 'styleName') || textProperty(paragraph, 'styleId');
  if (/^title$/i.test(name)) return 0;
  const [, level] = /^heading ?([1-9])$/i.exec(name) ?? [];
  return level === undefined ? null : Number(level);
}

function isBold(node: WordNode): boolean {
  if (node['type'] === 'run') return node['isBold'] === true || !hasWords(node);
  return nodesIn(node).every(isBold);
}

function hasWords(node: WordNode): boolean {
  return node['type'] === 'text' ? textProperty(node, 'value').trim() !== '' : nodesIn(node).some(hasWords);
}

const DAMAGED_WORD_DOCUMENT = 'the Word document is damaged';
/** What is parsed. Pictures and attachments stay packed. */
const PARSED_PART = /\.(?:xml|rels)$/i;
/** Reads a Word document: its headings, paragraphs, lists, tables and notes. */
export async function* readDocx(path: string, limits: ReadingLimits): AsyncGenerator<DocumentBlock> {
  await assertReadableArchive(path, limits);
  yield* new WordWalk(await documentIn(path)).blocks();
}

/**
 * Looks at the archive's directory before anything of it is unpacked. What it declares can be a lie, which the limits of the process
 * are for.
 *
 * @throws AppError `invalid_input` when it is no Word document, or one that must not be unpacked
 */
async function assertReadableArchive(path: string, limits: ReadingLimits): Promise<void> {
  const head = await bytesOf(path, 4);
  if (head.length === 0) throw refused(IS_EMPTY);
  if ((await oleKind(path)) === 'encrypted') throw refused('encrypted Word document');
  if (!isZip(head)) throw refused('not a Word document');
  const parts = await zipDirectory(path, limits.entries + 1);
  if (parts === null) throw refused(DAMAGED_WORD_DOCUMENT);
  if (parts.length > limits.entries) {
    throw refused(`the Word document has more than ${withCommas(limits.entries)} parts`);
  }
  if (!isWordArchive(parts)) throw refused('not a Word document');
  assertReadableParts(parts, limits);
}

function assertReadableParts(parts: readonly ZipPart[], { unpackedBytes }: ReadingLimits): void {
  if (parts.some((part) => part.isEncrypted)) throw refused('encrypted Word document');
  const parsed = parts.filter(({ name }) => PARSED_PART.test(name));
  if (parsed.reduce((sum, part) => sum + part.size, 0) > unpackedBytes)
    throw refused(`the Word document unpacks to more than ${unpackedBytes / 1024 ** 2} MB of text`);
}

/** The library's own tree of the document: sturdier than the HTML that it would write. */
async function documentIn(path: string): Promise<unknown> {
  let document: unknown = null;
  const keep = (whole: object): object => {
    document = whole;
    // Nothing is left to be written.
    return { ...whole, children: [] };
  };
  try {
    const buffer = await readFile(path);
    await mammoth.convertToHtml({ buffer }, { transformDocument: keep, externalFileAccess: false });
  } catch (error) {
    throw exhaustionOf(error) ?? refused(DAMAGED_WORD_DOCUMENT, error);
  }
  return document;
}
