import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { columnAt, onlyOf, type ColumnHere } from './column-mentions.js';
import { isRelated, relatedColumns } from './column-words.js';
import type { Condition } from './comparisons.js';
import { phraseSet, type Line } from './line.js';
import { lacksSome, missingFilters } from './missing-filter.js';
import { theOnly } from './only.js';
import { operatorAt } from './operators.js';
import type { Sentence } from './sentence.js';
import { valueAt } from './value-mentions.js';

const LACKING = ['missing', 'lacking', 'lack', 'lacks', 'unknown', 'null', 'empty', 'blank', 'no', 'without'];
const KNOWN = ['known', 'recorded', 'documented'];
const BEFORE_LACKED = new Set([
  'a',
  'an',
  'any',
  'the',
  'their',
  'its',
  'yet',
  'been',
  'be',
  'recorded',
  'known',
  'know',
]);

/** `a value for science`: the cell, before what it is of. */
const CELL_OF = phraseSet(
  'value for|value of|value in|values for|values in|entry for|entry in|entry under|figure for|mark in|mark for|score in|score for|reading for|data on|data for|information on|information about',
);

/** `no flow value`, `a science mark`: cells by other names. */
const AFTER_LACKED = new Set(
  'value values entry entries mark marks reading readings data figure figures recorded given'.split(' '),
);

/** `without commission`, `missing a rating`, `have no discharge note`, and what a verb says was not done. */
export function missing(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const lacks = line.is(at, ...LACKING);
  if (lacks) return lackedAs(sentence, line.skip(at + 1, BEFORE_LACKED), denied);
  const place = line.skip(at, BEFORE_LACKED);
  return denied && (isNotYet(line, place) || !isWholeValue(line, place)) ? lackedAs(sentence, place, false) : null;
}

/** `have not been delivered yet` speaks of the moment of it, where some rows have none. */
function isNotYet(line: Line, at: number): boolean {
  const isSaid = line.is(at + 1, 'yet') || line.is(at - 1, 'yet', 'been');
  return isSaid && columnAt(line, at)?.columns[0]?.role !== 'category' && undoneAt(line, at)?.column.role === 'time';
}

function lackedAs(sentence: Sentence, at: number, present: boolean): Condition | null {
  const { line } = sentence;
  const lacked = lackedAt(line, line.phrase(at, CELL_OF) ?? at);
  if (lacked === null || continues(line, lacked.next)) return null;
  return { filters: noneOf(sentence, lacked.column, present), next: lacked.next };
}

function lackedAt(line: Line, at: number): Pick<ColumnHere, 'column' | 'next'> | null {
  const mention = columnAt(line, at);
  const found = mention === null ? undoneAt(line, at) : onlyOf(mention);
  if (found === null || found.column.role === 'boolean') return null;
  return { column: found.column, next: line.skip(found.next, AFTER_LACKED) };
}

/** `not returned` speaks of the return date that some rows don't have. */
function undoneAt(line: Line, at: number): Pick<ColumnHere, 'column' | 'next'> | null {
  const lacking = line.facts.columns.filter(({ profile, role }) => profile.nulls > 0 && role !== 'boolean');
  const column = theOnly(relatedColumns(line.key(at), lacking));
  return column === null ? null : { column, next: at + 1 };
}

function isWholeValue(line: Line, at: number): boolean {
  return valueAt(line, at)?.partial === false;
}

/** `patients that have a discharge note`, `loans that were returned`: where some rows have none. */
export function present({ line }: Sentence, at: number, denied: boolean): Condition | null {
  if (denied) return null;
  const known = knownAt(line, at);
  if (known !== null) return known;
  const had = hadAt(line, at);
  if (had === null || continues(line, had.next)) return null;
  const said = yesOrNo(had.column, true);
  const filters = said === null ? someOf(had.column) : [said];
  return filters === null ? null : { filters, next: had.next };
}

function hadAt(line: Line, at: number): Pick<ColumnHere, 'column' | 'next'> | null {
  if (isHad(line, at)) return lackedAt(line, at);
  return isDone(line, at) && !isOwnEvent(line, at) ? undoneAt(line, at) : null;
}

/** `were tasted`, of wines in a table of tastings: every row is one. */
function isOwnEvent(line: Line, at: number): boolean {
  const { nameStems, rowNouns } = line.facts;
  return [...nameStems, ...rowNouns].some((noun) => noun.length > 3 && isRelated(line.key(at), noun));
}

/** `birds with known sex`. */
function knownAt(line: Line, at: number): Condition | null {
  const known = line.is(at, ...KNOWN) ? lackedAt(line, at + 1) : null;
  if (known === null || !lacksSome(known.column)) return null;
  if (!line.is(at - 1, 'with', 'of') && continues(line, known.next)) return null;
  return { filters: missingFilters(known.column, true), next: known.next };
}

/** Of a figure that no row lacks it is more than 0, where some have 0. */
function someOf(column: ColumnFacts): readonly Filter[] | null {
  const { name, profile, role } = column;
  if (lacksSome(column)) return missingFilters(column, true);
  return role === 'figure' && profile.min === 0 ? [{ kind: 'compare', column: name, operator: '>', value: 0 }] : null;
}

/** Where cells say yes and no, having it is a yes. */
function yesOrNo({ name, profile }: ColumnFacts, isHad: boolean): Filter | null {
  if (profile.type !== 'text' || profile.distinct !== 2) return null;
  const wanted = profile.topValues.filter(({ value }) =>
    (isHad ? /^(yes|y|true)$/i : /^(no|n|false|none)$/i).test(value),
  );
  const [only, another] = wanted;
  return only === undefined || another !== undefined
    ? null
    : { kind: 'in', column: name, values: [only.value], negated: false };
}

function isHad(line: Line, at: number): boolean {
  if (line.is(at - 1, 'with') && (line.is(at + 1, 'only') || line.is(at - 2, 'only'))) return true;
  return line.is(at - 1, 'a', 'an', 'any', 'some') && line.is(at - 2, 'with', 'have', 'has', 'having', 'had', 'got');
}

/** A participle with which the clause ends: what is said of how or when it was done is another condition. */
function isDone(line: Line, at: number): boolean {
  const isEnd = at + 1 >= line.end || line.is(at + 1, ',', 'and', 'by', 'per', 'but');
  return isEnd && /(ed|en)$/.test(line.key(at)) && line.is(at - 1, 'was', 'were', 'been', 'being', 'is', 'are');
}

/** Whether a comparison or a value follows, so that the column is only its subject. */
function continues(line: Line, at: number): boolean {
  if (operatorAt(line, at) !== null || line.is(at, 'is', 'was', 'are', 'were', 'of', '=')) return true;
  return line.number(at) !== null || isWholeValue(line, at);
}

function noneOf(sentence: Sentence, column: ColumnFacts, present: boolean): readonly Filter[] {
  const { profile, name, role } = column;
  const said = yesOrNo(column, present);
  if (said !== null) return [said];
  if (present || role !== 'figure' || profile.nulls > 0 || profile.min !== 0) return missingFilters(column, present);
  sentence.note(`I took “no ${column.words.join(' ')}” as ${name} being 0.`);
  return [{ kind: 'compare', column: name, operator: '=', value: 0 }];
}
