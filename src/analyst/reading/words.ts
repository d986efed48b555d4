/** A word, number, sign or quoted text of a message; `from` and `to` are places in it. */
export interface Token {
  readonly text: string;
  /** Folded: lower case, without accents. */
  readonly word: string;
  readonly stem: string;
  readonly from: number;
  readonly to: number;
  readonly value: number | null;
  readonly isQuoted: boolean;
}

const TOKEN = new RegExp(
  [
    String.raw`"(?<q1>[^"]{1,200})"|“(?<q2>[^”]{1,200})”|„(?<q3>[^“”]{1,200})[“”]|(?<![\p{L}\d])['‘](?<q4>[^'’]{1,200})['’](?![\p{L}\d])`,
    String.raw`(?<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:(?:\.\d{3})+,\d{1,2}|(?:\.\d{3}){2,})|\d+(?:\.\d+)?)(?![\p{L}\d_])`,
    String.raw`\p{L}+n['’]t(?![\p{L}\d])`,
    String.raw`(?<without>[wW]\/o)(?![\p{L}\d])`,
    String.raw`[\p{L}\d][\p{L}\p{M}\d]*(?:_[\p{L}\d]+)*(?:['’](?=\p{L}))?`,
    String.raw`<=|>=|!=|<>|\S`,
  ].join('|'),
  'gu',
);
/** `don't`, `isnt`, `cannot`. */
const NEGATED = /^(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should)nt$|^cannot$/;
const MAX_TOKENS = 160;

/** Cuts a message into tokens; what goes beyond the first 160 is not read. */
export function tokensOf(message: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const match of message.matchAll(TOKEN)) {
    if (tokens.length === MAX_TOKENS) break;
    const { q1, q2, q3, q4, number, without } = match.groups ?? {};
    const quoted = q1 ?? q2 ?? q3 ?? q4;
    const text = quoted ?? match[0].replace(/['’]$/, '');
    const folded = fold(text);
    const word = wordOf(folded, { isQuoted: quoted !== undefined, isWithout: without !== undefined });
    const value = number === undefined ? null : numberIn(number);
    const [from, to] = [match.index, match.index + match[0].length];
    tokens.push({ text, word, stem: stem(word), from, to, value, isQuoted: quoted !== undefined });
  }
  return tokens;
}

/** `1,234.5`, and `1.234,5` where it can be nothing else. */
function numberIn(text: string): number {
  const isContinental = /\.\d{3}[.,]/.test(text);
  return Number(isContinental ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', ''));
}

function wordOf(folded: string, { isQuoted, isWithout }: { isQuoted: boolean; isWithout: boolean }): string {
  if (isWithout) return 'without';
  return !isQuoted && NEGATED.test(folded) ? 'not' : folded;
}

/** The word at a place; nothing where there is none. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? '';
}

const PLAIN = /^[ -&(-_a-~]*$/;

/** Lower case, without accents and apostrophes: what a person means who types in a hurry. */
export function fold(text: string): string {
  // Most texts are plain already, and tables have thousands of them.
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’`]/gu, '')
    .toLowerCase()
    .replace(/[ßłøæœđðþı]/g, (letter) => LETTERS[letter] ?? letter);
}

/** Letters that are no others with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe' },
  ...{ đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
};

/** One form for singular and plural. It is no dictionary form: only what is stemmed alike is compared. */
export function stem(word: string): string {
  if (word.length < 4 || !(word.endsWith('s') || word.endsWith('e')) || /\d/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  const single = /[^su]s$/.test(word) && !word.endsWith('is') ? word.slice(0, -1) : word;
  return single.length > 3 && single.endsWith('e') ? single.slice(0, -1) : single;
}

const ENDINGS = /(?:ational|ation|ition|ment|ness|ings?|edly|ied|ed|er|or|ions?|ity|al|ly|e|y|en|es)$/;

/** What is left of a longer word without its ending: `satisfaction` and `satisfied` both give `satisf`. */
export function root(word: string): string {
  const bare = stem(word);
  if (bare.length <= 5) return bare;
  const cut = bare.replace(ENDINGS, '').replace(/(?:act|i)$/, '');
  return cut.length > 3 ? cut : bare;
}

/** What verbs and their nouns have in common: `cancelled` and `cancellations` both give `cancel`. */
export function core(word: string): string {
  return root(root(word)).replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}

/** Whether one letter was typed too much, too little, wrongly, or two were swapped. */
export function isOneTypoApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  const shorter = Math.min(a.length, b.length);
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [restA, restB] = [a.length - start - end, b.length - start - end];
  if (Math.max(restA, restB) <= 1) return true;
  return restA === 2 && restB === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}

/** Whether one is short for the other, as `lvl` for level, `hrs` for hours or `sal` for salary. */
export function isShortFor(short: string, long: string): boolean {
  if (short.length < 2 || short.length > 5 || long.length < short.length + 2) return false;
  if (!long.startsWith(short.charAt(0))) return false;
  if (short.length > 2 && long.startsWith(short)) return true;
  if (/[aeiou]/.test(short.slice(1))) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length && short.length > 2;
}

/** Words of a header: `tempMax_C (avg)` is temp, max, c, avg; letters apart from digits. */
export function nameWords(name: string): readonly string[] {
  // kWh and kW are one word.
  const parted = name.replace(/(\p{Ll}{2}|\d\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  return fold(parted).match(/\p{L}+|\d+/gu) ?? [];
}

/** Where a sentence or a part of one ends; a point after a letter or an abbreviation, as in `A vs. B`, ends none. */
const SENTENCE_END =
  /(?<=[?!]|(?<!(?<![\p{L}\d])(?:\p{L}|vs|approx|avg|ca|dept|etc|excl|incl|no|nr|resp|i\.e|e\.g|z\.b))\.)\s+|\n+|;\s*/iu;

export function sentencesOf(text: string): readonly string[] {
  return text.split(SENTENCE_END).map((one) => one.trim());
}

/** A map, or what forgets by itself. */
interface Known<K, T> {
  get(key: K): T | undefined;
  set(key: K, value: T): unknown;
}

/** What is kept under a key; it is made when it is first asked for. */
export function keptIn<K, T>(known: Known<K, T>, key: K, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

/** Adds one more entry of a key. */
export function add<K, T>(map: Map<K, T[]>, key: K, entry: T): void {
  keptIn(map, key, () => []).push(entry);
}

/** Of entries with the same key the first. */
export function different<T>(entries: readonly T[], keyOf: (entry: T) => unknown): readonly T[] {
  return [...groupedBy(entries, keyOf).values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

/** The entries by a key of theirs, in their order. */
export function groupedBy<K, T>(entries: readonly T[], keyOf: (entry: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const entry of entries) add(groups, keyOf(entry), entry);
  return groups;
}
