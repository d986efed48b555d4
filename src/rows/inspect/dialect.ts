import { isNullMarker } from '../../shared/null-markers.js';
import type { Layout } from '../import/record-scanner.js';
import { type FoundRow, mostFrequent, type Row, splitText, type SplitText } from './records.js';
import { kindOf } from './types.js';
import { escapePattern } from '../../shared/time-format/lexical-pattern.js';

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
const COMMON_DELIMITERS: readonly string[] = [',', ';', '\t', '|'];
const ONE_COLUMN_DELIMITERS: readonly string[] = [...COMMON_DELIMITERS, '\u001f', '\u0001', '^', '~'];

interface Scored extends Reading {
  readonly score: number;
}

/** Finds the layout that gives rows of one length whose cells look like values. */
export function layoutOf(text: string): Layout {
  const looked = text.slice(0, LOOKED_AT_TEXT);
  const given = separatorLine(looked);
  if (given !== null) return withTrims(quotingOf(looked, given), looked);
  const alone = oneColumn(looked);
  const scored = delimiterCandidates(looked).map((candidate): Scored => {
    const reading = quotingOf(looked, candidate.delimiter);
    return { ...reading, score: scoreOf(reading, candidate) };
  });
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), alone);
  return best === alone ? best.layout : withTrims(best, looked);
}

/** As Excel writes and reads it: the first line says what parts the cells. */
export function separatorLine(text: string): string | null {
  const [, delimiter = null] = /^"?sep=([^\n\r]{1,4}?)"?(?:[\n\r]|$)/i.exec(text) ?? [];
  return delimiter === null || Buffer.byteLength(delimiter) > 4 ? null : delimiter;
}

function oneColumn(text: string): Scored {
  const [first = ','] = ONE_COLUMN_DELIMITERS;
  const delimiter = ONE_COLUMN_DELIMITERS.find((sign) => !text.includes(sign)) ?? first;
  const reading = quotingOf(text, delimiter);
  const { rows, faults, quoted } = reading.split;
  // A comma that stands inside quotes alone.
  const isWrapped = quoted > 0 && delimiter !== ',' && faults.length === 0 && quoted === rows.length;
  const layout = { ...reading.layout, delimiter: isWrapped ? first : delimiter };
  const [head, ...body] = rows.map(({ cells }) => cells);
  const parting = COMMON_DELIMITERS.filter((sign) => head?.[0]?.includes(sign) === true);
  // Numbers with a comma below a header with a comma are two numbers.
  const isWord = (cell: string): boolean => cell !== cell.trim() || parting.some((sign) => cell.includes(sign));
  const typed = typedShare(body.map((cells) => cells.map((cell) => (isWord(cell) ? WORD : cell))));
  const sound = rows.length / Math.max(1, rows.length + faults.length);
  return { ...reading, layout, score: ONE_COLUMN * sound + typed / 2 };
}

/** A text that is of no type. */
const WORD = 'x';

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

