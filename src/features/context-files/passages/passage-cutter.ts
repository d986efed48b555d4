import type { DocumentBlock } from '../../../ports/document-reader.js';
import type { Passage } from './passage-batch.schema.js';

/** Characters of a usual passage, what it repeats of the one before included. */
const FULL = 1100;
/** So little at the end of a section goes with the passage before it. */
const REMNANT = 100;
/** No passage is longer. */
export const MAX_PASSAGE = FULL + REMNANT;
/** What a passage repeats of the one before it, at most, so that what stands at the cut is found whole. */
const OVERLAP = 150;
/** With the overlap and a line break before it, a piece is never more than a full passage. */
const MAX_PIECE = 940;

/**
 * Cuts a document into passages in reading order. A passage stays on one page, so that the page that an answer cites is the page where it
 * stands, and under one heading. It is cut between blocks, or between the sentences of a long one; rows of tables and other blocks of up to
 * 940 characters are never cut. Nothing but white space is left out.
 */
export function cutPassages(blocks: readonly DocumentBlock[]): readonly Passage[] {
  return sectionsOf(blocks).flatMap(cutSection);
}

interface Section extends Pick<DocumentBlock, 'heading' | 'page'> {
  readonly pieces: Piece[];
}

function sectionsOf(blocks: readonly DocumentBlock[]): readonly Section[] {
  const sections: Section[] = [];
  for (const { text, page, heading } of blocks) {
    let section = sections.at(-1);
    if (section?.heading !== heading || section.page !== page) {
      section = { heading, page, pieces: [] };
      sections.push(section);
    }
    for (const piece of piecesOf(text)) section.pieces.push(piece);
  }
  return sections;
}

function cutSection({ heading, page, pieces }: Section): readonly Passage[] {
  const texts: string[] = [];
  let text = '';
  let left = pieces.reduce((sum, piece) => sum + piece.text.length + 1, 0);
  for (const piece of pieces) {
    const takesRemnant = left <= REMNANT && text.length + left <= MAX_PASSAGE;
    if (text !== '' && !takesRemnant && text.length + 1 + piece.text.length > FULL) {
      texts.push(text);
      text = tailOf(text, piece.opens);
    }
    text += text !== '' && piece.opens === 'block' ? `\n${piece.text}` : piece.text;
    left -= piece.text.length + 1;
  }
  if (text !== '') texts.push(text);
  return texts.map((whole) => ({ text: whole.trim(), page, heading }));
}

const LINE_OR_SENTENCE = /\n\s*|[.!?…]["'”’»)\]]*\s+|[。！？][」』”]*/u;

/** The last whole lines or sentences that fit; words where the cut goes through a sentence. */
function tailOf(text: string, cut: Piece['opens']): string {
  if (text.length <= OVERLAP) return '';
  const window = text.slice(-OVERLAP);
  const start = LINE_OR_SENTENCE.exec(window) ?? (cut === 'inside' ? /\s+/u.exec(window) : null);
  if (start === null) return '';
  const tail = window.slice(start.index + start[0].length);
  return tail.trim() === '' ? '' : tail;
}

/** What is not cut any more. */
interface Piece {
  readonly text: string;
  /** What begins with it: a block, a sentence of one, or neither. */
  readonly opens: 'block' | 'sentence' | 'inside';
}

/** A block that is short enough whole; else its lines and sentences; else parts of these, between words where there are any. */
function piecesOf(block: string): readonly Piece[] {
  const text = block.trim();
  if (text === '') return [];
  if (text.length <= MAX_PIECE) return [{ text, opens: 'block' }];
  return sentencesOf(text).flatMap((sentence, index) =>
    partsOf(sentence)
      .filter((part) => part.trim() !== '')
      .map((part, place) => ({ text: part, opens: opensOf(index, place) })),
  );
}

function opensOf(sentence: number, part: number): Piece['opens'] {
  if (part > 0) return 'inside';
  return sentence === 0 ? 'block' : 'sentence';
}

const SENTENCE_END = /[.!?…]["'”’»)\]]*\s+|[。！？][」』”]*\s*|\n\s*/gu;
/** Where less has been said, it was an abbreviation, or not worth a cut. */
const SHORT = 40;

/** Together they are the text. */
function sentencesOf(text: string): readonly string[] {
  const sentences: string[] = [];
  const end = new RegExp(SENTENCE_END);
  let from = 0;
  for (;;) {
    end.lastIndex = from + SHORT;
    if (end.exec(text) === null) break;
    sentences.push(text.slice(from, end.lastIndex));
    from = end.lastIndex;
  }
  if (from < text.length) sentences.push(text.slice(from));
  return sentences;
}

/** How far back a cut between words is looked for. */
const LOOK_BACK = 200;

/** Together they are the sentence; no part ends within a character. */
function partsOf(sentence: string): readonly string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > MAX_PIECE) {
    const blank = rest.slice(MAX_PIECE - LOOK_BACK, MAX_PIECE).search(/\s\S*$/u);
    const whole = rest.slice(0, MAX_PIECE).replace(/[\uD800-\uDBFF]$/, '').length;
    const end = blank < 0 ? whole : MAX_PIECE - LOOK_BACK + blank + 1;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}
