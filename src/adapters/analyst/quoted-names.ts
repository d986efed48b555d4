import type { Piece } from './pieces.js';
import type { TableFacts } from './table-facts.js';
import { wordsOf } from './text.js';
import { tokenize } from './tokens.js';

/** Longer names are better read as one piece than word by word. */
const LONGEST = 6;

/** Words for what is quoted where that is the name of a column and no value. */
export function withoutQuotedNames(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  return pieces.flatMap((piece) => (piece.kind === 'quoted' ? (wordsOfName(piece.text, facts) ?? [piece]) : [piece]));
}

function wordsOfName(text: string, facts: TableFacts): readonly Piece[] | null {
  const isName = facts.columns.some(({ name }) => name.toLowerCase() === text.toLowerCase());
  if (!isName || facts.values.named(wordsOf(text)).size > 0) return null;
  const words = tokenize(text);
  return words.length > 0 && words.length <= LONGEST && words.every(({ kind }) => kind === 'word') ? words : null;
}
