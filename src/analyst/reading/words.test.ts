import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold, groupedBy, isOneTypoApart, isShortFor, nameWords, root, stem, tokensOf } from './words.js';

function wordsIn(message: string): readonly string[] {
  return tokensOf(message).map(({ word }) => word);
}

function valuesIn(message: string): readonly number[] {
  return tokensOf(message).flatMap(({ value }) => value ?? []);
}

describe('the tokens of a message', () => {
  it.each<[string, readonly string[]]>([
    ['Average price by Region?', ['average', 'price', 'by', 'region', '?']],
    ["what's the customer's total", ['what', 's', 'the', 'customer', 's', 'total']],
    ['temp_max >= 30 and wind<5', ['temp_max', '>=', '30', 'and', 'wind', '<', '5']],
    ['Größe, Île-de-France', ['grosse', ',', 'ile', '-', 'de', '-', 'france']],
    ['status "In Transit" only', ['status', 'in transit', 'only']],
    ['status „In Transit“ only', ['status', 'in transit', 'only']],
    ["orders from 'North East'", ['orders', 'from', 'north east']],
    ['what about column c12 or 3rd place', ['what', 'about', 'column', 'c12', 'or', '3rd', 'place']],
    ['orders w/o ship date', ['orders', 'without', 'ship', 'date']],
    ['', []],
    ['   ', []],
  ])('of “%s” are its words and signs', (message, words) => {
    expect(wordsIn(message)).toEqual(words);
  });

  it.each<[string, readonly number[]]>([
    ['more than 1,250.50 euros', [1250.5]],
    ['between 5 and 10.', [5, 10]],
    ['1,234,567 rows', [1_234_567]],
    ['0.5 or 12', [0.5, 12]],
    ['1.250,50 or 1.234.567 or 1.234', [1250.5, 1_234_567, 1.234]],
    ['1, 2 and 3', [1, 2, 3]],
    ['the 3rd and Q4', []],
  ])('have the numbers of “%s”', (message, values) => {
    expect(valuesIn(message)).toEqual(values);
  });

  it('know what was quoted', () => {
    expect(tokensOf('rows with "2024" in 2023').filter(({ isQuoted }) => isQuoted)).toMatchObject([
      { text: '2024', value: null },
    ]);
  });

  it('take an apostrophe inside a word for no quote', () => {
    expect(tokensOf("the shop's and the bar's totals").some(({ isQuoted }) => isQuoted)).toBe(false);
  });

  it('are at most 160', () => {
    expect(tokensOf('word '.repeat(1000))).toHaveLength(160);
  });

  it('lie in the message, one after the other, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (message) => {
        let last = 0;
        for (const { from, to } of tokensOf(message)) {
          expect(from).toBeGreaterThanOrEqual(last);
          expect(to).toBeGreaterThan(from);
          last = to;
        }
        expect(last).toBeLessThanOrEqual(message.length);
      }),
    );
  });
});

describe('folding', () => {
  it.each([
    ['Überweisung', 'uberweisung'],
    ['Straße', 'strasse'],
    ["O'Brien", 'obrien'],
    ['O’Brien', 'obrien'],
    ['CAFÉ', 'cafe'],
    ['São Paulo', 'sao paulo'],
  ])('makes %s into %s', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('of what is folded changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});

describe('stems', () => {
  it.each([
    ['orders', 'order'],
    ['companies', 'company'],
    ['countries', 'country'],
    ['prices', 'price'],
    ['dates', 'date'],
    ['houses', 'house'],
    ['branches', 'branch'],
    ['boxes', 'box'],
    ['classes', 'class'],
    ['addresses', 'address'],
    ['dishes', 'dish'],
    ['databases', 'database'],
    ['categories', 'category'],
    ['buses', 'bus'],
    ['bonuses', 'bonus'],
    ['quizzes', 'quizz'],
    ['invoices', 'invoice'],
    ['caches', 'cache'],
    ['sizes', 'size'],
  ])('are the same for %s and %s', (many, one) => {
    expect(stem(many)).toBe(stem(one));
  });

  it.each([
    ['status', 'stat'],
    ['analysis', 'analysi'],
    ['class', 'clas'],
    ['bus', 'bu'],
    ['gas', 'ga'],
    ['loss', 'los'],
  ])('of %s does not lose an ending that is none', (word, cut) => {
    expect(stem(word)).not.toBe(cut);
  });

  it.each([
    ['satisfaction', 'satisfied'],
    ['delivery', 'delivered'],
    ['payment', 'payments'],
    ['duration', 'durations'],
    ['shipment', 'shipments'],
    ['manager', 'managed'],
  ])('of %s and %s have a root together', (one, other) => {
    expect(root(one)).toBe(root(other));
  });

  it.each([
    ['region', 'register'],
    ['station', 'statement'],
  ])('of %s and %s have none', (one, other) => {
    expect(root(one)).not.toBe(root(other));
  });
});

describe('likeness of words', () => {
  it.each([
    ['amuont', 'amount'],
    ['amout', 'amount'],
    ['ammount', 'amount'],
    ['anount', 'amount'],
    ['amount', 'amount'],
  ])('finds the typo in %s for %s', (typed, meant) => {
    expect(isOneTypoApart(typed, meant)).toBe(true);
  });

  it.each([
    ['amnuot', 'amount'],
    ['count', 'amount'],
    ['price', 'prize1'],
    ['north', 'south'],
  ])('takes %s for no typo of %s', (typed, meant) => {
    expect(isOneTypoApart(typed, meant)).toBe(false);
  });

  it.each([
    ['qty', 'quantity'],
    ['temp', 'temperature'],
    ['lvl', 'level'],
    ['hrs', 'hours'],
    ['sal', 'salary'],
    ['avg', 'average'],
    ['mgr', 'manager'],
  ])('knows that %s is short for %s', (short, long) => {
    expect(isShortFor(short, long)).toBe(true);
  });

  it.each([
    ['is', 'issue'],
    ['cat', 'concatenate'],
    ['price', 'prices'],
    ['tab', 'price'],
    ['order', 'orderi'],
  ])('knows that %s is not short for %s', (short, long) => {
    expect(isShortFor(short, long)).toBe(false);
  });
});

describe('the words of a header', () => {
  it.each<[string, readonly string[]]>([
    ['tempMax_C (avg)', ['temp', 'max', 'c', 'avg']],
    ['OrderID', ['order', 'id']],
    ['HTTPStatus', ['http', 'status']],
    ['order-date', ['order', 'date']],
    ['Umsatz netto (€)', ['umsatz', 'netto']],
    ['PM2.5', ['pm', '2', '5']],
    ['q1_2024', ['q', '1', '2024']],
    ['Größe', ['grosse']],
    ['###', []],
  ])('%s are %j', (name, words) => {
    expect(nameWords(name)).toEqual(words);
  });
});

it('entries are grouped in their order', () => {
  const groups = groupedBy(['b1', 'a1', 'b2'], (entry) => entry.charAt(0));
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ]);
});
