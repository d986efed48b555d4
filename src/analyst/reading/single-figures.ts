import type { Aggregate } from '../../ports/analysis-plan.js';
import { type Figure, ROW_COUNT } from './figure-list.js';
import { CLASSES, ORDINALS } from './lexicon.js';
import type { ColumnGuess, ColumnMention } from './mentions.types.js';
import { distinctBin } from './groups.js';
import type { Features, Question, Use } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

/** A word that says what to work out. */
export interface Cue {
  readonly at: number;
  readonly aggregate: Aggregate;
  readonly word: string;
}

/** Each is said by the class of words of its name. */
const CUES = [
  ...(['avg', 'sum', 'max', 'min', 'median', 'stddev', 'variance', 'range', 'iqr'] as const),
  ...(['skewness', 'kurtosis', 'mode', 'percentile'] as const),
];

export function cuesIn(question: Question): readonly Cue[] {
  return question.linked.tokens.flatMap(({ word }, at) => {
    const quantile = /^p(\d\d)$/.test(word) || /^(?:quartile|percentile)s?$/.test(word);
    return CUES.flatMap((aggregate): Cue[] =>
      CLASSES[aggregate].has(word) || (aggregate === 'percentile' && quantile) ? [{ at, aggregate, word }] : [],
    );
  });
}

export function rowCount(question: Question): Figure {
  const at = question.linked.tokens.findIndex(({ word }) => CLASSES.count.has(word));
  const place = Math.max(at, 0);
  const around = question.around(place, place + 1);
  return {
    measure: ROW_COUNT,
    derived: [],
    features: [
      feature('count'),
      feature(`count|${at < 0 ? 'unsaid' : question.wordAt(at)}`),
      feature(`count|${question.wordAt(place)}|${around.after}`),
    ],
    uses: [],
    at: place,
  };
}

/** Mentions that a word of a figure may be about: those after it, and the last before it. */
export function targetsOf(question: Question, at: number): readonly ColumnMention[] {
  const after = question.sure.filter(({ from, to, isDegree }) => to > at && !(isDegree && from === at)).slice(0, 3);
  const guess = question.usable.find(({ isGuess, from }) => isGuess && from > at && from - at < 4);
  return [...after, ...question.sure.filter(({ to }) => to <= at).slice(-1), ...(guess === undefined ? [] : [guess])];
}

export function ofCue(question: Question, cue: Cue): readonly Figure[] {
  return targetsOf(question, cue.at).flatMap((mention) =>
    mention.guesses.slice(0, mention.isGuess ? 7 : 3).flatMap(({ column }) => {
      const isFitting =
        column.isNumber ||
        column.kind === 'flag' ||
        cue.aggregate === 'mode' ||
        ((cue.aggregate === 'min' || cue.aggregate === 'max') && column.profile.type !== 'boolean');
      return isFitting
        ? parametersOf(question, cue).map((parameter) => figureOf(question, cue, mention, column, parameter))
        : [];
    }),
  );
}

/** `90th percentile`, `p95`, `the lower quartile`: each as a part of 1. */
export function percentilesIn(question: Question): readonly number[] {
  return cuesIn(question).flatMap((cue) => parametersOf(question, cue).filter((parameter) => parameter !== undefined));
}

const QUARTERS: ReadonlyMap<string, number> = new Map([
  ['lower', 1],
  ['upper', 3],
]);

function parametersOf(question: Question, { aggregate, word, at }: Cue): readonly (number | undefined)[] {
  if (aggregate !== 'percentile') return [undefined];
  const glued = /^p(\d\d)$/.exec(word)?.[1];
  if (glued !== undefined) return [Number(glued) / 100];
  const before = question.wordAt(at - 1);
  const isQuarter = word.startsWith('quartile');
  const place = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(before)?.[1] ?? ORDINALS.get(before) ?? QUARTERS.get(before);
  if (place === undefined) return isQuarter ? [0.25, 0.75] : [];
  return [isQuarter ? Number(place) / 4 : Number(place) / 100];
}

export function figureOf(
  question: Question,
  cue: Cue,
  mention: ColumnMention,
  column: ColumnFacts,
  parameter: number | undefined,
): Figure {
  const { linked } = question;
  const [here, there] = [linked.signOf[cue.at] ?? 0, linked.signOf[mention.from] ?? 0];
  const distance = mention.from <= cue.at && cue.at < mention.to ? 0 : Math.max(-4, Math.min(6, there - here));
  const { aggregate, word } = cue;
  const cueSpan = { from: cue.at, to: cue.at + 1 };
  return {
    measure: { aggregate, column: column.name, ...(parameter === undefined ? {} : { parameter }) },
    derived: [],
    features: [
      ...question.role('fig', mention, column),
      feature(`fig|${aggregate}|${column.kind}`),
      feature(`fig|distance|${distance}`),
      feature(`fig|${aggregate}|${word}`),
      feature(`fig|${aggregate}|${word}|${distance > 0}|${column.kind}`),
      feature(`fig|${aggregate}|b|${question.around(cue.at, cue.at + 1).before}`),
      feature(`fig|gap|${distance > 0 ? question.between(cueSpan, mention) : 'before'}`),
      ...(column.concept === '' ? [] : [feature(`fig|${aggregate}|c|${column.concept}`)]),
    ],
    uses: [{ mention, role: 'figure' }],
    at: cue.at,
  };
}

