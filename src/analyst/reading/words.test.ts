import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, groupedBy, isOneTypoApart, isShortFor, nameWords, root, sentencesOf, stem, tokensOf } from './words.js';

describe('the tokens of a message', () => {
  it.each<[string, readonly string[]]>([
    ["what's the customer's total", ['what', 's', 'the', 'customer', 's', 'total']],
    ['temp_max >= 30 and wind<5', ['temp_max', '>=', '30', 'and', 'wind', '<', '5']],
    ['Größe, Île-de-France', ['grosse', ',', 'ile', '-', 'de', '-', 'france']],
    ['status "In Transit" only', ['status', 'in transit', 'only']],
    ['status „In Transit“ only', ['status', 'in transit', 'only']],
    ["orders from 'North East'", ['orders', 'from', 'north east']],
    ['what about column c12 or 3rd place', ['what', 'about', 'column', 'c12', 'or', '3rd', 'place']],
    ['orders w/o ship date', ['orders', 'without', 'ship', 'date']],
    ['', []],
  ])('of “%s” are its words and signs', (message, words) => {
    expect(tokensOf(message).map(({ word }) => word)).toEqual(words);
  });

  it.each<[string, readonly number[]]>([
    ['more than 1,250.50 euros', [1250.5]],
    ['1.250,50 or 1.234.567 or 1.234', [1250.5, 1_234_567, 1.234]],
    ['1, 2 and 3', [1, 2, 3]],
    ['the 3rd and Q4', []],
  ])('have the numbers of “%s”', (message, values) => {
    expect(tokensOf(message).flatMap(({ value }) => value ?? [])).toEqual(values);
  });

  it('know what was quoted, take an apostrophe inside a word for no quote, and are at most 160', () => {
    const quoted = (message: string): readonly object[] => tokensOf(message).filter(({ isQuoted }) => isQuoted);
    expect(quoted('rows with "2024" in 2023')).toMatchObject([{ text: '2024', value: null }]);
    expect(quoted("the shop's and the bar's totals")).toEqual([]);
    expect(tokensOf('word '.repeat(1000))).toHaveLength(160);
  });

  it('lie in the message, one after the other, and folding twice changes nothing, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (message) => {
        const places = tokensOf(message).flatMap(({ from, to }) => (to > from ? [from, to] : [NaN]));
        expect(places).toEqual([...places].sort((one, other) => one - other));
        expect(places.every((place) => place >= 0 && place <= message.length)).toBe(true);
        expect(fold(fold(message))).toBe(fold(message));
      }),
    );
  });
});

/** `one other` by `one other`. */
const pairs = (text: string): [string, string][] => text.split(', ').map((pair) => pair.split(' ') as [string, string]);

describe('words', () => {
  it('are folded', () => {
    const folded = ['Überweisung', 'Straße', 'O’Brien', 'São Paulo'].map(fold);
    expect(folded).toEqual(['uberweisung', 'strasse', 'obrien', 'sao paulo']);
  });

  const plurals = 'orders order, houses house, branches branch, classes class, databases database, categories category';
  it.each(pairs(`${plurals}, buses bus, quizzes quizz, caches cache`))('%s and %s have one stem', (many, one) => {
    expect(stem(many)).toBe(stem(one));
  });

  it.each(pairs('status stat, bus bu, loss los'))('%s does not lose an ending that is none', (word, cut) => {
    expect(stem(word)).not.toBe(cut);
  });

  it.each(pairs('satisfaction satisfied, delivery delivered, duration durations, manager managed'))(
    '%s and %s have a root together',
    (one, other) => {
      expect(root(one)).toBe(root(other));
    },
  );

  it.each(pairs('region register, station statement'))('%s and %s have none', (one, other) => {
    expect(root(one)).not.toBe(root(other));
  });

  it('are one typo apart, or not', () => {
    const apart = (words: string): boolean[] => words.split(' ').map((word) => isOneTypoApart(word, 'amount'));
    expect(apart('amuont amout ammount anount amount')).toEqual([true, true, true, true, true]);
    expect(apart('amnuot count amoxx mouth')).toEqual([false, false, false, false]);
  });

  it.each(pairs('qty quantity, temp temperature, hrs hours, avg average'))('%s is short for %s', (short, long) => {
    expect(isShortFor(short, long)).toBe(true);
  });

  it.each(pairs('is issue, cat concatenate, price prices, tab price'))('%s is not short for %s', (short, long) => {
    expect(isShortFor(short, long)).toBe(false);
  });
});

it.each([
  ['tempMax_C (avg)', 'temp max c avg'],
  ['Umsatz netto (€)', 'umsatz netto'],
  ['PM2.5', 'pm 2 5'],
  ['q1_2024', 'q 1 2024'],
  ['###', ''],
])('the words of the header %s are “%s”', (name, words) => {
  expect(nameWords(name).join(' ')).toBe(words);
});

it.each<[string, readonly string[]]>([
  ['Revenue in May? And how many orders', ['Revenue in May?', 'And how many orders']],
  ['Total by region. Then by month; as a line', ['Total by region.', 'Then by month', 'as a line']],
  ['a pie of A vs. B, i.e. line no. 2 and J. Smith', ['a pie of A vs. B, i.e. line no. 2 and J. Smith']],
])('sentences of “%s”', (text, sentences) => {
  expect(sentencesOf(text)).toEqual(sentences);
});

it('entries are grouped in their order', () => {
  const groups = groupedBy(['b1', 'a1', 'b2'], (entry) => entry.charAt(0));
  expect([...groups]).toEqual(Object.entries({ b: ['b1', 'b2'], a: ['a1'] }));
});
