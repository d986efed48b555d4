import { type Figure, type FigureList, listOf, withFirst, withRowCount } from './figure-list.js';
import { bestByKey, type Question } from './question.js';
import type { ColumnMention } from './mentions.types.js';
import type { ColumnFacts } from './table.js';
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
import { durationLists, durations, figuresInUnits } from './durations.js';
import { arithmetic, pairFigures, pairLists, type Picked, products, quotients } from './two-column-figures.js';
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
    ...products(question),
    ...durations(question),
    ...figuresInUnits(question),
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
  return withRowCount(
    bestByKey(sensible).sort((a, b) => b.score - a.score),
    MOST_FIGURES,
  );
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
      return [listOf(question, withFirst(figures, 'quartiles'))];
    }),
  );
}

/** Several figures of one column, or one figure of several columns. */
function several(question: Question, cues: readonly Cue[]): readonly FigureList[] {
  const places = cues.filter(({ aggregate }) => aggregate !== 'percentile' && aggregate !== 'mode');
  const sure = question.sure.filter(({ isDegree }) => !isDegree);
  const lists = [
    ...runsOf(places).flatMap((chosen) => ofSeveralCues(question, chosen)),
    ...[question.strong, sure].flatMap((mentions) => {
      const numbers = mentions.flatMap((mention) => pickedIn(mention, isFigure).slice(0, 1));
      return [2, 3, 4].flatMap((count) => ofSeveralColumns(question, { places, numbers, count }));
    }),
  ];
  return [...lists, ...besideCount(question, cues, lists)];
}

/** The fitting columns that a mention may mean, the likeliest first. */
function pickedIn(mention: ColumnMention, isFitting: (column: ColumnFacts) => boolean): readonly Picked[] {
  return mention.guesses
    .slice(0, 3)
    .filter(({ column }) => isFitting(column))
    .slice(0, 2)
    .map((guess) => ({ mention, guess }));
}

function isFigure({ isNumber }: ColumnFacts): boolean {
  return isNumber;
}

/** Two to four words that follow each other, each of one figure only. */
function runsOf(places: readonly Cue[]): readonly (readonly Cue[])[] {
  return places
    .flatMap((_, first) => [2, 3, 4].map((count) => ({ count, chosen: places.slice(first, first + count) })))
    .filter(({ count, chosen }) => new Set(chosen.map(({ at }) => at)).size === count)
    .map(({ chosen }) => chosen);
}

/** All of the column after them, before them or between them, or each of the column that follows it. */
function ofSeveralCues(question: Question, chosen: readonly Cue[]): readonly FigureList[] {
  const [start, end] = [chosen[0]?.at ?? 0, chosen.at(-1)?.at ?? 0];
  // Times have ends, but no average.
  const areEnds = chosen.every(({ aggregate }) => aggregate === 'min' || aggregate === 'max');
  const isFitting = (column: ColumnFacts): boolean => column.isNumber || (areEnds && column.kind === 'time');
  const mentions = question.strong.filter((mention) => pickedIn(mention, isFitting).length > 0);
  const shared = new Set([
    ...mentions.filter(({ to }) => to > end).slice(0, 2),
    mentions.findLast(({ to }) => to <= start),
    mentions.find(({ from }) => from > start),
  ]);
  const lists = [...shared].flatMap((mention) =>
    mention === undefined
      ? []
      : pickedIn(mention, isFitting).map((picked) =>
          listOf(
            question,
            chosen.map((cue) => pickedFigure(question, cue, picked)),
          ),
        ),
  );
  const own = chosen.map((cue) => {
    const mention = mentions.find(({ to }) => to > cue.at);
    return { cue, picked: mention === undefined ? undefined : pickedIn(mention, isFitting)[0] };
  });
  if (new Set(own.map(({ picked }) => picked?.mention)).size < 2) return lists;
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
  const singles = [...unsaidFigures(question), ...cues.flatMap((cue) => ofCue(question, cue))]
    .map((one) => ({ one, score: question.score(one.features) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 8)
    .map(({ one }) => one);
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
