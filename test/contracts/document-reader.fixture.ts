import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll } from 'vitest';
import { ProcessDocumentReader } from '../../src/adapters/reading/process-document-reader.js';
import { READING_LIMITS, type ReadingLimits } from '../../src/adapters/reading/reading-limits.js';
import type { DocumentBlock, DocumentReader, DocumentType } from '../../src/ports/document-reader.js';
import { childProcesses } from '../support/child-processes.js';

const WORD_NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TOP = 780;
const LEADING = 14;

/** One line of a page: its words, and where it deviates from body text in a single column. */
export interface PrintedLine {
  readonly text: string;
  readonly x?: number;
  readonly y?: number;
  readonly size?: number;
}

/** A page of lines below each other; an empty line leaves a gap. */
export type PrintedPage = readonly (string | PrintedLine)[];

/** A PDF with text in Helvetica, as a word processor writes it. */
export async function aPdf(pages: readonly PrintedPage[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = pdf.addPage([595, 842]);
    for (const [at, line] of lines.entries()) {
      const { text, x = 60, y = TOP - at * LEADING, size = 11 } = typeof line === 'string' ? { text: line } : line;
      if (text !== '') page.drawText(text, { x, y, size, font });
    }
  }
  return pdf.save();
}

/** A PDF written by hand: objects 1 (catalogue) and 2 (pages) are made, `objects` follow from 3 on; the first `pages` of them are the pages. */
function aRawPdf(objects: readonly (string | Buffer)[], pages = 1): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`);
  const all = ['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${pages}>>`, ...objects];
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [at, body] of all.entries()) {
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    offsets.push(length);
    length += part.length;
    parts.push(part);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = all.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function aStream(content: Buffer, dictionary: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<</Length ${content.length}${dictionary}>>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
}

/** One page whose content is `content`, with Helvetica as /F1. */
export function aPdfOfContent(content: Buffer, dictionary = ''): Buffer {
  return aRawPdf([
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    aStream(content, dictionary),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ]);
}

/** So many pages with nothing but a size. */
export function aPdfOfBlanks(pages: number): Buffer {
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]>>';
  return aRawPdf(
    Array.from({ length: pages }, () => page),
    pages,
  );
}

/** A page that unpacks to so many megabytes of blanks: the same packed megabyte over and over. */
export function aPdfBomb(megabytes: number): Buffer {
  const one = deflateRawSync(Buffer.alloc(1_000_000, 0x20), { finishFlush: constants.Z_FULL_FLUSH });
  const [start, end] = [Buffer.from([0x78, 0x9c]), Buffer.from([0x03, 0x00])];
  const packed = Buffer.concat([start, ...Array.from({ length: megabytes }, () => one), end]);
  return aPdfOfContent(packed, '/Filter/FlateDecode');
}

/** A PDF that is encrypted with 40 bits, as the format's first security handler does it, with one line of text. */
export function anEncryptedPdf(name: 'owner-password' | 'password'): Buffer {
  return readFileSync(join(import.meta.dirname, `../fixtures/documents/${name}.pdf`));
}

/** Operators that show a line of text. */
export function shown(text: string): string {
  return `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
}

export interface WordParts {
  readonly body: string;
  readonly styles?: string;
  readonly numbering?: string;
  readonly footnotes?: string;
  /** Other files of the archive. */
  readonly others?: Zippable;
}

/** A Word document made of the XML of its body. */
export function aDocx({ body, styles = '', numbering = '', footnotes = '', others = {} }: WordParts): Uint8Array {
  const files: Zippable = {
    '[Content_Types].xml': strToU8(
      `<?xml version="1.0"?><Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    ),
    '_rels/.rels': relationships([['officeDocument', 'word/document.xml']]),
    'word/_rels/document.xml.rels': relationships([
      ['styles', 'styles.xml'],
      ['numbering', 'numbering.xml'],
      ['footnotes', 'footnotes.xml'],
    ]),
    'word/document.xml': wordXml('document', `<w:body>${body}</w:body>`),
    'word/styles.xml': wordXml('styles', `${HEADING_STYLES}${styles}`),
    'word/numbering.xml': wordXml('numbering', numbering),
    'word/footnotes.xml': wordXml('footnotes', footnotes),
  };
  return zipSync({ ...files, ...others });
}

