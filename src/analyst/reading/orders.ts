import type { Direction } from './draft.js';
import { CLASSES, DEGREES, NUMBER_WORDS, ORDINALS } from './lexicon.js';
import type { ColumnMention, NumberMention, Span } from './mentions.types.js';
import type { Features, Part, Question } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

export interface OrderPart extends Part {
  readonly column: string;
  readonly direction: Direction;
  readonly key: string;
}

export interface LimitPart extends Part {
  readonly limit: number | null;
  readonly skip?: number;
}

export function hasSuperlative(question: Question): boolean {
  return (
    question.has('hi') ||
    question.has('lo') ||
    question.has('order') ||
    question.words.has('by') ||
    [...question.words].some((word) => DEGREES.has(word) || /[a-z]{2}est$/.test(word))
  );
}

/** Which end comes first: features of a direction. */
export function directionFeatures(question: Question, direction: Direction, near: string): Features {
  const classes = `${question.has('hi') ? 'H' : ''}${question.has('lo') ? 'L' : ''}${question.has('desc') ? 'd' : ''}${question.has('order') ? 'o' : ''}`;
  const first = question.linked.tokens
    .map(({ word }) => word)
    .find((word) => CLASSES.hi.has(word) || CLASSES.lo.has(word));
  const end = first === undefined ? 'none' : CLASSES.hi.has(first) ? 'hi' : 'lo';
  return [
    feature(`dir|${direction}`),
    feature(`dir|${direction}|${classes}`),
    feature(`dir|${direction}|first|${end}`),
    feature(`dir|${direction}|near|${near}`),
    ...question.tag(`dir:${direction}`),
  ];
}

export function rowOrders(question: Question): readonly OrderPart[] {
  if (!hasSuperlative(question) && !question.has('trend')) return [];
  const bothWays = (mention: ColumnMention | null, column: ColumnFacts): readonly OrderPart[] =>
    (['asc', 'desc'] as const).map((direction) => orderOf(question, mention, column, direction));
  const said = question.linked.columns.flatMap((mention) =>
    mention.guesses.slice(0, mention.isGuess ? 5 : 3).flatMap(({ column }) => bothWays(mention, column)),
  );
  const { time, columns } = question.facts;
  const numbers = columns.filter(({ kind }) => kind === 'number').slice(0, 10);
  const unsaid = [...(time === null ? [] : [time]), ...numbers].flatMap((column) => bothWays(null, column));
  return [...said, ...unsaid].sort((a, b) => b.score - a.score).slice(0, 16);
}

function orderOf(
  question: Question,
  mention: ColumnMention | null,
  column: ColumnFacts,
  direction: Direction,
): OrderPart {
  const degree = mention === null ? undefined : DEGREES.get(question.wordAt(mention.from));
  const near = mention === null ? 'unsaid' : nearEnd(question, mention);
  const features = [
    ...question.role('ord', mention, column),
    ...directionFeatures(question, direction, near),
    feature('order|rows'),
    feature(`order|${direction}|${column.kind}`),
    ...(degree === undefined
      ? []
      : [
          feature(`degree|${degree.direction}|${direction}`),
          feature(`degree|${question.wordAt(mention?.from ?? 0)}|${column.kind}|${direction}`),
        ]),
  ];
  return {
    ...question.part(features, mention === null ? [] : [{ mention, role: 'order' }]),
    column: column.name,
    direction,
    key: `${column.name} ${direction}`,
  };
}

/** The word of degree that belongs to a mention: inside, before, or some words before it. */
export function nearEnd(question: Question, { from, to }: Span): string {
  for (let at = to - 1; at >= Math.max(0, from - 3); at--) {
    if (question.isAt(at, 'hi')) return 'hi';
    if (question.isAt(at, 'lo')) return 'lo';
  }
  return 'none';
}

export function limitParts(question: Question): readonly LimitPart[] {
  const open: LimitPart = {
    ...question.part([feature('limit|none'), feature(`limit|none|${question.has('most')}`)], []),
    limit: null,
  };
  const one: LimitPart = { ...question.part([...question.tag('limit1'), feature('limit|1')], []), limit: 1 };
  const numbers = question.linked.numbers.filter(
    ({ isYear, value }) => !isYear && Number.isInteger(value) && value > 0 && value <= 1000,
  );
  const many = numbers.map((mention) => numberLimit(question, mention));
  const ordinal = question.linked.tokens.flatMap(({ word }, at) => {
    const place = ORDINALS.get(word) ?? 0;
    return place > 1 && place < 11 && !NUMBER_WORDS.has(word) ? [{ place, at }] : [];
  });
  const skips = ordinal.map(({ place, at }): LimitPart => ({
    ...question.part(
      [
        feature('limit|ordinal'),
        feature(`limit|ordinal|${question.around(at, at + 1).after}`),
        ...question.tag('ordinal'),
      ],
      [],
    ),
    limit: 1,
    skip: place - 1,
  }));
  return [open, one, ...many, ...skips];
}

function numberLimit(question: Question, mention: NumberMention): LimitPart {
  const around = question.around(mention.from, mention.to);
  const features = [
    ...question.tag('limitN'),
    feature(`limit|N|${around.before}`),
    feature(`limit|N|${around.before2}`),
    feature(`limit|N|a|${around.after}`),
    feature(`limit|N|taken|${mention.isTaken}`),
  ];
  return { ...question.part(features, [{ mention, role: 'limit' }]), limit: mention.value };
}
