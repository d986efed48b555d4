import { phraseSet, type Line, type NumberMention } from './line.js';

/** How many times a figure is meant. */
export interface Multiple {
  /** 0 or less: nothing that could be meant. */
  readonly factor: number;
  /** `20 % below`: more than that is less. */
  readonly isBelow: boolean;
  readonly next: number;
}

const WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries({ twice: 2, double: 2, thrice: 3, triple: 3, quadruple: 4, half: 0.5 }),
);
const BEYOND = phraseSet('above|over|more than|higher than|greater than|larger than|bigger than');
const BELOW = phraseSet('below|under|less than|lower than|smaller than|fewer than');

/** `twice`, `half of`, `1.5 times`, `150 % of`, `20 % above`: what stands before a figure to say how much of it. */
export function multipleAt(line: Line, at: number): Multiple | null {
  const word = WORDS.get(line.key(at));
  if (word !== undefined) return { factor: word, isBelow: false, next: line.skip(at + 1, OF) };
  const number = line.number(at);
  if (number === null) return null;
  return isPercent(line, number) ? percentAt(line, number) : timesAt(line, number);
}

const OF = new Set(['of']);

function timesAt(line: Line, { value, unit, next }: NumberMention): Multiple | null {
  if (unit !== null || !line.is(next, 'times', 'x')) return null;
  return { factor: value, isBelow: false, next: next + 1 };
}

function isPercent(line: Line, { unit, next }: NumberMention): boolean {
  return isPercentUnit(unit) || line.is(next, ...PERCENT);
}

const PERCENT = ['percent', 'pct'];

function isPercentUnit(unit: string | null): boolean {
  return unit !== null && PERCENT.includes(unit);
}

/** Without what binary fractions add. */
function rounded(factor: number): number {
  return Number(factor.toPrecision(12));
}

function percentAt(line: Line, number: NumberMention): Multiple | null {
  const share = number.value / 100;
  const next = isPercentUnit(number.unit) ? number.next : number.next + 1;
  if (line.is(next, 'of')) return { factor: share, isBelow: false, next: next + 1 };
  const beyond = line.phrase(next, BEYOND);
  if (beyond !== null) return { factor: rounded(1 + share), isBelow: false, next: beyond };
  const below = line.phrase(next, BELOW);
  return below === null ? null : { factor: rounded(1 - share), isBelow: true, next: below };
}
