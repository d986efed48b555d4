import { isFiller } from '../fillers.js';
import { SUPERLATIVE_WORDS } from '../superlatives.js';
import { VERB_HINTS } from '../verbs.js';
import { isYear } from '../year-columns.js';
import type { Filter } from '../../../ports/analysis-plan.js';
import { addedAsAlternative } from './alternatives.js';
import { columnConditionAt } from './column-conditions.js';
import { columnAt } from './column-mentions.js';
import { isRelated, relatedColumns } from './column-words.js';
import type { Condition } from './comparisons.js';
import { areApart } from './contradictions.js';
import { jointly } from './joint-conditions.js';
import { durationFirst } from './durations.js';
import { FATE } from './fates.js';
import { havingAt, noneAt } from './having.js';
import { spokenAt } from './hints.js';
import { pastIdleVerb } from './idle-verbs.js';
import { grammarWords, phraseSet, type Line } from './line.js';
import { missing, present } from './missing-conditions.js';
import { moment, partOfTime } from './moment-conditions.js';
import { namesakeAt, rowNounAt } from './nouns.js';
import { numberFirst } from './number-conditions.js';
import { onlyFigureAt } from './only.js';
import { operatorAt, unless } from './operators.js';
import type { Sentence } from './sentence.js';
import { ofItselfAt } from './sign-conditions.js';
import { stockAt } from './stock-conditions.js';
import { flag, prepositionalValue, textOfItem, value } from './value-rules.js';
import { adjective, againstFirst, columnAmid, computedFirst, operatorFirst } from './worded-comparisons.js';

const LEAD = new Set(
  'among amongst every each with having whose where that who which whom has have had is are was were be been being a an the their its it they he she also both either only when while if such because of and but being those these all ones can could'.split(
    ' ',
  ),
);
const NOT = phraseSet(
  'not|no|never|without|except|except for|excluding|exclude|excludes|ignoring|ignore|omitting|leaving out|not counting|not including|disregarding|other than|but not|apart from|isnt|arent|wasnt|werent|dont|doesnt|didnt|hasnt|havent|do not|does not|did not|neither|nor|non|outside|outside of|not in|not from|rather than|no longer|not yet|not any longer|isnt in|not yet been|not been',
);
/** Reads one condition and adds it to the sentence; the place after it, or `null` when none begins here. */
export function conditionAt(sentence: Sentence, start: number): number | null {
  const at = pastOwnRows(sentence, start);
  return plainConditionAt(sentence, at) ?? linkedAt(sentence, skipLead(sentence, at));
}

function plainConditionAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const start = skipLead(sentence, at);
  const denied = line.phrase(start, NOT);
  const place = denied === null ? start : skipLead(sentence, pastIdleVerb(line, afterLeftOut(sentence, start, denied)));
  const grouped = having(sentence, place, denied !== null);
  if (grouped !== null) return grouped;
  for (const rule of RULES) {
    const found = rule(sentence, place, denied !== null);
    if (found === null) continue;
    add(sentence, found.filters);
    return found.next;
  }
  return null;
}

function add(sentence: Sentence, filters: readonly Filter[]): void {
  if (addedAsAlternative(sentence, filters)) {
    sentence.or = false;
    return;
  }
  if (isOtherCase(sentence, filters)) sentence.or = true;
  sentence.addFilters(filters);
  countWritten(sentence, filters);
}

/** `how many comments mention "slow"`: what was written is counted, and not how many different texts there are. */
function countWritten({ items, line }: Sentence, [filter]: readonly Filter[]): void {
  const place = items.findIndex(({ kind }) => kind === 'measure');
  const item = items[place];
  const isCounted = item?.kind === 'measure' && item.measure.aggregate === 'count_distinct';
  if (!isCounted || filter?.kind !== 'contains' || filter.column !== item.measure.column) return;
  if (line.has(0, line.end, 'different', 'distinct', 'unique')) return;
  items.splice(place, 1, { kind: 'measure', measure: { aggregate: 'count', column: null } });
}

/** No row can be of `2020 and 2021`, so either of them is meant. */
function isOtherCase({ filters }: Sentence, [added, another]: readonly Filter[]): boolean {
  const last = filters.at(-1);
  if (last === undefined || added === undefined || another !== undefined) return false;
  const cases = last.kind === 'any' ? last.of : [[last]];
  return cases.every(([one, more]) => one !== undefined && more === undefined && areCases(one, added));
}

/** Numbers or stretches of time of one column that have nothing in common. */
function areCases(one: Filter, other: Filter): boolean {
  return isCase(one) && isCase(other) && areApart([one, other]);
}

function isCase(filter: Filter): boolean {
  if (filter.kind === 'time') return filter.from !== null && filter.to !== null;
  return filter.kind === 'between' || (filter.kind === 'compare' && filter.operator === '=');
}

const LEFT_OUT = phraseSet(
  'excluding|except|except for|ignoring|omitting|leaving out|not counting|not including|disregarding',
);

