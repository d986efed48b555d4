import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { DocumentType } from '../../src/ports/document-reader.js';
import { aDocx, aPdf, DocumentWorld, paragraph, PDF, readersAlive, TEXT, WORD } from './document-reader.fixture.js';

// The service itself must get by without these: only the process that reads has them.
vi.mock('mammoth', () => {
  throw new Error('mammoth was loaded');
});
vi.mock('yauzl', () => {
  throw new Error('yauzl was loaded');
});
vi.mock('file-type', () => {
  throw new Error('file-type was loaded');
});
vi.mock('chardet', () => {
  throw new Error('chardet was loaded');
});

const world = new DocumentWorld();
afterAll(async () => {
  expect(await readersAlive()).toEqual([]);
});

const never = new AbortController().signal;

type Kind = readonly [name: string, type: DocumentType, bytes: () => string | Uint8Array | Promise<Uint8Array>];
const kinds: readonly Kind[] = [
  ['text', TEXT, () => 'Grüße'],
  ['PDF', PDF, () => aPdf([['Grüße']])],
  ['Word document', WORD, () => aDocx({ body: paragraph('Grüße') })],
];

it.each(kinds)('a document is recognised and read: %s', async (_, type, bytes) => {
  const path = await world.file(await bytes());

  await expect(world.reader().recognise(path)).resolves.toEqual({ supported: true, type });
  await expect(world.reader().read(path, type, never)).resolves.toMatchObject([{ text: 'Grüße', heading: null }]);
});

it('a document is named by what it is when nobody reads it', async () => {
  const seen = await world.reader().recognise(await world.file(zipSync({ 'a.txt': strToU8('a') })));
  expect(seen).toEqual({ supported: false, mediaType: 'application/zip' });
});

describe('the processes that read', () => {
  it('end when nobody waits for them any more', async () => {
    const stop = new AbortController();
    const path = await world.file(await aPdf([['Hello']]));
    const reading = world.reader().read(path, PDF, stop.signal);
    await vi.waitUntil(async () => (await readersAlive()).length === 1, 10_000);
    stop.abort(new Error('enough'));

    await expect(reading).rejects.toThrow('enough');
    expect(await readersAlive()).toEqual([]);
  });

  it('are two at most, and the others wait their turn or leave', async () => {
    const reader = world.reader();
    const path = await world.file('Hello');
    const stop = new AbortController();
    let most = 0;
    const looking = setInterval(() => void readersAlive().then(({ length }) => (most = Math.max(most, length))), 50);
    const readings = Array.from({ length: 4 }, () => reader.read(path, TEXT, never));
    const leaving = reader.read(path, TEXT, stop.signal);
    stop.abort(new Error('gone'));

    await expect(leaving).rejects.toThrow('gone');
    const read = await Promise.all(readings);
    clearInterval(looking);

    expect(read.map((blocks) => blocks[0]?.text)).toEqual(['Hello', 'Hello', 'Hello', 'Hello']);
    expect(most).toBe(2);
  });

  it('may be tried again when they were killed by somebody else, or the file is not there', async () => {
    const reading = world.refusal(await aPdf([['Hello']]), PDF);
    await vi.waitUntil(async () => (await readersAlive()).length === 1, 10_000);
    for (const pid of await readersAlive()) process.kill(pid, 'SIGKILL');

    expect(await reading).toMatchObject({ kind: 'unavailable' });
    const missing = world.reader().read('/nowhere/at-all', TEXT, never);
    await expect(missing).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
