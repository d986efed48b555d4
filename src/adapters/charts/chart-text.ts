import type { Cell } from '../../ports/table.js';

const MAX_LABEL = 34;
/** Average width of a letter of the axis labels, in pixels; only for choosing a layout. */
const LETTER_WIDTH = 6.3;

/**
 * Text as it may stand in a picture: without control characters, marks that turn the direction of writing and halves of
 * characters (XML has no place for them), on one line.
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\p{Cs}\u200b-\u200f\u202a-\u202e\u2060-\u206f\u061c\ufeff\ufffe\uffff]/gu, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

export function cutText(text: string, length: number): string {
  const letters = Array.from(text);
  if (letters.length <= length) return text;
  const kept = letters.slice(0, length - 1).join('');
  return `${kept.trimEnd()}…`;
}

/** A cell as a label that can stand beside an axis. */
export function labelOf(cell: Cell): string {
  if (cell === null) return '(none)';
  if (typeof cell === 'number') return String(Number(cell.toPrecision(12))).replace('-', '\u2212');
  return cutText(cleanText(String(cell)), MAX_LABEL) || '(empty)';
}

/** One label for each different cell; two long texts that begin alike stay two labels. */
export function distinctLabels(cells: readonly Cell[]): ReadonlyMap<Cell, string> {
  const labels = new Map<Cell, string>();
  const taken = new Set<string>();
  for (const cell of cells) {
    if (labels.has(cell)) continue;
    const label = free(labelOf(cell), taken);
    labels.set(cell, label);
    taken.add(label);
  }
  return labels;
}

function free(label: string, taken: ReadonlySet<string>): string {
  let candidate = label;
  for (let number = 2; taken.has(candidate); number++) {
    const suffix = ` (${number})`;
    candidate = cutText(label, MAX_LABEL - suffix.length) + suffix;
  }
  return candidate;
}

/** Breaks a text into lines of at most so many characters where there are blanks to break at. */
export function wrapText(text: string, length: number): readonly string[] {
  return cleanText(text)
    .split(' ')
    .reduce<readonly string[]>((lines, word) => {
      const last = lines.at(-1);
      const fits = last !== undefined && last.length + 1 + word.length <= length;
      return fits ? [...lines.slice(0, -1), `${last} ${word}`] : [...lines, word];
    }, [])
    .map((line) => cutText(line, length));
}

export function widthOfLabel(label: string): number {
  return Array.from(label).length * LETTER_WIDTH;
}

export function widestOf(labels: readonly string[]): number {
  return labels.reduce((widest, label) => Math.max(widest, widthOfLabel(label)), 0);
}

const SI_FROM = 100_000;

/** Format of the numbers along an axis: thousands separators, SI prefixes from 100k on. */
export function axisFormat(values: readonly number[]): string {
  const largest = largestOf(values);
  if (largest >= SI_FROM) return '~s';
  return largest !== 0 && largest < 0.001 ? '.3~g' : ',~f';
}

/** Format of the numbers written on the marks themselves. */
export function labelFormat(values: readonly number[]): string {
  const largest = largestOf(values);
  if (largest >= SI_FROM) return '.3~s';
  if (values.every((value) => Number.isInteger(value))) return ',d';
  if (largest >= 100) return ',.1f';
  return largest >= 0.1 || largest === 0 ? ',.2f' : '.3~g';
}

/** Years are numbers without thousands separators. */
export function areYears(values: readonly number[]): boolean {
  return values.every((value) => Number.isInteger(value) && value >= 1800 && value <= 2200);
}

function largestOf(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

export function rangeOf(values: readonly number[]): { readonly min: number; readonly max: number } {
  const none = { min: Infinity, max: -Infinity };
  return values.reduce(({ min, max }, value) => ({ min: Math.min(min, value), max: Math.max(max, value) }), none);
}

/** The next of 1, 2, 5, 10 … that is not smaller. */
export function niceStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= step * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/** Whether a line may leave zero out: from a baseline of zero it would lie flat under the upper edge. */
export function leavesZeroOut(values: readonly number[]): boolean {
  const { min, max } = rangeOf(values);
  return min !== max && (min > max * 0.35 || max < min * 0.35) && min * max > 0;
}
