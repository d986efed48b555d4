import type { TimeBucket } from '../../ports/analysis-plan.js';
import type { Cell } from '../../ports/table.js';

const MAX_INLINE = 80;
const IMAGES = '/api/v1/secure/assistant/visualizations/';
/** A change below this is a matter of rounding. */
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Text of unknown origin inside Markdown: nothing in it is a mark, a link, a tag, an address or a new line. */
export function inline(text: string, longest = MAX_INLINE): string {
  const line = text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\//giu, '')
    .replace(/\bwww\./giu, '')
    .trim();
  const letters = Array.from(line);
  const cut = letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line;
  return cut
    .replace(/[\\`*[\]<>|~!&]/g, String.raw`\$&`)
    .replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])/gu, String.raw`\_`)
    .replace(/^(#{1,6}(?=\s|$)|[-+](?=\s)|\d+(?=[.)]\s))/u, mark);
}

function mark(start: string): string {
  return /\d/.test(start) ? `${start}\u200B` : `\\${start}`;
}

/** A name of the data in a sentence. */
export function quoted(text: string, longest = 200): string {
  return `“${inline(text, longest)}”`;
}

/** A table of cells that are Markdown already; `right` says which columns hold figures. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly boolean[] = [],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = line(head.map((_, index) => (right[index] === true ? '---:' : '---')));
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

export function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}

/** A chart of our own; no other image may stand in an answer. */
export function imageOf(title: string, filename: string): string {
  return `![${inline(title, 120)}](${IMAGES}${filename})`;
}

/** Parts of a text with an empty line between them; what is empty is left out. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** `1 row`, `2,922 rows`. */
export function countOf(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? noun : plural}`;
}

/** A figure that can be read: thousands apart, and no more digits than it can have earned. */
export function numberWords(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-US');
  const size = Math.abs(value);
  if (size < 1) return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
  const digits = size >= 99_999.5 ? 0 : size >= 9999.95 ? 1 : 2;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}

/** `52 %`; a small one with a digit more. */
export function shareWords(share: number): string {
  const percent = share * 100;
  const digits = Math.abs(percent) < 10 && !Number.isInteger(percent) ? 1 : 0;
  return `${percent.toLocaleString('en-US', { maximumFractionDigits: digits })} %`;
}

/** `+6 %`, `-12.5 %`; null when there is nothing to compare with. */
export function changeWords(value: number, before: number): string | null {
  if (before === 0) return null;
  const change = (value - before) / Math.abs(before);
  if (Math.abs(change) >= 10) return `${numberWords(round(value / before))} times`;
  return `${change > 0 ? '+' : ''}${shareWords(change)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** `3 March 2024, 10:00 UTC`. */
export function instantWords(date: Date): string {
  return `${dayWords(date)}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** `3 March 2024`. */
export function dayWords(date: Date): string {
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
}

/** A moment as people write the bucket it stands for: 2014, March 2014, 2014-03-02, 2014-03-02 14:00. */
export function momentWords(iso: string, bucket: TimeBucket | null): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return inline(iso);
  const text = date.toISOString();
  switch (bucket) {
    case 'year':
      return text.slice(0, 4);
    case 'quarter':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${text.slice(0, 4)}`;
    case 'month':
      return `${MONTHS[date.getUTCMonth()] ?? ''} ${text.slice(0, 4)}`;
    case 'week':
      return `week of ${text.slice(0, 10)}`;
    case 'day':
      return text.slice(0, 10);
    case 'hour':
      return `${text.slice(0, 10)} ${text.slice(11, 16)}`;
    case null:
      return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
  }
}

/** A cell of a result, for people; `bucket` is what its column is cut into, if it is a time. */
export function cellWords(cell: Cell, isTime: boolean, bucket: TimeBucket | null = null): string {
  if (cell === null) return '–';
  if (typeof cell === 'number') return numberWords(cell);
  if (isTime) return momentWords(String(cell), bucket);
  return inline(String(cell)) || '(empty)';
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
