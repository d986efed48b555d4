import type { Filter } from '../../ports/analysis-plan.js';
import { comparisonAround, type OpClass, SIGN_OF } from './comparison.js';
import { condition, type ConditionPart } from './condition-part.js';
import type { ColumnMention, ValueMention } from './mentions.types.js';
import { CLASSES, DETERMINERS } from './lexicon.js';
import type { Question, Use } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

const NEGATED_WORD = /^(?:in|un|non|dis|ir|im)\p{L}{4}/u;

/** `inactive`, `unpaid`: what the column's name says, turned round. */
function isTurned(question: Question, { from }: ColumnMention, { name }: ColumnFacts): boolean {
  return NEGATED_WORD.test(question.wordAt(from)) && !NEGATED_WORD.test(name.toLowerCase());
}

/** A column that a mention may mean. */
interface Meant {
  readonly mention: ColumnMention;
  readonly column: ColumnFacts;
  readonly uses: readonly Use[];
}

/** Missing values, flags, and values above or below the average. */
export function mentionConditions(question: Question, mention: ColumnMention): readonly ConditionPart[] {
  const uses: readonly Use[] = [{ mention, role: 'condition' }];
  return mention.guesses.slice(0, 3).flatMap(({ column }) => {
    const meant = { mention, column, uses };
    const mayLack = column.profile.nulls > 0 || question.has('null') || question.has('neg');
    return [
      ...(mayLack ? nullConditions(question, meant) : []),
      ...(mention.inValue ? [] : flagConditions(question, meant)),
      ...(column.isNumber
        ? [zeroConditions, againstAverage, outliers].flatMap((conditionsOf) => conditionsOf(question, meant))
        : []),
    ];
  });
}

/** `without the blank ones`, `skip empty`. */
const SKIPPED =
  /\b(?:skip|without|ignor\w+|exclud\w+|except|not|no|drop|leave out|leaving out)\b(?: \w+){0,2} (?:blanks?|empty|missing|null|unknown|gaps)\b/;

const NULL_WORDS =
  'null missing empty unknown without no blank lack lacks lacking known recorded yet not never value values filled gaps still nan has have with'.split(
    ' ',
  );

function nullConditions(question: Question, { mention, column, uses }: Meant): readonly ConditionPart[] {
  const has = column.profile.nulls > 0;
  const isSkipped = SKIPPED.test(question.linked.tokens.map(({ word }) => word).join(' '));
  return [false, true].map((negated) => {
    const name = `null${negated}`;
    const words = NULL_WORDS.filter((word) => question.words.has(word)).map((word) => feature(`${name}|${word}`));
    const features = [
      feature(name),
      feature(`${name}|nulls|${has}`),
      feature(`${name}|turned|${isTurned(question, mention, column)}`),
      feature(`${name}|skipped|${isSkipped}`),
      ...words,
      ...question.role(name, mention, column),
    ];
    return condition(question, { kind: 'null', column: column.name, negated }, features, uses);
  });
}

const ZERO_WORDS =
  'no not without never zero nothing none free any at least one with have has had got still out empty only full ever some'.split(
    ' ',
  );

/** `without a goal`: none of what a column counts; `with a discount`: some of it. */
function zeroConditions(question: Question, { mention, column, uses }: Meant): readonly ConditionPart[] {
  const { min, max } = column.profile;
  if (typeof min !== 'number' || typeof max !== 'number' || min > 0 || max < 0 || column.kind === 'id') return [];
  const words = ZERO_WORDS.filter((word) => question.words.has(word));
  const before = question.around(mention.from, mention.to).before;
  return (['=', '>'] as const).map((operator) => {
    const role = `zero${operator}`;
    const features = [
      feature(role),
      feature(`${role}|b|${before}`),
      feature(`${role}|min|${min === 0}`),
      feature(`${role}|neg|${question.has('neg')}`),
      ...words.map((word) => feature(`${role}|${word}`)),
      ...question.role(role, mention, column),
    ];
    return condition(question, { kind: 'compare', column: column.name, operator, value: 0 }, features, uses);
  });
}

