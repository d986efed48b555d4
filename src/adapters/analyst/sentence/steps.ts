import { claimAt, computedAt } from './computed-at.js';
import { columnAt, onlyColumnAt, onlyOf, type ColumnMention } from './column-mentions.js';
import { isFlag } from './flags.js';
import { conditionAt } from './conditions.js';
import { aggregateAt } from './aggregate-at.js';
import { countAt } from './count-at.js';
import { phraseSet, type Line } from './line.js';
import { havingAt } from './having.js';
import { howAt, whatTheyDoAt } from './how-at.js';
import {
  askedVerbAt,
  fillerAt,
  kindNounAt,
  pickedNounAt,
  saidAgainAt,
  strangerAt,
  wholeScopeAt,
} from './loose-words.js';
import { openerAt, whenAt } from './openers.js';
import { orderAt } from './orders.js';
import { countItemAt, countLastAt, postfixedFigureAt, summedAt, totalledAt } from './postfixes.js';
import { groupAt } from './groups-at.js';
import { addIdentity, columnItemAt, subjectAt } from './selection.js';
import { breakdownAt } from './breakdowns.js';
import { differenceAt } from './differences.js';
import { doerAt, whenDoneAt } from './entities.js';
import { eventOrderAt } from './event-orders.js';
import { figureAgainAt, restOfNameAt } from './figure-again.js';
import { howMuchAt } from './how-much.js';
import { idleVerbAt } from './idle-verbs.js';
import { judgedAt } from './judgements.js';
import { limitedAt } from './limited-at.js';
import { moreAt } from './more-of.js';
import { outputAt, piecesAt } from './output-figures.js';
import { listedColumnsAt } from './listed-columns.js';
import { spanAdjectiveAt, trendAt } from './trends.js';
import { rivalsAt } from './rivals.js';
import type { Sentence } from './sentence.js';
import {
  countedObjectAt,
  doneInEachAt,
  groupAgainAt,
  purposeAt,
  rowsMadeAt,
  verbBeforeMoreAt,
  verbBeforeMostAt,
} from './said-before.js';
import { freeOfAt, signedFigureAt } from './sign-conditions.js';
import { twoKindsAt as kindsSetApartAt } from './two-kinds.js';
import { amountInUnitAt, unitAt } from './unit-words.js';
import { areBothSides } from './value-rules.js';
import { atItsMostAt, firstOfOrderAt, sortedGroupsAt, superlativeFirstAt } from './sorting.js';
import { bothKindsAt, furtherKindAt, neverKindAt, noKindAt } from './set-conditions.js';
import { setApartAt } from './set-apart.js';
import { spanFirstAt } from './span-first.js';
import { superlativeAt } from './superlatives-at.js';
import { valueAt, type ValueMention } from './value-mentions.js';

const POLITE = phraseSet(
  'please|could you|can you|would you|tell me|i want to know|i would like to know|id like to know|i want|i need|let me know|do you know|could you tell me|can you tell me|can you show|i would like|id like|we need|we want|i wonder',
);
const WHOLE = phraseSet(
  'all details|all the details|the details|details|all information|all the information|information|everything|all data|all columns|full details|complete details|the full record|all fields|records|rows|entries|the records|the rows|record',
);
const DISTINCT = phraseSet(
  'distinct|different|unique|the different|various|all the different|without duplicates|without repetition|without repetitions|without repeats|no repeats|no duplicates|each only once|only once each|each one once|just once each|once each',
);
/** Said after what is listed. */
const ONCE = /\b(?:without|no|once)\b/iu;
const TOOK_PLACE = phraseSet(
  'took place|take place|takes place|taken place|taking place|in total|in the table|in the data|in the dataset|in this table|in our data|in the database|in the list|do we have|do they have|are there|is there|were there|was there|at all|as well|each time|as a whole|on record|in all|over all years|across all years|of all time|over all time|in all years|over all|across all|altogether|all together|piece of|pieces of',
);
/** Reads what begins here; the place after it, or `null` when nothing is understood. */
export function step(sentence: Sentence, at: number): number | null {
  for (const rule of RULES) {
    const next = rule(sentence, at);
    if (next !== null && next > at) return next;
  }
  return null;
}

type Rule = (sentence: Sentence, at: number) => number | null;

