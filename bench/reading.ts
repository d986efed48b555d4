/**
 * How long a PDF takes from its bytes to passages with vectors, all that a context file waits for but its storage, against bare pdf.js
 * in this process, which only lists the texts. `npx tsx bench/reading.ts [pages]`
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { HashingEmbedder } from '../src/adapters/embedding/hashing-embedder.js';
import { ProcessDocumentReader } from '../src/adapters/reading/process-document-reader.js';
import { cutPassages } from '../src/features/context-files/passages/passage-cutter.js';

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
async function bare(data: Uint8Array): Promise<number> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({ data, verbosity: 0, isEvalSupported: false, disableFontFace: true }).promise;
  let characters = 0;
  for (let page = 1; page <= document.numPages; page++) {
    const { items } = await (await document.getPage(page)).getTextContent();
    for (const item of items) characters += 'str' in item ? item.str.length : 0;
  }
  return characters;
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<[T, number]> {
  const begin = performance.now();
  const result = await work();
  const seconds = (performance.now() - begin) / 1000;
  console.log(`${name}: ${seconds.toFixed(2)} s`);
  return [result, seconds];
}

const folder = await mkdtemp(join(tmpdir(), 'reading-'));
try {
  const pdf = await aPdf();
  const path = join(folder, 'manual.pdf');
  await writeFile(path, pdf);
  const { signal } = new AbortController();
  const [characters, least] = await timed(`bare pdf.js, ${PAGES} pages`, () => bare(Uint8Array.from(pdf)));
  const reader = new ProcessDocumentReader();
  const [blocks, reading] = await timed('read in a process', () => reader.read(path, 'application/pdf', signal));
  const [passages] = await timed('cut into passages', () => Promise.resolve(cutPassages(blocks)));
  const texts = passages.map(({ text }) => text);
  const [, embedding] = await timed('local vectors', () => new HashingEmbedder().embed(texts, signal));
  console.log(`${characters} characters, ${blocks.length} blocks, ${passages.length} passages`);
  console.log(`in all ${(reading + embedding).toFixed(2)} s; read over bare: ${(reading / least).toFixed(2)}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
