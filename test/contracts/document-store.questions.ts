import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Collection, Where } from '../../src/ports/document-store.js';
import {
  ACME,
  NOTES,
  aNote,
  insertAll,
  manyNotes,
  namesOf,
  refusal,
  type Note,
  type StoreUnderTest,
} from './document-store.kinds.js';

/** Conditions, orders and pages. */
export function documentQuestionsContract(of: () => StoreUnderTest): void {
  let notes: Collection<Note>;

  beforeAll(() => {
    notes = of().store.tenantCollection(NOTES).of(ACME);
  });

  describe('conditions', () => {
    const T = (day: number): Date => new Date(Date.UTC(2026, 0, day));

    beforeEach(async () => {
      await insertAll(notes, [
        aNote({ name: 'a', size: 1, at: T(1), pinned: true, owner: 'ann' }),
        aNote({ name: 'b', size: 2, at: T(2), pinned: false, owner: 'bob' }),
        aNote({ name: 'c', size: 3, at: T(3), owner: null }),
        aNote({ name: 'd', size: null, at: null }),
        aNote({ name: 'e', size: -4.5 }),
      ]);
    });

    it.each<[string, Where<Note>, string]>([
      ['nothing', {}, 'abcde'],
      ['a text', { name: 'b' }, 'b'],
      ['a boolean', { pinned: false }, 'b'],
      ['a date', { at: T(2) }, 'b'],
      ['null, which a missing field is as well', { owner: null }, 'cde'],
      ['one of several', { name: { in: ['a', 'c', 'z'] } }, 'ac'],
      ['none of several', { name: { notIn: ['a', 'c', 'z'] } }, 'bde'],
      ['one of several, null among them', { size: { in: [1, null] } }, 'ad'],
      ['not a value', { owner: { not: 'ann' } }, 'bcde'],
      ['not null', { owner: { not: null } }, 'ab'],
      ['above a number', { size: { gt: 1 } }, 'bc'],
      ['from a number to below another', { size: { gte: -4.5, lt: 2 } }, 'ae'],
      ['after a date', { at: { gt: T(2) } }, 'c'],
      ['before a date', { at: { lt: T(2) } }, 'a'],
      ['between texts', { name: { gte: 'b', lt: 'd' } }, 'bc'],
      ['two at once', { pinned: true, size: { lt: 5 } }, 'a'],
      ['two that contradict each other', { name: 'a', size: 2 }, ''],
    ])('finds and counts by %s', async (_what, where, names) => {
      expect([...namesOf(await notes.find(where))].sort().join('')).toBe(names);
      expect(await notes.count(where)).toBe(names.length);
    });

    it.each<[string, object]>([
      ['an operator', { name: { $ne: null } }],
      ['an operator as a bound', { size: { gt: { $gt: 0 } } }],
      ['a regular expression', { name: /a/ }],
      ['an operator as a field', { $where: 'sleep(1)' }],
      ['a path', { 'config.a': 1 }],
      ['an unknown field', { colour: 'red' }],
      ['a condition that is not known', { name: { like: 'a' } }],
      ['a condition of nothing', { name: {} }],
      ['a value of another type', { size: '2' }],
      ['a date that is none', { at: { gt: new Date(Number.NaN) } }],
      ['a part of something that is no text', { size: { contains: '1' } }],
      ['a field that is a list', { tags: 'x' }],
    ])('refuses %s, for every way to ask', async (_what, where) => {
      const asked = where as Where<Note>;
      const ways: readonly (() => Promise<unknown>)[] = [
        () => notes.find(asked),
        () => notes.count(asked),
        () => notes.remove(asked),
        () => notes.update(asked, { set: { name: 'x' } }),
      ];
      for (const way of ways) {
        await expect((async () => way())()).rejects.toMatchObject(refusal('invalid_input'));
      }
      expect(await notes.count({})).toBe(5);
    });
  });

  describe('a part of a text', () => {
    it.each([
      ['100%', '%', true],
      ['a_b', '_', true],
      ['a.b', '.', true],
      ['a*b', '*', true],
      ['ab', 'a*', false],
      ['f(x)[0]{1}', 'X)[0]{', true],
      ['C:\\dir/x', '\\DIR/', true],
      ['nul\0char', 'L\0C', true],
      ['Straße ÉCOLE', 'école', true],
      ['ΑΘΗΝΑ', 'αθηνα', true],
      ['a😀b', '😀', true],
      ['abc', 'bd', false],
    ])('%j contains %j: %s', async (name, contains, expected) => {
      await notes.insert(aNote({ name }));
      expect(await notes.count({ name: { contains } })).toBe(expected ? 1 : 0);
    });

    it('is not found in what is missing, and too long a one is refused', async () => {
      await notes.insert(aNote({ owner: null }));
      expect(await notes.count({ owner: { contains: '' } })).toBe(0);
      await expect(notes.count({ name: { contains: 'x'.repeat(1001) } })).rejects.toMatchObject(
        refusal('invalid_input'),
      );
    });
  });

  describe('order and pages', () => {
    it('sorts by several fields, each in its own direction', async () => {
      await insertAll(notes, [
        aNote({ name: '1', size: 2, owner: 'a' }),
        aNote({ name: '2', size: 1, owner: 'a' }),
        aNote({ name: '3', size: 2, owner: 'b' }),
        aNote({ name: '4', size: 1, owner: 'b' }),
      ]);
      const sorted = await notes.find(
        {},
        {
          sort: [
            ['size', 'desc'],
            ['owner', 'asc'],
          ],
        },
      );
      expect(namesOf(sorted)).toEqual(['1', '3', '2', '4']);
    });

    it('puts null and missing first, and last when descending', async () => {
      await insertAll(notes, [
        aNote({ name: 'b', size: 0 }),
        aNote({ name: 'a', size: null }),
        aNote({ name: 'c', size: 5 }),
      ]);
      expect(namesOf(await notes.find({}, { sort: [['size', 'asc']] }))).toEqual(['a', 'b', 'c']);
      expect(namesOf(await notes.find({}, { sort: [['size', 'desc']] }))).toEqual(['c', 'b', 'a']);
    });

    it('sorts texts by code point, also long ones', async () => {
      const long = ['a', 'b', 'c'].map((end) => `z${'y'.repeat(300)}${end}`);
      const order = ['', 'A', 'B', 'a', ...long, 'é', '\ue000', '😀'];
      await insertAll(
        notes,
        ['', 'A', 'B', 'a', 'é', '\ue000', '😀', ...long].reverse().map((slug) => aNote({ slug })),
      );
      const slugs = async (direction: 'asc' | 'desc') =>
        (await notes.find({}, { sort: [['slug', direction]] })).map(({ slug }) => slug);
      expect(await slugs('asc')).toEqual(order);
      expect(await slugs('desc')).toEqual([...order].reverse());
    });

    it.each<['at' | 'size', 'asc' | 'desc']>([
      ['at', 'desc'],
      ['size', 'desc'],
    ])('cuts pages by %s %s that neither overlap nor leave a gap, ties broken by id', async (field, direction) => {
      const all = manyNotes(57, (index) => ({ at: new Date((index % 5) * 1000), size: index % 7 }));
      await insertAll(notes, all);
      const sort = [
        [field, direction],
        ['id', direction],
      ] as const;
      const paged: string[] = [];
      for (let skip = 0; skip < 60; skip += 10) {
        const page = await notes.find({}, { sort, skip, limit: 10 });
        paged.push(...page.map(({ id }) => id));
      }
      const sign = direction === 'asc' ? 1 : -1;
      const expected = [...all].sort((a, b) => (Number(a[field]) - Number(b[field]) || (a.id < b.id ? -1 : 1)) * sign);
      expect(paged).toEqual(expected.map(({ id }) => id));
    });

    it('gives none for a limit of 0, and all that there is for one that is too high', async () => {
      await insertAll(notes, manyNotes(3));
      expect(await notes.find({}, { limit: 0 })).toEqual([]);
      expect(await notes.find({}, { limit: 10, skip: 1 })).toHaveLength(2);
      expect(await notes.find({}, { skip: 10 })).toEqual([]);
    });

    it('refuses pages and orders that make no sense', async () => {
      const asked = [
        { limit: -1 },
        { limit: 1.5 },
        { skip: Number.NaN },
        { sort: [['config', 'asc']] },
        { sort: [['x', 'asc']] },
      ];
      for (const options of asked) {
        await expect(notes.find({}, options as never)).rejects.toMatchObject(refusal('invalid_input'));
      }
    });
  });
}
