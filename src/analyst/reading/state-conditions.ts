import type { Filter } from '../../ports/analysis-plan.js';
import { condition, type ConditionPart, unnamedColumn } from './condition-part.js';
import { isoOf, seenFrom, wholeUnit } from './periods.js';
import type { Question } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

/** Words for what has not ended, been paid or come yet. */
const STATE_WORD =
  /^(?:still|yet|open|offene?n?|current(?:ly)?|now|active|outstanding|pending|ongoing|running|remaining|free|here|owe[sd]?|owing|debt(?:s|ors?)?|overdue|late|(?:un|in)\p{L}{4,})$/u;
/** Words for what should have come by now or is still to come, and for what came in time or too late. */
const DUE_WORD =
  /^(?:overdue|due|late|later|lateness|delay(?:s|ed)?|delinquent|past|passed|gone|behind|missed|expire[sd]?|should|upcoming|future|coming|next|ahead|early|punctual(?:ly)?|promptly|time|schedule)$/;
const MOST_STATES = 4;

/** A word that tells of a state, and its place in the message. */
interface Told {
  readonly word: string;
  readonly at: number;
}

function toldBy(question: Question, words: RegExp): Told | null {
  // `on time` tells one, `over time` does not.
  const at = question.linked.tokens.findIndex(
    ({ word }, place) => words.test(word) && (word !== 'time' || question.wordAt(place - 1) === 'on'),
  );
  return at < 0 ? null : { word: question.wordAt(at), at };
}

/** `open tickets`, `unsold stock`: the column that would tell the end, which no word names, is empty, or of a day to come. */
export function stateConditions(question: Question): readonly ConditionPart[] {
  const { facts, sure } = question;
  const told = toldBy(question, STATE_WORD);
  if (told === null) return [];
  const isSaid = (column: ColumnFacts): boolean => sure.some(({ guesses }) => guesses[0]?.column === column);
  const able = facts.columns.filter((column) => column.profile.nulls > 0 && column !== facts.time && !isSaid(column));
  const times = able.filter(({ kind }) => kind === 'time');
  const today = todayOf(question);
  return [...times, ...able.filter(({ kind }) => kind !== 'time')].slice(0, MOST_STATES).flatMap((column) => {
    const shape = `${column.kind}|${Math.min(2, times.length)}`;
    const isEmpty = { kind: 'null', column: column.name, negated: false } as const;
    const isOfLater = { kind: 'time', column: column.name, from: today, to: null, moving: FROM_TODAY } as const;
    const isToCome: Filter = { kind: 'any', of: [[isEmpty], [isOfLater]] };
    const hasToCome = column.kind === 'time' && column.profile.max !== null && String(column.profile.max) >= today;
    const states: readonly (readonly [string, Filter])[] = [
      ['statefalse', isEmpty],
      ['statetrue', { ...isEmpty, negated: true }],
      ...(hasToCome ? [['statetocome', isToCome] as const] : []),
    ];
    return states.map(([name, filter]) => stateOf(question, told, { name, shape, columns: [column], filter }));
  });
}

const MOST_TIMES = 4;

/** `overdue`, `still to come`: a day that no word names is over, or is not. */
export function dueConditions(question: Question): readonly ConditionPart[] {
  const told = toldBy(question, DUE_WORD);
  if (told === null) return [];
  const today = todayOf(question);
  const times = question.facts.columns.filter(({ kind }) => kind === 'time').slice(0, MOST_TIMES);
  return times.flatMap((column) => {
    const { min, max } = column.profile;
    const shape = `${String(min) < today}|${String(max) >= today}|${times.length}`;
    const sides = [
      { name: 'duebefore', from: null, to: today, moving: UNTIL_TODAY },
      { name: 'duefrom', from: today, to: null, moving: FROM_TODAY },
    ];
    return sides.map(({ name, ...ends }) => {
      const filter = { kind: 'time', column: column.name, ...ends } as const;
      return stateOf(question, told, { name, shape, columns: [column], filter });
    });
  });
}

/** `paid late`, `delivered on time`: one time of a row after another, or not after it, and no word names them. */
export function lateConditions(question: Question): readonly ConditionPart[] {
  const told = toldBy(question, DUE_WORD);
  if (told === null) return [];
  const times = question.facts.columns.filter(({ kind }) => kind === 'time').slice(0, MOST_TIMES);
  return times.flatMap((done) =>
    times
      .filter((due) => due !== done)
      .flatMap((due) =>
        (['>', '<=', '<'] as const).map((operator) =>
          stateOf(question, told, {
            name: `late${operator}`,
            shape: `${done.profile.nulls > 0}|${due.profile.nulls > 0}|${done.index > due.index}|${times.length}`,
            columns: [done, due],
            filter: { kind: 'columns', left: done.name, operator, right: due.name },
          }),
        ),
      ),
  );
}

const TODAY = wholeUnit('day', 0);
const FROM_TODAY = { from: TODAY.from, to: null };
const UNTIL_TODAY = { from: null, to: TODAY.from };

function todayOf({ linked: { now } }: Question): string {
  return isoOf(seenFrom(now, TODAY).start);
}

interface State {
  readonly name: string;
  readonly shape: string;
  readonly columns: readonly ColumnFacts[];
  readonly filter: Filter;
}

function stateOf(question: Question, { word, at }: Told, { name, shape, columns, filter }: State): ConditionPart {
  const features = [
    feature(name),
    feature(`${name}|${word}`),
    feature(`${name}|${shape}`),
    feature(`${name}|${word}|${shape}`),
    feature(`${name}|neg|${question.has('neg')}`),
    feature(`${name}|yet|${question.words.has('yet')}`),
    feature(`${name}|b|${question.wordAt(at - 1)}|${word}`),
    feature(`${name}|c|${columns.map(({ concept }) => concept).join('|')}`),
    ...columns.flatMap(({ words, concept }, side) => [
      feature(`${name}|c${side}|${concept}`),
      ...words.slice(0, 3).map(({ stem }) => feature(`${name}|w${side}|${stem}`)),
    ]),
  ];
  return condition(
    question,
    filter,
    features,
    columns.map((column) => ({ mention: unnamedColumn(column, at), role: 'condition' })),
  );
}