export const RULES: readonly Rule[] = [
  claimAt,
  politeAt,
  idleVerbAt,
  differenceAt,
  setApartAt,
  judgedAt,
  outputAt,
  piecesAt,
  kindsSetApartAt,
  amountInUnitAt,
  totalledAt,
  summedAt,
  averagedAt,
  trendAt,
  spanAdjectiveAt,
  howMuchAt,
  breakdownAt,
  figureAgainAt,
  restOfNameAt,
  limitedAt,
  eventOrderAt,
  moreAt,
  rivalsAt,
  bothKindsAt,
  furtherKindAt,
  noKindAt,
  neverKindAt,
  doerAt,
  freeOfAt,
  signedFigureAt,
  unitAt,
  sortedGroupsAt,
  superlativeFirstAt,
  atItsMostAt,
  orderAt,
  computedAt,
  spanFirstAt,
  countItemAt,
  countAt,
  countLastAt,
  whenAt,
  whenDoneAt,
  howAt,
  whatTheyDoAt,
  openerAt,
  limitAt,
  firstOfOrderAt,
  superlativeAt,
  groupAt,
  havingStep,
  postfixedFigureAt,
  aggregateAt,
  distinctAt,
  wholeAt,
  phraseAt,
  subjectAt,
  earlyCondition,
  columnItemAt,
  lateCondition,
  listedColumnsAt,
  joinAt,
  saidAgainAt,
  groupAgainAt,
  doneInEachAt,
  verbBeforeMostAt,
  verbBeforeMoreAt,
  countedObjectAt,
  purposeAt,
  wholeScopeAt,
  rowsMadeAt,
  kindNounAt,
  pickedNounAt,
  fillerAt,
  askedVerbAt,
  strangerAt,
];

function politeAt({ line }: Sentence, at: number): number | null {
  return line.phrase(at, POLITE);
}

/** `how many majors have an average gpa below 3`: a condition on groups, not a figure that is wanted. */
function havingStep(sentence: Sentence, at: number): number | null {
  const found =
    sentence.tail && sentence.groups.length === 0
      ? havingAt(sentence, sentence.line.skip(at, new Set(['an', 'a', 'the'])))
      : null;
  if (found === null) return null;
  sentence.having.push(found.part);
  return found.next;
}

/** `first 5`, `limit 10`, `any 3`. */
function limitAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (!line.is(at, 'limit', 'limited') || sentence.limit !== null) return null;
  const number = line.number(line.is(at + 1, 'to') ? at + 2 : at + 1);
  if (number === null || !Number.isInteger(number.value) || number.value < 1 || number.value > 1000) return null;
  sentence.limit = number.value;
  return number.next;
}

function distinctAt(sentence: Sentence, at: number): number | null {
  const next = sentence.line.phrase(at, DISTINCT);
  if (next === null || (sentence.tail && !ONCE.test(sentence.line.text(at, next)))) return null;
  sentence.distinct = true;
  return next;
}

/** All there is of the rows. */
function wholeAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const next = line.phrase(at, WHOLE);
  if (next === null || sentence.items.length > 0) return null;
  const end = line.skip(next, new Set(['of', 'about', 'for', 'on', 'the', 'all']));
  sentence.whole = true;
  sentence.rows = true;
  return end;
}

const ON_AVERAGE = phraseSet('on average|on an average|in average|typically');

function averagedAt(sentence: Sentence, at: number): number | null {
  const next = sentence.line.phrase(at, ON_AVERAGE);
  if (next !== null && !averageLast(sentence)) sentence.averaged = true;
  return next;
}

/** `how many are from Spain and what do they cost on average`: of the column named last, beside other figures. */
function averageLast(sentence: Sentence): boolean {
  const last = sentence.items.at(-1);
  const isFigure = last?.kind === 'column' && sentence.columnNamed(last.column)?.role === 'figure';
  if (!isFigure || sentence.measures.length === 0) return false;
  sentence.items.pop();
  sentence.addMeasure({ aggregate: 'avg', column: last.column });
  return true;
}

function phraseAt(sentence: Sentence, at: number): number | null {
  return sentence.line.phrase(at, TOOK_PLACE) ?? ofEachAt(sentence, at);
}

const OF_EACH = phraseSet(
  'of each|in each|for each|from each|at each|on each|of them|of each of them|each has|each had|each have|each of them has|they have|it has|they had|each one has|each made|in it|in them',
);

