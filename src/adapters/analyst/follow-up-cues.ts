import { keyOf, type Piece } from './pieces.js';

const FIRST = new Set(
  'and also but only just now then instead same by per without except top bottom or sort sorted order limit'.split(' '),
);
const ANYWHERE = new Set(['instead']);
const LAST = new Set(['too', 'instead', 'also']);
const BACK = new Set(['it', 'its', 'them', 'their', 'those', 'these']);
const ADDING = new Set(['also', 'too', 'additionally', 'further', 'split', 'well']);

/** Words around what is changed, which say that it goes on and nothing else. */
const BEFORE = new Set('and also but only just now then ok okay instead same additionally please'.split(' '));
const AFTER = new Set('instead too also then please well though'.split(' '));

/** How a message says that it goes on from the one before. */
export interface Cues {
  readonly words: readonly string[];
  /** It begins, or ends, as only a message does that goes on. */
  readonly goesOn: boolean;
  /** It speaks of what was shown: `sort it`, `their names`. */
  readonly refersBack: boolean;
  /** It speaks of a part of what was shown: `how many of them`. */
  readonly ofThem: boolean;
  /** What is said comes to what was there; else it takes its place. */
  readonly adds: boolean;
  /** What is changed, without the words around it. */
  readonly rest: readonly Piece[];
}

export function cuesOf(tokens: readonly Piece[]): Cues {
  const words = tokens.map(keyOf).filter((key) => key !== null);
  return {
    words,
    goesOn: begins(words) || ends(words) || words.some((word) => ANYWHERE.has(word)),
    refersBack: words.some((word) => BACK.has(word)),
    ofThem:
      /^(?:and |but )?(?:how many|how much|which|what share|what percentage|what|who|count|list|show|are any|are all)? ?(?:of|among) (?:them|those|these)\b/.test(
        words.join(' '),
      ),
    adds: words.some((word) => ADDING.has(word)),
    rest: withoutCues(tokens),
  };
}

function begins([first = '', second = '', third = '']: readonly string[]): boolean {
  const isAbout = (asks(first) && second === 'about') || (asks(second) && third === 'about');
  return FIRST.has(first) || isAbout;
}

function asks(word: string): boolean {
  return word === 'what' || word === 'how';
}

function ends(words: readonly string[]): boolean {
  return LAST.has(words.at(-1) ?? '') || words.slice(-2).join(' ') === 'as well';
}

function withoutCues(tokens: readonly Piece[]): readonly Piece[] {
  let from = 0;
  let to = tokens.length;
  while (from < to && isCue(tokens, from)) from += keyAt(tokens, from + 1) === 'about' ? 2 : 1;
  while (to > from && AFTER.has(keyAt(tokens, to - 1))) to -= 1;
  if (keyAt(tokens, to) === 'well' && keyAt(tokens, to - 1) === 'as') to -= 1;
  return tokens.slice(from, to);
}

function isCue(tokens: readonly Piece[], at: number): boolean {
  const isAbout = asks(keyAt(tokens, at)) && keyAt(tokens, at + 1) === 'about';
  return isAbout || tokens[at]?.kind === 'join' || BEFORE.has(keyAt(tokens, at));
}

function keyAt(tokens: readonly Piece[], at: number): string {
  return keyOf(tokens[at]) ?? '';
}
