import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setImmediate as turn } from 'node:timers/promises';
import type * as Pdfjs from 'pdfjs-dist';
import type { DocumentBlock } from '../../ports/document-reader.js';
import { pdfBlocks } from './pdf-blocks.js';
import { PageLines, type PdfLine } from './pdf-lines.js';
import type { ReadingLimits } from './reading-limits.js';
import { exhaustionOf, IS_EMPTY, Refusal, tooMuchText, withCommas } from './refusal.js';

const ROOT = fileURLToPath(new URL('.', import.meta.resolve('pdfjs-dist/package.json')));

// The smaller build: the other has source maps, which node would read and keep, at 60 MB a document.
const LIBRARY = import.meta.resolve('pdfjs-dist/legacy/build/pdf.min.mjs');
const WORKER = import.meta.resolve('pdfjs-dist/legacy/build/pdf.worker.min.mjs');

/** Reads the text of a PDF with its page numbers. A page that is damaged is left out, as long as there are others. */
export async function* readPdf(path: string, limits: ReadingLimits): AsyncGenerator<DocumentBlock> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw new Refusal(IS_EMPTY);
  const pdf = await opened(bytes);
  if (pdf.numPages > limits.pages) {
    throw new Refusal(`the document has more than ${withCommas(limits.pages)} pages`);
  }
  yield* pdfBlocks(await linesOf(pdf, limits));
}

async function opened(bytes: Buffer): Promise<Pdfjs.PDFDocumentProxy> {
  const { getDocument, GlobalWorkerOptions } = await library();
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
    if (error instanceof Error && error.name === 'PasswordException') throw new Refusal('encrypted PDF', error);
    throw damaged(error);
  }
}

async function library(): Promise<typeof Pdfjs> {
  return (await import(LIBRARY)) as typeof Pdfjs;
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
    if (content.isOverfull) throw tooMuchText(limits);
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

function damaged(error: unknown): Refusal {
  return exhaustionOf(error) ?? new Refusal('the PDF is damaged', error);
}
