import type { ColumnFacts, Hint } from '../column-facts.js';
import { positiveOf } from '../superlatives.js';
import { stem } from '../text.js';
import { relatedColumns } from './column-words.js';
import { onlyOf } from './column-mentions.js';
import { hintedColumn, spokenAt } from './hints.js';
import { phraseSet, type Line } from './line.js';
import { theOnly } from './only.js';
import { addIdentity } from './selection.js';
import type { Sentence } from './sentence.js';

const COPULAS = ['is', 'are', 'was', 'were', 'do', 'does', 'did'];

/** `how satisfied are respondents on average`, `how long are episodes per show`: the average of what the adjective speaks of. */
export function howAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (!line.is(at, 'how') || !line.is(at + 2, ...COPULAS)) return null;
  return ofRowsAt(sentence, at) ?? onAverageAt(sentence, at);
}

const IT = ['it', 'they', 'he', 'she', 'this', 'that', 'these', 'those', 'each'];

/** `the highest hut and how high does it lie`: the column of which the adjective speaks, for the rows named before. */
function ofRowsAt(sentence: Sentence, at: number): number | null {
  const { line, rows, rank, items } = sentence;
  const isOfRows = (rows || rank !== null || items.length > 0) && line.is(at + 3, ...IT);
  const column = isOfRows ? spokenOf(sentence, line.key(at + 1)) : null;
  if (column === null) return null;
  if (items.length === 0) addIdentity(sentence);
  sentence.addColumn(column.name);
  return at + 4;
}

const WHAT = ['what', 'how'];

/** `and what do they cost on average`: the figure of which the verb speaks, of the rows named before. */
export function whatTheyDoAt(sentence: Sentence, at: number): number | null {
  const { line, rows, items } = sentence;
  const verb = rows || items.length > 0 ? verbOfThemAt(line, at) : null;
  const spoken = verb === null ? null : onlyOf(spokenAt(line, verb));
  if (spoken?.column.role !== 'figure') return null;
  const average = line.phrase(spoken.next, ON_AVERAGE);
  addFigure(sentence, spoken.column, average !== null || sentence.measures.length > 0);
  return average ?? spoken.next;
}

function addFigure(sentence: Sentence, { name }: ColumnFacts, isAverage: boolean): void {
  if (isAverage) sentence.addMeasure({ aggregate: 'avg', column: name });
  else sentence.addColumn(name);
}

/** The place after `what do they`, `how long does it`. */
function verbOfThemAt(line: Line, at: number): number | null {
  const start = line.is(at, 'how') && line.is(at + 1, 'much', 'long') ? at + 1 : at;
  const isAsked = line.is(at, ...WHAT) && line.is(start + 1, 'do', 'does', 'did') && line.is(start + 2, ...IT);
  return isAsked ? start + 3 : null;
}

const ON_AVERAGE = phraseSet('on average|in average|typically|usually|normally');

/** `how satisfied are respondents on average`. */
function onAverageAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (sentence.items.length > 0) return null;
  const column = spokenOf(sentence, line.key(at + 1));
  if (column === null || !line.has(at + 3, line.end, 'average', 'typically')) return null;
  sentence.opener ??= 'which';
  sentence.addMeasure({ aggregate: 'avg', column: column.name });
  sentence.tail = true;
  return at + 3;
}

/** Adjectives that are too common to pick rows by, but that ask for one column. */
const EXTENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['high', ['height', 'altitude', 'elevation']],
  ['big', ['size', 'area', 'capacity', 'population']],
  ['large', ['size', 'area', 'capacity', 'population']],
]);

function spokenOf({ facts }: Sentence, word: string): ColumnFacts | null {
  const hints = positiveOf(word)?.hints ?? extentsOf(word);
  const hinted = hints === null ? null : hintedColumn(facts, hints);
  if (hinted !== null) return hinted === 'ambiguous' ? null : hinted.column;
  const figures = facts.columns.filter(({ role, identifies }) => role === 'figure' && !identifies);
  return word.length < 5 ? null : theOnly(relatedColumns(word, figures));
}

function extentsOf(word: string): readonly Hint[] | null {
  return EXTENTS.get(word)?.map((noun) => ({ word: stem(noun), direction: 'desc' as const })) ?? null;
}