function flagConditions(question: Question, { mention, column, uses }: Meant): readonly ConditionPart[] {
  const { flag, name } = column;
  if (flag === null) return [];
  const negated = question.has('neg');
  const { before, after } = question.around(mention.from, mention.to);
  const shared = question.role('flag', mention, column);
  return ([true, false] as const).map((isYes) => {
    const value = isYes ? flag.yes : flag.no;
    const filter: Filter = { kind: 'in', column: name, values: [value], negated: false };
    return condition(
      question,
      filter,
      [
        feature(`flag|${isYes}|${negated}`),
        feature(`flag|${isYes}`),
        feature(`flag|${isYes}|turned|${isTurned(question, mention, column)}`),
        feature(`flag|${isYes}|b|${before}`),
        feature(`flag|${isYes}|a|${after}`),
        feature(`flag|${isYes}|w|${question.linked.tokens[mention.from]?.stem ?? ''}`),
        ...shared,
      ],
      uses,
    );
  });
}

function againstAverage(question: Question, { mention, column, uses }: Meant): readonly ConditionPart[] {
  const at = question.linked.tokens.findIndex(({ word }) => /^(average|avg|mean|median|durchschnitt)$/.test(word));
  if (at < 0) return [];
  const cls = comparisonAround(question, at, at + 1);
  if (cls === 'none' || cls === 'ne' || cls === 'between') return [];
  const aggregate = question.wordAt(at) === 'median' ? 'median' : 'avg';
  const factor = factorBefore(question, at);
  const distance = Math.max(-3, Math.min(3, mention.from - at));
  const isOfAll = ['all', 'overall', 'whole'].some((word) => question.words.has(word));
  return (isOfAll ? (['matching', 'all'] as const) : (['matching'] as const)).map((reach) => {
    const filter: Filter = {
      kind: 'against',
      column: column.name,
      operator: SIGN_OF[cls],
      aggregate,
      reach,
      ...(factor === 1 ? {} : { factor }),
    };
    return condition(
      question,
      filter,
      [
        feature(`against|${cls}`),
        feature(`against|${reach}|${isOfAll}`),
        feature(`against|factor|${factor !== 1}`),
        feature(`against|${aggregate}`),
        feature(`against|at|${distance}`),
        feature(`against|a|${question.around(at, at + 1).after}`),
        ...question.role('against', mention, column),
      ],
      uses,
    );
  });
}

const MOST_AGAINST = 8;

/** `heavier than Kunashak`, `cheaper than the average flat`: no word names the column, or one that could mean several. */
export function againstOthers(question: Question): readonly ConditionPart[] {
  const { tokens, values } = question.linked;
  const than = tokens.findIndex(({ word }) => word === 'than');
  if (than < 1) return [];
  const named = values.filter(({ from }) => from === than + 1 || from === than + 2);
  const isAverage = [1, 2].some((step) => /^(?:average|avg|mean|median)$/.test(question.wordAt(than + step)));
  const columns = question.facts.columns
    .filter((column) => column.isNumber && column.kind !== 'id')
    .slice(0, MOST_AGAINST);
  return columns.flatMap((column) => [
    ...named.flatMap((mention) => againstNamed(question, { mention, column, than })),
    ...(isAverage ? againstUnsaid(question, column, than) : []),
  ]);
}

interface Named {
  readonly mention: ValueMention;
  readonly column: ColumnFacts;
  readonly than: number;
}

