import { isNullMarker } from '../shared/null-markers.js';
import { COMMON_DELIMITERS, type DelimiterCandidate, delimiterCandidates } from './inspect-delimiters.js';
import { quotingOf, type Reading } from './inspect-quotes.js';
import {
  type FoundRow,
  type Layout,
  linesOf,
  mostFrequent,
  type Row,
  type SplitLimits,
  splitText,
  type TextLines,
} from './inspect-records.js';
import { kindOf } from './inspect-types.js';

const LOOKED_AT_ROWS = 200;
/** Text that the delimiter is looked for in; the same for each candidate. */
const LOOKED_AT_TEXT = 256 * 1024;
const LOOKED_AT_CELLS = 20_000;
/** One column is as good as a delimiter that fits three rows of four. */
const ONE_COLUMN = 0.75;
/** What stands above the first row that is as long as the others. */
const MOST_ABOVE = 25;
const TRIMMED_SHARE = 0.9;
const PUNCTUATION = 0.2;
const SIGNS = 0.3;
const QUOTED_SHARE = 0.4;
const USUAL_QUOTES: readonly string[] = ['"', "'"];
const LEAST_CONSISTENT = 0.95;
const MOST_USED = 10;
const WORDS = /[\p{L}\p{N}]/u;
const ONE_COLUMN_DELIMITERS: readonly string[] = [...COMMON_DELIMITERS, '\u001f', '\u0001', '^', '~'];

/** Text of the greatest length was cut. */
function limitsOf({ text }: TextLines): SplitLimits {
  return { mostRows: LOOKED_AT_ROWS, isCut: text.length === LOOKED_AT_TEXT };
}

interface Scored extends Reading {
  readonly score: number;
}

/** Finds the layout that gives rows of one length whose cells look like values. */
export function layoutOf(lines: TextLines): Layout {
  const looked = lines.text.length <= LOOKED_AT_TEXT ? lines : linesOf(lines.text.slice(0, LOOKED_AT_TEXT));
  const given = separatorLine(looked);
  if (given !== null) return withTrims(quotingOf(looked, given, limitsOf(looked)), looked);
  const alone = oneColumn(looked);
  const scored = delimiterCandidates(looked).map((candidate) => scoredAs(looked, candidate));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), alone);
  return best === alone ? best.layout : withTrims(best, looked);
}

/** As Excel writes and reads it: the first line says what parts the cells. */
export function separatorLine({ text, starts, ends }: TextLines): string | null {
  const [, delimiter = null] = /^"?sep=([^\n\r]{1,4}?)"?$/i.exec(text.slice(starts[0], ends[0])) ?? [];
  return delimiter === null || Buffer.byteLength(delimiter) > 4 ? null : delimiter;
}

function scoredAs(lines: TextLines, candidate: DelimiterCandidate): Scored {
  const reading = quotingOf(lines, candidate.delimiter, limitsOf(lines));
  return { ...reading, score: scoreOf(reading, candidate) };
}

function oneColumn(lines: TextLines): Scored {
  const [first = ','] = ONE_COLUMN_DELIMITERS;
  const delimiter = ONE_COLUMN_DELIMITERS.find((sign) => !lines.text.includes(sign)) ?? first;
  const reading = quotingOf(lines, delimiter, limitsOf(lines));
  const layout = { ...reading.layout, delimiter: wraps(reading, ',') ? first : delimiter };
  const [head, ...body] = reading.split.rows.map(({ cells }) => cells);
  const parting = COMMON_DELIMITERS.filter((sign) => head?.[0]?.includes(sign) === true);
  // Numbers with a comma below a header with a comma are two numbers.
  const isWord = (cell: string): boolean => cell !== cell.trim() || includesAny(cell, parting);
  const typed = typedShare(body.map((cells) => cells.map((cell) => (isWord(cell) ? WORD : cell))));
  const { rows, faults } = reading.split;
  const sound = rows.length / Math.max(1, rows.length + faults.length);
  return { ...reading, layout, score: ONE_COLUMN * sound + typed / 2 };
}

/** A text that is of no type. */
const WORD = 'x';

function includesAny(text: string, signs: readonly string[]): boolean {
  return signs.some((sign) => text.includes(sign));
}

/** The sign stands inside quotes alone. */
function wraps({ layout, split }: Reading, sign: string): boolean {
  return (
    split.quoted > 0 && layout.delimiter !== sign && split.faults.length === 0 && split.quoted === split.rows.length
  );
}

/** Rows of the usual length, from the first to the last of them. */
interface Core {
  readonly width: number;
  readonly start: number;
  readonly rows: readonly FoundRow[];
}

/** Rows of one length, whose cells are values, count most; many columns a little. */
function scoreOf({ layout, split }: Reading, candidate: DelimiterCandidate): number {
  const core = coreOf(split.rows);
  if (core === null) return 0;
  const { width, start, rows } = core;
  const faults = split.faults.filter((line) => line > (rows[0]?.line ?? 0)).length;
  const fitting = rows.filter(({ cells }) => cells.length === width);
  const found: Evidence = {
    width,
    consistency: fitting.length / (rows.length + faults),
    typed: typedShare((fitting.length > 1 ? fitting.slice(1) : fitting).map(({ cells }) => cells)),
    hasHeader: isNamed(fitting, split.rows, start),
    isQuoted: USUAL_QUOTES.includes(layout.quote) && split.quoted >= rows.length * width * QUOTED_SHARE,
  };
  const coverage = rows.length / split.rows.length;
  const fit = found.consistency * (0.6 + 0.4 * coverage) * (found.hasHeader ? 1 : 0.5);
  const merit = fit + found.typed / 2 + usedColumns(fitting, width) / 50;
  return merit - handicapOf(candidate, found) - suspicionOf(fitting, candidate, found);
}

