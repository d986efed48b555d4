import { isNumeric, type ColumnPair, type ColumnProfile, type TableProfile } from '../../../ports/table.js';

/** A table by its name and what is known of its columns. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: TableProfile;
}

const MOST = 6;
/** Names alone, or values alone, that are as near as this make two columns worth measuring. */
const ENOUGH = 0.5;
/** Words that say that something is a key, and not of what. */
const KEY_WORDS = new Set('id key code no nr num number ref reference uuid name pk fk'.split(' '));
const FEWEST_VALUES = 3;

/** Pairs of columns by which two tables may belong together, likeliest first: by their names, and by values that both have. */
export function candidatesBetween(left: NamedProfile, right: NamedProfile): readonly ColumnPair[] {
  const scored = left.profile.columns.flatMap((own) =>
    right.profile.columns.flatMap((other) => {
      const score = mayBeKeys(own, other) ? scoreOf(own, left.name, other, right.name) : 0;
      return score < ENOUGH ? [] : [{ pair: [own.name, other.name] as const, score }];
    }),
  );
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ pair }) => pair);
}

/** Texts and whole numbers; times and measurements are equal by chance. */
function mayBeKeys(own: ColumnProfile, other: ColumnProfile): boolean {
  const kinds = [own, other].map(({ type, distinct }) => distinct > 1 && (type === 'text' || isNumeric(type)));
  return kinds.every(Boolean) && !(own.type === 'number' && other.type === 'number');
}

function scoreOf(own: ColumnProfile, ownTable: string, other: ColumnProfile, otherTable: string): number {
  const names = nameScore(own.name, ownTable, other.name, otherTable);
  if (own.type === 'text' && other.type === 'text') return names + valueScore(own, other);
  return names >= ENOUGH && mayMeet(own, other) ? names : 0;
}

/** 1: the same name, or the name of the other's table and its key (`customer_id` and `id` of customers). */
export function nameScore(own: string, ownTable: string, other: string, otherTable: string): number {
  const [one, two] = [wordsOf(own), wordsOf(other)];
  const [tellingOne, tellingTwo] = [tellingOf(one), tellingOf(two)];
  if (same(one, two)) return tellingOne.length === 0 ? ENOUGH : 1;
  if (pointsTo(one, two, otherTable) || pointsTo(two, one, ownTable)) return 1;
  if (same(tellingOne, tellingTwo)) return 0.8;
  const common = tellingOne.filter((word) => tellingTwo.includes(word)).length;
  return common / Math.max(tellingOne.length, tellingTwo.length, 1) >= ENOUGH ? ENOUGH : 0;
}

function tellingOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => !KEY_WORDS.has(word));
}

/** `customer`, `customer id` and `id of customer` point to the key of a table of customers. */
function pointsTo(words: readonly string[], key: readonly string[], table: string): boolean {
  const named = words.filter((word) => !KEY_WORDS.has(word) && word !== 'of');
  const isKey = key.every((word) => KEY_WORDS.has(word));
  return isKey && named.length > 0 && named.every((word) => wordsOf(table).includes(word));
}

function same(one: readonly string[], two: readonly string[]): boolean {
  return one.length > 0 && one.length === two.length && one.every((word) => two.includes(word));
}

/** Of the frequent values of the one with fewer, the part that the other has too. */
function valueScore(own: ColumnProfile, other: ColumnProfile): number {
  const [fewer, more] = own.topValues.length <= other.topValues.length ? [own, other] : [other, own];
  if (fewer.topValues.length < FEWEST_VALUES) return 0;
  const known = new Set(more.topValues.map(({ value }) => value));
  return fewer.topValues.filter(({ value }) => known.has(value)).length / fewer.topValues.length;
}

/** Numbers that lie apart have no value in common. */
function mayMeet(own: ColumnProfile, other: ColumnProfile): boolean {
  const ends = [own.min, own.max, other.min, other.max];
  const [low, high, otherLow, otherHigh] = ends.map((end) => (typeof end === 'number' ? end : null));
  if (low == null || high == null || otherLow == null || otherHigh == null) return true;
  return low <= otherHigh && otherLow <= high;
}

/** In small letters, without the ending of a plural: `CustomerIDs` is customer, id. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu);
  return (words ?? []).map((word) => (word.length > 3 ? word.replace(/(?:ies)$/, 'y').replace(/(?<!s)s$/, '') : word));
}
