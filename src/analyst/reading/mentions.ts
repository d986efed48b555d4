import { columnHitsIn, columnMentions, guessedColumns } from './column-mentions.js';
import { COLUMN_WORDS, FACTORS, KNOWN_WORDS, NUMBER_WORDS, SMALL, VALUE_WORDS } from './lexicon.js';
import type { ColumnMention, Linked, NumberMention, PeriodMention, Span, ValueMention } from './mentions.types.js';
import type { ColumnFacts, TableFacts } from './table.js';
import { timesIn, type TimeScope } from './times.js';
import { unitNamed } from './units.js';
import { valuesIn } from './value-mentions.js';
import { groupedBy, isOneTypoApart, stem, type Token, tokensOf, wordAt } from './words.js';

/** Finds what a message may mention; `weights` tell which columns a word that is like none of them may mean. */
export function link(message: string, facts: TableFacts, now: number, weights: Float32Array): Linked {
  const tokens = spelled(tokensOf(message), facts);
  const times = timesIn(tokens, scopeOf(facts, now))
    .filter((time) => !isQuestion(tokens, time, facts))
    .map((time) => ({ ...time, kind: 'time' as const }));
  const isTime = marked(tokens.length, times);
  const columnHits = columnHitsIn(message, tokens, facts);
  const values = valuesIn(message, tokens, facts, { isTime, columnHits });
  const isValue = marked(tokens.length, values);
  const numbers = numbersIn(
    tokens,
    isValue,
    marked(
      tokens.length,
      times.filter(({ how }) => how !== 'bare'),
    ),
  );
  const surely = columnMentions(tokens, columnHits, facts, isValue);
  const isTaken = marked(tokens.length, [
    ...surely.filter(({ isWeak }) => !isWeak),
    ...times,
    ...numbers,
    ...values.filter(({ guesses }) => guesses[0]?.how === 'exact' || guesses[0]?.how === 'stem'),
  ]);
  const columns = [...surely, ...guessedColumns(tokens, isTaken, facts, weights)].sort((a, b) => a.from - b.from);
  return {
    message,
    now,
    tokens,
    columns,
    values,
    numbers,
    times,
    ...signsOf(tokens, { columns, values, numbers, times }, facts),
  };
}

/** Where a survey has a question Q1, that is no quarter; `Q1 2024` is one. */
function isQuestion(tokens: readonly Token[], { from, to }: Span, { names }: TableFacts): boolean {
  const word = wordAt(tokens, from);
  return to === from + 1 && /^[a-z]\d/.test(word) && names.has(word);
}

function scopeOf({ profile, columns, time }: TableFacts, now: number): TimeScope {
  const column = time?.profile;
  if (typeof column?.min === 'string' && typeof column.max === 'string') {
    return { now, first: Date.parse(column.min), last: Date.parse(column.max) };
  }
  const year = columns.find(({ kind }) => kind === 'year')?.profile;
  if (typeof year?.min === 'number' && typeof year.max === 'number') {
    return { now, first: Date.UTC(year.min, 0, 1), last: Date.UTC(year.max, 11, 31) };
  }
  const end = profile.timeRange === null ? now : Date.parse(profile.timeRange.to);
  return { now, first: end, last: end };
}

/** Mends words that nobody knows and that are one letter away from one that has a meaning here. */
function spelled(tokens: readonly Token[], facts: TableFacts): readonly Token[] {
  return tokens.map((token, at) => {
    if (isMinutes(tokens, at)) return { ...token, word: 'minutes', stem: stem('minutes') };
    const noun = [`${wordAt(tokens, at - 1)}${token.word}`, `${token.word}${wordAt(tokens, at + 1)}`].find((pair) =>
      isCompoundNoun(pair, token, facts),
    );
    if (noun !== undefined) return { ...token, word: noun, stem: stem(noun) };
    if (isKnown(token, facts)) return token;
    const { word } = token;
    const meant = COMMON.get(word[0] ?? '')?.find((one) => isOneTypoApart(one, word));
    return meant === undefined ? token : { ...token, word: meant, stem: stem(meant) };
  });
}

/** A row of `birdstrikes` is a bird strike, and neither of the two words is anything else. */
function isCompoundNoun(pair: string, { word }: Token, { nouns }: TableFacts): boolean {
  return pair !== word && nouns.has(stem(pair));
}

