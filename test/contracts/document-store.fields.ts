import { beforeAll, describe, expect, it } from 'vitest';
import type { Collection } from '../../src/ports/document-store.js';
import {
  ACCOUNTS,
  ACME,
  GLOBEX,
  NOTES,
  aNote,
  insertAll,
  manyNotes,
  namesOf,
  refusal,
  type Note,
  type StoreUnderTest,
} from './document-store.kinds.js';

/** What is stored comes back, and what does not fit is refused. */
export function documentFieldsContract(of: () => StoreUnderTest): void {
  let under: StoreUnderTest;
  let notes: Collection<Note>;

  beforeAll(() => {
    under = of();
    notes = under.store.tenantCollection(NOTES).of(ACME);
  });

  describe('insert and get', () => {
    it('gives back what was stored, defaults included, dates as dates', async () => {
      const at = new Date('2026-03-01T10:20:30.456Z');
      const note = aNote({ at, size: 1.5, pinned: false, owner: null, tags: ['x'], steps: [{ title: 'one' }] });
      await notes.insert(note);
      expect(await notes.get(note.id)).toEqual({ ...note, state: 'open', steps: [{ title: 'one', rank: 1 }] });
    });

    it('lets one of many inserts of the same id through, and refuses the others', async () => {
      const note = aNote();
      const ends = await Promise.allSettled(Array.from({ length: 20 }, () => notes.insert(note)));
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject(refusal('conflict'));
      expect(await notes.get('x'.repeat(1000))).toBeNull();
    });

    it.each(['ä€ 😀', '%_.*([', '../../x', 'a\0b', '$where', '"\'\\', 'x'.repeat(200)])(
      'keeps a document under the id %j',
      async (id) => {
        await notes.insert(aNote({ id, name: 'odd' }));
        expect((await notes.get(id))?.name).toBe('odd');
        expect(namesOf(await notes.find({ id }))).toEqual(['odd']);
        expect((await notes.update({ id }, { set: { name: 'changed' } }))?.id).toBe(id);
        expect(await notes.remove({ id })).toBe(1);
      },
    );

    it('keeps free-form fields as they are, whatever their keys', async () => {
      const config = {
        'a.b': 1,
        $x: 2,
        '': 3,
        id: 'i',
        _id: 'u',
        list: [{ $set: { 'c.d': null } }],
        at: new Date(5),
        no: {},
      };
      const note = aNote({ config, limits: { 'a.b': 1, $x: 2 } });
      await notes.insert(note);
      const changed = await notes.update(
        { id: note.id },
        { set: { name: 'n', config: { $inc: { 'e.f': [1, [2]] } } } },
      );
      expect(changed?.config).toEqual({ $inc: { 'e.f': [1, [2]] } });
      await notes.update({ id: note.id }, { set: { config } });
      expect(await notes.get(note.id)).toMatchObject({ config, limits: { 'a.b': 1, $x: 2 } });
      expect((await notes.get(note.id))?.config).toEqual(config);
    });

    it('keeps every number and every time exactly', async () => {
      const numbers = [0, -1, 0.1, 1e-300, -1.5e300, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -(2 ** 53 - 1)];
      const dates = [0, 1, -1, 999, 1_700_000_000_001, -62_135_596_800_000, 253_402_300_799_999].map(
        (ms) => new Date(ms),
      );
      const note = aNote({ config: { numbers, dates } });
      await notes.insert(note);
      expect((await notes.get(note.id))?.config).toEqual({ numbers, dates });
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

    it.each<[string, object]>([
      ['an unknown field', { colour: 'red' }],
      ['a missing required field', { name: undefined }],
      ['a value outside the allowed ones', { state: 'ajar' }],
      ['an operator as a value', { name: { $ne: null } }],
      ['an id that is an operator', { id: { $gt: '' } }],
    ])('refuses %s', async (_what, fields) => {
      await expect(notes.insert({ ...aNote(), ...fields })).rejects.toMatchObject(refusal('invalid_input'));
    });
  });

  describe('unique fields', () => {
    it('refuses a second document with the same value, also of another company', async () => {
      const accounts = under.store.tenantCollection(ACCOUNTS);
      await accounts.of(ACME).insert({ id: '1', companyId: ACME, email: 'a@x.example' });
      const second = accounts.of(GLOBEX).insert({ id: '2', companyId: GLOBEX, email: 'a@x.example' });
      await expect(second).rejects.toMatchObject({ ...refusal('conflict'), message: 'email is already taken' });
    });

    it('holds a rule within a company only there', async () => {
      await notes.insert(aNote({ slug: 'same' }));
      await expect(notes.insert(aNote({ slug: 'same' }))).rejects.toMatchObject(refusal('conflict'));
      const others = under.store.tenantCollection(NOTES).of(GLOBEX);
      await expect(others.insert(aNote({ companyId: GLOBEX, slug: 'same' }))).resolves.toBeUndefined();
    });

    it('refuses a change to a value that is taken, and leaves the document as it was', async () => {
      const [first, second] = [aNote({ slug: 'one' }), aNote({ slug: 'two' })];
      await insertAll(notes, [first, second]);
      const change = notes.update({ id: second.id }, { set: { slug: 'one', name: 'changed' } });
      await expect(change).rejects.toMatchObject(refusal('conflict'));
      expect(await notes.get(second.id)).toMatchObject({ slug: 'two', name: second.name });
    });

    it('frees a value when its document is changed or removed', async () => {
      const [first, second] = [aNote({ slug: 'one' }), aNote({ slug: 'two' })];
      await insertAll(notes, [first, second]);
      await notes.update({ id: first.id }, { set: { slug: 'three' } });
      await notes.remove({ id: second.id });
      await expect(insertAll(notes, [aNote({ slug: 'one' }), aNote({ slug: 'two' })])).resolves.toBeUndefined();
    });

    it('lets one of many racing inserts through', async () => {
      const racing = manyNotes(30, () => ({ slug: 'race' }));
      const ends = await Promise.allSettled(racing.map((each) => notes.insert(each)));
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await notes.count({ slug: 'race' })).toBe(1);
    });

    it('tells long values apart that begin alike', async () => {
      const long = 'x'.repeat(2000);
      await insertAll(notes, [aNote({ slug: `${long}1` }), aNote({ slug: `${long}2` })]);
      await expect(notes.insert(aNote({ slug: `${long}1` }))).rejects.toMatchObject(refusal('conflict'));
      expect(await notes.count({ slug: `${long}2` })).toBe(1);
    });

    it('counts a missing value as one', async () => {
      const { slug: _slug, ...nameless } = aNote();
      const { slug: _other, ...second } = aNote();
      await notes.insert(nameless);
      await expect(notes.insert(second)).rejects.toMatchObject(refusal('conflict'));
    });
  });
}
