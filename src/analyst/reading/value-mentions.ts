import type { ColumnHit } from './column-mentions.js';
import { CLASSES, DAY_NAMES, groupsOf, isOfDrawing, KNOWN_WORDS, SMALL, VALUE_WORDS } from './lexicon.js';
import type { Span, ValueGuess, ValueMention } from './mentions.types.js';
import type { TableFacts } from './table.js';
import { coreOf, numberedKeys, pairsOf, type ValueMatch } from './table-values.js';
import { unitGlued } from './units.js';
import { different, fold, isOneTypoApart, isShortFor, stem, type Token, wordAt } from './words.js';

const LONGEST_VALUE = 9;

interface Around {
  readonly isTime: readonly boolean[];
  readonly columnHits: readonly ColumnHit[];
}

/** Values of the table, and names and quoted texts that are none. */
export function valuesIn(
  message: string,
  tokens: readonly Token[],
  facts: TableFacts,
  around: Around,
): readonly ValueMention[] {
  const found: ValueMention[] = [];
  const taken = new Array<boolean>(tokens.length).fill(false);
  const isFree = ({ from, to }: Span): boolean => !taken.slice(from, to).includes(true);
  const keep = (mention: ValueMention): void => {
    if (!isFree(mention)) return;
    taken.fill(true, mention.from, mention.to);
    found.push(mention);
  };
  for (const mention of wholeValues(message, tokens, facts)) keep(mention);
  const named = new Set(around.columnHits.filter(({ share }) => share > 0.6).flatMap(places));
  for (const [at, token] of tokens.entries()) {
    if (around.isTime[at] !== true) numberedValues(tokens, at, facts).forEach(keep);
    if (taken[at] === true || isOfDrawing(tokens, at)) continue;
    const pair = taken[at + 1] === true ? null : codePair(tokens, at, facts);
    const mention =
      pair ??
      singleValue(tokens, at, facts, {
        isTime: around.isTime[at] === true,
        isColumn: named.has(at) || facts.wordIndex.has(token.stem),
      });
    if (mention !== null) keep(mention);
    else if (token.isQuoted) keep({ kind: 'value', from: at, to: at + 1, guesses: [], text: token.text });
  }
  return found.sort((a, b) => a.from - b.from);
}

function places({ from, to }: Span): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** Whole cells, the longest first. */
function wholeValues(message: string, tokens: readonly Token[], facts: TableFacts): readonly ValueMention[] {
  const found: ValueMention[] = [];
  for (let from = 0; from < tokens.length; from++) {
    for (let to = Math.min(tokens.length, from + LONGEST_VALUE); to > from; to--) {
      const span = { from, to };
      const guesses = exactGuesses(message, tokens, span, facts);
      if (guesses.length > 0) found.push({ kind: 'value', ...span, guesses, text: null });
    }
  }
  return found.sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
}

function exactGuesses(
  message: string,
  tokens: readonly Token[],
  { from, to }: Span,
  facts: TableFacts,
): readonly ValueGuess[] {
  const span = tokens.slice(from, to);
  return span.length === 1 ? wordGuesses(tokens, from, facts) : phraseGuesses(message, span, facts);
}

function wordGuesses(tokens: readonly Token[], at: number, facts: TableFacts): readonly ValueGuess[] {
  const token = tokens[at];
  if (token === undefined) return [];
  const { word, isQuoted, value } = token;
  const isShortNumber = value !== null && word.length < 5;
  if (!isQuoted && (isSmall(tokens, token, at) || isShortNumber)) return [];
  const exact = facts.values.get(word);
  return exact === undefined ? guessed(facts.values.get(stem(word)), 'stem') : guessed(exact, 'exact');
}

/** `it` is a small word, `IT` in capitals is none, nor is the `US` of `US customers` or `uk vs us`. */
function isSmall(tokens: readonly Token[], { word, text }: Token, at: number): boolean {
  if (!SMALL.has(word)) return false;
  if (word === 'us') return !(text === 'US' || at === 0 || /^(?:vs|and|or|in)$/.test(wordAt(tokens, at - 1)));
  const isCapital = word !== 'i' && (at > 0 || word.length > 1) && /^\p{Lu}+$/u.test(text);
  return !isCapital || !tokens.some((token) => /\p{Ll}/u.test(token.text));
}

