import type { Aggregate, DerivedColumn, Expression } from '../../ports/analysis-plan.js';
import type { MeasureDraft } from './draft.js';
import { type Figure, type FigureList, listOf } from './figure-list.js';
import { COLUMN_WORDS, groupsOf } from './lexicon.js';
import type { ColumnGuess, ColumnMention } from './mentions.types.js';
import type { Question, Use } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

const QUOTIENTS = ['ratio', 'percent', 'difference', 'percent_change'] as const;

/** What two sums or averages make together: cost per unit, reject rate, revenue minus cost. */
export function quotients(question: Question): readonly FigureList[] {
  const kinds = QUOTIENTS.filter((kind) => isQuotientSaid(question, kind));
  if (kinds.length === 0) return [];
  return numberPairs(question).flatMap((pair) =>
    (['sum', 'avg'] as const).flatMap((aggregate) =>
      kinds.map((kind) => quotientOf(question, pair, { kind, aggregate })),
    ),
  );
}

function isQuotientSaid(question: Question, kind: (typeof QUOTIENTS)[number]): boolean {
  if (kind === 'percent') return question.has('share');
  if (kind === 'ratio') return question.has('over') || question.has('share');
  return question.has('minus') || question.has('change');
}

interface Quotient {
  readonly kind: (typeof QUOTIENTS)[number];
  readonly aggregate: 'sum' | 'avg';
}

function quotientOf(question: Question, [one, other]: NumberPair, { kind, aggregate }: Quotient): FigureList {
  const [left, right] = [one.guess.column, other.guess.column];
  const isTurned = one.mention.from > other.mention.from;
  const between = isTurned
    ? `turned_${question.between(other.mention, one.mention)}`
    : question.between(one.mention, other.mention);
  const features = [
    feature(`quot|${kind}`),
    feature(`quot|${kind}|${aggregate}`),
    feature(`quot|turned|${isTurned}`),
    feature(`quot|${kind}|${between}`),
    feature(`quot|${aggregate}|${question.has(aggregate)}`),
    feature(`quot|c|${left.concept}|${right.concept}`),
    ...question.tag(`quot:${kind}`),
    ...question.role('quot1', one.mention, left),
    ...question.role('quot2', other.mention, right),
  ];
  const measures = [left, right].map(({ name }): MeasureDraft => ({ aggregate, column: name }));
  return {
    ...question.part(features, usesOf([one, other])),
    measures,
    derived: [],
    computed: [{ kind, left: 0, right: 1 }],
    key: JSON.stringify([kind, measures]),
    aggregates: new Set([aggregate]),
    at: one.mention.from,
  };
}

function usesOf(pair: NumberPair): readonly Use[] {
  return pair.map(({ mention }) => ({ mention, role: 'figure' }));
}

/** Slope and intercept, slope and r-squared, of one pair. */
export function pairLists(question: Question): readonly FigureList[] {
  if (!question.has('regression')) return [];
  const pairs = pairFigures(question);
  return (['intercept', 'r_squared'] as const).flatMap((second) =>
    pairs.flatMap((slope) => {
      if (slope.measure.aggregate !== 'slope') return [];
      const other: Figure = {
        ...slope,
        measure: { ...slope.measure, aggregate: second },
        features: [feature(`pairlist|${second}|${question.words.has(second === 'intercept' ? 'intercept' : 'r2')}`)],
      };
      return [listOf(question, [slope, other])];
    }),
  );
}

const PAIRS: readonly Aggregate[] = [
  'correlation',
  'slope',
  'r_squared',
  'covariance',
  'rank_correlation',
  'intercept',
];

/** These are the same whichever column comes first. */
const SYMMETRIC: ReadonlySet<Aggregate> = new Set(['correlation', 'rank_correlation', 'covariance', 'r_squared']);

/** Figures of two columns of numbers. */
export function pairFigures(question: Question): readonly Figure[] {
  if (!question.has('correlation') && !question.has('regression') && !question.words.has('covariance')) return [];
  return numberPairs(question).flatMap(([one, other]) =>
    PAIRS.filter((aggregate) => !SYMMETRIC.has(aggregate) || one.mention.from <= other.mention.from).map(
      (aggregate) => ({
        measure: { aggregate, column: one.guess.column.name, second: other.guess.column.name },
        derived: [],
        features: [
          feature(`pair|${aggregate}`),
          ...question.role('pair1', one.mention, one.guess.column),
          ...question.role('pair2', other.mention, other.guess.column),
        ],
        uses: usesOf([one, other]),
        at: one.mention.from,
      }),
    ),
  );
}

/** A mention of a column, and which column it is taken for. */
export interface Picked {
  readonly mention: ColumnMention;
  readonly guess: ColumnGuess;
}
type NumberPair = readonly [Picked, Picked];

/** Two mentioned columns of numbers, in both orders. */
export function numberPairs(question: Question): readonly NumberPair[] {
  const numbers = besidePer(question).flatMap((mention) =>
    mention.guesses
      .filter(({ column }) => column.isNumber && column.kind !== 'id')
      .slice(0, 2)
      .map((guess) => ({ mention, guess })),
  );
  return numbers
    .flatMap((one) => numbers.filter((other) => isOther(one, other)).map((other): NumberPair => [one, other]))
    .slice(0, MOST_PAIRS);
}

const MOST_PAIRS = 20;

