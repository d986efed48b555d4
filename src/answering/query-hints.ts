import { distance } from 'fastest-levenshtein';
import { type AnalysisPlan, columnsOfPlan } from '../ports/analysis-plan.js';
import type { QueryResult, TableProfile } from '../ports/table.js';

const SHOWN = 3;
const MAX_LITERALS = 10;
const MAX_LENGTH = 100;

const STRPTIME = "strptime(text, '%d.%m.%Y') or a cast to TIMESTAMP";
const STRFTIME = "strftime(time, '%Y-%m')";
/** What does instead of functions that writers of other dialects try. */
const SUBSTITUTES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    to_char: STRFTIME,
    date_format: STRFTIME,
    to_date: STRPTIME,
    str_to_date: STRPTIME,
    dateadd: 'time + INTERVAL 7 DAY',
    getdate: 'now()',
    sysdate: 'now()',
    percentile: 'quantile_cont(x, 0.9)',
    percentile_cont: 'quantile_cont(x, 0.9)',
    percentile_disc: 'quantile_disc(x, 0.9)',
    std: 'stddev_samp(x)',
    nvl: 'coalesce(x, 0)',
    isnull: 'x IS NULL or coalesce(x, 0)',
    iif: 'CASE WHEN … THEN … ELSE … END',
    charindex: "strpos(text, 'part')",
    regexp_like: 'regexp_matches(text, pattern)',
    convert: 'CAST(x AS DOUBLE)',
    safe_divide: 'x / nullif(y, 0)',
    rand: 'random()',
  }),
);

export type Asked = { readonly plan: AnalysisPlan } | { readonly sql: string };

/** How a query that failed can be mended: the nearest names of what is not there, what does instead of what is not allowed. */
export function mendingHint(problem: string, asked: Asked, profile: TableProfile): string {
  const names = profile.columns.map(({ name }) => name);
  const known = new Set(names.map((name) => name.toLowerCase()));
  const named = 'plan' in asked ? columnsOfPlan(asked.plan) : namesIn(problem);
  const missing = named.filter((name) => !known.has(name.toLowerCase()));
  const hints = missing.slice(0, SHOWN).flatMap((name) => {
    const near = nearest(name, names);
    return near.length === 0 ? [] : [`nearest to "${name.slice(0, 100)}": ${near.map((one) => `"${one}"`).join(', ')}`];
  });
  const [, forbidden = ''] = /function (\w+)\(\) is not allowed/.exec(problem) ?? [];
  const substitute = SUBSTITUTES.get(forbidden);
  return [...hints, ...(substitute === undefined ? [] : [`use ${substitute}`])].map((hint) => `; ${hint}`).join('');
}

/** The names of columns that a complaint is about. */
function namesIn(problem: string): readonly string[] {
  return [...problem.matchAll(/column(?: named)? "([^"]+)"/gi)].map(([, name = '']) => name);
}

/** How the values are spelled that a condition named and nothing was found for. Null where they are right, or rows were found. */
export function spellingNote(asked: Asked, result: QueryResult, profile: TableProfile): string | null {
  if (!isNothing(result)) return null;
  const wanted = 'plan' in asked ? wordsOfPlan(asked.plan) : literalsIn(asked.sql);
  const notes = wanted.flatMap(({ text, column }) => spelled(text, profile, column));
  return notes.length === 0 ? null : notes.slice(0, SHOWN).join('; ');
}

/** No rows, or one of nothing but zeros and gaps. */
function isNothing({ rows }: QueryResult): boolean {
  return rows.length === 0 || (rows.length === 1 && (rows[0]?.every((cell) => cell === null || cell === 0) ?? true));
}

interface Wanted {
  readonly text: string;
  /** Whose values are compared in any case; null: of any column, as it is written. */
  readonly column: string | null;
}

function wordsOfPlan({ filters }: AnalysisPlan): readonly Wanted[] {
  return filters
    .flatMap((filter) => (filter.kind === 'any' ? filter.of.flat() : [filter]))
    .flatMap((filter) => {
      if (filter.kind === 'in' && !filter.negated)
        return filter.values.map((value) => ({ text: String(value), column: filter.column }));
      const isText = filter.kind === 'contains' && !filter.negated;
      return isText ? [{ text: filter.text, column: filter.column }] : [];
    });
}

function literalsIn(sql: string): readonly Wanted[] {
  const literals = [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = '']) => text);
  return [...new Set(literals)].slice(0, MAX_LITERALS).map((text) => ({
    text: text.replaceAll('%', ''),
    column: null,
  }));
}

function spelled(text: string, { columns }: TableProfile, of: string | null): readonly string[] {
  const searched = columns.filter(({ name }) => of === null || name.toLowerCase() === of.toLowerCase());
  const values = searched.flatMap(({ name, topValues }) => topValues.map(({ value }) => ({ name, value })));
  const lower = text.toLowerCase();
  if (values.some(({ value }) => (of === null ? value === text : value.toLowerCase() === lower))) return [];
  const near = nearest(
    text,
    values.map(({ value }) => value),
  );
  // A value that nobody named a column for may be none at all.
  const shown = near.length > 0 || of === null ? near : values.slice(0, SHOWN).map(({ value }) => value);
  const column = values.find(({ value }) => value === shown[0])?.name;
  return column === undefined
    ? []
    : [
        `"${column}" has no "${text.slice(0, 100)}"; it has ${shown.map((value) => JSON.stringify(value.slice(0, 100))).join(', ')}`,
      ];
}

/** Names that differ in few letters, or of which one is part of the other, the nearest first. */
function nearest(wanted: string, names: readonly string[]): readonly string[] {
  const word = plain(wanted);
  if (word.length < 2 || word.length > MAX_LENGTH) return [];
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const ranked = [...new Set(names)].map((name) => ({ name, away: awayFrom(word, plain(name)) }));
  const near = ranked.filter(({ away }) => away <= allowed).toSorted((a, b) => a.away - b.away);
  return near.slice(0, SHOWN).map(({ name }) => name);
}

function awayFrom(word: string, other: string): number {
  const isPart = other.length > 2 && (other.includes(word) || word.includes(other));
  return isPart ? 1 : distance(word, other);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
