import { describe, expect, it } from 'vitest';
import { MiniSearchPassageIndex } from '../../src/adapters/passages/minisearch-passage-index.js';
import type { IndexedPassage, PassageQuery, PassageShelf } from '../../src/ports/passage-index.js';
import { turnsDuring } from '../support/turns.js';

let count = 0;

function aPassage(text: string, parts: Partial<IndexedPassage> = {}): IndexedPassage {
  count += 1;
  return { id: `passage${count}`, group: 'file', heading: null, vector: null, text, ...parts };
}

function aQuery(text: string, parts: Partial<PassageQuery> = {}): PassageQuery {
  return { text, vector: null, vectorWeight: 1, limit: 6, ...parts };
}

/** A vector of length 1 in three dimensions. */
function direction(x: number, y: number, z = 0): Float32Array {
  const norm = Math.sqrt(x * x + y * y + z * z);
  return Float32Array.of(x / norm, y / norm, z / norm);
}

/** Passages that have nothing to do with pumps, no two alike. */
function aside(number: number): readonly IndexedPassage[] {
  return Array.from({ length: number }, (_, index) => {
    const words = Array.from({ length: 12 }, (_word, place) => `w${(index * 7 + place * 13) % 997}x`);
    return aPassage(`Remark ${index}: ${words.join(' ')}`, { vector: direction(0, Math.sin(index), 1) });
  });
}

const index = new MiniSearchPassageIndex();

async function shelfWith(...passages: readonly IndexedPassage[]): Promise<PassageShelf> {
  const shelf = index.newShelf();
  await shelf.add(passages);
  return shelf;
}

/** The ids that a shelf with these passages finds. */
async function found(passages: readonly IndexedPassage[], query: PassageQuery): Promise<readonly string[]> {
  const shelf = await shelfWith(...passages);
  return shelf.search(query).map(({ id }) => id);
}

const pump = aPassage('Grease the pumps every 200 hours of operation.');
const leave = aPassage('Employees have 27 days of annual leave.');

describe('words', () => {
  it.each([
    ['the same word', 'pumps', pump],
    ['another ending', 'pumping', pump],
    ['two letters in the wrong order', 'graese the thing', pump],
    ['a word that means nearly the same', 'How many days of vacation does the staff get?', leave],
  ])('finds by %s', async (_, text, passage) => {
    expect(await found([leave, pump], aQuery(text))).toEqual([passage.id]);
  });

  it('puts first what has more of the question', async () => {
    const passages = [aPassage('The pump is blue.'), aPassage('The pump is greased by hand.'), ...aside(20)];

    expect(await found(passages, aQuery('grease pump'))).toEqual([passages[1]?.id, passages[0]?.id]);
  });

  it('does not take a code for another that is nearly the same', async () => {
    expect(await found([aPassage('E0412 means dry running.')], aQuery('E0413'))).toEqual([]);
  });

  it.each([
    ['German', 'Die Kündigungsfristen betragen drei Monate, wenn nicht anders vereinbart.', 'Kündigungsfrist'],
    ['German without its dots', 'Die Prüfungen der Geräte finden jährlich mit dem Meister statt.', 'prufung'],
    ['Japanese', '返品は購入後30日以内に行ってください。', '返品の期限は？'],
    ['Chinese', '年假为每年二十七天，须提前申请。', '年假有多少天'],
    ['Arabic', 'يمكن إرجاع المنتج خلال أربعة عشر يوما', 'إرجاع المنتج'],
  ])('finds in %s, beside English', async (_, text, question) => {
    const passage = aPassage(text);

    expect(await found([leave, pump, passage, ...aside(30)], aQuery(question))).toEqual([passage.id]);
  });
});

it('keeps a word that another language on the shelf has for holding sentences together', async () => {
  const german = aPassage('Die Pumpe war im Jahr davor noch nicht in der Halle, und sie ist es auch jetzt nicht.');
  const english = aPassage('The civil war ended in 1865, and so it was with the trade of that time.');

  expect((await found([german, english, ...aside(30)], aQuery('When did the war end?')))[0]).toBe(english.id);
});

describe('nothing rather than noise', () => {
  it.each([
    ['no word of it', 'cafeteria menu'],
    ['only words without meaning of their own', 'What is it about, and how do you do?'],
    ['nothing', ''],
  ])('finds nothing when there is %s', async (_, text) => {
    expect(await found([pump, leave], aQuery(text))).toEqual([]);
  });

  it('finds by a vector that is near alone, not by far ones, and never by those that count less than words', async () => {
    const near = aPassage('The device conveys liquids.', { vector: direction(1, 0.2) });
    const passages = [...aside(40), near];
    const by = (x: number, vectorWeight = 1): PassageQuery =>
      aQuery('cafeteria', { vector: direction(x, 0), vectorWeight });

    expect(await found(passages, by(-1))).toEqual([]);
    expect(await found(passages, by(1))).toEqual([near.id]);
    expect(await found([near], by(1, 0.4))).toEqual([]);
  });
});

