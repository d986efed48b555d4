import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  after,
  endOfValues,
  idKey,
  keyPart,
  kindEnd,
  kindStart,
  rangeEnd,
  rangeStart,
  uniqueKeyPart,
} from './document-keys.js';
import { compareValues } from './document-matching.js';

const isLong = process.env['TEST_LONG'] === '1';
const shortText = fc.string({ unit: 'binary', maxLength: 20 });
const number = fc.double({ noNaN: true });
const date = fc.date({ noInvalidDate: true });
const value = fc.oneof(shortText, number, date, fc.boolean(), fc.constant(null));
const alike = fc.oneof(fc.tuple(shortText, shortText), fc.tuple(number, number), fc.tuple(date, date));
const sign = Math.sign;

describe('keys of values', () => {
  it('sort as the values do, several by the first that differs', () => {
    const several = fc.array(value, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(several, several, (left, right) => {
        const first = left.findIndex((each, index) => index < right.length && compareValues(each, right[index]) !== 0);
        if (first === -1 && left.length !== right.length) return;
        const order = Buffer.compare(keyPart(left).bytes, keyPart(right).bytes);
        expect(sign(order)).toBe(first === -1 ? 0 : sign(compareValues(left[first], right[first])));
      }),
      { numRuns: isLong ? 4_000 : 1_000 },
    );
  });

  it('can be taken apart again', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), shortText, (values, id) => {
        const key = Buffer.concat([keyPart(values).bytes, idKey(id)]);
        for (let count = 1; count <= values.length; count += 1) {
          expect(endOfValues(key, 0, count)).toBe(keyPart(values.slice(0, count)).bytes.length);
        }
      }),
    );
  });

  it('of a range begin and end around every value in it', () => {
    fc.assert(
      fc.property(alike, ([left, right]) => {
        const key = keyPart([left]).bytes;
        if (compareValues(left, right) >= 0) expect(Buffer.compare(key, rangeStart(right))).toBeGreaterThanOrEqual(0);
        if (compareValues(left, right) <= 0) expect(Buffer.compare(key, rangeEnd(right))).toBeLessThan(0);
        expect(Buffer.compare(key, kindStart(right))).toBeGreaterThanOrEqual(0);
        expect(Buffer.compare(key, kindEnd(right))).toBeLessThan(0);
      }),
      { numRuns: isLong ? 2_000 : 500 },
    );
  });

  it('of everything that begins alike lie before its end', () => {
    fc.assert(
      fc.property(value, value, (head, tail) => {
        expect(Buffer.compare(keyPart([head, tail]).bytes, after(keyPart([head]).bytes))).toBeLessThan(0);
      }),
    );
  });

  it('of long texts stay short and say that they were cut, unless they must be unique', () => {
    const long = 'é'.repeat(5_000);
    const part = keyPart(['a', long, 'lost']);
    expect(part).toMatchObject({ whole: false });
    expect(part.bytes.length).toBeLessThan(300);
    expect(keyPart(['a', `${long}x`]).bytes).toEqual(part.bytes);
    expect(uniqueKeyPart(['a', long])).not.toEqual(uniqueKeyPart(['a', `${long}x`]));
    expect(uniqueKeyPart(['a', long])).toEqual(uniqueKeyPart(['a', long]));
    const parts = [1, 2, 3, 4].map(() => keyPart(['\0'.repeat(500)]).bytes);
    const full = Buffer.concat([idKey('\0'.repeat(64)), ...parts, idKey('\0'.repeat(200))]);
    expect(full.length).toBeLessThan(1_978);
  });
});