/** How many different values of a column there are. */
export function counts(question: Question): readonly Figure[] {
  if (!question.has('count') && !question.has('distinct')) return [];
  return question.usable.flatMap((mention) =>
    mention.guesses.slice(0, mention.isGuess ? 4 : 2).flatMap(({ column }): Figure[] => {
      const base = [...question.role('cnt', mention, column), feature(`cnt|distinct|${question.has('distinct')}`)];
      const uses: readonly Use[] = [{ mention, role: 'count' }];
      const different: Figure = {
        measure: { aggregate: 'count_distinct', column: column.name },
        derived: [],
        features: [
          ...base,
          feature('cntd'),
          feature(`cntd|${column.kind}`),
          feature(`cntd|${distinctBin(question, column)}`),
          feature(`cntd|noun|${mention.isNoun}|${distinctBin(question, column)}`),
        ],
        uses,
        at: mention.from,
      };
      if (!column.isNumber) return [different];
      // How many goals: the sum of a column that counts something.
      return [
        different,
        {
          ...different,
          measure: { aggregate: 'sum', column: column.name },
          features: [
            ...base,
            feature('cntsum'),
            feature(`cntsum|${column.kind}`),
            feature(`cntsum|c|${column.concept}`),
            feature(`cntsum|a|${question.around(mention.from, mention.to).after}`),
          ],
        },
      ];
    }),
  );
}

/** A number's column without a word for what to do with it: `revenue by region`. */
export function unsaidFigures(question: Question): readonly Figure[] {
  const said = question.usable
    .slice(0, 9)
    .flatMap((mention) =>
      mention.guesses.slice(0, mention.isGuess ? 7 : 3).flatMap((guess) => unsaidFigure(question, mention, guess)),
    );
  // Top customers: by what the table is about, without a word for it.
  const numbers = question.facts.columns.filter(({ kind, isKeyed }) => kind === 'number' && !isKeyed).slice(0, 12);
  const cues = cuesIn(question);
  return [
    ...said,
    ...numbers.flatMap((column) =>
      [
        'sum' as const,
        'avg' as const,
        ...cues.map(({ aggregate }) => aggregate).filter((one) => one === 'max' || one === 'min'),
      ].map((aggregate) => silentFigure(question, column, aggregate)),
    ),
  ];
}

function silentFigure(question: Question, column: ColumnFacts, aggregate: Aggregate): Figure {
  const features = [
    ...question.role('fig', null, column),
    feature(`silent|${aggregate}`),
    feature(`silent|${aggregate}|${question.has('sum')}|${question.has('avg')}`),
    ...(column.concept === ''
      ? []
      : [feature(`silent|${aggregate}|c|${column.concept}`), feature(`figu|${aggregate}|c|${column.concept}`)]),
    ...question.tag('silent'),
    ...scaleFeatures(column, aggregate),
  ];
  return { measure: { aggregate, column: column.name }, derived: [], features, uses: [], at: 0 };
}

const UNSAID = ['sum', 'avg', 'max', 'min'] as const;

export function unsaidFigure(question: Question, mention: ColumnMention, { column }: ColumnGuess): readonly Figure[] {
  if ((!column.isNumber && column.kind !== 'flag') || column.kind === 'id' || column.isKeyed) return [];
  const { signs, signOf } = question.linked;
  const place = signs[0] === 'how' ? 'how' : (signOf[mention.from] ?? 0) < 2 ? 'first' : 'mid';
  return UNSAID.map((aggregate) => ({
    measure: { aggregate, column: column.name },
    derived: [],
    features: [
      ...question.role('fig', mention, column),
      feature(`figu|${aggregate}`),
      feature(`figu|${aggregate}|said|${question.has(aggregate)}`),
      feature(`figu|${aggregate}|${place}`),
      feature(`figu|${aggregate}|${column.kind}`),
      feature(`figu|${aggregate}|c|${column.concept}`),
      ...column.words.slice(0, 4).map(({ stem }) => feature(`figu|${aggregate}|w|${stem}`)),
      ...scaleFeatures(column, aggregate),
    ],
    uses: [{ mention, role: 'figure' }],
    at: mention.from,
  }));
}

/** Small ranges are rates and ratings, wide ones amounts. */
function scaleFeatures({ name, profile: { min, max, mean }, kind }: ColumnFacts, aggregate: string): Features {
  if (typeof min !== 'number' || typeof max !== 'number' || mean === null) return [];
  const size = Math.min(8, Math.floor(Math.log10(Math.abs(max) + 1)));
  const shape = min < 0 ? 'negative' : min === 0 ? 'zero' : max / Math.max(min, 1e-9) > 20 ? 'wide' : 'narrow';
  const sign = /[%°€£$#]/.exec(name)?.[0] ?? '';
  return [
    feature(`figu|${aggregate}|sign|${sign}`),
    feature(`figu|${aggregate}|size|${size}`),
    feature(`figu|${aggregate}|shape|${shape}|${kind}`),
  ];
}
