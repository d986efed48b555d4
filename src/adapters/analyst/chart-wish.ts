import type { ChartKind } from '../../ports/chart-renderer.js';

/** What a question says about its picture. */
export interface ChartWish {
  /** The kind that is asked for by name; `none`: words alone. */
  readonly kind: ChartKind | 'none' | null;
  /** It is about how the values of a column spread. */
  readonly distribution: boolean;
}

const PICTURE = '(?:chart|plot|graph|diagram)s?';

/** In the order in which they are looked for: a stacked bar chart is no plain one. */
const KINDS: readonly (readonly [RegExp, ChartWish['kind']])[] = [
  [new RegExp(`\\b(?:no|without (?:a|any)?) ?(?:${PICTURE}|pictures?)\\b`), 'none'],
  [new RegExp(`\\bhisto(?:gram|graph)s?\\b`), 'histogram'],
  [new RegExp(`\\bscatter ?-?${PICTURE}|\\bscatter(?:gram)?\\b`), 'scatter'],
  [/\bheat ?-?maps?\b/, 'heatmap'],
  [new RegExp(`\\b(?:pie|donut|doughnut|ring) ?-?${PICTURE}\\b|\\bas an? (?:pie|donut|doughnut)\\b`), 'pie'],
  [new RegExp(`\\bstacked ?-?(?:(?:bar|column)s? ?-?)?(?:${PICTURE})?\\b`), 'stacked_bar'],
  [new RegExp(`\\b(?:grouped|clustered) ?-?(?:bar|column)s?\\b`), 'grouped_bar'],
  [new RegExp(`\\barea ?-?${PICTURE}\\b`), 'area'],
  [new RegExp(`\\bline ?-?${PICTURE}\\b|\\bas (?:a )?lines?\\b`), 'line'],
  [new RegExp(`\\b(?:bar|column) ?-?${PICTURE}\\b|\\bas (?:a )?bars?\\b`), 'bar'],
];
const DISTRIBUTION = /\bdistribut(?:ion|ions|ed)\b|\bspread (?:of|out)\b/;

export function chartWishOf(question: string): ChartWish {
  const asked = question.slice(0, 2000).toLowerCase();
  const kind = KINDS.find(([words]) => words.test(asked))?.[1] ?? null;
  return { kind, distribution: kind === 'histogram' || DISTRIBUTION.test(asked) };
}