/** Words that were quoted stand for themselves: a phrase neither begins nor ends with one. */
function phraseGuesses(message: string, span: readonly Token[], facts: TableFacts): readonly ValueGuess[] {
  const [first, last] = [span[0], span.at(-1)];
  if (first === undefined || last === undefined || first.isQuoted || last.isQuoted) return [];
  const text = fold(message.slice(first.from, last.to)).trim();
  const exact = facts.values.get(text);
  if (exact !== undefined) return guessed(exact, 'exact');
  const spaced = span
    .map(({ word }) => word)
    .filter(isWord)
    .join(' ');
  const stemmed = guessed(facts.values.get(spaced) ?? facts.values.get(stem(text)), 'stem');
  return stemmed.length > 0 ? stemmed : coreGuesses(span, facts);
}

function isWord(word: string): boolean {
  return /[\p{L}\d]/u.test(word);
}

/** `checked out` for Check-out. */
function coreGuesses(span: readonly Token[], facts: TableFacts): readonly ValueGuess[] {
  const words = span.map(({ word }) => word).filter(isWord);
  if (words[0] !== span[0]?.word || words.at(-1) !== span.at(-1)?.word) return [];
  const isSaying = words.some((word) => word.length > 3 && !SMALL.has(word) && !KNOWN_WORDS.has(word));
  return isSaying && words.length < 5 ? guessed(facts.valueCores.get(coreOf(words)), 'core') : [];
}

function guessed(matches: readonly ValueMatch[] | undefined, how: ValueGuess['how']): readonly ValueGuess[] {
  return (matches ?? []).map((match) => ({ ...match, how }));
}

/** One word that is a code's meaning, a part of a longer value, one typo away from it, or a name that no value has. */
function singleValue(
  tokens: readonly Token[],
  at: number,
  facts: TableFacts,
  { isTime, isColumn }: { readonly isTime: boolean; readonly isColumn: boolean },
): ValueMention | null {
  const token = tokens[at];
  if (token === undefined || isTime || facts.nouns.has(token.stem) || !canBeValue(tokens, token, at)) return null;
  const { word } = token;
  const span = { kind: 'value' as const, from: at, to: at + 1 };
  const meant = wholeGuesses(token, tokens, at, facts);
  if (meant.length > 0) return { ...span, guesses: meant, text: null };
  if (isColumn) return null;
  const parts = narrowed(guessed(partsLike(token, facts), 'part'), tokens, at, facts).slice(0, 6);
  if (parts.length > 0) return { ...span, guesses: parts, text: token.text };
  const near = nearGuesses(word, facts);
  if (near.length > 0) return { ...span, guesses: near, text: null };
  return isName(tokens, at) || isCode(word) ? { ...span, guesses: [], text: token.text } : null;
}

/** A value that a word stands for, or has another form of. */
function wholeGuesses(token: Token, tokens: readonly Token[], at: number, facts: TableFacts): readonly ValueGuess[] {
  // A word of a column's name is no other word for a value.
  const coded = facts.wordIndex.has(token.stem) ? [] : codeGuesses(token.word, facts);
  return coded.length > 0 ? narrowed(coded, tokens, at, facts) : coreGuesses([token], facts);
}

function canBeValue(tokens: readonly Token[], token: Token, at: number): boolean {
  const { word, value, isQuoted } = token;
  return !isQuoted && value === null && (word.length > 1 || isLetter(tokens, at)) && !isSmall(tokens, token, at);
}

/** `names starting with M`, `the letter B`. */
function isLetter(tokens: readonly Token[], at: number): boolean {
  return /^\p{Lu}$/u.test(tokens[at]?.text ?? '') && /^(?:with|in|letter)$/.test(wordAt(tokens, at - 1));
}

