import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Collection, Where } from '../../src/ports/document-store.js';
import { repositoryOf } from '../../src/ports/tenant-repository.js';
import {
  ACCOUNTS,
  ACME,
  aNote,
  GLOBEX,
  insertAll,
  manyNotes,
  namesOf,
  type Note,
  NOTES,
  refusal,
  type StoreUnderTest,
  type Ticket,
  TICKETS,
} from './document-store.kinds.js';

/** What every document store promises. `start` opens one that is empty. */
export function documentStoreContract(start: () => Promise<StoreUnderTest>): void {
  let under: StoreUnderTest;
  let notes: Collection<Note>;
  /** Of another company. */
  let theirs: Collection<Note>;

  beforeAll(async () => {
    under = await start();
    notes = under.store.tenantCollection(NOTES).of(ACME);
    theirs = under.store.tenantCollection(NOTES).of(GLOBEX);
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    await under.store.tenantCollection(NOTES).ofAll().remove({});
    await under.store.tenantCollection(ACCOUNTS).ofAll().remove({});
  });

  it('is there', async () => {
    await expect(under.store.check()).resolves.toBeUndefined();
  });

  describe('insert and get', () => {
    it('gives back what was stored, defaults included, dates as dates, however often the kind is opened', async () => {
      const at = new Date('2026-03-01T10:20:30.456Z');
      const note = aNote({ at, size: 1.5, pinned: false, owner: null, tags: ['x'], steps: [{ title: 'one' }] });
      await notes.insert(note);
      const whole = { ...note, state: 'open', steps: [{ title: 'one', rank: 1 }] };
      expect(await notes.get(note.id)).toEqual(whole);
      expect(await under.store.collection(NOTES).get(note.id)).toEqual(whole);
    });

    it('lets one of many inserts of the same id or unique value through, and refuses the others', async () => {
      const note = aNote();
      for (const racing of [Array.from({ length: 20 }, () => note), manyNotes(30, () => ({ slug: 'race' }))]) {
        const ends = await Promise.allSettled(racing.map((each) => notes.insert(each)));
        expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject(refusal('conflict'));
      }
      expect(await notes.count({})).toBe(2);
      expect(await notes.get('x'.repeat(1000))).toBeNull();
    });

    it('keeps documents under any id', async () => {
      for (const id of ['ä€ 😀', '%_.*([', '../../x', 'a\0b', '$where', '"\'\\', 'x'.repeat(200)]) {
        await notes.insert(aNote({ id, name: 'odd' }));
        expect((await notes.get(id))?.name).toBe('odd');
        expect(namesOf(await notes.find({ id }))).toEqual(['odd']);
        expect((await notes.update({ id }, { set: { name: 'changed' } }))?.id).toBe(id);
        expect(await notes.remove({ id })).toBe(1);
      }
    });

    it('keeps free-form fields as they are, whatever their keys, and every number and time exactly', async () => {
      const numbers = [0, -1, 0.1, 1e-300, -1.5e300, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -(2 ** 53 - 1)];
      const times = [0, 1, -1, 999, 1_700_000_000_001, -62_135_596_800_000, 253_402_300_799_999];
      const dates = times.map((ms) => new Date(ms));
      const keys = { 'a.b': 1, $x: 2, '': 3, id: 'i', _id: 'u', no: {} };
      const config = { ...keys, list: [{ $set: { 'c.d': null } }], numbers, dates };
      const note = aNote({ config, limits: { 'a.b': 1, $x: 2 } });
      await notes.insert(note);
      expect((await notes.get(note.id))?.config).toEqual(config);
      const changed = { $inc: { 'e.f': [1, [2]] } };
      expect((await notes.update({ id: note.id }, { set: { config: changed } }))?.config).toEqual(changed);
      await notes.update({ id: note.id }, { set: { config } });
      expect(await notes.get(note.id)).toMatchObject({ config, limits: { 'a.b': 1, $x: 2 } });
      expect((await notes.get(note.id))?.config).toEqual(config);
    });

    it('hands out documents that can be changed without changing the store', async () => {
      const config = { list: [1] };
      const note = aNote({ config });
      await notes.insert(note);
      config.list.push(2);
      const [first] = await notes.find({ id: note.id });
      (first as { config: { list: number[] } }).config.list.push(3);
      const changed = await notes.update({ id: note.id }, { set: { size: 1 } });
      (changed as { config: { list: number[] } }).config.list.push(4);
      expect((await notes.get(note.id))?.config).toEqual({ list: [1] });
    });

    it('leaves out what is undefined', async () => {
      const note = { ...aNote(), owner: undefined, config: { a: undefined, b: [undefined] } } as unknown as Note;
      await notes.insert(note);
      const stored = await notes.get(note.id);
      expect(Object.keys(stored ?? {})).not.toContain('owner');
      expect(stored?.config).toStrictEqual({ b: [null] });
    });

    it('refuses what does not fit the kind', async () => {
      const odd = { id: { $gt: '' } };
      for (const fields of [{ colour: 'red' }, { name: undefined }, { state: 'ajar' }, { name: { $ne: null } }, odd])
        await expect(notes.insert({ ...aNote(), ...fields } as never)).rejects.toMatchObject(refusal('invalid_input'));
      expect(await notes.count({})).toBe(0);
    });
  });

  describe('unique fields', () => {
    it('refuse a second document with the same value, also of another company', async () => {
      const accounts = under.store.tenantCollection(ACCOUNTS);
      await accounts.of(ACME).insert({ id: '1', companyId: ACME, email: 'a@x.example' });
      const second = accounts.of(GLOBEX).insert({ id: '2', companyId: GLOBEX, email: 'a@x.example' });
      await expect(second).rejects.toMatchObject({ ...refusal('conflict'), message: 'email is already taken' });
    });

    it('hold a rule within a company only there, and count a missing value as one', async () => {
      const { slug: _slug, ...nameless } = aNote();
      await insertAll(notes, [aNote({ slug: 'same' }), nameless]);
      await expect(notes.insert(aNote({ slug: 'same' }))).rejects.toMatchObject(refusal('conflict'));
      await expect(notes.insert({ ...nameless, id: 'other' })).rejects.toMatchObject(refusal('conflict'));
      await expect(theirs.insert(aNote({ companyId: GLOBEX, slug: 'same' }))).resolves.toBeUndefined();
    });

    it('refuse a change to a value that is taken, and free one when its document is changed or removed', async () => {
      const [first, second] = [aNote({ slug: 'one' }), aNote({ slug: 'two' })];
      await insertAll(notes, [first, second]);
      const change = notes.update({ id: second.id }, { set: { slug: 'one', name: 'changed' } });
      await expect(change).rejects.toMatchObject(refusal('conflict'));
      expect(await notes.get(second.id)).toMatchObject({ slug: 'two', name: second.name });
      await notes.update({ id: first.id }, { set: { slug: 'three' } });
      await notes.remove({ id: second.id });
      await expect(insertAll(notes, [aNote({ slug: 'one' }), aNote({ slug: 'two' })])).resolves.toBeUndefined();
    });

    it('tell long values apart that begin alike', async () => {
      const long = 'x'.repeat(2000);
      await insertAll(notes, [aNote({ slug: `${long}1` }), aNote({ slug: `${long}2` })]);
      await expect(notes.insert(aNote({ slug: `${long}1` }))).rejects.toMatchObject(refusal('conflict'));
      expect(await notes.count({ slug: `${long}2` })).toBe(1);
    });
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

    it('refuse what is none, for every way to ask', async () => {
      const wrong: readonly object[] = [
        ...[{ name: { $ne: null } }, { size: { gt: { $gt: 0 } } }, { name: /a/ }, { $where: 'sleep(1)' }],
        ...[{ 'config.a': 1 }, { colour: 'red' }, { name: { like: 'a' } }, { name: {} }, { size: '2' }, { tags: 'x' }],
        ...[
          { at: { gt: new Date(Number.NaN) } },
          { size: { contains: '1' } },
          { name: { contains: 'x'.repeat(1001) } },
        ],
      ];
      const ways: readonly ((where: Where<Note>) => Promise<unknown>)[] = [
        (where) => notes.find(where),
        (where) => notes.count(where),
        (where) => notes.remove(where),
        (where) => notes.update(where, { set: { name: 'x' } }),
      ];
      for (const where of wrong)
        for (const way of ways)
          await expect((async () => way(where))(), JSON.stringify(where)).rejects.toMatchObject(
            refusal('invalid_input'),
          );
      expect(await notes.count({})).toBe(5);
    });
  });

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
  ])('%j contains %j: %s, and what is missing contains nothing', async (name, contains, expected) => {
    await notes.insert(aNote({ name, owner: null }));
    expect(await notes.count({ name: { contains } })).toBe(expected ? 1 : 0);
    expect(await notes.count({ owner: { contains: '' } })).toBe(0);
  });

  describe('order and pages', () => {
    it('sort by several fields, each in its own direction, null and missing first', async () => {
      const rows = ['a 2 1', 'a 1 2', 'b 2 3', 'b 1 4', 'b - 5'].map((row) => row.split(' '));
      await insertAll(
        notes,
        rows.map(([owner = '', size = '', name = '']) =>
          aNote({ owner, name, size: size === '-' ? null : Number(size) }),
        ),
      );
      const sorted = async (size: 'asc' | 'desc'): Promise<string> =>
        namesOf(
          await notes.find(
            {},
            {
              sort: [
                ['size', size],
                ['owner', 'asc'],
              ],
            },
          ),
        ).join('');
      expect(await sorted('asc')).toBe('52413');
      expect(await sorted('desc')).toBe('13245');
    });

    it('sort texts by code point, also long ones', async () => {
      const long = ['a', 'b', 'c'].map((end) => `z${'y'.repeat(300)}${end}`);
      const order = ['', 'A', 'B', 'a', ...long, 'é', '\ue000', '😀'];
      const mixed = ['', 'A', 'B', 'a', 'é', '\ue000', '😀', ...long].reverse();
      await insertAll(
        notes,
        mixed.map((slug) => aNote({ slug })),
      );
      const slugs = async (direction: 'asc' | 'desc') =>
        (await notes.find({}, { sort: [['slug', direction]] })).map(({ slug }) => slug);
      expect(await slugs('asc')).toEqual(order);
      expect(await slugs('desc')).toEqual([...order].reverse());
    });

    it.each(['at', 'size'] as const)('cut pages by %s that neither overlap nor leave a gap', async (field) => {
      const all = manyNotes(57, (index) => ({ at: new Date((index % 5) * 1000), size: index % 7 }));
      await insertAll(notes, all);
      const sort = [[field, 'desc'] as const, ['id', 'desc'] as const];
      const paged: string[] = [];
      for (let skip = 0; skip < 60; skip += 10) {
        paged.push(...(await notes.find({}, { sort, skip, limit: 10 })).map(({ id }) => id));
      }
      const right = [...all].sort((a, b) => Number(b[field]) - Number(a[field]) || (a.id < b.id ? 1 : -1));
      expect(paged).toEqual(right.map(({ id }) => id));
    });

    it('give none for a limit of 0, all that there is for one that is too high, and refuse what makes no sense', async () => {
      await insertAll(notes, manyNotes(3));
      expect(await notes.find({}, { limit: 0 })).toEqual([]);
      expect(await notes.find({}, { limit: 10, skip: 1 })).toHaveLength(2);
      expect(await notes.find({}, { skip: 10 })).toEqual([]);
      const wrong = [{ limit: -1 }, { limit: 1.5 }, { skip: Number.NaN }];
      const orders = ['config', 'x'].map((field) => ({ sort: [[field, 'asc']] }));
      for (const options of [...wrong, ...orders]) {
        await expect(notes.find({}, options as never)).rejects.toMatchObject(refusal('invalid_input'));
      }
    });
  });

  describe('update and remove', () => {
    it('change what it names, return the whole, and find it by the new values alone', async () => {
      const note = aNote({ owner: 'ann', size: 1, config: { old: true } });
      await notes.insert(note);
      const set = { owner: 'bob', config: { new: 1 } };
      const changed = await notes.update({ id: note.id }, { set, increment: { size: -3.5 } });
      expect(changed).toEqual({ ...note, state: 'open', tags: [], steps: [], ...set, size: -2.5 });
      expect(await notes.get(note.id)).toEqual(changed);
      expect(await notes.count({ owner: 'ann' })).toBe(0);
      expect(await notes.count({ owner: 'bob' })).toBe(1);
      for (const where of [{ id: note.id, state: 'closed' as const }, { id: 'nobody' }])
        expect(await notes.update(where, { set: { name: 'x' } })).toBeNull();
    });

    it('let exactly one of 50 parallel changes with the same condition win, and lose none of 100 increments', async () => {
      const note = aNote({ state: 'open' });
      await notes.insert(note);
      const attempts = Array.from({ length: 50 }, (_, index) =>
        notes.update({ id: note.id, state: 'open' }, { set: { state: 'closed', size: index } }),
      );
      const winners = (await Promise.all(attempts)).filter((each) => each !== null);
      expect(winners).toHaveLength(1);
      const won = winners[0]?.size ?? Number.NaN;
      expect((await notes.get(note.id))?.size).toBe(won);
      await Promise.all(Array.from({ length: 100 }, () => notes.update({ id: note.id }, { increment: { size: 2 } })));
      expect((await notes.get(note.id))?.size).toBe(won + 200);
    });

    it('give each of 20 takers another document', async () => {
      await insertAll(
        notes,
        manyNotes(20, () => ({ owner: null })),
      );
      const takers = Array.from({ length: 25 }, (_, index) => `taker-${index}`);
      const taken = await Promise.all(takers.map((owner) => notes.update({ owner: null }, { set: { owner } })));
      const ids = taken.filter((each) => each !== null).map(({ id }) => id);
      expect(new Set(ids).size).toBe(20);
    });

    it('refuse what does not fit the kind, or names another id or company', async () => {
      const note = aNote({ size: null });
      await notes.insert(note);
      const wrong = [{ colour: 'red' }, { state: 'ajar' }, { name: { $ne: null } }, { $inc: { size: 1 } }];
      const sets = [...wrong, { id: 'other' }, { companyId: GLOBEX }].map((set) => ({ set }));
      const twice = { set: { size: 1 }, increment: { size: 1 } };
      const increments = [{ name: 1 }, { size: { $gt: 0 } }, { size: Number.NaN }].map((increment) => ({ increment }));
      for (const change of [...sets, ...increments, twice])
        await expect(notes.update({ id: note.id }, change as never)).rejects.toMatchObject(refusal('invalid_input'));
      expect(await notes.get(note.id)).toMatchObject({ name: note.name, size: null, companyId: ACME });
    });

    it('remove what fits and say how many', async () => {
      await insertAll(
        notes,
        manyNotes(450, (index) => ({ owner: index < 430 ? 'ann' : 'bob' })),
      );
      expect(await notes.remove({ owner: 'ann' })).toBe(430);
      expect(await notes.remove({ owner: 'ann' })).toBe(0);
      expect(await notes.count({})).toBe(20);
    });
  });

  it('keeps no more of a company than there is room for, all of what comes together or none, however many come at once', async () => {
    const repository = new (repositoryOf(NOTES))(under.store);
    const limit = { most: 5, where: { owner: 'ann' }, full: 'five are enough' };
    const pairs = Array.from({ length: 4 }, () => [aNote({ owner: 'ann' }), aNote({ owner: 'ann' })]);
    const kept = await Promise.allSettled(pairs.map((pair) => repository.insertWithin(ACME, limit, pair)));
    expect(kept.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(kept.at(-1)).toMatchObject({ reason: refusal('conflict') });
    const slugTaken = [aNote({ owner: 'bob', slug: 'one' }), aNote({ owner: 'bob', slug: 'one' })];
    await expect(repository.insertWithin(ACME, limit, slugTaken)).rejects.toMatchObject(refusal('conflict'));
    expect(await notes.count({})).toBe(4);
  });

  it("hides a company's documents from another in every way, and takes none of them from it", async () => {
    const note = aNote({ owner: 'ann', slug: 'mine' });
    await notes.insert(note);
    expect(await theirs.get(note.id)).toBeNull();
    const own = [{ id: note.id }, { owner: 'ann' }, { slug: 'mine' }, { companyId: ACME }, { id: { in: [note.id] } }];
    for (const where of [{}, ...own]) {
      expect(await theirs.find(where)).toEqual([]);
      expect(await theirs.count(where)).toBe(0);
      expect(await theirs.update(where, { set: { name: 'stolen' } })).toBeNull();
      expect(await theirs.remove(where)).toBe(0);
    }
    await expect(theirs.insert(aNote({ companyId: ACME }))).rejects.toMatchObject(refusal('invalid_input'));
    const same = aNote({ id: note.id, companyId: GLOBEX });
    await expect(theirs.insert(same)).rejects.toMatchObject(refusal('conflict'));
    expect(await notes.find({})).toMatchObject([{ name: note.name }]);
  });

  it('shows the documents of all companies to whoever says so', async () => {
    await notes.insert(aNote({ owner: 'ann' }));
    await theirs.insert(aNote({ companyId: GLOBEX, owner: 'ann' }));
    const all = under.store.tenantCollection(NOTES).ofAll();
    expect(await all.count({ owner: 'ann' })).toBe(2);
    expect(await all.count({ companyId: GLOBEX })).toBe(1);
    expect(await under.store.collection(NOTES).count({})).toBe(2);
  });

  describe('expiry', () => {
    let tickets: Collection<Ticket>;
    const inSeconds = (seconds: number): Date => new Date(under.clock.now().getTime() + seconds * 1000);

    beforeEach(async () => {
      tickets = under.store.collection(TICKETS);
      await tickets.remove({});
    });

    it('hides what has expired in every way, to the second, and nothing without a time or with a later one', async () => {
      await tickets.insert({ id: '1', code: 'a', expiresAt: inSeconds(0) });
      await tickets.insert({ id: '2', code: 'b', expiresAt: inSeconds(0) });
      await tickets.insert({ id: '3', code: 'c', expiresAt: null });
      await tickets.update({ id: '2' }, { set: { expiresAt: inSeconds(100) } });
      under.clock.advance(59_999);
      expect(await tickets.count({})).toBe(3);
      under.clock.advance(1);
      expect(await tickets.get('1')).toBeNull();
      for (const where of [{ id: '1' }, { code: 'a' }]) expect(await tickets.find(where)).toEqual([]);
      expect((await tickets.find({}, { sort: [['id', 'asc']] })).map(({ id }) => id)).toEqual(['2', '3']);
      expect(await tickets.count({})).toBe(2);
      expect(await tickets.update({ id: '1' }, { increment: { uses: 1 } })).toBeNull();
      expect(await tickets.remove({ id: '1' })).toBe(0);
      under.clock.advance(10 ** 12);
      expect(await tickets.get('2')).toBeNull();
      expect((await tickets.get('3'))?.code).toBe('c');
    });

    it('frees the id and the unique values of what has expired', async () => {
      await tickets.insert({ id: '1', code: 'a', expiresAt: inSeconds(0) });
      await tickets.insert({ id: '2', code: 'b', expiresAt: inSeconds(0) });
      under.clock.advance(60_000);
      await tickets.insert({ id: '1', code: 'c', expiresAt: null });
      await tickets.insert({ id: '3', code: 'b', expiresAt: null });
      expect((await tickets.find({}, { sort: [['id', 'asc']] })).map(({ code }) => code)).toEqual(['c', 'b']);
      await tickets.update({ id: '3' }, { set: { code: 'a' } });
      expect(await tickets.count({ code: 'a' })).toBe(1);
    });
  });
}
