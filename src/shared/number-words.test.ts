import { describe, expect, it } from 'vitest';
import {
  changeWords,
  decimalsFor,
  numberWords,
  placeWords,
  probabilityWords,
  roughShareWords,
  roundedWords,
} from './number-words.js';

describe('numbers in words', () => {
  it.each([
    [1_234_567, '1,234,567'],
    [1_234_567.891, '1,234,568'],
    [35_012.250_000_000_007, '35,012.25'],
    [305_079.5, '305,079.5'],
    [12_345.678, '12,345.7'],
    [17.345_678, '17.35'],
    [0.001_234_5, '0.001235'],
    [-0.000_000_123_456, '-1.235e-7'],
    [1.5e21, '1.5e21'],
    [0, '0'],
  ])('%d is %s', (value, words) => {
    expect(numberWords(value)).toBe(words);
  });

  it.each([
    [1.005, 2, '1.01'],
    [-2.5, 0, '-3'],
    [-0.001, 2, '0.00'],
    [12_345.6, 1, '12,345.6'],
    [0.000_000_12, 2, '0.00'],
    [1.5e21, 2, '1.5e21'],
    [Number.MAX_VALUE, 2, '1.798e308'],
  ])('%d with %d decimals is %s', (value, decimals, words) => {
    expect(roundedWords(value, decimals)).toBe(words);
  });

  it.each<[readonly number[], number | null]>([
    [[14_289.9, 14_950.19, 3], 2],
    [[0, -0.25], 2],
    [[23.5, 24.1], null],
    [[12.5, 12.125], null],
    [[1.25e12], null],
    [[], null],
  ])('are amounts in cents together, or are not: %j', (values, decimals) => {
    expect(decimalsFor(values)).toBe(decimals);
  });

  it('are places in an order', () => {
    expect([0, 1, 9, 10, 20, 21].map(placeWords)).toEqual(['', 'second ', 'tenth ', '11th ', '21st ', '22nd ']);
  });

  it('say of a small p-value only that it is small', () => {
    expect([0.000_04, 0.0213].map((value) => probabilityWords(value))).toEqual(['< 0.001', '0.0213']);
    expect([0.000_04, 0.0213].map((value) => probabilityWords(value, 2))).toEqual(['< 0.001', '0.02']);
    expect(probabilityWords(0.000_04, 5)).toBe('0.00004');
  });
});

it('shares and changes are percent, or times where that is much', () => {
  expect([0.5, 0.025, 0.0004].map(roughShareWords)).toEqual(['50 %', '2.5 %', '0 %']);
  expect([110, 90, 2500].map((value) => changeWords(value, 100))).toEqual(['+10 %', '-10 %', '25 times']);
  expect(changeWords(5, 0)).toBeNull();
});