/** A word for a whole value is surer than one for a word of it: `film` beside Atlas Film. */
function codeGuesses(word: string, facts: TableFacts): readonly ValueGuess[] {
  const { valueGroups, valuePartGroups, nounGroups } = facts;
  const groups = groupsOf(VALUE_WORDS, word);
  const found = unique(groups.flatMap((group) => valueGroups.get(group) ?? []));
  const wholes = DAY_NAMES.includes(word) ? found.filter(({ column }) => isOfDays(column, facts)) : found;
  if (wholes.length > 0) return guessed(abbreviated(word, wholes, facts) ?? wholes, 'group');
  // What the rows are called is no word of a value: `movies` of films.
  if (groups.some((group) => nounGroups.has(group))) return [];
  return guessed(unique(groups.flatMap((group) => valuePartGroups.get(group) ?? [])), 'grouppart');
}

/** Of several codes of a column the one that is short for the word: ALM for `alarms`, beside WARN. */
function abbreviated(
  word: string,
  matches: readonly ValueMatch[],
  { values }: TableFacts,
): readonly ValueMatch[] | null {
  const columns = new Set(matches.map(({ column }) => column));
  const short = [...values].flatMap(([text, own]) =>
    text.length > 2 && isShortFor(text, stem(word))
      ? own.filter((match) => columns.has(match.column) && isCodeIn(match, text))
      : [],
  );
  return short.length === 0 ? null : unique(short);
}

/** A column that has codes for several days of the week; the `sun` of a column of weather is no Sunday. */
function isOfDays(column: number, { valueGroups }: TableFacts): boolean {
  const values = DAY_NAMES.flatMap((day) => groupsOf(VALUE_WORDS, day))
    .flatMap((group) => valueGroups.get(group) ?? [])
    .filter((match) => match.column === column);
  return unique(values).length > 1;
}

/** Two words for what a value calls by one or two others: `traffic light` beside Ampel, `goat milk` beside geitenmelk. */
function codePair(tokens: readonly Token[], at: number, facts: TableFacts): ValueMention | null {
  const pair = tokens.slice(at, at + 2);
  if (pair.length < 2 || pair.some(({ isQuoted, value }) => isQuoted || value !== null)) return null;
  const words = pair.map(({ word }) => word);
  const joined = groupsOf(VALUE_WORDS, words.join('')).flatMap((group) => facts.valueGroups.get(group) ?? []);
  const matches = joined.length > 0 ? joined : pairsOf(words).flatMap((key) => facts.valuePairs.get(key) ?? []);
  return matches.length === 0
    ? null
    : { kind: 'value', from: at, to: at + 2, guesses: guessed(unique(matches), 'group'), text: null };
}

