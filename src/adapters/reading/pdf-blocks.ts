import type { DocumentBlock } from '../../ports/document-reader.js';
import { Hyphenation } from './hyphenation.js';
import { Outline } from './outline.js';
import { withoutFurniture } from './pdf-furniture.js';
import type { PdfLine } from './pdf-lines.js';
import { pdfMeasures, type PdfMeasures } from './pdf-measures.js';
import { PdfParagraph } from './pdf-paragraph.js';

const LONGEST_TITLE = 200;

/** Paragraphs, rows of tables and lists from lines by where they stand; larger letters than the body's make headings. */
export function* pdfBlocks(all: readonly PdfLine[]): Generator<DocumentBlock> {
  const lines = withoutFurniture(all);
  const measures = pdfMeasures(lines);
  const hyphenation = new Hyphenation();
  for (const line of lines) hyphenation.learn(line.text);
  const outline = new Outline();
  for (const paragraph of paragraphsOf(lines, measures)) {
    const text = paragraph.text(hyphenation);
    const level = measures.titleSizes.indexOf(paragraph.size);
    if (level >= 0 && isTitle(text)) yield* outline.enter(level, text.replace(/\n/g, ' '), paragraph.page);
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

function isTitle(text: string): boolean {
  return text.length <= LONGEST_TITLE && /\p{L}{2}/u.test(text);
}
