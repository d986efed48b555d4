import { isHarmless } from './fillers.js';
import type { Piece } from './pieces.js';
import type { Workbench } from './workbench.js';

interface Reason {
  readonly pattern: RegExp;
  readonly text: string;
}

/** Words that say what is wanted, where what is wanted is not to be had here. */
const BEYOND: readonly Reason[] = [
  {
    pattern: /^(tomorrow|next|will|forecasts?|predict(ed|ion|ions|s)?|expect(ed)?|future|upcoming)$/,
    text: 'I answer from the rows that are there; I don’t predict.',
  },
  { pattern: /^(why|because|reasons?)$/, text: 'I can show figures, but not say why they are so.' },
  {
    pattern: /^(percent|percentages?|shares?|proportions?|ratios?|fractions?)$/,
    text: 'I can’t work out shares yet; I can count or add up each part.',
  },
  {
    pattern:
      /^(correlat\w*|percentiles?|quartiles?|outliers?|anomal\w*|variance|skew\w*|regression|growth|grow|grew|cumulative|running|rolling|moving|mode|distribution|histogram)$/,
    text: 'I know counts, sums, averages, medians, standard deviations, lowest and highest values, but not this statistic.',
  },
  {
    pattern:
      /^(weekends?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|summers?|winters?|springs?|autumns?|fall|mornings?|afternoons?|evenings?|nights?)$/,
    text: 'I can’t pick single weekdays, seasons or hours as a condition; I can group by weekday, month of the year or hour of the day.',
  },
  {
    pattern: /^(delete|drop|update|insert|truncate|alter|remove|write)$/,
    text: 'I only read; nothing I am asked changes the data.',
  },
  {
    pattern: /^(should|recommend\w*|promote|suggest\w*|advise|best|worst)$/,
    text: 'I can show figures, but not judge or recommend.',
  },
];

export interface Leftovers {
  /** Words that nobody read and that could change the answer. */
  readonly unread: readonly string[];
  /** Something is left that stops the answer. */
  readonly blocks: boolean;
  /** Words that were not read and change nothing. */
  readonly harmless: readonly string[];
  readonly reasons: readonly string[];
}

/** What no rule took, and why that matters. */
export function leftoversOf(bench: Workbench): Leftovers {
  const left = bench.items.filter((_, place) => bench.isFree(place));
  const harmless = left.filter((piece) => piece.kind === 'word' && isHarmless(piece.key));
  const unread = left.filter((piece) => !harmless.includes(piece));
  return {
    // What could be two things was read, if not well enough.
    unread: unread.filter(({ kind }) => kind !== 'ambiguous').map(({ text }) => text),
    blocks: unread.length > 0,
    harmless: harmless.map(({ text }) => text),
    reasons: [...new Set(unread.flatMap(reasonsFor))],
  };
}

function reasonsFor(piece: Piece): readonly string[] {
  const text = piece.text;
  if (piece.kind === 'ambiguous') return [`“${text}” could be ${piece.columns.map(({ name }) => name).join(' or ')}.`];
  if (piece.kind === 'number') return [`I don’t know what ${text} is about.`];
  if (piece.kind === 'quoted') return [`I find no value “${text}”.`];
  if (piece.kind !== 'word') return [];
  return BEYOND.filter(({ pattern }) => pattern.test(piece.key)).map((reason) => reason.text);
}
