import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DocumentBlock } from '../../ports/document-reader.js';
import type { AppError } from '../../shared/app-error.js';
import { Hyphenation, Outline } from './outline.js';
import { PageLines, type PdfLine, pdfMeasures, type PdfMeasures, sizeClass } from './pdf-lines.js';
import { exhaustionOf, IS_EMPTY, type ReadingLimits, refused, tooMuchText, withCommas } from './reading-limits.js';
import type * as Pdfjs from 'pdfjs-dist';

/** A larger step than usual between lines parts paragraphs. */
const LARGER_STEP = 1.3;
/** In letter sizes: how far the first line of a paragraph is drawn in. */
const DRAWN_IN = 0.8;
/** In letter sizes: how wide a letter is, usually. */
const LETTER_WIDTH = 0.5;
const LIST_ITEM = /^(?:[•◦▪‣·●○■□–—-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s/u;
const SENTENCE_END = /[.!?:…。！？]["'”’»)\]]*$/u;
const TABLE_ROW = ' | ';

/** Lines that belong together. */
class PdfParagraph {
  private readonly lines: [PdfLine, ...PdfLine[]];

  constructor(
    first: PdfLine,
    private readonly measures: PdfMeasures,
  ) {
    this.lines = [first];
  }

  get page(): number {
    return this.lines[0].page;
  }

  get size(): number {
    return sizeClass(this.lines[0].size);
  }

  add(line: PdfLine): void {
    this.lines.push(line);
  }

  takes(line: PdfLine): boolean {
    const last = this.last;
    if (line.page !== last.page || sizeClass(line.size) !== this.size) return false;
    if (isRow(last) !== isRow(line)) return false;
    if (isRow(line)) return this.isBelow(line);
    if (LIST_ITEM.test(line.text)) return false;
    return this.isBelow(line) ? !this.endsBefore(line) : this.goesOnInNextColumn(line);
  }

  /** Lines that fill their column are one; a line that ends early is meant to end there. */
  text(hyphenation: Hyphenation): string {
    const texts = this.lines.map((line) => line.text);
    return hyphenation.join(texts, (at) => {
      const [before, line] = this.lines.slice(at - 1, at + 1);
      return before !== undefined && line !== undefined && (isRow(before) || this.isEarlyEnd(before, line));
    });
  }

  private get last(): PdfLine {
    return this.lines.at(-1) ?? this.lines[0];
  }

  private isBelow(line: PdfLine): boolean {
    const step = (this.last.height - line.height) / this.last.size;
    return step >= 0 && step <= this.measures.leading * LARGER_STEP;
  }

  private goesOnInNextColumn(line: PdfLine): boolean {
    return line.height > this.last.height && !SENTENCE_END.test(this.last.text) && /^\p{Ll}/u.test(line.text);
  }

  /** A sentence ends, and either its line does so early or the next begins drawn in. */
  private endsBefore(next: PdfLine): boolean {
    const { last } = this;
    if (!SENTENCE_END.test(last.text)) return false;
    const isDrawnIn = next.left > last.left + DRAWN_IN * next.size && !LIST_ITEM.test(last.text);
    return isDrawnIn || this.isEarlyEnd(last, next);
  }

  /** Whether the next line's first word would have had room on this line. */
  private isEarlyEnd(line: PdfLine, next: PdfLine): boolean {
    const word = next.text.split(' ', 1)[0] ?? '';
    const needed = (word.length + 1) * LETTER_WIDTH * line.size * 1.2;
    return line.right + needed < this.measures.columnRight(line);
  }
}

function isRow(line: PdfLine): boolean {
  return line.text.includes(TABLE_ROW);
}

const LONGEST_TITLE = 200;

/** Paragraphs, rows of tables and lists from lines by where they stand; larger letters than the body's make headings. */
function* pdfBlocks(all: readonly PdfLine[]): Generator<DocumentBlock> {
  const lines = withoutFurniture(all);
  const measures = pdfMeasures(lines);
  const hyphenation = new Hyphenation();
  for (const line of lines) hyphenation.learn(line.text);
  const outline = new Outline();
  for (const paragraph of paragraphsOf(lines, measures)) {
    const text = paragraph.text(hyphenation);
    const level = measures.titleSizes.indexOf(paragraph.size);
    if (level >= 0 && text.length <= LONGEST_TITLE && /\p{L}{2}/u.test(text))
      yield* outline.enter(level, text.replace(/\n/g, ' '), paragraph.page);
    else yield outline.block(text, paragraph.page);
  }
  yield* outline.leave();
}

function* paragraphsOf(lines: readonly PdfLine[], measures: PdfMeasures): Generator<PdfParagraph> {
  const [first, ...others] = lines;
  if (first === undefined) return;
  let paragraph = new PdfParagraph(first, measures);
  for (const line of others) {
    if (paragraph.takes(line)) {
      paragraph.add(line);
      continue;
    }
    yield paragraph;
    paragraph = new PdfParagraph(line, measures);
  }
  yield paragraph;
}

/** Lines at each end of a page that can be a running header or footer. */
const EDGE_LINES = 2;
const FEWEST_PAGES = 3;
/** Of all pages that have text, on how many it must stand. */
const SHARE_OF_PAGES = 0.5;
const LONGEST = 150;
/** In points: how exactly it stands in the same place. */
const SAME_PLACE = 4;
/** A number that stands alone, beside a rule, or beside the word for it. */
const PAGE_NUMBER =
  /(^|[|–—·•-] *|\b(?:page|p\.|pg\.?|seite|s\.|página|pagina|side|sida|sivu|strona|str\.|стр\.?|страница) *)\d{1,4}(?= *(?:$|[|–—·•/-]|(?:of|von|de|di|sur|av|z|из)\b))/giu;

/**
 * Leaves out running headers and footers: what stands in the same place on most pages, page numbers aside. What has words stays where it
 * stands first, so that nothing the document says is lost.
 */
function withoutFurniture(lines: readonly PdfLine[]): readonly PdfLine[] {
  const pages = pagesOf(lines);
  if (pages.length < FEWEST_PAGES) return lines;
  const edges = pages.flatMap(edgeLinesOf);
  const counts = new Map<string, number>();
  for (const key of edges.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const enough = Math.max(FEWEST_PAGES, pages.length * SHARE_OF_PAGES);
  const running = edges.filter((line) => keysOf(line).some((key) => (counts.get(key) ?? 0) >= enough));
  const dropped = withoutFirsts(running);
  // A document that would be left with nothing has no furniture, only little to say.
  return dropped.size >= lines.length ? lines : lines.filter((line) => !dropped.has(line));
}

function pagesOf(lines: readonly PdfLine[]): readonly (readonly PdfLine[])[] {
  const pages = new Map<number, PdfLine[]>();
  for (const line of lines) {
    const page = pages.get(line.page) ?? [];
    pages.set(line.page, page);
    page.push(line);
  }
  return [...pages.values()];
}

function edgeLinesOf(page: readonly PdfLine[]): readonly PdfLine[] {
  const byHeight = [...page].sort((one, other) => other.height - one.height);
  const edges = new Set([...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)]);
  return [...edges].filter((line) => line.text.length <= LONGEST);
}

/** A line's height falls near the border of two places as likely as not, so it is counted in both. */
function keysOf(line: PdfLine): readonly string[] {
  const place = Math.floor(line.height / SAME_PLACE);
  const text = wordsOf(line);
  return [`${place} ${text}`, `${place + 1} ${text}`];
}

function wordsOf(line: PdfLine): string {
  return line.text.toLowerCase().replace(PAGE_NUMBER, '$1#');
}

/** All but the first line of each wording; of wordings without words, all. */
function withoutFirsts(running: readonly PdfLine[]): ReadonlySet<PdfLine> {
  const seen = new Set<string>();
  const dropped = new Set<PdfLine>();
  for (const line of running) {
    const words = wordsOf(line);
    if (seen.has(words) || !/\p{L}{3}/u.test(words.replace(/page|seite|of|von/g, ''))) dropped.add(line);
    seen.add(words);
  }
  return dropped;
}

const ROOT = fileURLToPath(new URL('.', import.meta.resolve('pdfjs-dist/package.json')));

// The smaller build: the other has source maps, which node would read and keep, at 60 MB a document.
const LIBRARY = import.meta.resolve('pdfjs-dist/legacy/build/pdf.min.mjs');
const WORKER = import.meta.resolve('pdfjs-dist/legacy/build/pdf.worker.min.mjs');

/** Reads the text of a PDF with its page numbers. A page that is damaged is left out, as long as there are others. */
export async function* readPdf(path: string, limits: ReadingLimits): AsyncGenerator<DocumentBlock> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw refused(IS_EMPTY);
  const pdf = await opened(bytes);
  if (pdf.numPages > limits.pages) {
    throw refused(`the document has more than ${withCommas(limits.pages)} pages`);
  }
  yield* pdfBlocks(await linesOf(pdf, limits));
}

async function opened(bytes: Buffer): Promise<Pdfjs.PDFDocumentProxy> {
  const { getDocument, GlobalWorkerOptions } = (await import(LIBRARY)) as typeof Pdfjs;
  GlobalWorkerOptions.workerSrc = WORKER;
  try {
    return await getDocument({
      data: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      // Text is all that is wanted: nothing of the document is run, drawn or fetched.
      isEvalSupported: false,
      useSystemFonts: false,
      disableFontFace: true,
      useWasm: false,
      verbosity: 0,
      standardFontDataUrl: `${ROOT}standard_fonts/`,
      cMapUrl: `${ROOT}cmaps/`,
      cMapPacked: true,
    }).promise;
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw refused('encrypted PDF', error);
    throw damaged(error);
  }
}

async function linesOf(pdf: Pdfjs.PDFDocumentProxy, limits: ReadingLimits): Promise<readonly PdfLine[]> {
  const lines: PdfLine[] = [];
  let left = limits.characters;
  let failure: unknown = null;
  for (let page = 1; page <= pdf.numPages; page++) {
    const content = new PageLines(page, left);
    try {
      await readPage(pdf, page, content);
    } catch (error) {
      failure = error;
    }
    if (content.isOverfull) throw tooMuchText(limits.characters, 'characters');
    left -= content.characters;
    for (const line of content.lines()) lines.push(line);
    // Lets it be heard when nobody waits for this any more.
    await turn();
  }
  if (lines.length === 0 && failure !== null) throw damaged(failure);
  return lines;
}

/** In pieces, because one page can hold more text than there is memory. */
async function readPage(pdf: Pdfjs.PDFDocumentProxy, number: number, content: PageLines): Promise<void> {
  const page = await pdf.getPage(number);
  const pieces = page.streamTextContent().getReader();
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    const { items } = piece.value as { items: readonly unknown[] };
    for (const item of items) content.add(item);
    if (content.isOverfull) return;
  }
  page.cleanup();
}

function damaged(error: unknown): AppError {
  return exhaustionOf(error) ?? refused('the PDF is damaged', error);
}