function againstNamed(question: Question, { mention, column, than }: Named): readonly ConditionPart[] {
  const [guess] = mention.guesses;
  const owner = guess === undefined ? undefined : question.facts.columns[guess.column];
  if (guess === undefined || owner === undefined) return [];
  const said = question.sure.find(
    (one) => one.to <= than && one.guesses.slice(0, 2).some((two) => two.column === column),
  );
  const isMain = owner === question.facts.meta || owner === question.facts.identity;
  return (['>', '<'] as const).map((operator) =>
    condition(
      question,
      {
        kind: 'against',
        column: column.name,
        operator,
        aggregate: 'avg',
        among: { column: owner.name, value: guess.value },
        reach: 'all',
      },
      [
        feature(`named|${isMain}|${owner.kind}`),
        feature(`named|${guess.how}|${said !== undefined}`),
        ...degreeFeatures(question, 'named', { operator, column, than }),
        ...(said === undefined ? [] : question.role('named', said, column)),
      ],
      [{ mention, role: 'condition' }, ...(said === undefined ? [] : [{ mention: said, role: 'condition' } as const])],
    ),
  );
}

interface Degree {
  readonly operator: '>' | '<';
  readonly column: ColumnFacts;
  readonly than: number;
}

/** What a word such as `heavier` says for a column and for which side of it is meant. */
function degreeFeatures(question: Question, name: string, { operator, column, than }: Degree): readonly number[] {
  const words = [1, 2].map((back) => question.wordAt(than - back));
  return words.flatMap((word, back) => [
    feature(`${name}|${operator}|${back}|${word}`),
    feature(`${name}|${operator}|${back}|${word}|${column.kind}`),
    feature(`${name}|${back}|${word}|c|${column.concept}`),
    ...column.words.slice(0, 3).map(({ stem }) => feature(`${name}|${back}|${word}|w|${stem}`)),
  ]);
}

function againstUnsaid(question: Question, column: ColumnFacts, than: number): readonly ConditionPart[] {
  const isSaid = question.sure.some(({ guesses }) => guesses.slice(0, 3).some((one) => one.column === column));
  if (isSaid) return [];
  return (['>', '<'] as const).map((operator) =>
    condition(
      question,
      { kind: 'against', column: column.name, operator, aggregate: 'avg', reach: 'matching' },
      [feature('against|unsaid'), ...degreeFeatures(question, 'against', { operator, column, than })],
      [],
    ),
  );
}

/** `twice the average`, `1.5 times the average`. */
function factorBefore(question: Question, at: number): number {
  const words = [1, 2, 3].map((back) => question.wordAt(at - back));
  if (words.some((word) => word === 'twice' || word === 'double')) return 2;
  if (words.includes('half')) return 0.5;
  const place = words.indexOf('times') + 1;
  const number = question.linked.numbers.find(({ to }) => place > 0 && to === at - place);
  return number === undefined || number.value <= 0 ? 1 : number.value;
}

function outliers(question: Question, { mention, column, uses }: Meant): readonly ConditionPart[] {
  if (!question.has('outlier')) return [];
  const isScore = /z.?score|sigma|deviations?/.test([...question.words].join(' '));
  const number = question.linked.numbers.find(({ isTaken, value }) => !isTaken && value > 0 && value < 10);
  const filter: Filter = {
    kind: 'outlier',
    column: column.name,
    method: isScore ? 'zscore' : 'iqr',
    threshold: number?.value ?? (isScore ? 3 : 1.5),
    population: false,
    negated: question.has('neg'),
  };
  return [condition(question, filter, [feature('outlier'), ...question.role('outlier', mention, column)], uses)];
}

/** `delivered after due`, `higher than they are wide`: two columns of one row. */
export function columnComparisons(question: Question): readonly ConditionPart[] {
  const { sure } = question;
  return sure.flatMap((left, index) => {
    const right = sure.find((one, at) => at > index && one.from >= left.to);
    if (right === undefined) return [];
    const gap = question.linked.tokens.slice(left.to, right.from).map(({ word }) => word);
    const cls = comparisonBetween(question, left, right, gap);
    if (gap.length > 5 || (cls === 'none' && !gap.includes('not'))) return [];
    return pairsOf(left, right).map((pair) => comparison(question, pair, cls, gap));
  });
}

