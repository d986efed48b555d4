import { distance } from 'fastest-levenshtein';
import type { ColumnFacts } from '../column-facts.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import { adjectiveOf } from '../superlatives.js';
import { isYear } from '../year-columns.js';
import { columnAt, onlyColumnAt, type ColumnHere } from './column-mentions.js';
import { hasOwnValues } from './assemble-parts.js';
import { phraseSet, type Line } from './line.js';
import { modifierAt } from './modifiers.js';
import { isStrangeNoun, namesakeAt, rowNounAt, saysWhatRowsAre } from './nouns.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';
import { stem } from '../text.js';
import { valueAt } from './value-mentions.js';

/** Words that ask how many. */
export const COUNT = phraseSet(
  'how many|count how many|count up how many|number of|tally|tally of|a tally of|the tally of|a count of|count up|headcount of|the number of|total number of|the total number of|count of|count the number of|count|counts of|how many times|how often|the count of|numbers of',
);
const DIFFERENT = new Set(['different', 'distinct', 'unique', 'the', 'of', 'all', 'total', 'various']);

/** `how many …`, `number of …`: rows, different values of a column, or a figure that counts already. */
export function countAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const said = line.phrase(at, COUNT);
  if (said === null) return null;
  return countOfGroups(sentence, at, said) ?? countFrom(sentence, said);
}

/** `count by closure`: the rows of each. */
function countOfGroups(sentence: Sentence, at: number, said: number): number | null {
  const { line, items } = sentence;
  if (!line.is(at, 'count', 'counts') || !line.is(said, 'by', 'per') || items.length > 0) return null;
  sentence.addMeasure(ROW_COUNT);
  sentence.tail = true;
  return said;
}

function countFrom(sentence: Sentence, said: number): number | null {
  const { line } = sentence;
  const start = line.skip(said, DIFFERENT);
  const before = sentence.filters.length;
  const place = qualified(sentence, start);
  const distinct = line.has(said, start, 'different', 'distinct', 'unique', 'various');
  const counted = countedAt(sentence, { at: place, distinct });
  // `how many have …`, `how many electric …`: the rows go without saying.
  const isUnsaid = sentence.filters.length > before || isVerb(line, place, said);
  if (counted === null && !isUnsaid) return null;
  sentence.opener ??= 'count';
  if (counted === null) sentence.addMeasure({ aggregate: 'count', column: null });
  sentence.tail = true;
  return counted ?? place;
}

/** The place after what says which of them are counted. */
function qualified(sentence: Sentence, at: number): number {
  const next = modifierAt(sentence, at);
  return next === null ? at : qualified(sentence, sentence.line.skip(next, DIFFERENT));
}

/** `how many have …`; `how often did …` counts whatever fits. */
function isVerb(line: Line, at: number, said: number): boolean {
  if (line.is(said - 1, 'often', 'times') && line.is(said, 'do', 'does', 'did')) return true;
  return line.is(at, 'have', 'has', 'had', 'are', 'were', 'is', 'was', 'cost', 'live', 'there');
}

interface Counted {
  readonly at: number;
  readonly distinct: boolean;
}

function countedAt(sentence: Sentence, { at, distinct }: Counted): number | null {
  const noun = rowNounAt(sentence, at);
  const column = countable(sentence, at);
  const isColumn = column !== null && isRather(column, noun);
  const valued = isColumn ? countValues(sentence, column, distinct) : null;
  if (valued !== null || (isColumn && noun === null)) return valued;
  return noun === null
    ? (daysAt(sentence, at) ?? strangerAt(sentence, at))
    : countRows(sentence, { at: noun, distinct });
}

function countRows(sentence: Sentence, { at, distinct }: Counted): number {
  const named = distinct ? calledSo(sentence, sentence.line.key(at - 1)) : null;
  sentence.addMeasure(named === null ? ROW_COUNT : { aggregate: 'count_distinct', column: named.name });
  sentence.rows = true;
  return at;
}

/** `how many different donors`: those of a column such as donor_no, who come again in the rows. */
function calledSo({ facts }: Sentence, noun: string): ColumnFacts | null {
  const wanted = stem(noun);
  return theOnly(
    facts.columns.filter(
      ({ stems, words, profile, role }) =>
        role !== 'time' &&
        stems[0] === wanted &&
        (words.length === 1 || OWN_NAME.test(words.at(-1) ?? '')) &&
        profile.distinct < facts.profile.rowCount,
    ),
  );
}

const OWN_NAME = /^(?:id|no|nr|number|name|nm|code|key)$/;

/** `how many days` where each row is of a day. */
function daysAt(sentence: Sentence, at: number): number | null {
  const { time, daily, profile } = sentence.facts;
  if (!sentence.line.is(at, 'days', 'day') || !daily || time === null) return null;
  const isRowEach = time.profile.distinct === profile.rowCount;
  if (!isRowEach) sentence.note('I counted different days; a day counts when any of its rows fits.');
  sentence.addMeasure(isRowEach ? ROW_COUNT : { aggregate: 'count_distinct', column: time.name });
  return at + 1;
}

