/** What is not cut any more. */
export interface Piece {
  readonly text: string;
  /** What begins with it: a block, a sentence of one, or neither. */
  readonly opens: 'block' | 'sentence' | 'inside';
  readonly page: number | null;
}

/** A block that is short enough whole; else its lines and sentences; else parts of these, between words where there are any. */
export function piecesOf(block: string, page: number | null, longest: number): readonly Piece[] {
  const text = block.trim();
  if (text === '') return [];
  if (text.length <= longest) return [{ text, opens: 'block', page }];
  return sentencesOf(text).flatMap((sentence, index) =>
    partsOf(sentence, longest)
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

function partsOf(sentence: string, longest: number): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (sentence.length - from > longest) {
    const to = cutIn(sentence, from, from + longest);
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
