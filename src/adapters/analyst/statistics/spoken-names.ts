import type { ColumnFacts } from '../column-facts.js';
import { rewrite, type Meaning, type Piece, type Span } from '../pieces.js';
import { synonymsOf } from '../synonyms.js';
import type { TableFacts } from '../table-facts.js';
import { nameWords, stem } from '../text.js';
import { isShortFor, isSpokenAs } from './short-forms.js';

const LONGEST = 5;
/** Words of a name that need not be said: `defects` for num_defects. */
const UNSAID = /^(?:num|no|nr|n|cnt|count|number|qty|val|value|flag|is|has|col|pct|percent|percentage)$/;
/** Words that may be said between the others: `rate of interest`. */
const SMALL = /^(?:of|the|in|per|on|at|for|a|an)$/;
const MOMENTS = /^(?:date|day|time|moment|timestamp)$/;

type IsKept = (key: string) => boolean;

interface Named {
  readonly column: ColumnFacts;
  readonly words: readonly string[];
}

const cache = new WeakMap<TableFacts['profile'], readonly Named[]>();

function namesOf(facts: TableFacts): readonly Named[] {
  const known = cache.get(facts.profile);
  if (known !== undefined) return known;
  const own = new Set(facts.profile.columns.map(({ name }) => name));
  const named = facts.columns.filter(({ name }) => own.has(name)).map(namedOf);
  cache.set(facts.profile, named);
  return named;
}

/** Without the unit, in brackets or behind the name. */
function namedOf(column: ColumnFacts): Named {
  const bare = column.name.replace(/\s*[([].*$/u, '');
  const words = bare === column.name || bare === '' ? column.words : nameWords(bare);
  return { column, words };
}

/**
 * Reads columns by several words that are written short in their names: `heart rate at rest` for RestHR, `loan amount` for loan_amt_usd.
 * Each word said must stand for a part of the name, and each part must be said; of two columns that fit alike none is meant.
 */
export function readSpokenNames(pieces: readonly Piece[], facts: TableFacts, isKept: IsKept): readonly Piece[] {
  return rewrite(pieces, LONGEST, (span) => spokenName(span, facts, isKept));
}

function spokenName({ keys, pieces }: Span, facts: TableFacts, isKept: IsKept): Meaning | null {
  if (pieces.some(({ kind }) => kind !== 'word') || !mayName(keys, facts, isKept)) return null;
  const said = keys.filter((key) => !SMALL.test(key));
  let best: ColumnFacts | null = null;
  let most = 0;
  for (const { column, words } of namesOf(facts)) {
    const fit = fitOf(said, { words, column });
    if (fit === 0 || fit < most) continue;
    best = fit === most ? null : column;
    most = fit;
  }
  return best === null ? null : { kind: 'column', column: best, implied: null };
}

/** A phrase begins and ends with a word that says something, and is no value. */
function mayName(keys: readonly string[], facts: TableFacts, isKept: IsKept): boolean {
  const [first = '', last = ''] = [keys[0], keys.at(-1)];
  if (SMALL.test(first) || SMALL.test(last) || facts.values.named(keys).size > 0) return false;
  const tells = keys.some((key) => !SMALL.test(key) && !isKept(key));
  return tells && (keys.length > 1 || !isOfTable(first, facts));
}

/** What rows or the table are called names no column by itself. */
function isOfTable(key: string, { rowNouns, nameStems }: TableFacts): boolean {
  return rowNouns.has(stem(key)) || nameStems.has(stem(key));
}

/** How well words stand for a name: 0 where one of them does not, or a part of the name is not said. */
function fitOf(said: readonly string[], { words, column }: Named): number {
  const parts = words.filter((word) => !UNSAID.test(word) && !SMALL.test(word));
  const [part, another] = parts;
  if (part === undefined || said.length < parts.length) return 0;
  const [only = '', more, ...spoken] = column.role === 'time' ? withoutMoment(said, parts) : said;
  if (another === undefined && more === undefined) return alone(only, part, words);
  return coverOf([only, ...(more === undefined ? [] : [more]), ...spoken], parts);
}

/** `the date of sampling` of sampled_on. */
function withoutMoment(said: readonly string[], parts: readonly string[]): readonly string[] {
  const isSaid = said.length > 1 && MOMENTS.test(said.at(-1) ?? '');
  return isSaid && !parts.some((part) => MOMENTS.test(part)) ? said.slice(0, -1) : said;
}

/** A word by itself must be long enough to be certain of. */
function alone(said: string, part: string, words: readonly string[]): number {
  if (stem(said) === stem(part)) return words.length > 1 ? 2 : 0;
  return part.length > 2 && isSpokenAs(part, said) ? 1 : 0;
}

/** Every word takes a part of the name; several words take one of their first letters. */
function coverOf(said: readonly string[], parts: readonly string[]): number {
  if (parts.length === 0) return said.length === 0 ? 1 : 0;
  let best = 0;
  for (let at = 0; at < said.length; at += 1) {
    const rest = restFit(said, at, parts);
    if (rest > best) best = rest;
  }
  return best;
}

function restFit(said: readonly string[], at: number, parts: readonly string[]): number {
  const [part = '', ...others] = parts;
  const own = wordFit(said[at] ?? '', part);
  const single = own === 0 ? 0 : grown(coverOf(without(said, at, 1), others), own);
  const isInitials = part.length > 1 && part.length < 5 && initialsOf(said.slice(at, at + part.length)) === part;
  const joint = isInitials ? grown(coverOf(without(said, at, part.length), others), 2) : 0;
  return Math.max(single, joint);
}

function grown(rest: number, own: number): number {
  return rest === 0 ? 0 : rest + own;
}

function without(said: readonly string[], at: number, count: number): readonly string[] {
  return [...said.slice(0, at), ...said.slice(at + count)];
}

function initialsOf(words: readonly string[]): string {
  return words.map((word) => word.charAt(0)).join('');
}

const FIGURES =
  /^(?:median|mean|mode|average|total|sum|variance|range|skewness|kurtosis|share|percent\w*|minimum|maximum|correlation|regression|deviation|quartiles?|missing|distribution)$/;

/** Words of the trade stand for no part that merely has some of their letters: `median` is no `min`. */
function wordFit(said: string, part: string): number {
  const [one, other] = [stem(said), stem(part)];
  if (one === other) return 3;
  if (synonymsOf(one).includes(other)) return 2;
  return isSpokenAs(part, said) || (!FIGURES.test(said) && isShortFor(part, said)) ? 1 : 0;
}