/** `pump 1` for PUMP-01, `line no. 2` for L2; `pumps 1 and 2` are two values. */
function numberedValues(tokens: readonly Token[], at: number, facts: TableFacts): readonly ValueMention[] {
  const token = tokens[at];
  if (token === undefined || token.isQuoted || SMALL.has(token.word) || !/^\p{L}+$/u.test(token.word)) return [];
  const skipped = tokens.slice(at + 1, at + 4).findIndex(({ word }) => !/^(?:no|nr|number|#|-|\.)$/.test(word));
  const found: ValueMention[] = [];
  let [from, place] = [at, at + 1 + Math.max(0, skipped)];
  for (;;) {
    const guesses = numberedGuesses(token.word, tokens[place], facts);
    if (guesses.length === 0) return found;
    found.push({ kind: 'value', from, to: place + 1, guesses, text: null });
    if (!/^(?:and|or|vs|versus|against|&|\/|,)$/.test(wordAt(tokens, place + 1))) return found;
    from = place += 2;
  }
}

function numberedGuesses(word: string, number: Token | undefined, facts: TableFacts): readonly ValueGuess[] {
  if (number?.value == null || !Number.isInteger(number.value)) return [];
  const value = number.value;
  const matches = numberedKeys(word, value).flatMap((key) => facts.valueNumbers.get(key) ?? []);
  if (matches.length > 0) return guessed(unique(matches), 'stem');
  // `top 3` is no T3; `line 3` may be L3.
  const isOwn = KNOWN_WORDS.has(word) && !CLASSES.chart.has(word);
  return isOwn ? [] : guessed(facts.valueNumbers.get(`${word.charAt(0)}|${value}`), 'group');
}

/** Of several values those that have a part like a word beside it, too: ROOM-SRV for `server room`. */
function narrowed(
  guesses: readonly ValueGuess[],
  tokens: readonly Token[],
  at: number,
  facts: TableFacts,
): readonly ValueGuess[] {
  if (guesses.length < 2 || guesses[0]?.how === 'group') return guesses;
  const beside = [at - 1, at + 1].flatMap((place) => {
    const own = partsLike(tokens[place], facts);
    return own.length > 0 ? own : alikeValues(wordAt(tokens, place), facts);
  });
  const both = guesses.filter((guess) => beside.some((other) => isSame(guess, other)));
  return both.length > 0 ? both : guesses;
}

function partsLike(token: Token | undefined, { valueParts }: TableFacts): readonly ValueMatch[] {
  if (token === undefined || token.word.length < 3 || SMALL.has(token.word)) return [];
  return valueParts.get(token.word) ?? valueParts.get(token.stem) ?? [];
}

function isSame(one: ValueMatch, other: ValueMatch): boolean {
  return one.column === other.column && one.value === other.value;
}

/** A word that is close to many values is close to none. */
function nearGuesses(word: string, facts: TableFacts): readonly ValueGuess[] {
  const near = word.length > 4 ? nearValues(word, facts) : [];
  const matches = near.length > 0 ? near : alikeValues(word, facts);
  return matches.length < 4 ? guessed(matches, 'near') : [];
}

/** So large a part of their pairs of letters words of two languages have in common. */
const LEAST_ALIKE = 0.6;

/** The beginning of a value, as `elec`, or a word that begins like one in another language, as `estimated` for Estimada. */
function alikeValues(word: string, { values, valueParts }: TableFacts): readonly ValueMatch[] {
  if (word.length < 4 || KNOWN_WORDS.has(word) || !/^\p{L}+$/u.test(word)) return [];
  const found: ValueMatch[] = [];
  for (const index of [values, valueParts])
    for (const [text, matches] of index) {
      if (isAlike(word, text)) found.push(...matches);
      else if (text.length > 2 && isShortFor(text, word))
        found.push(...matches.filter((match) => isCodeIn(match, text)));
    }
  return unique(found);
}

function isAlike(word: string, text: string): boolean {
  if (!text.startsWith(word.slice(0, 4)) || !/^\p{L}+$/u.test(text)) return false;
  if (text.startsWith(word)) return text.length > word.length + 2;
  const pairs = letterPairs(text);
  const same = letterPairs(word).filter((pair) => pairs.includes(pair)).length;
  return (2 * same) / (word.length - 1 + pairs.length) >= LEAST_ALIKE;
}

/** Codes are written in capitals: OCC for occupied, but no Bus for business. */
function isCodeIn({ value }: ValueMatch, text: string): boolean {
  return String(value).includes(text.toUpperCase());
}

function letterPairs(word: string): readonly string[] {
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
}

/** A capital letter says nothing at the start of a sentence, or where the whole message is in capitals. */
function isName(tokens: readonly Token[], at: number): boolean {
  const [token, before] = [tokens[at], tokens[at - 1]];
  if (token === undefined || before === undefined || !/^\p{Lu}/u.test(token.text)) return false;
  return !/[.!?]/.test(before.word) && !/^\p{Lu}/u.test(tokens[0]?.text.slice(1) ?? '');
}

/** Letters and digits in one word, but no number with its unit. */
function isCode(word: string): boolean {
  return /\d/.test(word) && /\p{L}/u.test(word) && unitGlued(word) === null;
}

function unique(matches: readonly ValueMatch[]): readonly ValueMatch[] {
  return different(matches, ({ column, value }) => `${column} ${value}`);
}

function nearValues(word: string, facts: TableFacts): readonly ValueMatch[] {
  const found: ValueMatch[] = [];
  for (const [text, matches] of facts.values) {
    if (text.startsWith(word.charAt(0)) && isOneTypoApart(text, word)) found.push(...matches);
    if (found.length > 3) break;
  }
  return unique(found);
}
