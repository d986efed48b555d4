import type { Aggregate, Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import { adjectiveOf } from '../superlatives.js';
import { aggregatesAt } from './aggregates.js';
import { conditionAt } from './conditions.js';
import { hintedColumn } from './hints.js';
import type { Line } from './line.js';
import { modifiersAt } from './modifiers.js';
import { rowNounAt } from './nouns.js';
import { onlyFigureAt } from './only.js';
import type { Sentence } from './sentence.js';
import { valuesAt } from './value-conditions.js';

const MORE = ['more', 'fewer', 'less', 'higher', 'lower', 'greater', 'larger', 'smaller', 'bigger', 'most', 'least'];
const SMALL = new Set(['the', 'a', 'an', 'of', 'in', 'any']);
const NO_CONTEXT = { columns: [], named: false, preposition: '', negated: false };

interface Measured {
  readonly measure: MeasureDraft;
  readonly next: number;
}

/** `which berth had more calls, A1 or B2`, `does Malta have more calls than Norway`: a figure of the two, side by side. */
export function rivalsAt(sentence: Sentence, at: number): number | null {
  if (!canCompare(sentence)) return null;
  const state = { filters: [...sentence.filters], or: sentence.or };
  const figure = comparedAt(sentence, at);
  const next = figure === null ? null : rivalsAfter(sentence, figure.next);
  const pair = next === null ? null : pairOf(sentence);
  if (figure === null || pair === null) {
    // After an `or` a condition that was tried stands within the one before it.
    sentence.filters.splice(0, sentence.filters.length, ...state.filters);
    sentence.or = state.or;
    return null;
  }
  sentence.items.length = 0;
  sentence.addMeasure(averaged(sentence.line, figure, next ?? figure.next));
  sentence.addGroup({ kind: 'column', column: pair });
  sentence.tail = true;
  return next;
}

/** `a higher fine on average`. */
function averaged(line: Line, { measure, next }: Measured, end: number): MeasureDraft {
  const isAverage = measure.column !== null && line.has(next, end, 'average');
  return isAverage ? { ...measure, aggregate: 'avg' } : measure;
}

function comparedAt(sentence: Sentence, at: number): Measured | null {
  const { line } = sentence;
  if (!line.is(at, ...MORE)) return adjectiveFigure(sentence, at);
  return figureOf(sentence, line.skip(at + 1, SMALL)) ?? figureBefore(sentence, at + 1);
}

/** Nothing but the column whose values are compared was named. */
function canCompare({ items, groups, rank, opener, computed }: Sentence): boolean {
  const isPlain = groups.length + computed.length === 0 && rank === null && items.length < 2;
  return isPlain && opener !== 'count' && opener !== 'list';
}

/** What there is more of: rows, or a figure. */
function figureOf(sentence: Sentence, at: number): Measured | null {
  const { line } = sentence;
  const aggregated = aggregatesAt(line, at);
  const named = onlyFigureAt(line, line.skip(aggregated?.next ?? at, SMALL));
  if (named !== null && named.strength >= 50)
    return { measure: measureOf(named.column, aggregated?.aggregates[0]), next: named.next };
  const noun = rowNounAt(sentence, modifiersAt(sentence, at));
  return noun === null ? null : { measure: { aggregate: 'count', column: null }, next: noun };
}

function measureOf({ name, additive }: ColumnFacts, aggregate?: Aggregate): MeasureDraft {
  return { aggregate: aggregate ?? (additive ? 'sum' : 'avg'), column: name };
}

/** `is the average price higher in Rome or in Milan`: the figure was named first. */
function figureBefore(sentence: Sentence, next: number): Measured | null {
  const [item] = sentence.items;
  if (item?.kind === 'measure') return { measure: item.measure, next };
  const column = item?.kind === 'column' ? sentence.columnNamed(item.column) : undefined;
  return column?.role === 'figure' && !column.identifies ? { measure: measureOf(column), next } : null;
}

/** `is web-02 slower than web-03`, `was it warmer in Rome or Milan`. */
function adjectiveFigure(sentence: Sentence, at: number): Measured | null {
  const { line, facts } = sentence;
  for (const length of [2, 1]) {
    const meaning = adjectiveOf(line.keys(at, at + length), 'comparative');
    const hinted = meaning === null ? null : hintedColumn(facts, meaning.hints);
    if (hinted === null || hinted === 'ambiguous' || hinted.column.role !== 'figure') continue;
    const { name, additive } = hinted.column;
    return { measure: { aggregate: additive ? 'sum' : 'avg', column: name }, next: at + length };
  }
  return null;
}

/** The second of the two after `than`, both after a comma, or nothing where both were named before. */
function rivalsAfter(sentence: Sentence, at: number): number | null {
  const { line, filters } = sentence;
  const place = line.skip(at, new Set([',', 'on', 'average', 'in', 'total', 'overall']));
  if (line.is(place, 'than')) return filters.length > 0 ? otherAt(sentence, place + 1) : null;
  if (pairOf(sentence) !== null) return place;
  const both = valuesAt(
    sentence,
    line.skip(place, new Set(['in', 'at', 'on', 'for', 'from', 'the', 'with'])),
    NO_CONTEXT,
  );
  if (both?.filter.kind !== 'in' || both.filter.values.length < 2) return null;
  sentence.addFilters([both.filter]);
  return both.next;
}

function otherAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const noun = line.skip(at, new Set(['in', 'at', 'on', 'for', 'from', 'the', 'of', 'with', 'does', 'do', 'did']));
  const other = valuesAt(sentence, noun, NO_CONTEXT);
  if (other === null) return conditionAt(sentence, at);
  sentence.addFilters([other.filter]);
  return line.skip(other.next, new Set(['does', 'do', 'did', 'has', 'have', 'had', 'is', 'was']));
}

/** The column of which two values or more were named. */
function pairOf({ filters }: Sentence): string | null {
  const pairs = filters.filter((filter): filter is Filter & { kind: 'in' } => isPair(filter));
  const [only, another] = pairs;
  return only === undefined || another !== undefined ? null : only.column;
}

function isPair(filter: Filter): boolean {
  return filter.kind === 'in' && !filter.negated && filter.values.length > 1;
}
