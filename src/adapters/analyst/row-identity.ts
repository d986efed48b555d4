import type { TableProfile } from '../../ports/table.js';
import type { ColumnFacts } from './column-facts.js';
import { stem } from './text.js';

/** From this share of the rows on, a column that has no name for it tells rows apart. */
const NEARLY_ALL = 0.98;
/** Those who are what a table of their stays, tests or trips is about, so that people mean the rows by them. */
const SUBJECTS = new Set(['patient', 'student', 'pupil', 'employee', 'passenger', 'player', 'member', 'guest']);
/** Names that come again no more than that may be of the rows. */
const OFTEN_AGAIN = 0.9;
/** Texts that go on longer than this name nothing. */
const LONGEST_NAME = 60;
const NAME = /^(name|nm|fullname|title|ttl)$/;

/** The column that says what a row is called: one that is made for it, or else one that differs in every row. `nouns`: stems of what the table is called. */
export function identityOf(
  columns: readonly ColumnFacts[],
  profile: TableProfile,
  nouns: ReadonlySet<string>,
): ColumnFacts | null {
  const candidates = columns.filter(({ identifies }) => identifies);
  const texts = candidates.filter(({ role }) => role === 'category');
  return (
    // A name says more than a number.
    texts.find(({ words }) => NAME.test(words.at(-1) ?? '')) ??
    texts[0] ??
    namingColumn(columns, profile, nouns) ??
    candidates[0] ??
    null
  );
}

/** The customer's name that comes again in a table of accounts, which have numbers, is no name of an account. */
export function withoutOthersNames(
  columns: readonly ColumnFacts[],
  { rowCount }: TableProfile,
  nouns: ReadonlySet<string>,
): readonly ColumnFacts[] {
  const isKeyed = columns.some(({ identifies, profile }) => identifies && profile.distinct === rowCount);
  if (!isKeyed) return columns;
  return columns.map((column) =>
    column.identifies && comesAgain(column, rowCount) && isOthers(column, nouns)
      ? { ...column, identifies: false }
      : column,
  );
}

function comesAgain({ role, profile }: ColumnFacts, rowCount: number): boolean {
  return role === 'category' && profile.distinct < (rowCount - profile.nulls) * OFTEN_AGAIN;
}

/** The name of those whom neither the table is called by nor a row of it is about. */
function isOthers({ words, stems }: ColumnFacts, nouns: ReadonlySet<string>): boolean {
  if (words.length < 2 || !NAME.test(words.at(-1) ?? '')) return false;
  return !words.some((word) => SUBJECTS.has(word)) && !stems.some((word) => nouns.has(word));
}

/** Of texts that differ in every row the one that is called as the table is, was chosen to tell rows apart, or stands first. */
function namingColumn(
  columns: readonly ColumnFacts[],
  { rowCount, metaField }: TableProfile,
  nouns: ReadonlySet<string>,
): ColumnFacts | null {
  const texts = columns.filter(({ role }) => role === 'category');
  const unique = texts.filter((column) => isOfEveryRow(column, rowCount));
  return (
    unique.find(({ stems }) => stems.length === 1 && nouns.has(stem(stems[0] ?? ''))) ??
    unique.find(({ name }) => name === metaField) ??
    (texts[0] !== undefined && unique.includes(texts[0]) ? texts[0] : null)
  );
}

function isOfEveryRow({ profile }: ColumnFacts, rowCount: number): boolean {
  const isShort = profile.topValues.every(({ value }) => value.length <= LONGEST_NAME);
  return rowCount > 1 && profile.nulls === 0 && profile.distinct >= rowCount * NEARLY_ALL && isShort;
}