interface Evidence {
  readonly width: number;
  readonly consistency: number;
  readonly typed: number;
  readonly hasHeader: boolean;
  /** Many of the cells between the signs are quoted, which leaves no doubt. */
  readonly isQuoted: boolean;
}

/** A sign that also stands in times, paths and texts parts them alike by chance: it is none at all where little speaks for it. */
function handicapOf({ delimiter, handicap, isDoubtful }: DelimiterCandidate, found: Evidence): number {
  if (!isDoubtful) return handicap;
  if (found.isQuoted && found.consistency > LEAST_CONSISTENT) return 0;
  if (!isConvincing(found)) return Number.POSITIVE_INFINITY;
  return found.width > 3 && (delimiter === ' ' || delimiter === '#') ? handicap / 2 : handicap;
}

function isConvincing({ width, consistency, typed, hasHeader }: Evidence): boolean {
  if (consistency < LEAST_CONSISTENT) return false;
  return width < 3 ? hasHeader && typed >= 0.2 : typed >= 0.2 || width > 3;
}

/** What speaks against a sign though it fits: it is punctuation of sentences, or leaves the other signs of a delimiter as columns. */
function suspicionOf(rows: readonly FoundRow[], candidate: DelimiterCandidate, found: Evidence): number {
  const [first, last] = [rows[0]?.cells ?? [], rows.at(-1)?.cells ?? []];
  const hasSigns = first.some((cell, column) => cell.trim() !== '' && !WORDS.test(cell) && last[column] === cell);
  return (hasSigns ? SIGNS : 0) + (isPunctuation(rows, candidate, found) ? PUNCTUATION : 0);
}

/** Up to ten that have words or numbers: between the signs of a delimiter of several there are none. */
function usedColumns(rows: readonly FoundRow[], width: number): number {
  const used = new Set<number>();
  for (const { cells } of rows) {
    if (used.size >= Math.min(width, MOST_USED)) break;
    for (const [column, cell] of cells.entries()) if (WORDS.test(cell)) used.add(column);
  }
  return Math.min(used.size, MOST_USED);
}

/** Commas and semicolons of sentences have a blank behind them, and texts on both sides. */
function isPunctuation(rows: readonly FoundRow[], { delimiter }: DelimiterCandidate, { typed }: Evidence): boolean {
  if (typed >= 0.2 || (delimiter !== ',' && delimiter !== ';')) return false;
  const behind = rows.flatMap(({ cells }) => cells.slice(1)).slice(0, LOOKED_AT_CELLS);
  return behind.filter((cell) => cell.startsWith(' ')).length > behind.length * TRIMMED_SHARE;
}

function coreOf(rows: readonly FoundRow[]): Core | null {
  const width = mostFrequent(rows.map(({ cells }) => cells.length).filter((length) => length > 1));
  if (width < 2) return null;
  const isFitting = ({ cells }: FoundRow): boolean => cells.length === width;
  const first = rows.findIndex(isFitting);
  const start = first <= MOST_ABOVE ? first : 0;
  const last = rows.findLastIndex(isFitting);
  return { width, start, rows: rows.slice(start, last + 1) };
}

/** A single word at the start of the file, right above rows without a header, is a header that the sign does not part. */
function isNamed([first]: readonly FoundRow[], all: readonly FoundRow[], start: number): boolean {
  const above = all[start - 1];
  if (first === undefined || above === undefined) return true;
  const [name = ''] = above.cells;
  const isName = start === 1 && above.cells.length === 1 && !name.startsWith('#');
  if (!isName || first.line > above.lastLine + 1) return true;
  return first.cells.every((cell) => cell.trim() !== '' && !isTyped(cell));
}

const VALUES =
  /^(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[AP]M)?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?|[-+]?[$€£]? ?\d{1,15}(?:[.,]\d{1,9})? ?[%€$£]?|https?:\/\/\S{1,500}|[^\s@]{1,64}@[^\s@]{1,64}\.\w{2,20})$/i;

function isTyped(cell: string): boolean {
  const text = cell.trim();
  if (text.length > 500) return false;
  return kindOf(text, '.') !== 'text' || kindOf(text, ',') !== 'text' || VALUES.test(text);
}

/** Empty cells say nothing. */
function typedShare(rows: readonly Row[]): number {
  let [typed, present] = [0, 0];
  for (const row of rows) {
    if (present > LOOKED_AT_CELLS) break;
    for (const cell of row) {
      if (isNullMarker(cell)) continue;
      present++;
      if (isTyped(cell)) typed++;
    }
  }
  return present === 0 ? 0 : typed / present;
}

/** Blanks that stand around nearly every delimiter are no part of the cells. */
function withTrims({ layout, split }: Reading, lines: TextLines): Layout {
  if (layout.delimiter === ' ') return layout;
  const trimming = { ...layout, trims: true };
  const inner = split.rows.flatMap(({ cells }) => cells.slice(1)).slice(0, LOOKED_AT_CELLS);
  const present = inner.filter((cell) => cell.trim() !== '');
  const before = present.filter((cell) => cell.startsWith(' ')).length;
  if (present.length >= 2 && before >= present.length * TRIMMED_SHARE) return requoted(trimming, lines);
  return layout;
}

/** Quotes behind several blanks are only seen now. */
function requoted(layout: Layout, lines: TextLines): Layout {
  const faultsOf = (one: Layout): number => splitText(lines, one, limitsOf(lines)).faults.length;
  const escapes = layout.quote === '"' ? ['"', '\\'] : [layout.escape];
  const [best = layout.escape] = escapes.sort(
    (one, other) => faultsOf({ ...layout, escape: one }) - faultsOf({ ...layout, escape: other }),
  );
  return { ...layout, escape: best };
}