/** `lost more than they have won`: the word for it may stand before the first column. */
function comparisonBetween(
  question: Question,
  left: ColumnMention,
  right: ColumnMention,
  gap: readonly string[],
): OpClass {
  const cls = comparisonAround(question, right.from, right.to);
  if (cls !== 'none' || !gap.includes('than')) return cls;
  const words = Array.from({ length: left.to - left.from + 2 }, (_, at) => question.wordAt(left.from - 2 + at));
  if (words.some((word) => CLASSES.lt.has(word) || word === 'worse')) return 'lt';
  return words.some((word) => CLASSES.gt.has(word) || /\w\wer$/.test(word)) ? 'gt' : 'none';
}

const MOST_LEFT = 6;

/** `below the minimum stock`, `over the limit`: the other column of the row is not said. */
export function limitComparisons(question: Question): readonly ConditionPart[] {
  return question.sure.flatMap((right) => {
    const before = [right.from - 1, right.from - 2].find((at) => !DETERMINERS.has(question.wordAt(at)));
    const word = question.wordAt(before ?? -1);
    if (!/^(?:below|under|above|over|than|after|before|past|exceeds?|exceeding|exceeded)$/.test(word)) return [];
    const cls = comparisonAround(question, right.from, right.to);
    return right.guesses.slice(0, 2).flatMap(({ column: limit }) =>
      question.facts.columns
        .filter((column) => column !== limit && column.kind !== 'id' && comparable(column, limit))
        .slice(0, MOST_LEFT)
        .map((column) => limited(question, { mention: right, column: limit }, column, cls)),
    );
  });
}

function limited(
  question: Question,
  { mention, column: limit }: Side,
  column: ColumnFacts,
  cls: OpClass,
): ConditionPart {
  const filter: Filter = { kind: 'columns', left: column.name, operator: SIGN_OF[cls], right: limit.name };
  const stems = new Set(limit.words.map(({ stem }) => stem));
  const isKin =
    (column.concept !== '' && column.concept === limit.concept) || column.words.some(({ stem }) => stems.has(stem));
  return condition(
    question,
    filter,
    [
      feature(`limit|${cls}`),
      feature(`limit|kin|${isKin}`),
      feature(`limit|c|${limit.concept}`),
      feature(`limit|l|${column.concept}`),
      ...limit.words.slice(0, 4).map(({ stem }) => feature(`limit|w|${stem}`)),
      feature(`limit|apart|${Math.max(-3, Math.min(3, column.index - limit.index))}`),
      ...question.role('limit', mention, limit),
    ],
    [{ mention, role: 'condition' }],
  );
}

interface Side {
  readonly mention: ColumnMention;
  readonly column: ColumnFacts;
}

/** The columns that two mentions may mean, where they can be compared. */
function pairsOf(left: ColumnMention, right: ColumnMention): readonly (readonly [Side, Side])[] {
  const others = right.guesses.slice(0, 2);
  return left.guesses.slice(0, 2).flatMap(({ column: one }) =>
    others
      .filter(({ column: other }) => one !== other && comparable(one, other))
      .map(
        ({ column: other }) =>
          [
            { mention: left, column: one },
            { mention: right, column: other },
          ] as const,
      ),
  );
}

function comparison(
  question: Question,
  [left, right]: readonly [Side, Side],
  cls: OpClass,
  gap: readonly string[],
): ConditionPart {
  const filter: Filter = {
    kind: 'columns',
    left: left.column.name,
    operator: SIGN_OF[cls],
    right: right.column.name,
  };
  return condition(
    question,
    filter,
    [
      feature(`columns|${cls}`),
      feature(`columns|${left.column.kind}`),
      feature(`columns|gap|${gap.join('_')}`),
      ...question.role('colcmp', left.mention, left.column),
      ...question.role('colcmp2', right.mention, right.column),
    ],
    [left, right].map(({ mention }) => ({ mention, role: 'condition' })),
  );
}

function comparable(one: ColumnFacts, other: ColumnFacts): boolean {
  return (one.isNumber && other.isNumber) || (one.kind === 'time' && other.kind === 'time');
}
