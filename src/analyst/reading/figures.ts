import { type Figure, type FigureList, listOf } from './figure-list.js';
import { bestByKey, type Question } from './question.js';
import {
  counts,
  type Cue,
  cuesIn,
  figureOf,
  ofCue,
  rowCount,
  targetsOf,
  unsaidFigure,
  unsaidFigures,
} from './single-figures.js';
import {
  arithmetic,
  durationLists,
  durations,
  pairFigures,
  pairLists,
  type Picked,
  quotients,
} from './two-column-figures.js';
import { feature } from './weights.js';

const MOST_FIGURES = 36;

/** The likeliest lists of figures, best first. */
export function figureLists(question: Question): readonly FigureList[] {
  const cues = cuesIn(question);
  const singles = [
    ...cues.flatMap((cue) => ofCue(question, cue)),
    ...betweenEnds(question, cues),
    ...counts(question),
    ...unsaidFigures(question),
    ...pairFigures(question),
    ...arithmetic(question),
    ...durations(question),
  ];
  const lists = [
    listOf(question, [rowCount(question)]),
    ...singles.map((one) => listOf(question, [one])),
    ...several(question, cues),
    ...quotients(question),
    ...pairLists(question),
    ...quartiles(question, cues),
    ...durationLists(question),
  ];
  const sensible = lists.filter(
    ({ measures }) => new Set(measures.map((one) => JSON.stringify(one))).size === measures.length,
  );
  return bestByKey(sensible)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_FIGURES);
}

/** The difference between the highest and the lowest. */
function betweenEnds(question: Question, cues: readonly Cue[]): readonly Figure[] {
  const [high, low] = (['max', 'min'] as const).map((aggregate) => cues.find((cue) => cue.aggregate === aggregate));
  if (high === undefined || low === undefined || !(question.has('minus') || question.has('change'))) return [];
  return ofCue(question, { at: Math.max(high.at, low.at), aggregate: 'range', word: 'ends' });
}

function quartiles(question: Question, cues: readonly Cue[]): readonly FigureList[] {
  const cue = cues.find(({ word }) => word === 'quartiles' || word === 'quartile');
  if (cue === undefined) return [];
  return targetsOf(question, cue.at).flatMap((mention) =>
    mention.guesses.slice(0, 2).flatMap(({ column }) => {
      if (!column.isNumber) return [];
      const figures = [0.25, 0.5, 0.75].map((parameter) => figureOf(question, cue, mention, column, parameter));
      const [first, ...rest] = figures;
      return first === undefined
        ? []
        : [listOf(question, [first, ...rest.map((one) => ({ ...one, features: [feature('quartiles')] }))])];
    }),
  );
}

/** Several figures of one column, or one figure of several columns. */
function several(question: Question, cues: readonly Cue[]): readonly FigureList[] {
  const places = [...new Map(cues.map((cue) => [`${cue.at}${cue.aggregate}`, cue])).values()].filter(
    ({ aggregate }) => aggregate !== 'percentile' && aggregate !== 'mode',
  );
  const numbers = question.strong.flatMap((mention): Picked[] => {
    const [guess] = mention.guesses;
    return guess?.column.isNumber === true ? [{ mention, guess }] : [];
  });
  const lists = [
    ...runsOf(places).flatMap((chosen) => ofSeveralCues(question, chosen, numbers)),
    ...[2, 3, 4].flatMap((count) => ofSeveralColumns(question, { places, numbers, count })),
  ];
  return [...lists, ...besideCount(question, cues, lists)];
}

/** Two to four words that follow each other, each of one figure only. */
function runsOf(places: readonly Cue[]): readonly (readonly Cue[])[] {
  return places
    .flatMap((_, first) => [2, 3, 4].map((count) => ({ count, chosen: places.slice(first, first + count) })))
    .filter(({ count, chosen }) => new Set(chosen.map(({ at }) => at)).size === count)
    .map(({ chosen }) => chosen);
}

/** All of the column after them, before them or between them, or each of the column that follows it. */
function ofSeveralCues(question: Question, chosen: readonly Cue[], numbers: readonly Picked[]): readonly FigureList[] {
  const [start, end] = [chosen[0]?.at ?? 0, chosen.at(-1)?.at ?? 0];
  const shared = new Set([
    ...numbers.filter(({ mention }) => mention.to > end).slice(0, 2),
    numbers.findLast(({ mention }) => mention.to <= start),
    numbers.find(({ mention }) => mention.from > start),
  ]);
  const lists = [...shared].flatMap((picked) =>
    picked === undefined
      ? []
      : [
          listOf(
            question,
            chosen.map((cue) => pickedFigure(question, cue, picked)),
          ),
        ],
  );
  const own = chosen.map((cue) => ({ cue, picked: numbers.find(({ mention }) => mention.to > cue.at) }));
  if (new Set(own.map(({ picked }) => picked)).size < 2) return lists;
  const figures = own.flatMap(({ cue, picked }) => (picked === undefined ? [] : [pickedFigure(question, cue, picked)]));
  return [...lists, listOf(question, figures)];
}

function pickedFigure(question: Question, cue: Cue, { mention, guess }: Picked): Figure {
  return figureOf(question, cue, mention, guess.column, undefined);
}

interface Choice {
  readonly places: readonly Cue[];
  readonly numbers: readonly Picked[];
  readonly count: number;
}

/** The same figure of so many columns: of those after its word, or without a word for it. */
function ofSeveralColumns(question: Question, { places, numbers, count }: Choice): readonly FigureList[] {
  const said = places.map((cue) =>
    numbers
      .filter(({ mention }) => mention.to > cue.at)
      .slice(0, count)
      .map((picked) => pickedFigure(question, cue, picked)),
  );
  const unsaid = (['sum', 'avg'] as const).map((aggregate) =>
    numbers
      .slice(0, count)
      .flatMap(({ mention, guess }) => unsaidFigure(question, mention, guess))
      .filter(({ measure }) => measure.aggregate === aggregate),
  );
  return [...said, ...unsaid].filter((figures) => figures.length === count).map((figures) => listOf(question, figures));
}

/** The number of rows beside other figures. */
function besideCount(question: Question, cues: readonly Cue[], lists: readonly FigureList[]): readonly FigureList[] {
  if (!question.has('count') || question.usable.length === 0) return [];
  const singles = [...unsaidFigures(question), ...cues.flatMap((cue) => ofCue(question, cue))].slice(0, 8);
  const several = lists.filter(
    ({ measures }) => measures.length > 1 && !measures.some(({ column }) => column === null),
  );
  return [
    ...singles.flatMap((one) => [
      listOf(question, [rowCount(question), one]),
      listOf(question, [one, rowCount(question)]),
    ]),
    ...several.slice(0, 8).map((list) => withCount(question, list)),
  ];
}

function withCount(question: Question, list: FigureList): FigureList {
  const count = listOf(question, [rowCount(question)]);
  return {
    ...list,
    ...question.part([...count.features, ...list.features, feature('withcount')], list.uses),
    measures: [...count.measures, ...list.measures],
    aggregates: new Set([...count.aggregates, ...list.aggregates]),
    key: `count+${list.key}`,
  };
}
