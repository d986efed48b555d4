import papa from 'papaparse';
import { type Delimiter, DELIMITERS } from '../../ports/csv-inspector.js';
import { isNullMarker } from '../../shared/null-markers.js';
import { typeOf } from './inspect-types.js';

export type Row = readonly string[];

export interface Layout {
  readonly delimiter: Delimiter;
  readonly quote: '"' | "'";
}

export interface ParsedText {
  readonly rows: readonly Row[];
  /** False when a quote is not closed or stands where it can't. */
  readonly isSound: boolean;
}

const LOOKED_AT_ROWS = 200;
/** Text that the separator is looked for in; the same for each candidate. */
const LOOKED_AT_TEXT = 256 * 1024;

/** Parses text whose line breaks are `\n`. */
export function parseText(text: string, { delimiter, quote }: Layout, mostRows = 0): ParsedText {
  const { data, errors } = papa.parse<string[]>(text, {
    ...{ delimiter, quoteChar: quote, newline: '\n', skipEmptyLines: true, preview: mostRows },
  });
  return { rows: data, isSound: !errors.some(({ type }) => type === 'Quotes') };
}

/** Finds the separator that gives rows of one length whose cells look like values. */
export function layoutOf(text: string): Layout {
  const looked = text.slice(0, LOOKED_AT_TEXT);
  const quote = quoteOf(looked);
  const [best] = DELIMITERS.map((delimiter) => {
    const { rows } = parseText(looked, { delimiter, quote }, LOOKED_AT_ROWS);
    return { delimiter, score: scoreOf(rows) };
  }).sort((one, other) => other.score - one.score);
  return { delimiter: best?.delimiter ?? ',', quote };
}

/** The apostrophe, when fields are wrapped in it and none in the quotation mark. */
function quoteOf(text: string): '"' | "'" {
  const wrapped = (quote: string): number =>
    text.match(new RegExp(`(?:^|[,;\\t|])${quote}[^${quote}\\n]*${quote}(?=[,;\\t|\\n]|$)`, 'gm'))?.length ?? 0;
  return wrapped("'") >= 2 && wrapped('"') === 0 ? "'" : '"';
}

function scoreOf(rows: readonly Row[]): number {
  const [first] = rows;
  if (!first || first.length < 2) return 0;
  const lengths = rows.map((row) => row.length);
  const usual = mostFrequent(lengths);
  const sameLength = share(lengths, (length) => length === usual);
  // Beside one long line of text a separator that the header lacks is no separator.
  const fitsHeader = usual === first.length ? 1 : 0.5;
  const body = rows.slice(1);
  const typed = share((body.length > 0 ? body : rows).flat(), isTyped);
  return sameLength * fitsHeader + typed / 2 + Math.min(usual, 100) / 1000;
}

function isTyped(cell: string): boolean {
  return isNullMarker(cell) || typeOf([cell], '.') !== 'text' || typeOf([cell], ',') !== 'text';
}

export function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [best] = [...counts].sort(([, one], [, other]) => other - one);
  return best?.[0] ?? 0;
}

function share<T>(values: readonly T[], claim: (value: T) => boolean): number {
  return values.length === 0 ? 0 : values.filter(claim).length / values.length;
}