/** `ignoring birds of unknown sex`: the rows are named again before what is left out of them. */
function afterLeftOut(sentence: Sentence, start: number, denied: number): number {
  const { line } = sentence;
  const place = line.skip(denied, new Set(['the', 'all', 'any', 'those']));
  const noun = line.phrase(start, LEFT_OUT) === null ? null : rowNounAt(sentence, place);
  return noun !== null && line.is(noun, 'of', 'with', 'without', 'from', 'in', 'that', 'who') ? noun : denied;
}

/** `countries whose stadiums hold …`: the rows of a group. */
function pastOwnRows(sentence: Sentence, start: number): number {
  const { line, columns, rows } = sentence;
  const at = line.is(start, 'whose') ? start + 1 : start;
  if (!line.is(at - 1, 'whose') || rows || columns.length === 0) return start;
  return rowNounAt(sentence, at) ?? namesakeAt(sentence, at) ?? start;
}

/** Small words before a condition, but not those that begin a comparison. */
function skipLead({ line }: Sentence, at: number): number {
  let place = at;
  while (LEAD.has(line.key(place)) && operatorAt(line, place) === null) place += 1;
  return place;
}

function having(sentence: Sentence, at: number, denied: boolean): number | null {
  const none = denied ? (neverAt(sentence, at) ?? noneAt(sentence, at)) : null;
  if (none !== null) {
    sentence.having.push(none.part);
    return none.next;
  }
  const found = havingAt(sentence, at);
  if (found === null) return null;
  const { part, next } = found;
  sentence.having.push({ ...part, operator: unless(denied, part.operator) });
  return next;
}

/** `which berths never had a tanker`: groups without a row of that kind. */
function neverAt(sentence: Sentence, at: number): ReturnType<typeof noneAt> {
  const { line, filters, or } = sentence;
  if (!line.is(at - 1, 'never') || !asksForGroups(sentence)) return null;
  const known = filters.length;
  const place = line.isWord(at) && VERB_END.test(line.key(at)) ? at + 1 : at;
  const next = plainConditionAt(sentence, line.skip(place, new Set(['been', 'had', 'a', 'an', 'any', 'used', 'by'])));
  const added = filters.splice(known);
  sentence.or = or;
  if (next === null || added.length === 0) return null;
  const noun = rowNounAt(sentence, next) ?? next;
  return {
    part: { measure: { aggregate: 'count', column: null, filters: added }, operator: '=', value: 0 },
    next: noun,
  };
}

const VERB_END = /(ed|en|rn|t|s|d)$/;

/** What is asked for is a column whose values come again and again. */
function asksForGroups({ columns, rows, facts, measures }: Sentence): boolean {
  const [only, another] = columns;
  const column = facts.columns.find(({ name }) => name === only);
  if (rows || another !== undefined || column?.role !== 'category') return false;
  return measures.length === 0 && !column.identifies && column.profile.distinct * 2 < facts.profile.rowCount;
}

type Rule = (sentence: Sentence, at: number, denied: boolean) => Condition | null;

const RULES: readonly Rule[] = [
  stockAt,
  prepositionalValue,
  ofItselfAt,
  missing,
  present,
  textOfItem,
  jointly,
  computedFirst,
  columnFirst,
  adjective,
  columnAmid,
  durationFirst,
  operatorFirst,
  againstFirst,
  numberFirst,
  partOfTime,
  moment,
  value,
  flag,
];

const BEFORE_COLUMN = new Set(['in', 'on', 'by', 'for', 'from', 'any', 'at', 'under', 'the', 'to']);

function columnFirst(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const start = sentence.line.skip(at, BEFORE_COLUMN);
  const counted = sentence.line.phrase(start, NUMBER_OF);
  const numbered = counted === null || sentence.filters.length + sentence.measures.length > 0 ? null : counted;
  return (
    columnConditionAt(sentence, start, denied) ?? (numbered === null ? null : comparedCount(sentence, numbered, denied))
  );
}

const NUMBER_OF = phraseSet('number of|amount of|total number of|count of');

/** `where the number of guests equals the maximum`: a column that counts them. */
function comparedCount(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const named = onlyFigureAt(sentence.line, at);
  return named === null || named.column.identifies ? null : columnConditionAt(sentence, at, denied);
}

/** A verb that links a condition to its noun: `enrolled in 2019`, `directed by …`, `living in Rome`. */
function linkedAt(sentence: Sentence, at: number): number | null {
  if (!canBeVerb(sentence, at)) return null;
  const { line, facts } = sentence;
  const word = line.key(at);
  const related = relatedColumns(word, facts.columns);
  if (related.length === 0 && !isVerbForm(sentence, at)) return null;
  const isKnown = isFamiliar(sentence, word, related);
  if (!isKnown && saysMore(sentence, at)) return null;
  const next = withHint(sentence, related, () => plainConditionAt(sentence, at + 1));
  if (next !== null && !isKnown) sentence.harmless.push(line.text(at, at + 1));
  return next;
}

