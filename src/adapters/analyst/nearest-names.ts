import { distance } from 'fastest-levenshtein';
import type { TableProfile } from '../../ports/table.js';
import { plain } from './text.js';

const MAX_WORDS = 5;
const MAX_LENGTH = 60;
/** Of a table with many values the most frequent ones are looked through. */
const MAX_VALUES = 5000;
const SHOWN = 3;
/** Shorter words look like too many others. */
const SHORTEST = 5;

/** A name of the table that looks like a word nobody could read. */
export interface Nearest {
  readonly name: string;
  readonly what: 'column' | 'value';
  readonly away: number;
}

/** Columns and values that are spelled much like one of the words, the nearest first; columns before values. */
export function nearestNames(words: readonly string[], profile: TableProfile): readonly Nearest[] {
  const wanted = words
    .slice(0, MAX_WORDS)
    .map(plain)
    .filter((word) => word.length >= SHORTEST && word.length <= MAX_LENGTH);
  if (wanted.length === 0) return [];
  const columns = profile.columns.map(({ name }) => ({ name, what: 'column' }) as const);
  const values = profile.columns
    .flatMap(({ topValues }) => topValues.map(({ value }) => ({ name: value, what: 'value' }) as const))
    .slice(0, MAX_VALUES);
  const near = [...columns, ...values].flatMap(({ name, what }) => {
    const away = Math.min(...wanted.map((word) => distanceTo(name, word)));
    return Number.isFinite(away) ? [{ name, what, away }] : [];
  });
  const seen = new Set<string>();
  return near
    .toSorted((a, b) => a.away - b.away)
    .filter(({ name }) => !seen.has(name) && Boolean(seen.add(name)))
    .slice(0, SHOWN);
}

/** How many letters differ, from the whole name or its nearest word; infinite where they are two different words. */
function distanceTo(name: string, word: string): number {
  if (name.length > MAX_LENGTH) return Infinity;
  const parts = [plain(name), ...plain(name).split(/[^\p{L}\d]+/u)].filter((part) => part.length >= SHORTEST - 1);
  const allowed = Math.max(1, Math.floor(word.length / 4));
  const least = Math.min(
    ...parts.filter((part) => Math.abs(part.length - word.length) <= allowed).map((part) => distance(part, word)),
  );
  return least <= allowed ? least : Infinity;
}
