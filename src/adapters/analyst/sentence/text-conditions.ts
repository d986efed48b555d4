import type { ColumnFacts } from '../column-facts.js';
import type { Filter } from '../../../ports/analysis-plan.js';
import type { Piece } from '../pieces.js';
import { phraseSet, type Line, type PhraseSet } from './line.js';
import type { Sentence } from './sentence.js';

const CONTAINS = phraseSet(
  'contains|contain|containing|includes|include|including|has the word|have the word|with the word|mentions|mention|mentioning|matches|like|has|with|having',
);
const NOT_CONTAINS = phraseSet(
  'does not contain|do not contain|doesnt contain|dont contain|not containing|does not include|do not include|without the word|without',
);
const STARTS = phraseSet(
  'starts with|start with|starting with|begins with|begin with|beginning with|starts in|that start with|that starts with|that begin with|that begins with',
);
const ENDS = phraseSet('ends with|end with|ending with|ending in|ends in|that end with|that ends with');
const BETWEEN = new Set([
  'the',
  'a',
  'an',
  'word',
  'words',
  'letter',
  'letters',
  'string',
  'substring',
  'text',
  'phrase',
  'prefix',
  'suffix',
  'character',
  'characters',
  'term',
  'in',
  'it',
  'them',
  'name',
]);
const TEXT_NOUN = new Set([
  'word',
  'words',
  'letter',
  'letters',
  'string',
  'substring',
  'text',
  'phrase',
  'prefix',
  'suffix',
  'character',
  'characters',
  'term',
]);
const SKIPPED = new Set(['that', 'which', 'whose', 'is', 'are']);
const AFTER_TEXT = phraseSet('in it|in them');

interface Kind {
  readonly where: 'start' | 'end' | 'anywhere';
  readonly denied: boolean;
  readonly phrases: PhraseSet;
}

const KINDS: readonly Kind[] = [
  { where: 'start', denied: false, phrases: STARTS },
  { where: 'end', denied: false, phrases: ENDS },
  { where: 'anywhere', denied: true, phrases: NOT_CONTAINS },
  { where: 'anywhere', denied: false, phrases: CONTAINS },
];

/** `title contains the word Moon`, `names that start with "Al"`. */
export function textConditionAt(
  { line }: Sentence,
  column: ColumnFacts,
  { at, negated }: { readonly at: number; readonly negated: boolean },
): { readonly filters: readonly Filter[]; readonly next: number } | null {
  const place = line.skip(at, SKIPPED);
  const kind = column.role === 'category' ? kindAt(line, place) : null;
  if (kind === null) return null;
  const start = textStart(line, kind.next);
  const piece = line.tokens[start];
  const isPlain = saysText(line, kind.next, start) || isVerb(line.key(place));
  if (piece === undefined || !isPieceOfText(piece, kind, isPlain)) return null;
  const where = kind.where === 'anywhere' ? {} : { at: kind.where };
  return {
    filters: [{ kind: 'contains', column: column.name, text: piece.text, negated: negated !== kind.denied, ...where }],
    next: line.phrase(start + 1, AFTER_TEXT) ?? start + 1,
  };
}

/** Past `the word`; `The` with a capital is the text itself. */
function textStart(line: Line, at: number): number {
  let place = at;
  while (BETWEEN.has(line.key(place)) && !isCapital(line.text(place, place + 1))) place += 1;
  return place;
}

function isCapital(text: string): boolean {
  return /^\p{Lu}/u.test(text);
}

function kindAt(line: Line, at: number): (Kind & { readonly next: number }) | null {
  for (const kind of KINDS) {
    const next = line.phrase(at, kind.phrases);
    if (next !== null) return { ...kind, next };
  }
  return null;
}

/** Without quotes only what is plainly a piece of text is one. */
function isPieceOfText({ kind }: Piece, { where }: Kind, isPlain: boolean): boolean {
  return kind === 'quoted' || (kind !== 'join' && (where !== 'anywhere' || isPlain));
}

function saysText(line: Line, from: number, to: number): boolean {
  return line.tokens.slice(from, to).some((_, index) => TEXT_NOUN.has(line.key(from + index)));
}

function isVerb(word: string): boolean {
  return /^(contain|includ|mention|match|does|do|like|not)/.test(word);
}