const ROW_COUNT: MeasureDraft = { aggregate: 'count', column: null };

function countable({ line }: Sentence, at: number): ColumnHere | null {
  const named = onlyColumnAt(line, at);
  return named !== null && named.strength >= 50 ? named : null;
}

function countValues(sentence: Sentence, { column, next }: ColumnHere, distinct: boolean): number | null {
  if (column.role === 'figure' && !distinct && isOfItsRow(sentence, next)) {
    sentence.opener ??= 'which';
    sentence.addColumn(column.name);
    return next;
  }
  const measure = countOf(sentence, column, distinct);
  if (measure === null) return null;
  sentence.addMeasure(measure);
  return measure.aggregate === 'count_distinct' ? furtherCounts(sentence, next) : next;
}

/** The number stands in each row, in the one that is named, or in the one that is picked. */
function isOfItsRow(sentence: Sentence, next: number): boolean {
  return isOfEachRow(sentence) || isOfOne(sentence, next) || isOfPicked(sentence, next);
}

/** Whole numbers that are no years and no names can be what `how many` asks for, where the header speaks of many. */
function isCount(column: ColumnFacts): boolean {
  if (column.additive) return true;
  const isWhole = column.profile.type === 'integer' && !column.identifies && !isYear(column);
  return isWhole && (column.words.length === 1 || column.words.some((word) => COUNTING.test(word)));
}

/** Plurals, and words for numbers: the age of a patient is no count of patients. */
const COUNTING = /[^s]s$|^(?:num|nr|no|n|number|count|cnt|total|staff|people|children)$/;

/** `how many floors does Sky Garden have`: what stands in the one row that is named. */
function isOfOne(sentence: Sentence, from: number): boolean {
  const { line, facts } = sentence;
  for (let at = from; at < line.end; at += 1) {
    const own = valueAt(line, at)?.choices.some(({ column }) => column === facts.identity?.name) === true;
    if (own && valueAt(line, at)?.partial === false) return true;
  }
  return false;
}

/** `how many floors does the tallest tower have`: of the row that is picked. */
function isOfPicked(sentence: Sentence, from: number): boolean {
  const { line } = sentence;
  if (sentence.rows || !line.is(from, 'does', 'did', 'has', 'do')) return false;
  return Array.from({ length: line.end - from }, (_, index) => from + index).some(
    (at) =>
      adjectiveOf(line.key(at), 'superlative') !== null &&
      (rowNounAt(sentence, at + 1) ?? namesakeAt(sentence, at + 1)) !== null,
  );
}

/** `the name and number of staff`: beside what a row is called it is the row's own. */
function isOfEachRow(sentence: Sentence): boolean {
  const [first] = sentence.columns;
  return first !== undefined && hasOwnValues(sentence, sentence.columnNamed(first));
}

/** A column that is named in full, or by more words than the rows. */
function isRather({ column, next, strength }: ColumnHere, noun: number | null): boolean {
  if (noun === null) return true;
  // In `how many members joined` the verb speaks of a time, and nobody counts times.
  return column.role !== 'time' && !isYear(column) && (next > noun || strength >= 96);
}

/** `how many different locations and genres`. */
function furtherCounts(sentence: Sentence, at: number): number {
  const { line } = sentence;
  if (!line.is(at, 'and', ',')) return at;
  const named = onlyColumnAt(line, line.skip(at, new Set(['and', ',', 'different', 'distinct', 'unique'])));
  if (named?.column.role !== 'category') return at;
  sentence.addMeasure({ aggregate: 'count_distinct', column: named.column.name });
  return furtherCounts(sentence, named.next);
}

function countOf(sentence: Sentence, column: ColumnFacts, distinct: boolean): MeasureDraft | null {
  if (column.role === 'category' || column.role === 'time' || distinct)
    return { aggregate: 'count_distinct', column: column.name };
  if (column.role !== 'figure' || !isCount(column)) return null;
  sentence.note(`I added up ${column.name}, which counts them.`);
  return { aggregate: 'sum', column: column.name };
}

function isUnknownNoun(line: Line, at: number): boolean {
  const isKnown = columnAt(line, at) !== null || line.facts.values.named([line.key(at)]).size > 0;
  return isStrangeNoun(line, at) && !isKnown;
}

/** `tress`, where the rows are trees. */
function isMistyped({ facts }: Sentence, word: string): boolean {
  return [...facts.nameStems, ...facts.rowNouns].some((noun) =>
    ['s', 'es'].some((end) => word.length > 4 && distance(`${noun}${end}`, word) <= 1),
  );
}

/** A noun that is no column and no value, where a word for the rows stands. */
function strangerAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const word = line.key(at);
  if (sentence.rows || !isUnknownNoun(line, at)) return null;
  if (saysWhatRowsAre(sentence) && !isMistyped(sentence, word)) return null;
  sentence.strangers.push(line.tokens[at]?.text ?? word);
  sentence.addMeasure({ aggregate: 'count', column: null });
  sentence.rows = true;
  return at + 1;
}
