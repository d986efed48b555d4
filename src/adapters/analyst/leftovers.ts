import { isHarmless } from './fillers.js';
import type { Piece } from './pieces.js';
import type { TableFacts } from './table-facts.js';
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
    pattern:
      /^(percent|percentages?|shares?|proportions?|ratios?|fractions?|correlat\w*|percentiles?|quartiles?|outliers?|anomal\w*|variance|skew\w*|regression|growth|grow|grew|cumulative|running|rolling|moving|mode|distribution|histogram)$/,
    text: 'I can’t work that statistic out from the question as it stands.',
  },
  {
    pattern: /^(delete|drop|update|insert|truncate|alter|remove|write)$/,
    text: 'I only read; nothing I am asked changes the data.',
  },
  {
    pattern: /^(should|recommend\w*|promote|suggest\w*|advise|best|worst|good|bad|fair|opinion|think|believe|feel)$/,
    text: 'I can show figures, but not judge or recommend.',
  },
];

/** Questions that no row answers, however they go on, unless a column is called so. */
const ASKS_BEYOND: readonly (Reason & { readonly unless: RegExp })[] = [
  {
    pattern:
      /^(?:and |but |so )?(?:why\b|how come\b|(?:what|which factors?|what factors?) (?:might |could |may |is |are )?(?:causes?|caused|causing|explains?|explained|drives?|drove|driving|influences?|influenced|led to|leads to|is behind|lies behind)\b)/iu,
    unless: /^(?:caus|explan|explain|driv|influenc|reason)/u,
    text: 'I can show figures, but not say why they are so.',
  },
  {
    pattern:
      /^(?:and |but |so )?(?:should (?:i|we|they|he|she|one)|do you (?:think|believe|recommend|like)|what do you think|what would you)\b/iu,
    unless: /^(?:opinion|recommend)/u,
    text: 'I can show figures, but not judge or recommend.',
  },
  {
    // A name such as Will goes before another one.
    pattern:
      /^(?:[Aa]nd |[Bb]ut |[Ss]o )?(?:[Ww](?:ill|hat will) (?!\p{Lu})|[Hh]ow (?:much|many) [^?]{0,60}\bwill |(?:[Pp]redict|[Ff]orecast)\b)/u,
    unless: /^(?:will|predict|forecast)/u,
    text: 'I answer from the rows that are there; I don’t predict.',
  },
];

/** Why a question can't be answered from rows at all; `null` where it may be. */
export function beyondRows(question: string, { columns }: TableFacts): string | null {
  const asked = question.trim();
  const found = ASKS_BEYOND.find(({ pattern, unless }) => pattern.test(asked) && !names(columns, unless));
  return found === undefined ? null : found.text;
}

function names(columns: TableFacts['columns'], pattern: RegExp): boolean {
  return columns.some(({ stems }) => stems.some((word) => pattern.test(word)));
}

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
