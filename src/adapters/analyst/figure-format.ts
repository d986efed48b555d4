import type { AnswerFormat } from './message/understanding.js';
import { fixedWords, numberWords } from './number-words.js';

/** As suits the figure. */
export const FREE_FORMAT: AnswerFormat = { decimals: null };

/** Below this a p-value is only said to be so, unless the question says how to write it. */
const LEAST_P = 0.001;

/** Writes figures as the question wants them written. */
export class FigureFormat {
  constructor(private readonly format: AnswerFormat) {}

  /** With `false`, shares stay fractions. */
  get sharesAsPercent(): boolean {
    return this.format.shares !== 'fraction';
  }

  get ratiosAsPercent(): boolean {
    return this.format.shares === 'percent';
  }

  number(value: number): string {
    const { decimals, significant } = this.format;
    if (decimals !== null) return fixedWords(value, decimals);
    return significant === undefined ? numberWords(value) : significantWords(value, significant);
  }

  /** A number of things has no decimals, whatever is wished for the figures beside it. */
  count(value: number): string {
    return numberWords(value);
  }

  /** A fraction as percent: 0.253 is `25.3 %`. */
  share(fraction: number): string {
    return this.sharesAsPercent ? this.percent(Number((fraction * 100).toPrecision(15))) : this.number(fraction);
  }

  percent(percent: number): string {
    return `${this.number(percent)} %`;
  }

  /** `0.0213`, `< 0.001`; `isAsked`: it is the figure that was asked for, and written as such whatever is left of it. */
  probability(value: number, isAsked: boolean): string {
    const { decimals, significant } = this.format;
    const isFree = decimals === null && significant === undefined;
    const words = this.number(value);
    const isLost = isFree || !/[1-9]/.test(words);
    return value < LEAST_P && isLost && !(isAsked && !isFree) ? `< ${LEAST_P}` : words;
  }
}

/** Exactly so many digits from the first that is not zero: with three, 12,345 is `12,300` and 1.2 is `1.20`. */
function significantWords(value: number, digits: number): string {
  if (value === 0 || !Number.isFinite(value)) return numberWords(value);
  const rounded = Number(value.toPrecision(Math.min(Math.max(digits, 1), 21)));
  const decimals = digits - 1 - Math.floor(Math.log10(Math.abs(rounded)));
  if (decimals > 20) return numberWords(rounded);
  return decimals > 0 ? fixedWords(rounded, decimals) : rounded.toLocaleString('en-US');
}
