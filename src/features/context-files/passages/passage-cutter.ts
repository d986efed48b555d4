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
 * Cuts a document into passages in reading order. A passage stays under one heading and is cut between blocks, or between the sentences
 * of a long one; rows of tables and other blocks of up to 940 characters are never cut. Nothing but white space is left out.
 */
export function cutPassages(blocks: readonly DocumentBlock[]): readonly Passage[] {
  return sectionsOf(blocks).flatMap(cutSection);
}

interface Section {
  readonly heading: string | null;
  readonly pieces: Piece[];
}

function sectionsOf(blocks: readonly DocumentBlock[]): readonly Section[] {
  const sections: Section[] = [];
  for (const { text, page, heading } of blocks) {
    let section = sections.at(-1);
    if (section?.heading !== heading) {
      section = { heading, pieces: [] };
      sections.push(section);
    }
    for (const piece of piecesOf(text, page)) section.pieces.push(piece);
  }
  return sections;
}

function cutSection({ heading, pieces }: Section): readonly Passage[] {
  const passages: Passage[] = [];
  let left = pieces.reduce((sum, piece) => sum + piece.text.length + 1, 0);
  let draft: Draft | null = null;
  for (const piece of pieces) {
    if (draft !== null && !draft.hasRoomFor(piece, left)) {
      passages.push(draft.passage(heading));
      draft = draft.next(piece);
    }
    draft ??= new Draft('', piece.page);
    draft.add(piece);
    left -= piece.text.length + 1;
  }
  return draft === null ? passages : [...passages, draft.passage(heading)];
}

/** A passage that is being filled. */
class Draft {
  private lastPage: number | null;
  /** Where the last page begins in the text. */
  private turn = 0;

  constructor(
    private text: string,
    private readonly page: number | null,
  ) {
    this.lastPage = page;
  }

  /** `left`: the characters of the section from this piece on. */
  hasRoomFor(piece: Piece, left: number): boolean {
    if (this.text.length + left <= MAX_PASSAGE && left <= REMNANT) return true;
    return this.text.length + 1 + piece.text.length <= FULL;
  }

  add(piece: Piece): void {
    if (piece.page !== this.lastPage) this.turn = this.text.length;
    this.text += this.text !== '' && piece.opens === 'block' ? `\n${piece.text}` : piece.text;
    this.lastPage = piece.page;
  }

  /** Repeats nothing across pages: the page that is cited would be the wrong one. */
  next(piece: Piece): Draft {
    const here = piece.page === this.lastPage ? this.text.slice(this.turn) : '';
    return new Draft(tailOf(here, piece.opens), piece.page);
  }

  passage(heading: string | null): Passage {
    return { text: this.text.trim(), page: this.page, lastPage: this.lastPage, heading };
  }
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
  readonly page: number | null;
}

/** A block that is short enough whole; else its lines and sentences; else parts of these, between words where there are any. */
function piecesOf(block: string, page: number | null): readonly Piece[] {
  const text = block.trim();
  if (text === '') return [];
  if (text.length <= MAX_PIECE) return [{ text, opens: 'block', page }];
  return sentencesOf(text).flatMap((sentence, index) =>
    partsOf(sentence)
      .filter((part) => part.trim() !== '')
      .map((part, place) => ({ text: part, opens: opensOf(index, place), page })),
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

function partsOf(sentence: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (sentence.length - from > MAX_PIECE) {
    const to = cutIn(sentence, from, from + MAX_PIECE);
    parts.push(sentence.slice(from, to));
    from = to;
  }
  parts.push(sentence.slice(from));
  return parts;
}

/** How far back a cut between words is looked for. */
const LOOK_BACK = 200;

function cutIn(text: string, from: number, to: number): number {
  const start = Math.max(from + 1, to - LOOK_BACK);
  const window = text.slice(start, to);
  const space = /\s\S*$/u.exec(window);
  if (space !== null) return start + space.index + 1;
  return isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
