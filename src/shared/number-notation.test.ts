import { describe, expect, it } from 'vitest';
import { type DecimalSign, plainNumber, unitBeside } from './number-notation.js';

describe('a number with a unit', () => {
  it.each<readonly [text: string, decimal: DecimalSign, unit: string, number: string | null]>([
    ['$54,000', '.', '$', '54000'],
    ['-$3.20', '.', '$', '-3.20'],
    ['$-3.20', '.', '$', '-3.20'],
    ['- $3', '.', '$', null],
    ['1 234,50\u00a0€', ',', '€', '1234.50'],
    ['€\u202f5', ',', '€', '5'],
    ['12.5EUR', '.', 'EUR', '12.5'],
    ['12.5 %', '.', '%', '12.5'],
    ['%12.5', '.', '%', null],
    ['$5$', '.', '$', null],
    ['5  $', '.', '$', null],
    ['$', '.', '$', null],
    ['€5', '.', '$', null],
    ['5', '.', '$', '5'],
    ['$5', '.', '', null],
  ])('%j with the decimal sign %s and the unit "%s" is %j', (text, decimal, unit, number) => {
    expect(plainNumber(text, decimal, unit)).toBe(number);
  });

  it.each([
    ['$5', '$'],
    ['-£5', '£'],
    ['5 ¥', '¥'],
    ['50%', '%'],
    ['CHF 5', 'CHF'],
    ['5 m', ''],
    ['%5', ''],
  ])('has beside it in %j "%s"', (text, unit) => {
    expect(unitBeside(text)).toBe(unit);
  });
});