/** `in min` and `30 min` are minutes and no minimum. */
function isMinutes(tokens: readonly Token[], at: number): boolean {
  return wordAt(tokens, at) === 'min' && (tokens[at - 1]?.value != null || /^(?:in|per)$/.test(wordAt(tokens, at - 1)));
}

function isKnown({ word, stem: stemmed, isQuoted }: Token, facts: TableFacts): boolean {
  if (isQuoted || word.length < 4 || /\d/.test(word)) return true;
  const { wordIndex, values, valueParts, nouns } = facts;
  const known = [SMALL, KNOWN_WORDS, wordIndex, values, valueParts, COLUMN_WORDS.byWord, VALUE_WORDS.byWord];
  return known.some((words) => words.has(word)) || wordIndex.has(stemmed) || nouns.has(stemmed);
}

/** Words with a meaning of their own, by their first letter: typos seldom begin a word. */
const COMMON = groupedBy(
  [...KNOWN_WORDS].filter((word) => word.length > 3 && /^[a-z]+$/.test(word)),
  (word) => word[0] ?? '',
);

/** Whether each of so many tokens is in one of the spans. */
export function marked(length: number, spans: Iterable<Span>): readonly boolean[] {
  const marks = new Array<boolean>(length).fill(false);
  for (const { from, to } of spans) marks.fill(true, from, to);
  return marks;
}

// ---- numbers

function numbersIn(
  tokens: readonly Token[],
  isValue: readonly boolean[],
  isTime: readonly boolean[],
): readonly NumberMention[] {
  return tokens.flatMap((token, at) => {
    const number = token.isQuoted ? null : (numberOf(token) ?? numberInContext(tokens, at));
    return number === null ? [] : [numberAt(tokens, at, number, isValue[at] === true || isTime[at] === true)];
  });
}

interface PlainNumber {
  readonly value: number;
  readonly isWord: boolean;
  readonly plain?: number;
  /** How many words it has: one when it is not said. */
  readonly words?: number;
}

const COUNTED = /^(than|least|most|only|exactly|just|precisely|within|over|under)$/;

const SINGLES: ReadonlyMap<string, number> = new Map([
  ['one', 1],
  ['once', 1],
  ['twice', 2],
]);

/** `one`, `once` and `twice` after words of comparison, `a million`, `half a million`, `within an hour`, `half a kilometre`. */
function numberInContext(tokens: readonly Token[], at: number): PlainNumber | null {
  const word = wordAt(tokens, at);
  const [before, after, next] = [wordAt(tokens, at - 1), wordAt(tokens, at + 1), wordAt(tokens, at + 2)];
  if (word === 'half' && /^an?$/.test(after)) return isUnit(next) ? { value: 0.5, isWord: true, words: 2 } : null;
  const single = SINGLES.get(word);
  // `more than twice the average` is no number.
  if (single !== undefined && after !== 'the') return isCounted(before, after) ? { value: single, isWord: true } : null;
  if (/^an?$/.test(word) && isUnit(after)) return isCounted(before, next) ? { value: 1, isWord: true } : null;
  return /^(a|an|one)$/.test(before) ? scaleOf(word, wordAt(tokens, at - 2) === 'half' ? 0.5 : 1) : null;
}

function isCounted(before: string, next: string): boolean {
  return COUNTED.test(before) || next === 'or';
}

/** `million` as a number by itself. */
function scaleOf(word: string, count: number): PlainNumber | null {
  const factor = word.length > 2 ? FACTORS.get(word) : undefined;
  return factor === undefined ? null : { value: count * factor, isWord: true, plain: count };
}

function isUnit(word: string): boolean {
  return unitNamed(word) !== null;
}

/** `5`, `5k`, `five`, and `10.000`, which may be ten thousand or ten. */
function numberOf({ value, word }: Token): PlainNumber | null {
  if (value === null) return gluedNumber(word) ?? namedNumber(word);
  const isGrouped = /^[1-9]\d{0,2}\.\d{3}$/.test(word);
  return isGrouped ? { value: value * 1000, isWord: false, plain: value } : { value, isWord: false };
}

/** `5k`, `under 18s`, `longer than 20d`. */
function gluedNumber(word: string): PlainNumber | null {
  const [, digits, suffix = ''] = /^(\d+(?:\.\d+)?)([a-z]{1,3})$/.exec(word) ?? [];
  if (digits === undefined) return null;
  const plain = Number(digits);
  if (/^(?:k|m|mio)$/.test(suffix)) return { value: plain * (FACTORS.get(suffix) ?? 1), isWord: false, plain };
  const isOwn = suffix === 's' ? plain < 1000 : isUnit(suffix);
  return isOwn ? { value: plain, isWord: false } : null;
}

