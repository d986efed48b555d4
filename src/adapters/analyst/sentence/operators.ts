import type { Comparison } from '../../../ports/analysis-plan.js';
import type { Direction } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import type { Adjective } from '../synonyms.js';
import { MULTIPLIERS } from '../units.js';
import { phraseSet, type Line, type NumberMention, type PhraseSet } from './line.js';

export interface OperatorMention {
  readonly operator: Comparison | 'between';
  /** Of `older than`, whose column is not named. */
  readonly adjective: Adjective | null;
  readonly next: number;
}

const OPERATORS: readonly (readonly [Comparison | 'between', PhraseSet])[] = [
  [
    '>=',
    phraseSet(
      'at least|no less than|not less than|no fewer than|not fewer than|not below|not under|no lower than|minimum of|a minimum of|>=|greater than or equal to|more than or equal to|greater or equal to|higher than or equal to|equal to or greater than|equal to or more than|equal or above',
    ),
  ],
  [
    '<=',
    phraseSet(
      'at most|no more than|not more than|not above|not over|no higher than|no greater than|up to|maximum of|a maximum of|<=|less than or equal to|lower than or equal to|smaller than or equal to|fewer than or equal to|equal to or less than',
    ),
  ],
  [
    '>',
    phraseSet(
      'over|above|more than|greater than|higher than|bigger than|larger than|exceeds|exceed|exceeding|exceeded|beat|beats|beaten|outperformed|outperforms|surpassed|surpasses|beyond|in excess of|upwards of|>|strictly greater than|strictly more than|better than',
    ),
  ],
  ['<', phraseSet('under|below|less than|fewer than|lower than|smaller than|<|short of|strictly less than|worse than')],
  ['!=', phraseSet('!=|not equal to|other than|different from|differs from|does not equal|not the same as')],
  ['=', phraseSet('exactly|equal to|equals|equal|=|the same as|same as|identical to')],
  ['between', phraseSet('between|in the range of|in the range from|ranging from|ranging between')],
];

const INVERTED: Readonly<Record<Comparison, Comparison>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '=': '!=',
  '!=': '=',
};

/** The comparison that holds where this one is denied. */
export function unless(negated: boolean, operator: Comparison): Comparison {
  return negated ? INVERTED[operator] : operator;
}

/** A comparison that says itself which way it goes. */
export interface Sign {
  readonly operator: Comparison;
  readonly adjective: null;
  readonly next: number;
}

/** `more than`, but neither `between` nor `older than`. */
export function signAt(line: Line, at: number): Sign | null {
  const found = operatorAt(line, at);
  if (found === null || found.operator === 'between' || found.adjective !== null) return null;
  return { operator: found.operator, adjective: null, next: found.next };
}

/** A number and what stands before or after it to compare it; `operator` is `null` where nothing does. */
export interface ComparedNumber {
  readonly operator: Comparison | null;
  readonly adjective: Adjective | null;
  readonly number: NumberMention;
  readonly next: number;
}

/** `more than 10`, `10 or more`, `10`. */
export function comparedNumberAt(line: Line, at: number): ComparedNumber | null {
  const found = operatorAt(line, at);
  if (found === null) return numberAt(line, at);
  const number = found.operator === 'between' ? null : line.number(found.next);
  if (number === null || found.operator === 'between') return null;
  return { operator: found.operator, adjective: found.adjective, number, next: number.next };
}

function numberAt(line: Line, at: number): ComparedNumber | null {
  const number = line.number(at);
  if (number === null) return null;
  const trailing = trailingOperatorAt(line, number.next);
  return { operator: trailing?.operator ?? null, adjective: null, number, next: trailing?.next ?? number.next };
}

/** The ends of a range of numbers: `5 and 10`, `5 to 10`. */
export interface NumberRange {
  readonly low: NumberMention;
  readonly high: NumberMention;
}

export function rangeAt(line: Line, at: number, ...joins: readonly string[]): NumberRange | null {
  const low = line.number(at);
  if (low === null || !line.is(low.next, ...joins)) return null;
  const high = line.number(low.next + 1);
  if (high === null) return null;
  return { low: { ...low, value: scaledLow(low, high), unit: low.unit ?? high.unit }, high };
}

/** `between 5 and 15 million` begins at 5 million. */
function scaledLow(low: NumberMention, high: NumberMention): number {
  const factor = MULTIPLIERS[high.text.toLowerCase().split(' ').at(-1) ?? ''] ?? 1;
  const isPlain = /^[\d.,]+$/.test(low.text) && low.value * factor <= high.value;
  return isPlain ? low.value * factor : low.value;
}

/** The longest comparison that begins here. */
export function operatorAt(line: Line, at: number): OperatorMention | null {
  let found: OperatorMention | null = null;
  for (const [operator, phrases] of OPERATORS) {
    const next = line.phrase(at, phrases);
    if (next !== null && next > (found?.next ?? at)) found = { operator, adjective: null, next };
  }
  return found ?? comparativeAt(line, at);
}

/** `older than`, `more expensive than`; which way it compares depends on the column. */
function comparativeAt(line: Line, at: number): OperatorMention | null {
  for (const length of [2, 1]) {
    const words = Array.from({ length }, (_, index) => line.key(at + index)).join(' ');
    const adjective = line.key(at + length) === 'than' ? adjectiveOf(words, 'comparative') : null;
    if (adjective !== null) return { operator: '>', adjective, next: at + length + 1 };
  }
  return null;
}

const UPWARDS = phraseSet(
  'or more|or higher|or greater|or above|or over|or larger|or older|or longer|or better|and above|and over|and more|and older|or later|and later|and up|or newer|and higher|and greater|and larger|and upwards|and upward|or upwards|and bigger|and longer|or taller|and taller|or bigger',
);
const DOWNWARDS = phraseSet(
  'or less|or fewer|or lower|or below|or under|or smaller|or younger|or shorter|or cheaper|and below|and under|and less|and younger|or earlier|and earlier|or older than that',
);

/** `8 or more`: what stands after the number. */
export function trailingOperatorAt(
  line: Line,
  at: number,
): { readonly operator: Comparison; readonly next: number } | null {
  const up = line.phrase(at, UPWARDS);
  const next = up ?? line.phrase(at, DOWNWARDS);
  // In `under 20 or over 30` another comparison begins.
  if (next === null || line.number(next) !== null) return null;
  return { operator: up === null ? '<=' : '>=', next };
}

/** The operator for a column that much of the adjective means much (`desc`) or little of. */
export function turned(operator: Comparison, direction: Direction): Comparison {
  return direction === 'desc' ? operator : MIRRORED[operator];
}

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '=': '=',
  '!=': '!=',
};
