import { LRUCache } from 'lru-cache';
import type { ColumnFacts } from '../column-facts.js';
import { synonymsOf } from '../synonyms.js';
import { stem } from '../text.js';

const VOWEL = /[aeiou]/;
const ENDS_OPEN = /[aeiouy]$/;

/** Whether a word of a header shortens what is said: `dept` department, `nm` name, `pop` population. */
export function abbreviates(short: string, word: string): boolean {
  if (short.length === 2) return isPair(short, word);
  if (short.length < 3 || word.length < short.length + 2 || !word.startsWith(short.charAt(0))) return false;
  if (word.startsWith(short)) return !ENDS_OPEN.test(short);
  return isSkeleton(short, word) && isWithin(short, word);
}

/** `ht` height, `wt` weight, `tm` team: the first letter and the last. */
function isPair(short: string, word: string): boolean {
  const isShort = /^[^aeiouy]{2}$/.test(short) && word.length > 3 && word.length < 7;
  const isEnds = word.startsWith(short.charAt(0)) && word.endsWith(short.charAt(1));
  return isShort && (isEnds || word.replace(/[aeiouy]/gu, '') === short);
}

/** Without vowels, or cut off but for the last letter. */
function isSkeleton(short: string, word: string): boolean {
  return !VOWEL.test(short.slice(1)) || (short.length > 3 && word.startsWith(short.slice(0, -1)));
}

/** Short forms that drop no more than a letter or two. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dx: 'diagnosis',
    cd: 'code',
    rx: 'prescription',
    tx: 'treatment',
    nm: 'name',
    yr: 'year',
    dt: 'date',
    ttl: 'title',
    no: 'number',
    nr: 'number',
    num: 'number',
  }),
);

function isWithin(letters: string, word: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = word.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** How well a word of a header is said by a word of the question: 3 as it is, 2 in short, 1 by a synonym. */
export function likeness(headerWord: string, said: string): Likeness {
  const pair = `${headerWord} ${said}`;
  const known = compared.get(pair);
  if (known !== undefined) return known;
  const found = likenessOf(headerWord, said);
  compared.set(pair, found);
  return found;
}

type Likeness = 0 | 1 | 2 | 3;

/** The same words meet the same headers in question after question. */
const compared = new LRUCache<string, Likeness>({ max: 50_000 });

function likenessOf(headerWord: string, said: string): Likeness {
  const [header, spoken] = [stem(headerWord), stem(said)];
  if (header === spoken) return 3;
  if (SHORT_FORMS.get(headerWord) === spoken || stem(SHORT_FORMS.get(headerWord) ?? '') === spoken) return 2;
  if (abbreviates(headerWord, spoken) || shareBase(headerWord, said)) return 2;
  return isSynonym(headerWord, spoken) ? 1 : 0;
}

/** Another word for the same, or what the header shortens is. */
function isSynonym(headerWord: string, spoken: string): boolean {
  const others = synonymsOf(spoken);
  return others.includes(stem(headerWord)) || others.some((other) => abbreviates(headerWord, other));
}

/** `return` and `returning` of returned, `arrival` of arrived, `remotely` of remote. */
function shareBase(header: string, said: string): boolean {
  if (said === `${header}ly`) return header.length > 3;
  if (
    header.length > 3 &&
    said.startsWith(header) &&
    /^(?:r?al|rals?|ment|ments|ation|ations|ee|ees)$/.test(said.slice(header.length))
  )
    return true;
  const base = /^(.{4,})ed$/.exec(header)?.[1];
  return base !== undefined && NOUN_END.test(said.startsWith(base) ? said.slice(base.length) : '-');
}

const NOUN_END = /^(?:|e|s|es|ing|ings|al|als|ion|ions|ment|ments|ure|ures)$/;

/** Whether a verb or noun comes from a word of a header: `enrolled` of enrollmentYear, `directed` of director. */
export function isRelated(said: string, headerWord: string): boolean {
  if (stem(said) === stem(headerWord) || isKnownPair(said, headerWord)) return true;
  const shared = sharedStart(said, headerWord);
  const missing = Math.min(said.length, headerWord.length) - shared;
  return (shared >= 4 && missing <= 2) || (shared >= 6 && missing <= 4);
}

function isKnownPair(said: string, headerWord: string): boolean {
  if (BORN.get(said) === headerWord || areSameEvent(said, headerWord)) return true;
  return /^(year|yr)$/.test(headerWord) && BEGUN.test(said);
}

/** Participles for the same event: a building that was finished was completed. */
const EVENTS: readonly (readonly string[])[] = [
  ['completed', 'finished', 'built', 'constructed', 'erected', 'completion', 'construction'],
  ['founded', 'established', 'formed', 'foundation', 'created'],
  ['released', 'published', 'launched', 'issued', 'premiered', 'release', 'launch', 'publication'],
  ['bought', 'purchased', 'acquired', 'purchase', 'acquisition'],
  ['opened', 'inaugurated', 'opening', 'open'],
  ['hired', 'joined', 'employed', 'hire', 'joining'],
  ['delivered', 'delivery', 'arrived', 'arrival'],
  ['flew', 'flown', 'flight'],
];

function areSameEvent(said: string, headerWord: string): boolean {
  return EVENTS.some((words) => words.includes(said) && words.includes(headerWord));
}

/** Verbs that share no beginning with their noun. */
const BORN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    born: 'birth',
    aged: 'age',
    sold: 'sales',
    lent: 'loan',
    borrowed: 'loan',
    left: 'departure',
    wrote: 'author',
    written: 'author',
  }),
);

/** How a thing comes to be is what a plain year speaks of. */
const BEGUN =
  /^(built|made|released|founded|established|opened|published|launched|produced|created|manufactured|held|formed|issued|constructed|started)$/;

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charAt(length) === b.charAt(length)) length += 1;
  return length;
}

/** Columns that a verb speaks of. */
export function relatedColumns(said: string, columns: readonly ColumnFacts[]): readonly ColumnFacts[] {
  return said.length < 4 ? [] : columns.filter(({ words }) => words.some((word) => isRelated(said, word)));
}