/** `how many buildings each one designed`: the place after the words that say who does it. */
function eachDoesAt(line: Line, at: number): number {
  const who = line.is(at, 'one') ? at + 1 : line.is(at, 'of') && line.is(at + 1, 'them') ? at + 2 : at;
  const isVerb =
    who + 1 === line.end && line.isWord(who) && columnAt(line, who) === null && valueAt(line, who) === null;
  return isVerb ? who + 1 : who;
}

/** `species and how many trees there are of each`: of what was named before. */
function ofEachAt({ line, columns, facts }: Sentence, at: number): number | null {
  const next = line.phrase(at, OF_EACH);
  const isEach = line.is(at, 'each') && eachDoesAt(line, at + 1) === line.end;
  const isNamed = columns.some((name) => facts.columns.some((one) => one.name === name && one.role === 'category'));
  if (isEach && isNamed) return line.end;
  const isEnd = next !== null && (next === line.end || line.is(next, ',', 'sorted', 'ordered', 'in'));
  return isEnd && isNamed ? next : null;
}

/** Before something is selected only a plain condition can stand there; what a verb would link comes later. */
function earlyCondition(sentence: Sentence, at: number): number | null {
  const { opener, rows, items, tail } = sentence;
  if (!tail && opener !== null && !rows && items.length === 0)
    return isTimeOf(sentence, at) ? happenedAt(sentence, at) : modifiers(sentence, at);
  return !tail && isAskedFor(sentence, at) ? null : conditionAt(sentence, at);
}

/** `title and genre of …`: a name with nothing to compare it with is asked for. */
function isAskedFor({ line }: Sentence, at: number): boolean {
  const named = columnAt(line, at);
  if (named === null || areBothSides(line, at)) return false;
  const isDescribed =
    at === 0 && line.is(named.next, 'beginning', 'starting', 'ending', 'containing', 'including', 'with');
  return named.strength >= 84 && (isDescribed || line.is(named.next, ',', 'and', 'of', 'for', ''));
}

function modifiers(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const value = wholeValueAt(sentence, at);
  const named = columnAt(line, at);
  if (named !== null && isRatherName(named, value?.next ?? at)) return null;
  const isCondition = value !== null || isFlagNamed(named) || isNumberOrDenial(line, at);
  return isCondition ? conditionAt(sentence, at) : null;
}

/** `what was published after May`: a verb that a moment follows asks for rows, not for their time. */
function isTimeOf(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  const isVerb = /(ed|en|rn)$/.test(line.key(at)) && onlyColumnAt(line, at)?.column.role === 'time';
  return isVerb && line.is(at + 1, 'in', 'on', 'after', 'before', 'since', 'between', 'during', 'until');
}

function happenedAt(sentence: Sentence, at: number): number | null {
  const next = conditionAt(sentence, at);
  if (next === null) return null;
  sentence.rows = true;
  addIdentity(sentence);
  return next;
}

function wholeValueAt({ line }: Sentence, at: number): ValueMention | null {
  const value = valueAt(line, at);
  return value === null || value.partial ? null : value;
}

function isNumberOrDenial(line: Line, at: number): boolean {
  return line.number(at) !== null || line.is(at, 'not', 'non');
}

/** Whether a column is named in full, and no value goes on longer. */
function isRatherName(named: ColumnMention, valueEnd: number): boolean {
  return named.strength >= 84 && !isFlagNamed(named) && valueEnd <= named.next;
}

function isFlagNamed(named: ColumnMention | null): boolean {
  const only = onlyOf(named);
  return only !== null && isFlag(only.column);
}

function lateCondition(sentence: Sentence, at: number): number | null {
  return sentence.opener === null || sentence.items.length === 0 ? conditionAt(sentence, at) : null;
}

const JOINS = phraseSet('and|but|as well as|along with|together with|also|then|both|either|and also|&');

function joinAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (line.is(at, ',')) {
    // `For each major, show …`
    if (sentence.items.length === 0) sentence.tail = false;
    return at + 1;
  }
  if (line.is(at, 'or') && sentence.filters.length > 0 && (sentence.tail || sentence.items.length > 0)) {
    sentence.or = true;
    return at + 1;
  }
  if (line.is(at, 'both')) sentence.both = true;
  return line.phrase(at, JOINS);
}
