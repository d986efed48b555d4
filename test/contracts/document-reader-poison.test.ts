import { afterEach, describe, expect, it } from 'vitest';
import type { ReadingLimits } from '../../src/adapters/reading/reading-limits.js';
import type { DocumentType } from '../../src/ports/document-reader.js';
import {
  aDocx,
  aPdf,
  aPdfBomb,
  aPdfOfContent,
  DocumentWorld,
  paragraph,
  PDF,
  readersAlive,
  shown,
  WORD,
} from './document-reader.fixture.js';

const MEGABYTE = 1_000_000;
const DEEP = 100_000;

const world = new DocumentWorld();
afterEach(async () => {
  expect(await readersAlive()).toEqual([]);
});

describe('poison', () => {
  it('that unpacks to 450 MB in a PDF costs this process nothing', async () => {
    const bomb = aPdfBomb(450);
    expect(bomb.length).toBeLessThan(MEGABYTE);
    const before = process.memoryUsage().rss;

    const limits = { memoryBytes: 300 * MEGABYTE };
    expect(await world.refusal(bomb, PDF, limits)).toMatchObject(refused(/needs too much memory to be read$/));

    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEGABYTE);
  });

  it.each<readonly [string, () => Uint8Array | Promise<Uint8Array>, DocumentType, Partial<ReadingLimits>, RegExp]>([
    [
      'unpacks to too much XML in a Word document',
      () => aDocx({ body: paragraph('lol').repeat(20_000) }),
      WORD,
      { unpackedBytes: 2 ** 20 },
      /^the Word document unpacks to more than 1 MB of text$/,
    ],
    [
      'lies about how much it unpacks to',
      () => declaring(1000, Buffer.from(aDocx({ body: paragraph('lol').repeat(300_000) }))),
      WORD,
      { memoryBytes: 300 * MEGABYTE },
      /damaged|memory/,
    ],
    [
      'is nested 100,000 deep in a Word document',
      () => aDocx({ body: `${'<w:ins>'.repeat(DEEP)}${paragraph('deep')}${'</w:ins>'.repeat(DEEP)}` }),
      WORD,
      {},
      /damaged|nested|memory/,
    ],
    [
      'is nested 100,000 deep in a PDF',
      () => aPdfOfContent(Buffer.from(`${'['.repeat(DEEP)} ${shown('deep')}`)),
      PDF,
      {},
      /no text|damaged|nested/,
    ],
    ['takes too long', () => aPdf([['Hello']]), PDF, { readMs: 50 }, /^reading the document took longer than 0.05/],
  ])('that %s ends with a sentence', async (_, bytes, type, limits, message) => {
    expect(await world.refusal(await bytes(), type, limits)).toMatchObject(refused(message));
  });
});

function refused(message: RegExp): object {
  return { name: 'AppError', kind: 'invalid_input', message: expect.stringMatching(message) as string };
}

/** Writes another unpacked size of the body into the archive's directory. */
function declaring(size: number, archive: Buffer): Buffer {
  archive.writeUInt32LE(size, archive.lastIndexOf('word/document.xml') - 46 + 24);
  return archive;
}