function namedNumber(word: string): PlainNumber | null {
  const value = NUMBER_WORDS.get(word);
  return value === undefined ? null : { value, isWord: true };
}

/** A number with its sign before it, and with `thousand` or the like after it. */
function numberAt(
  tokens: readonly Token[],
  at: number,
  { value, isWord, plain = value, words = 1 }: PlainNumber,
  isTaken: boolean,
): NumberMention {
  const factor = factorOf(wordAt(tokens, at + words));
  const isNegative = hasMinus(tokens, at);
  const sign = isNegative ? -1 : 1;
  const to = at + words + (factor === 1 ? 0 : 1);
  return {
    kind: 'number',
    from: isNegative ? at - 1 : at,
    to,
    value: sign * value * factor,
    plain: sign * plain,
    isWord,
    isYear: Number.isInteger(value) && factor === 1 && value > 1500 && value < 2200,
    isPercent: /^(%|percent|prozent|pct)$/.test(wordAt(tokens, to)),
    isTaken,
  };
}

function factorOf(unit: string): number {
  // Fifty m are metres.
  return unit === 'm' || unit === 'k' ? 1 : (FACTORS.get(unit) ?? 1);
}

/** A minus touches its number and nothing before it. */
function hasMinus(tokens: readonly Token[], at: number): boolean {
  const minus = tokens[at - 1];
  if (minus?.word !== '-' || minus.to !== tokens[at]?.from) return false;
  return tokens[at - 2]?.to !== minus.from;
}

// ---- signs

interface AllMentions {
  readonly columns: readonly ColumnMention[];
  readonly values: readonly ValueMention[];
  readonly numbers: readonly NumberMention[];
  readonly times: readonly PeriodMention[];
}

/** A message with a sign for each mention; of mentions that overlap, the first kind has the words. */
function signsOf(tokens: readonly Token[], mentions: AllMentions, facts: TableFacts): Pick<Linked, 'signs' | 'signOf'> {
  const owner = new Array<{ sign: string; mention: object } | undefined>(tokens.length).fill(undefined);
  for (const { sign, mention } of signed(mentions))
    for (let at = mention.from; at < mention.to; at++) owner[at] ??= { sign, mention };
  const signs: string[] = [];
  const signOf = tokens.map((token, at) => {
    const mine = owner[at];
    if (mine !== undefined && at > 0 && owner[at - 1]?.mention === mine.mention) return signs.length - 1;
    signs.push(mine?.sign ?? (facts.nouns.has(token.stem) ? 'NOUN' : token.word));
    return signs.length - 1;
  });
  return { signs, signOf };
}

function signed(mentions: AllMentions): readonly { readonly sign: string; readonly mention: Span }[] {
  const times = mentions.times.filter(({ how }) => how !== 'bare');
  const columns = mentions.columns.filter(({ isDegree, inValue, isGuess }) => !isDegree && !inValue && !isGuess);
  return [
    ...mentions.values.map((mention) => ({ sign: valueSign(mention), mention })),
    ...times.map((mention) => ({ sign: mention.how === 'span' ? 'SPAN' : 'TIME', mention })),
    ...mentions.numbers.map((mention) => ({ sign: numberSign(mention), mention })),
    ...columns.map((mention) => ({ sign: columnSign(mention), mention })),
  ];
}

function valueSign({ guesses: [guess] }: ValueMention): string {
  if (guess === undefined) return 'NAME';
  return guess.how === 'part' ? 'PART' : 'VAL';
}

function numberSign({ isYear, isWord }: NumberMention): string {
  if (isYear) return 'YEAR';
  return isWord ? 'NUMW' : 'NUM';
}

function columnSign({ isNoun, isWeak, guesses }: ColumnMention): string {
  if (isNoun) return 'NCOL';
  return isWeak ? 'WCOL' : (KIND_SIGNS[guesses[0]?.column.kind ?? 'text'] ?? 'COL');
}

/** Numbers, times and the rest look different to those who read around them. */
const KIND_SIGNS: Partial<Record<ColumnFacts['kind'], string>> = { number: 'COLN', code: 'COLN', time: 'COLT' };
