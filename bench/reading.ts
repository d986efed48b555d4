/**
 * How long a PDF takes from its bytes to passages with vectors, all that a context file waits for but its storage, against bare pdf.js
 * in this process, which only lists the texts. `npx tsx bench/reading.ts [pages]`
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { HashingEmbedder } from '../src/adapters/embedding/hashing-embedder.js';
import { ProcessDocumentReader } from '../src/adapters/reading/process-document-reader.js';
import { cutPassages } from '../src/features/context-files/passages/passage-cutter.js';
import { aFolder, QUIET } from '../test/contracts/row-engine.fixture.js';
import { timeOf } from './timing.js';

const PAGES = Number(process.argv[2] ?? 500);
const LINES = 44;
const WORDS = 'the pump of each station is checked every week and its pressure noted in the book of the plant'.split(
  ' ',
);

async function aPdf(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 0; page < PAGES; page++) {
    const sheet = document.addPage([595, 842]);
    for (let line = 0; line < LINES; line++) {
      const words = Array.from({ length: 12 }, (_, n) => WORDS[(page * 7 + line * 5 + n * n) % WORDS.length]);
      sheet.drawText(`${words.join(' ')} ${page * LINES + line}.`, { x: 50, y: 800 - line * 17, size: 10, font });
    }
  }
  return document.save();
}

/** What any reader of PDFs has to do. */
async function bare(data: Uint8Array): Promise<void> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data, verbosity: 0, isEvalSupported: false, disableFontFace: true }).promise;
  for (let page = 1; page <= document.numPages; page++) await (await document.getPage(page)).getTextContent();
}

async function read(path: string): Promise<void> {
  const passages = cutPassages(await new ProcessDocumentReader().read(path, 'application/pdf', QUIET.signal));
  const texts = passages.map(({ text }) => text);
  await new HashingEmbedder().embed(texts, QUIET.signal);
  console.log(`${PAGES} pages, ${passages.length} passages`);
}

await using folder = await aFolder();
const pdf = await aPdf();
const path = join(folder.path, 'manual.pdf');
await writeFile(path, pdf);
const least = await timeOf(() => bare(Uint8Array.from(pdf)));
const own = await timeOf(() => read(path));
console.log(
  `${(own / 1000).toFixed(2)} s; bare pdf.js ${(least / 1000).toFixed(2)} s, ${(own / least).toFixed(2)} times`,
);