describe('vectors', () => {
  it('puts the nearer first of what words find alike', async () => {
    const far = aPassage('The red pump stands in the hall.', { vector: direction(0, 1) });
    const near = aPassage('The red pump stands in the yard.', { vector: direction(1, 0) });

    expect(await found([far, near], aQuery('red pump', { vector: direction(1, 0.1) }))).toEqual([near.id, far.id]);
    expect(await found([near, far], aQuery('red pump', { vector: direction(0.1, 1) }))).toEqual([far.id, near.id]);
  });

  it.each([
    ['of another dimension', Float32Array.of(1, 0)],
    ['not a number', Float32Array.of(NaN, 0, 0)],
    ['far from length 1', Float32Array.of(9, 0, 0)],
  ])('does without a vector that is %s, in a passage and in a question', async (_, vector) => {
    const passages = [aPassage('A pump.', { vector: direction(1, 0) }), aPassage('Pumps and pipes.', { vector })];

    expect(await found(passages, aQuery('pump', { vector: direction(1, 0) }))).toHaveLength(2);
    expect(await found(passages.toReversed(), aQuery('pump', { vector }))).toHaveLength(2);
  });
});

describe('the list', () => {
  it('is as long as wanted at most, best first, by falling scores', async () => {
    const many = Array.from({ length: 30 }, (_, place) => aPassage(`pump ${'other thing '.repeat(place)} ${place}`));
    const hits = (await shelfWith(...many)).search(aQuery('pump', { limit: 4 }));

    expect(hits).toHaveLength(4);
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    for (const limit of [0, -1, NaN]) expect(await found([pump], aQuery('pump', { limit }))).toEqual([]);
  });

  it('has copies once or twice, and then what differs', async () => {
    const terms = 'The pump is to be greased with the grease of class two after every 200 hours that it has worked.';
    const copies = Array.from({ length: 8 }, (_, version) => aPassage(terms, { group: `version ${version}` }));
    const other = aPassage('Somebody must grease a pump that was stored for a year, and look at its cable.');
    const hits = await found([...copies, other], aQuery('grease the pump'));

    expect(hits).toContain(other.id);
    expect(hits.length).toBeLessThanOrEqual(3);
  });
});

describe('what is on the shelf', () => {
  it('replaces a passage that comes again', async () => {
    const shelf = await shelfWith(pump);
    await shelf.add([{ ...pump, text: 'The gearbox is oiled.', group: 'new' }]);

    expect(shelf.search(aQuery('pumps'))).toEqual([]);
    shelf.removeGroup(pump.group);
    expect(shelf.search(aQuery('gearbox'))).toMatchObject([{ id: pump.id }]);
  });

  it('forgets a group at once, words and vectors, even if it is called as a method', async () => {
    const gone = { ...pump, id: '__proto__', group: 'constructor', vector: direction(1, 0) };
    const shelf = await shelfWith(gone, { ...leave, group: 'kept' });
    expect(shelf.search(aQuery('pump'))).toMatchObject([{ id: '__proto__' }]);
    shelf.removeGroup('constructor');
    shelf.removeGroup('never there');

    expect(shelf.size).toBe(1);
    expect(shelf.search(aQuery('pump', { vector: direction(1, 0) }))).toEqual([]);
    expect(shelf.search(aQuery('leave'))).toMatchObject([{ id: leave.id }]);
  });

  it('does not take up what was removed while it is being added', async () => {
    const shelf = index.newShelf();
    const many = aside(3000).map((passage) => ({ ...passage, group: 'gone' }));
    const adding = shelf.add([...many, { ...pump, group: 'kept' }]);
    await new Promise((resolve) => setImmediate(resolve));
    shelf.removeGroup('gone');
    await adding;

    expect(shelf.size).toBe(1);
    await shelf.add(many.slice(0, 1));
    expect(shelf.size).toBe(2);
  });

  it('can be searched while much is added, and lets others have their turn', async () => {
    const shelf = await shelfWith(pump);
    const adding = shelf.add(aside(5000));
    const counts = new Set<number>();
    const searching = setInterval(() => counts.add(shelf.search(aQuery('pumps')).length), 1);

    expect(await turnsDuring(adding)).toBeGreaterThan(5);
    clearInterval(searching);
    expect([...counts]).toEqual([1]);
    expect(shelf.size).toBe(5001);
  });
});

describe('what nobody should send', () => {
  it.each([
    ['one word of a million letters', 'x'.repeat(1_000_000)],
    ['a million marks', `a${'\u0301'.repeat(1_000_000)}`],
    ['half characters', '\ud83d\ude00\ud83d pump \udc00'],
    ['a pattern', '(a+)+$ .* [z-a] \\'],
  ])('takes %s for a passage and for a question', async (_, text) => {
    const shelf = await shelfWith(aPassage(text), pump, { ...leave, heading: text });
    const begin = performance.now();
    shelf.search(aQuery(text));

    expect(performance.now() - begin).toBeLessThan(3000);
    expect(shelf.size).toBe(3);
    expect(shelf.search(aQuery('grease')).map(({ id }) => id)).toEqual([pump.id]);
  });
});