export function paragraph(text: string, { style = '', numbering = '', bold = false } = {}): string {
  const properties = `${style && `<w:pStyle w:val="${style}"/>`}${numbering && numberingOf(numbering)}`;
  return `<w:p><w:pPr>${properties}</w:pPr><w:r>${bold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function table(rows: readonly (readonly string[])[], { header = false, bold = false } = {}): string {
  const written = rows.map((cells, at) => {
    const mark = header && at === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : '';
    const inner = cells.map((cell) => `<w:tc>${paragraph(cell, { bold: bold && at === 0 })}</w:tc>`).join('');
    return `<w:tr>${mark}${inner}</w:tr>`;
  });
  return `<w:tbl>${written.join('')}</w:tbl>`;
}

/** A definition of lists: levels 0 and 1 of `format`, as list 1 and up in the order given. */
function numberingOf(list: string): string {
  const [id = '1', level = '0'] = list.split('.');
  return `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
}

export function lists(...formats: readonly string[]): string {
  const levels = (format: string): string =>
    [0, 1].map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${format}"/></w:lvl>`).join('');
  const shapes = formats.map(
    (format, at) => `<w:abstractNum w:abstractNumId="${at}">${levels(format)}</w:abstractNum>`,
  );
  const numbers = formats.map((_, at) => `<w:num w:numId="${at + 1}"><w:abstractNumId w:val="${at}"/></w:num>`);
  return shapes.join('') + numbers.join('');
}

const HEADING_STYLES = [1, 2, 3]
  .map((level) => `<w:style w:type="paragraph" w:styleId="H${level}"><w:name w:val="heading ${level}"/></w:style>`)
  .join('');

function relationships(list: readonly (readonly [type: string, target: string])[]): Uint8Array {
  const inner = list.map(
    ([type, target], at) => `<Relationship Id="r${at}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return strToU8(
    `<?xml version="1.0"?><Relationships xmlns="${PACKAGE}/relationships">${inner.join('')}</Relationships>`,
  );
}

function wordXml(root: string, inner: string): Uint8Array {
  return strToU8(`<?xml version="1.0" encoding="UTF-8"?><w:${root} xmlns:w="${WORD_NAMESPACE}">${inner}</w:${root}>`);
}

export const PDF = 'application/pdf';
export const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const TEXT = 'text/plain';

/** A folder of files to read, there for the tests of a file. */
export class DocumentWorld {
  private count = 0;
  private folder = '';

  constructor() {
    beforeAll(async () => {
      this.folder = await mkdtemp(join(tmpdir(), 'documents-'));
    });
    afterAll(() => rm(this.folder, { recursive: true, force: true }));
  }

  /** Writes a file whose name says nothing. */
  async file(bytes: Uint8Array | string): Promise<string> {
    const path = join(this.folder, `upload-${this.count++}`);
    await writeFile(path, bytes);
    return path;
  }

  reader(limits: Partial<ReadingLimits> = {}): DocumentReader {
    // A busy machine takes its time to start a process.
    return new ProcessDocumentReader({ lookMs: 60_000, ...limits });
  }

  /** Reads in this process, which is quick; what only a process of its own can do is tried with `reader`. */
  async read(
    bytes: Uint8Array | string,
    type: DocumentType,
    limits = READING_LIMITS,
  ): Promise<readonly DocumentBlock[]> {
    const { readDocument } = await import('../../src/adapters/reading/read-document.js');
    const read: DocumentBlock[] = [];
    await readDocument({ path: await this.file(bytes), type, limits }, (blocks) => {
      read.push(...blocks);
      return Promise.resolve();
    });
    return read;
  }

  async texts(bytes: Uint8Array | string, type: DocumentType): Promise<readonly string[]> {
    return (await this.read(bytes, type)).map((block) => block.text);
  }

  /** What a process says about a document that it refuses. */
  async refusal(bytes: Uint8Array | string, type: DocumentType, limits: Partial<ReadingLimits> = {}): Promise<unknown> {
    const reading = this.reader(limits).read(await this.file(bytes), type, new AbortController().signal);
    return reading.then(
      (blocks) => ({ blocks: blocks.length }),
      (error: unknown) => error,
    );
  }
}

/** Processes that this one has started to read documents and that still run. */
export async function readersAlive(): Promise<readonly number[]> {
  return (await childProcesses())
    .filter(({ command }) => command.includes('document-reader.process'))
    .map(({ pid }) => pid);
}