/** What became of a row, or a figure of it that this table does not have. */
function saysMore(sentence: Sentence, at: number): boolean {
  return isFateAt(sentence, at) || isMeasuring(sentence.line, at);
}

/** What a verb speaks of stays in mind only when a condition follows it. */
function withHint(sentence: Sentence, related: Sentence['hinted'], read: () => number | null): number | null {
  const before = sentence.hinted;
  sentence.hinted = related;
  const next = read();
  if (next === null) sentence.hinted = before;
  return next;
}

/** `scored higher in maths than in reading`, `left no comment`: what follows says what was scored or left. */
function isFateAt({ line }: Sentence, at: number): boolean {
  if (line.is(at, 'scored') && COMPARES.has(line.key(at + 1))) return false;
  if (line.is(at, 'left') && line.is(at + 1, 'no', 'a')) return false;
  return FATE.test(line.key(at));
}

/** `fault-free`, `cost 5`: a figure that this table does not have, and no verb that links. */
function isMeasuring(line: Line, at: number): boolean {
  if (line.is(at, 'free', 'less')) return true;
  return VERB_HINTS.has(line.key(at)) && spokenAt(line, at) === null && !COMPARES.has(line.key(at + 1));
}

const COMPARES = new Set([
  'higher',
  'lower',
  'better',
  'worse',
  'more',
  'less',
  'fewer',
  'above',
  'below',
  'over',
  'under',
  'at',
  'between',
]);

/** A verb that speaks of a column or of what the rows are, or that says nothing new. */
function isFamiliar({ facts }: Sentence, word: string, related: Sentence['hinted']): boolean {
  if (related.length > 0 || isFiller(word)) return true;
  return [...facts.nameStems, ...facts.rowNouns].some((noun) => isRelated(word, noun));
}

function canBeVerb(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  return line.isWord(at) && line.key(at).length >= 3 && !isName(line, at) && !isNoun(sentence, at);
}

/** `did Boston have`: a word with a capital amid others is what something is called. */
function isName(line: Line, at: number): boolean {
  return at > 0 && /^\p{Lu}\p{Ll}/u.test(line.text(at, at + 1)) && /^\p{Ll}/u.test(line.text(at - 1, at));
}

/** Words for rows and names of columns are no verbs. */
function isNoun(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  const named = columnAt(line, at);
  const isSaidOfMore = VERB_HINTS.has(line.key(at)) && line.is(at + 1, 'more', 'less', 'fewer', 'over', 'under', 'at');
  if (isPerfect(sentence, at) || isDone(line, at)) return false;
  return rowNounAt(sentence, at) !== null || (!isSaidOfMore && named !== null && named.strength >= 50);
}

/** `sent on weekends`: the verb of a column of times. */
function isDone(line: Line, at: number): boolean {
  const isOfTime = columnAt(line, at)?.columns.every(({ role }) => role === 'time') === true;
  const isFollowed = line.is(at + 1, 'on', 'in', 'at', 'during', 'within') || operatorAt(line, at + 1) !== null;
  return isOfTime && isFollowed && /(?:ed|en|wn|nt|ld|ght|ut|ft)$/.test(line.key(at));
}

/** `has released songs`: the verb, though a column tells the year of it. */
function isPerfect({ line, facts }: Sentence, at: number): boolean {
  const isVerb = line.is(at - 1, 'has', 'have', 'had') && line.key(at).endsWith('ed');
  return isVerb && relatedColumns(line.key(at), facts.columns).some(isYear);
}

/** `the team plays at River Bowl`: any word after what was asked for, where a condition follows it. */
function isAfterNoun({ line, items, rows, measures, opener }: Sentence, at: number): boolean {
  // `average wind speed`: the rest of the name of a figure is no verb.
  if (opener !== 'count' && measures.some(({ column }) => column !== null)) return false;
  return isUnknownVerb(line, at) && (items.length > 0 || rows) && line.isWord(at - 1);
}

/** A small word that the grammar does not know as anything else. */
function isUnknownVerb(line: Line, at: number): boolean {
  const word = line.key(at);
  const isKnown = isFiller(word) || grammarWords().has(word) || SUPERLATIVE_WORDS.includes(word);
  return /^\p{Ll}+$/u.test(line.text(at, at + 1)) && !isKnown && !NO_VERB.test(word);
}

const NO_VERB =
  /(est|er)$|^(peak|best|worst|good|bad|average|mean|total|sum|median|except|only|than|same|similar|like|next|last|first|more|less|most|least|forecast|predict|expect|should|will|how|why|when|and|or|but|not|no)/;

/** A participle, or any word right after `who`, `that`, `which` or a helping verb. */
function isVerbForm(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  return (
    /(ed|ing|en)$/.test(line.key(at)) ||
    (line.is(at + 1, 'by') && /(?:pt|wn|ld|nt|ght|ne|de|id|un)$/.test(line.key(at))) ||
    isAfterNoun(sentence, at) ||
    line.is(at - 1, 'who', 'that', 'which', 'was', 'were', 'is', 'are', 'been', 'did', 'does', 'do')
  );
}
