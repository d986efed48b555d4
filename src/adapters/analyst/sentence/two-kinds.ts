import type { Filter } from '../../../ports/analysis-plan.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import { aggregatesAt } from './aggregates.js';
import { flagAt, flagFilter } from './flags.js';
import { loosePhrases, type Line } from './line.js';
import { rowNounAt } from './nouns.js';
import { onlyFigureAt } from './only.js';
import type { Sentence } from './sentence.js';
import { valuesAt } from './value-conditions.js';
import { valueAt } from './value-mentions.js';

const RATIO = loosePhrases('ratio of|the ratio of|ratio between|the ratio between');
const DIFFERENCE = loosePhrases(
  'difference in|difference of|the difference in|the difference of|gap in|the gap in|difference between the|the difference between the',
);
const SMALL = new Set(['the', 'a', 'an', 'of', 'in', 'for', 'from']);
const NO_CONTEXT = { columns: [], named: false, preposition: '', negated: false };

/** `ratio of lost to delivered parcels`, `difference in height between the one and the other`: a figure of two kinds of rows. */
export function twoKindsAt(sentence: Sentence, at: number): number | null {
  if (sentence.items.length > 0) return null;
  return ratioOfKinds(sentence, at) ?? differenceOfKinds(sentence, at);
}

function ratioOfKinds(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const start = line.phrase(at, RATIO);
  const left = start === null ? null : kindAt(sentence, start);
  const right = left !== null && line.is(left.next, 'to', 'and', 'over') ? kindAt(sentence, left.next + 1) : null;
  if (left === null || right === null) return null;
  const count = { aggregate: 'count', column: null } as const;
  sentence.computed.push({
    kind: 'ratio',
    left: sentence.addMeasure({ ...count, filters: [left.filter] }),
    right: sentence.addMeasure({ ...count, filters: [right.filter] }),
  });
  sentence.rows = true;
  sentence.tail = true;
  return right.next;
}

function differenceOfKinds(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const start = line.phrase(at, DIFFERENCE);
  const figure = start === null ? null : figureAt(line, start);
  const pair = figure !== null && line.is(figure.next, 'between') ? pairAt(sentence, figure.next + 1) : null;
  if (figure === null || pair === null) return null;
  const [left, right] = pair.filters.map((filter) => sentence.addMeasure({ ...figure.measure, filters: [filter] }));
  sentence.computed.push({ kind: 'difference', left: left ?? 0, right: right ?? 0 });
  sentence.tail = true;
  return pair.next;
}

/** `height`, `average fee`: a figure with what is done to it. */
function figureAt(line: Line, at: number): { readonly measure: MeasureDraft; readonly next: number } | null {
  const said = aggregatesAt(line, line.skip(at, SMALL));
  const named = onlyFigureAt(line, line.skip(said?.next ?? at, SMALL));
  if (named === null) return null;
  const { name, additive } = named.column;
  const aggregate = said?.aggregates[0] ?? (additive ? 'sum' : 'avg');
  return { measure: { aggregate, column: name }, next: named.next };
}

interface Pair {
  readonly filters: readonly [Filter, Filter];
  readonly next: number;
}

function pairAt(sentence: Sentence, at: number): Pair | null {
  const left = kindAt(sentence, at);
  const right = left !== null && sentence.line.is(left.next, 'and') ? kindAt(sentence, left.next + 1) : null;
  return left === null || right === null ? null : { filters: [left.filter, right.filter], next: right.next };
}

interface Kind {
  readonly filter: Filter;
  readonly next: number;
}

/** One value or the yes of a column, with the word for the rows after it. */
function kindAt(sentence: Sentence, at: number): Kind | null {
  const { line } = sentence;
  const place = line.skip(at, SMALL);
  const kind = oneValueAt(sentence, place) ?? flagKindAt(sentence, place);
  return kind === null ? null : { ...kind, next: rowNounAt(sentence, kind.next) ?? kind.next };
}

function flagKindAt({ line }: Sentence, at: number): Kind | null {
  const denied = line.is(at, 'non', 'not');
  const named = flagAt(line, denied ? at + 1 : at);
  return named === null ? null : { filter: flagFilter(named.column, !denied), next: named.next };
}

/** A single value; what is joined to it is the other side. */
function oneValueAt(sentence: Sentence, at: number): Kind | null {
  const found = valuesAt(sentence, at, NO_CONTEXT);
  if (found?.filter.kind !== 'in') return null;
  const mention = valueAt(sentence.line, at);
  if (mention === null) return null;
  const { column } = found.filter;
  const choice = mention.choices.find((one) => one.column === column);
  return choice === undefined || mention.partial
    ? null
    : { filter: { kind: 'in', column, values: choice.values, negated: false }, next: mention.next };
}
