import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Collection } from '../../src/ports/document-store.js';
import {
  ACME,
  GLOBEX,
  NOTES,
  TICKETS,
  aNote,
  insertAll,
  manyNotes,
  refusal,
  type Note,
  type StoreUnderTest,
  type Ticket,
} from './document-store.kinds.js';

/** Changes, removals, companies and expiry. */
export function documentChangesContract(of: () => StoreUnderTest): void {
  let under: StoreUnderTest;
  let notes: Collection<Note>;

  beforeAll(() => {
    under = of();
    notes = under.store.tenantCollection(NOTES).of(ACME);
  });

  describe('update', () => {
    it('changes what it names, returns the whole, and finds it by the new values alone', async () => {
      const note = aNote({ owner: 'ann', size: 1, config: { old: true } });
      await notes.insert(note);
      const changed = await notes.update({ id: note.id }, { set: { owner: 'bob', config: { new: 1 } } });
      expect(changed).toEqual({ ...note, state: 'open', tags: [], steps: [], owner: 'bob', config: { new: 1 } });
      expect(await notes.get(note.id)).toEqual(changed);
      expect(await notes.count({ owner: 'ann' })).toBe(0);
      expect(await notes.count({ owner: 'bob' })).toBe(1);
    });

    it('gives null when nothing fits', async () => {
      const note = aNote({ state: 'open' });
      await notes.insert(note);
      expect(await notes.update({ id: note.id, state: 'closed' }, { set: { name: 'x' } })).toBeNull();
      expect(await notes.update({ id: 'nobody' }, { set: { name: 'x' } })).toBeNull();
    });

    it('lets exactly one of 50 parallel changes with the same condition win', async () => {
      const note = aNote({ state: 'open' });
      await notes.insert(note);
      const attempts = Array.from({ length: 50 }, (_, index) =>
        notes.update({ id: note.id, state: 'open' }, { set: { state: 'closed', size: index } }),
      );
      const winners = (await Promise.all(attempts)).filter((each) => each !== null);
      expect(winners).toHaveLength(1);
      expect((await notes.get(note.id))?.size).toBe(winners[0]?.size);
    });

    it('gives each of 20 takers another document', async () => {
      await insertAll(
        notes,
        manyNotes(20, () => ({ owner: null })),
      );
      const takers = Array.from({ length: 25 }, (_, index) => `taker-${index}`);
      const taken = await Promise.all(takers.map((owner) => notes.update({ owner: null }, { set: { owner } })));
      const ids = taken.filter((each) => each !== null).map(({ id }) => id);
      expect(new Set(ids).size).toBe(20);
    });

    it('loses none of 100 parallel increments', async () => {
      const note = aNote();
      await notes.insert(note);
      await Promise.all(Array.from({ length: 100 }, () => notes.update({ id: note.id }, { increment: { size: 2 } })));
      expect((await notes.get(note.id))?.size).toBe(200);
    });

    it('sets and increments at once, downwards as well', async () => {
      const note = aNote({ size: 1 });
      await notes.insert(note);
      const changed = await notes.update({ id: note.id }, { set: { name: 'x' }, increment: { size: -3.5 } });
      expect(changed).toMatchObject({ name: 'x', size: -2.5 });
    });

    it.each<[string, object]>([
      ['an unknown field', { set: { colour: 'red' } }],
      ['a value outside the allowed ones', { set: { state: 'ajar' } }],
      ['an operator as a value', { set: { name: { $ne: null } } }],
      ['an operator as a field', { set: { $inc: { size: 1 } } }],
      ['another id', { set: { id: 'other' } }],
      ['another company', { set: { companyId: GLOBEX } }],
      ['an increment of what is no number', { increment: { name: 1 } }],
      ['an increment by an operator', { increment: { size: { $gt: 0 } } }],
    ])('refuses %s', async (_what, change) => {
      const note = aNote({ size: null });
      await notes.insert(note);
      await expect(notes.update({ id: note.id }, change)).rejects.toMatchObject(refusal('invalid_input'));
      expect(await notes.get(note.id)).toMatchObject({ name: note.name, size: null, companyId: ACME });
    });
  });

  describe('remove', () => {
    it('removes what fits and says how many', async () => {
      await insertAll(
        notes,
        manyNotes(450, (index) => ({ owner: index < 430 ? 'ann' : 'bob' })),
      );
      expect(await notes.remove({ owner: 'ann' })).toBe(430);
      expect(await notes.remove({ owner: 'ann' })).toBe(0);
      expect(await notes.count({})).toBe(20);
    });
  });

  describe('companies', () => {
    it("hides a company's documents from another in every way", async () => {
      const theirs = under.store.tenantCollection(NOTES).of(GLOBEX);
      const note = aNote({ owner: 'ann', slug: 'mine' });
      await notes.insert(note);
      expect(await theirs.get(note.id)).toBeNull();
      for (const where of [
        {},
        { id: note.id },
        { owner: 'ann' },
        { slug: 'mine' },
        { companyId: ACME },
        { id: { in: [note.id] } },
      ]) {
        expect(await theirs.find(where)).toEqual([]);
        expect(await theirs.count(where)).toBe(0);
        expect(await theirs.update(where, { set: { name: 'stolen' } })).toBeNull();
        expect(await theirs.remove(where)).toBe(0);
      }
      expect(await notes.get(note.id)).toMatchObject({ name: note.name });
    });

    it('refuses to store a document of another company', async () => {
      const theirs = under.store.tenantCollection(NOTES).of(GLOBEX);
      await expect(theirs.insert(aNote({ companyId: ACME }))).rejects.toMatchObject(refusal('invalid_input'));
      expect(await notes.count({})).toBe(0);
    });

    it('shows all of them to whoever says so', async () => {
      await notes.insert(aNote({ owner: 'ann' }));
      await under.store
        .tenantCollection(NOTES)
        .of(GLOBEX)
        .insert(aNote({ companyId: GLOBEX, owner: 'ann' }));
      const all = under.store.tenantCollection(NOTES).ofAll();
      expect(await all.count({ owner: 'ann' })).toBe(2);
      expect(await all.count({ companyId: GLOBEX })).toBe(1);
      expect(await under.store.collection(NOTES).count({})).toBe(2);
    });

    it('refuses a second document with the id of another company', async () => {
      const note = aNote();
      await notes.insert(note);
      const theirs = under.store.tenantCollection(NOTES).of(GLOBEX);
      await expect(theirs.insert(aNote({ id: note.id, companyId: GLOBEX }))).rejects.toMatchObject(refusal('conflict'));
    });
  });

  describe('expiry', () => {
    let tickets: Collection<Ticket>;
    const inSeconds = (seconds: number): Date => new Date(under.clock.now().getTime() + seconds * 1000);

    beforeEach(async () => {
      tickets = under.store.collection(TICKETS);
      await tickets.remove({});
    });

    it('hides what has expired in every way, to the second', async () => {
      await tickets.insert({ id: '1', code: 'a', expiresAt: inSeconds(0) });
      under.clock.advance(59_999);
      expect(await tickets.count({})).toBe(1);
      under.clock.advance(1);
      expect(await tickets.get('1')).toBeNull();
      expect(await tickets.find({})).toEqual([]);
      expect(await tickets.find({ id: '1' })).toEqual([]);
      expect(await tickets.find({ code: 'a' })).toEqual([]);
      expect(await tickets.count({})).toBe(0);
      expect(await tickets.update({ id: '1' }, { increment: { uses: 1 } })).toBeNull();
      expect(await tickets.remove({})).toBe(0);
    });

    it('keeps what has no time to expire at', async () => {
      await tickets.insert({ id: '1', code: 'a', expiresAt: null });
      under.clock.advance(10 ** 12);
      expect((await tickets.get('1'))?.code).toBe('a');
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

    it('lets a document live longer when its time is moved', async () => {
      await tickets.insert({ id: '1', code: 'a', expiresAt: inSeconds(0) });
      await tickets.update({ id: '1' }, { set: { expiresAt: inSeconds(100) } });
      under.clock.advance(60_000);
      expect(await tickets.count({})).toBe(1);
    });
  });
}