/** Rows of the usual length, from the first to the last of them. */
function coreOf(
  rows: readonly FoundRow[],
): { readonly width: number; readonly start: number; readonly rows: readonly FoundRow[] } | null {
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
function withTrims({ layout, split }: Reading, text: string): Layout {
  if (layout.delimiter === ' ') return layout;
  const trimming = { ...layout, trims: true };
  const inner = split.rows.flatMap(({ cells }) => cells.slice(1)).slice(0, LOOKED_AT_CELLS);
  const present = inner.filter((cell) => cell.trim() !== '');
  const before = present.filter((cell) => cell.startsWith(' ')).length;
  if (present.length >= 2 && before >= present.length * TRIMMED_SHARE) return requoted(trimming, text);
  return layout;
}

/** Quotes behind several blanks are only seen now. */
function requoted(layout: Layout, text: string): Layout {
  const faultsOf = (one: Layout): number => readAs(text, one).split.faults.length;
  const escapes = layout.quote === '"' ? ['"', '\\'] : [layout.escape];
  const [best = layout.escape] = escapes.sort(
    (one, other) => faultsOf({ ...layout, escape: one }) - faultsOf({ ...layout, escape: other }),
  );
  return { ...layout, escape: best };
}

/** A sign that may part the cells. */
interface DelimiterCandidate {
  readonly delimiter: string;
  /** What it has to be better by than one that is in common use. */
  readonly handicap: number;
  /** It also stands in times, paths, texts: it must part the header, too, or give several columns. */
  readonly isDoubtful: boolean;
}

/** Signs that stand in no text by chance, as control characters do not. */
const RARE: readonly string[] = ['^', '~', '¦', '§', '¬'];
const LOOKED_AT_LINES = 100;
const SHARE_OF_LINES = 0.5;
const MOST_CANDIDATES = 12;
const SHARE_IN_RUNS = 0.45;
/** UTF-8 */
const LONGEST_DELIMITER = 4;
const LONGEST_LINE = 4096;

/** No quotes, nor what numbers, prices, brackets and addresses are made of. */
const PLAIN_SIGN = /[^\p{L}\p{N}\p{Sc}\p{Ps}\p{Pe}"'`+\-._\n\r\\?=%@<>]/gu;
const RUN = /[^\p{L}\p{N}\s"'`+\-._\\]{2,12}/gu;

/** Signs that are in so many lines that they may part the cells; the common ones first. */
function delimiterCandidates(text: string): readonly DelimiterCandidate[] {
  const looked = lookedAt(text);
  const counts = new Map<string, number>();
  for (const line of looked) {
    for (const sign of signsIn(line)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  const least = Math.max(1, looked.length * SHARE_OF_LINES);
  const others = [...counts]
    .filter(([sign, count]) => count >= least && !COMMON_DELIMITERS.includes(sign) && isWhole(sign, looked))
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_CANDIDATES)
    .map(([sign]) => candidateOf(sign));
  const common = COMMON_DELIMITERS.filter((sign) => counts.has(sign)).map(candidateOf);
  return [...common, ...others];
}

function candidateOf(delimiter: string): DelimiterCandidate {
  if (COMMON_DELIMITERS.includes(delimiter)) return { delimiter, handicap: 0, isDoubtful: false };
  // A run that always stands together is better than one of its signs, but for the slashes of addresses.
  if (delimiter.length > 1 && !delimiter.includes('/')) {
    const isEven = [...new Set(delimiter)].length === 1 || delimiter.startsWith(delimiter.slice(-1));
    return { delimiter, handicap: isEven ? -0.02 : 0.02, isDoubtful: false };
  }
  return RARE.includes(delimiter) || delimiter < ' '
    ? { delimiter, handicap: 0.05, isDoubtful: false }
    : { delimiter, handicap: 0.35, isDoubtful: true };
}

/** From the middle, too: there may be many lines of remarks before the table. */
function lookedAt(text: string): readonly string[] {
  const lines = text.split(/[\n\r]+/).filter((line) => line !== '');
  const all = lines.map((line) => line.slice(0, LONGEST_LINE));
  if (all.length <= 2 * LOOKED_AT_LINES) return all;
  const middle = Math.floor(all.length / 2);
  return [...all.slice(0, LOOKED_AT_LINES), ...all.slice(middle, middle + LOOKED_AT_LINES)];
}

/** Its signs seldom stand alone, and it is no delimiter between quotes, which would also begin the lines. */
function isWhole(run: string, lines: readonly string[]): boolean {
  if (run.length < 2) return true;
  const first = run[0] ?? '';
  const opening = lines.filter((line) => line.startsWith(first)).length;
  if (run.length > 2 && run.endsWith(first) && opening >= lines.length * SHARE_OF_LINES) return false;
  const text = lines.join('\n');
  const together = text.split(run).length - 1;
  return [...new Set(run)].every((sign) => {
    const inRun = run.split(sign).length - 1;
    return together * inRun >= (text.split(sign).length - 1) * SHARE_IN_RUNS;
  });
}

function signsIn(line: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [sign] of line.matchAll(PLAIN_SIGN)) found.add(sign);
  for (const [run] of line.matchAll(RUN)) for (const part of partsOf(run)) found.add(part);
  return found;
}

/** Beside empty cells and signs of values a delimiter is a part of what stands together. */
function partsOf(run: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < run.length; start++) {
    for (let end = start + 2; end <= Math.min(run.length, start + LONGEST_DELIMITER); end++)
      parts.push(run.slice(start, end));
  }
  return parts.filter((part) => Buffer.byteLength(part) <= LONGEST_DELIMITER);
}

/** A way to read a text, and what comes of it. */
interface Reading {
  readonly layout: Layout;
  readonly split: SplitText;
}

const RARE_QUOTES: readonly string[] = ["'", '`', '´', '$', '%', '^', '~', '*', '#', '@', '!', '/'];
const RARE_ESCAPES: readonly string[] = ['\\', '/', '^', '~', '?', '%', '#', '$', '!', '&', '@', '*', "'"];
/** Fewer may be wrapped by chance. */
const LEAST_WRAPPED = 2;
const BROKEN_SHARE = 0.05;

/**
 * How cells are quoted between delimiters of one kind. Where nothing is quoted it is the quotation mark, so that a later cell may be; it is nothing
 * where the quotation marks that begin cells close none.
 */
function quotingOf(text: string, delimiter: string): Reading {
  const marks = withEscape(text, readAs(text, { delimiter, quote: '"', escape: '"', trims: false }));
  const other = otherQuote(text, delimiter);
  const isMarked = marks.split.quoted > marks.split.faults.length;
  if (other !== null && (!isMarked || isSurer(other.split, marks.split))) return withEscape(text, other);
  // A quote that nobody closes here or there does not mean that there are none.
  const { rows, faults } = marks.split;
  if (isMarked || faults.length < Math.max(2, rows.length * BROKEN_SHARE)) return marks;
  return readAs(text, { delimiter, quote: '', escape: '', trims: false });
}

/** Beside quotation marks that are quoted themselves, the other quote wraps more and leaves rows that are more alike. */
function isSurer(one: SplitText, other: SplitText): boolean {
  return one.quoted > other.quoted && likeness(one) > likeness(other);
}

function likeness({ rows, faults }: SplitText): number {
  const lengths = rows.map(({ cells }) => cells.length);
  const usual = mostFrequent(lengths);
  return lengths.filter((length) => length === usual).length / Math.max(1, lengths.length + faults.length);
}

/** Text of the greatest length was cut. */
function readAs(text: string, layout: Layout): Reading {
  return {
    layout,
    split: splitText(text, layout, { mostRows: LOOKED_AT_ROWS, isCut: text.length === LOOKED_AT_TEXT }),
  };
}

function otherQuote(text: string, delimiter: string): Reading | null {
  for (const quote of RARE_QUOTES) {
    // A quick look for cells in the middle of a line.
    const isWrapping = text.includes(quote + delimiter) || text.includes(delimiter + quote);
    if (delimiter.includes(quote) || !isWrapping) continue;
    const plain = readAs(text, { delimiter, quote, escape: quote, trims: false });
    const reading = quote === "'" ? withEscape(text, plain) : plain;
    if (isQuote(reading, quote)) return reading;
  }
  return null;
}

function isQuote({ split }: Reading, quote: string): boolean {
  const { quoted, faults, rows } = split;
  if (quote === "'") return quoted >= LEAST_WRAPPED && quoted > faults.length;
  // Prices begin with a sign, and tables of pipes have one at each side: a rare quote must be everywhere, or needed.
  const cells = rows.reduce((total, row) => total + row.cells.length, 0);
  return quoted > LEAST_WRAPPED && quoted > faults.length * 5 && (quoted > cells * 0.1 || faults.length === 0);
}

/** With the escape that leaves the fewest lines unread. */
function withEscape(text: string, found: Reading): Reading {
  let best = found;
  for (const escape of escapesIn(text, found)) {
    const other = readAs(text, { ...found.layout, escape });
    const isBetter = other.split.faults.length < best.split.faults.length && other.split.quoted > 0;
    if (isBetter || isOnlyEscape(text, other, best)) best = other;
  }
  return best;
}

/** All but the backslash are only thought of where something is wrong without. */
function escapesIn(text: string, { layout, split }: Reading): readonly string[] {
  const { quote, delimiter } = layout;
  const thought = split.faults.length === 0 ? ['\\'] : RARE_ESCAPES;
  return thought.filter((sign) => sign !== quote && !delimiter.includes(sign) && text.includes(sign + quote));
}

/** Both read the text, but quotes are never doubled in it. */
function isOnlyEscape(text: string, { layout, split }: Reading, best: Reading): boolean {
  if (layout.escape !== '\\' || split.faults.length > best.split.faults.length || split.quoted === 0) return false;
  const [quote = '', delimiter = ''] = [layout.quote, layout.delimiter].map(escapePattern);
  const isDoubled = new RegExp(`[^\\n\\r${quote}${delimiter}]${quote}${quote}[^${quote}]`).test(text);
  return !isDoubled && split.rows.some(({ cells }) => cells.some((cell) => cell.includes(layout.quote)));
}
