import { isClose, plainCell, roundsTo, type RawCell } from './cells.js';
import type { Verdict } from './question.js';

export interface FiguresWanted {
  /** Numbers and texts; all must be told. */
  readonly cells: readonly RawCell[];
  readonly verdict: { readonly about: Verdict; readonly holds: boolean } | null;
  readonly decimals: number | null;
  readonly percent: boolean;
  readonly unsigned: boolean;
}

/** `told`: all in the words of the answer, as rounded as was asked. `held`: the rest of it stands in its rows, or is rounded otherwise. */
export type FiguresGrade = 'told' | 'held' | 'wrong';

interface ShownNumber {
  readonly value: number;
  /** Digits after the point. */
  readonly decimals: number;
  /** Digits that say something. */
  readonly digits: number;
  /** It was written as an upper bound: "p < 0.001". */
  readonly isBound: boolean;
}

/** Grades what an answer says in words and holds in its rows against the figures, texts and verdict that were wanted. */
export function gradeFigures(response: string, cells: readonly RawCell[], wanted: FiguresWanted): FiguresGrade {
  const words = ownWords(response);
  if (wanted.verdict !== null && verdictIn(words, wanted.verdict.about) !== wanted.verdict.holds) return 'wrong';
  const shown = numbersIn(words);
  const isTold = (cell: RawCell): boolean => isInWords(cell, words, shown, wanted);
  if (wanted.cells.every(isTold)) return 'told';
  const held = cells.map(plainCell);
  const isHeld = (cell: RawCell): boolean => isTold(cell) || isInRows(cell, held, shown, wanted);
  return wanted.cells.every(isHeld) ? 'held' : 'wrong';
}

const HEADING = /^\*\*\d+\. .*\*\*$/gm;
const QUOTED = /“[^”]*”/g;

/** Without the questions of a message that an answer repeats as headings, and without words that it quotes: they are not its own. */
function ownWords(response: string): string {
  return response.replaceAll(HEADING, '').replaceAll(QUOTED, '“”');
}

function isInWords(cell: RawCell, words: string, shown: readonly ShownNumber[], told: FiguresWanted): boolean {
  const wanted = plainCell(cell);
  if (wanted === null) return true;
  if (typeof wanted === 'string') return hasText(words, wanted);
  const readings = readingsOf(wanted, told);
  return shown.some((number) => readings.some((reading) => isShown(number, reading)));
}

/** A number that may stand for the wanted one, and the digits after its point that the question asks for. */
interface Reading {
  readonly value: number;
  readonly decimals: number | null;
}

/** A share may be told as a fraction, which has two digits more. */
function readingsOf(value: number, { decimals, percent, unsigned }: FiguresWanted): readonly Reading[] {
  const fraction = { value: value / 100, decimals: decimals === null ? null : decimals + 2 };
  const scaled = percent ? [{ value, decimals }, fraction] : [{ value, decimals }];
  return unsigned ? [...scaled, ...scaled.map((one) => ({ ...one, value: -one.value }))] : scaled;
}

function isShown(number: ShownNumber, { value, decimals }: Reading): boolean {
  if (number.isBound) return value >= 0 && value < number.value && number.value <= 0.001;
  if (decimals !== null) return number.decimals <= decimals && roundsTo(number.value, value, decimals);
  if (isClose(number.value, value, null)) return true;
  return number.digits >= 3 && roundsTo(number.value, value, number.decimals);
}

function isInRows(
  cell: RawCell,
  held: readonly (string | number | null)[],
  shown: readonly ShownNumber[],
  told: FiguresWanted,
): boolean {
  const wanted = plainCell(cell);
  if (typeof wanted === 'string') return held.some((one) => typeof one === 'string' && hasText(one, wanted));
  if (wanted === null) return true;
  const readings = readingsOf(wanted, told);
  return readings.some(
    ({ value, decimals }) =>
      held.some((one) => typeof one === 'number' && isClose(one, value, null)) ||
      shown.some((one) => isClose(one.value, value, decimals)),
  );
}

/** As a whole word, upper and lower case alike; a day is also found in the ISO form of its midnight. */
function hasText(words: string, wanted: string): boolean {
  const day = /^(\d{4}-\d{2}-\d{2})T00:00:00$/.exec(wanted)?.[1] ?? wanted;
  const literal = day.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\d])${literal}(?![\p{L}])`, 'iu').test(words.replaceAll('\\', ''));
}

const MINUS = /[\u2212\u2013](?=\d)/g;
const SPACE_IN_NUMBER = /(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))/g;
const NUMBER = /(<\s*)?(?<![\p{L}\d])(-?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:e([+-]?\d+)|\s?[×x]\s?10\^?([+-]?\d+))?/giu;

/** The numbers that a text shows. */
export function numbersIn(text: string): readonly ShownNumber[] {
  const plain = text.replaceAll('\\', '').replaceAll(MINUS, '-').replaceAll(SPACE_IN_NUMBER, '');
  return [...plain.matchAll(NUMBER)].map(([, bound, sign = '', whole = '', part = '', power, times]) => {
    const exponent = Number(power ?? times ?? 0);
    const value = Number(`${sign}${whole.replaceAll(',', '')}${part}`) * 10 ** exponent;
    const digits = `${whole.replaceAll(',', '')}${part.slice(1)}`.replace(/^0+/, '').length;
    return { value, decimals: Math.max(0, part.length - 1) - exponent, digits, isBound: bound !== undefined };
  });
}

const NOT = String.raw`\b(?:not?|isn't|aren't|doesn't|don't|cannot|can't|nothing|without|fails? to|neither|non)\b`;
const DENIED: Readonly<Record<Verdict, RegExp>> = {
  significant: new RegExp(String.raw`\binsignificant|${NOT}[^.;:]{0,60}\bsignificant`, 'i'),
  normal: new RegExp(String.raw`\bnon-?normal|abnormal|${NOT}[^.;:]{0,60}\bnormal|\bdeparts?\b[^.]{0,40}\bnormal`, 'i'),
  yes: /\bno\b(?!\.)/i,
};
const CLAIMED: Readonly<Record<Verdict, RegExp>> = {
  significant: /\bsignificant/i,
  normal: /\bnormal/i,
  yes: /\byes\b/i,
};

/** What a text says on a question of yes or no; `null`: nothing. */
export function verdictIn(words: string, about: Verdict): boolean | null {
  const plain = words.replaceAll(/[*_`\\]/g, '').replaceAll('’', "'");
  const [, opening] = /^\s*(yes|no)\b/i.exec(plain) ?? [];
  if (opening !== undefined) return opening.toLowerCase() === 'yes';
  if (DENIED[about].test(plain)) return false;
  return CLAIMED[about].test(plain) ? true : null;
}