/** The mentions of columns; one that is only guessed counts beside `per`, where no surer one stands. */
function besidePer(question: Question): readonly ColumnMention[] {
  const { sure } = question;
  const guessed = question.usable.filter(
    ({ isGuess, from, to }) =>
      isGuess &&
      (question.wordAt(to) === 'per' || question.wordAt(from - 1) === 'per') &&
      !sure.some((one) => one.from < to && from < one.to),
  );
  return [...sure, ...guessed].filter(({ isDegree }) => !isDegree);
}

function isOther(one: Picked, other: Picked): boolean {
  return one.mention !== other.mention && one.guess.column !== other.guess.column;
}

const SIGNS = [
  ['times', '*', 'times'],
  ['minus', '-', 'minus'],
  ['plus', '+', 'plus'],
  ['over', '/', 'per'],
] as const;

/** Two columns of one row combined, then summed or averaged; or the quotient of two sums. */
export function arithmetic(question: Question): readonly Figure[] {
  return numberPairs(question).flatMap(([one, other]) =>
    SIGNS.flatMap(([words, operator, name]) => {
      if (!question.has(words)) return [];
      if ((operator === '*' || operator === '+') && one.mention.from > other.mention.from) return [];
      const [left, right] = [one.guess.column, other.guess.column];
      const derived: DerivedColumn = {
        name: shortName(`${left.name} ${name} ${right.name}`),
        expression: { kind: 'arithmetic', operator, left: columnOf(left), right: columnOf(right) },
      };
      const between = one.mention.from < other.mention.from ? question.between(one.mention, other.mention) : 'turned';
      return (['sum', 'avg'] as const).map((aggregate) => ({
        measure: { aggregate, column: derived.name },
        derived: [derived],
        features: [
          feature(`calc|${operator}`),
          feature(`calc|${operator}|${aggregate}`),
          feature(`calc|${operator}|${between}`),
          feature(`calc|${aggregate}|${question.has(aggregate)}`),
          feature(`calc|${operator}|c|${left.concept}|${right.concept}`),
          ...question.role(`calc1${operator}`, one.mention, left),
          ...question.role(`calc2${operator}`, other.mention, right),
        ],
        uses: usesOf([one, other]),
        at: one.mention.from,
      }));
    }),
  );
}

/** What a price, a rate or a part in percent is called. */
const RATES = 'price cost rate fee wage salary probability percent commission size content share'.split(' ');
const WORTH =
  /^(?:value|worth|costs?|revenue|turnover|sales|wages?|money|weighted|invoiced?|bill(?:ed)?|spend|spent|discounts?|commissions?|labou?r|payroll|lit(?:er|re)s|x|times)$/;
const MONEY = /[€$£]|(?:^|[^\p{L}])(?:eur|usd|gbp|chf)(?:$|[^\p{L}])/iu;
const MOST_RATES = 5;
const MOST_COUNTED = 8;

/** `stock value at cost`: how many there are times what each is worth, of which one or both go without saying. */
export function products(question: Question): readonly Figure[] {
  if (![...question.words].some((word) => WORTH.test(word))) return [];
  const numbers = question.facts.columns.filter(({ kind }) => kind === 'number' || kind === 'code');
  // Not before there is a question: the words are a large file, which a start need not read.
  const groupsOfRates = new Set(RATES.flatMap((word) => groupsOf(COLUMN_WORDS, word)));
  const rates = numbers.filter(
    ({ name, words }) =>
      MONEY.test(name) || words.some(({ groups }) => groups.some((group) => groupsOfRates.has(group))),
  );
  return rates.slice(0, MOST_RATES).flatMap((rate) =>
    numbers
      .filter((counted) => counted !== rate)
      .slice(0, MOST_COUNTED)
      .map((counted) => productOf(question, counted, rate)),
  );
}

function productOf(question: Question, counted: ColumnFacts, rate: ColumnFacts): Figure {
  const product = { kind: 'arithmetic', operator: '*', left: columnOf(counted), right: columnOf(rate) } as const;
  const isPercent = /%|\b(?:pct|percent)\b/i.test(rate.name.replaceAll('_', ' '));
  const derived: DerivedColumn = {
    name: shortName(`${counted.name} times ${rate.name}`),
    expression: isPercent
      ? { kind: 'arithmetic', operator: '/', left: product, right: { kind: 'number', value: 100 } }
      : product,
  };
  const said = [counted, rate].map((column) =>
    question.usable.find(({ guesses }) => guesses.slice(0, 2).some((guess) => guess.column === column)),
  );
  const [one, other] = said;
  return {
    measure: { aggregate: 'sum', column: derived.name },
    derived: [derived],
    features: [
      feature('product'),
      feature(`product|${one !== undefined}|${other !== undefined}|${isPercent}`),
      feature(`product|c|${counted.concept}|${rate.concept}`),
      ...question.tag('product'),
      ...question.role('product1', one ?? null, counted),
      ...question.role('product2', other ?? null, rate),
    ],
    uses: said.flatMap((mention) => (mention === undefined ? [] : [{ mention, role: 'figure' as const }])),
    at: one?.from ?? other?.from ?? 0,
  };
}

export function shortName(name: string): string {
  return name.length > 78 ? `${name.slice(0, 76)}…` : name;
}

function columnOf({ name }: ColumnFacts): Expression {
  return { kind: 'column', column: name };
}
