import type { ChartKind } from '../../ports/chart-renderer.js';

const MAX_TITLE = 120;

/** A chart as the tool takes it. */
export interface ChartCall {
  readonly kind: ChartKind;
  readonly x: string;
  readonly y: string | null;
  readonly series: string | null;
  readonly title: string;
  readonly x_title: string;
  readonly y_title: string | null;
  /** Which result it is of; the last one where it is not said. */
  readonly result?: string;
}

/** A title begins with a capital letter and fits above the picture. */
export function titleOf(words: string): string {
  return cutTitle(words.charAt(0).toUpperCase() + words.slice(1));
}

export function cutTitle(text: string): string {
  const letters = Array.from(text);
  return letters.length <= MAX_TITLE ? text : `${letters.slice(0, MAX_TITLE - 1).join('')}…`;
}
