import { afterEach, describe, expect, it } from 'vitest';
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
const TOO_MUCH_MEMORY = 'the document needs too much memory to be read';
const PATIENCE = 60_000;

const world = new DocumentWorld();
afterEach(async () => {
  expect(await readersAlive()).toEqual([]);
});

function refusedWith(message: string | RegExp): object {
  return { name: 'AppError', kind: 'invalid_input', message: expect.stringMatching(message) as string };
}

describe('poison', { timeout: PATIENCE }, () => {
  it('that unpacks to 450 MB in a PDF costs this process nothing', async () => {
    const bomb = aPdfBomb(450);
    expect(bomb.length).toBeLessThan(MEGABYTE);
    const before = process.memoryUsage().rss;

    const limits = { memoryBytes: 300 * MEGABYTE };
    expect(await world.refusal(bomb, PDF, limits)).toMatchObject(refusedWith(TOO_MUCH_MEMORY));

    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEGABYTE);
  });

  it('that unpacks to too much XML in a Word document is not unpacked', async () => {
    const refusal = await world.refusal(aDocx({ body: paragraph('lol').repeat(20_000) }), WORD, {
      unpackedBytes: 2 ** 20,
    });
    expect(refusal).toMatchObject(refusedWith('the Word document unpacks to more than 1 MB of text'));
  });

  it('that lies about how much it unpacks to is stopped all the same', async () => {
    const bytes = Buffer.from(aDocx({ body: paragraph('lol').repeat(300_000) }));
    declareSize(bytes, 'word/document.xml', 1000);

    const refusal = await world.refusal(bytes, WORD, { memoryBytes: 300 * MEGABYTE });
    expect(refusal).toMatchObject(refusedWith(/damaged|memory/));
  });

  it('that is nested 100,000 deep in a Word document ends with a sentence', async () => {
    const depth = 100_000;
    const body = `${'<w:ins>'.repeat(depth)}${paragraph('deep')}${'</w:ins>'.repeat(depth)}`;
    expect(await world.refusal(aDocx({ body }), WORD)).toMatchObject(refusedWith(/damaged|nested|memory/));
  });

  it('that is nested 100,000 deep in a PDF ends with a sentence or without the nonsense', async () => {
    const content = Buffer.from(`${'['.repeat(100_000)} ${shown('deep')}`);
    expect(await world.refusal(aPdfOfContent(content), PDF)).toMatchObject(refusedWith(/no text|damaged|nested/));
  });

  it('that takes too long is ended', async () => {
    expect(await world.refusal(await aPdf([['Hello']]), PDF, { readMs: 50 })).toMatchObject(
      refusedWith('reading the document took longer than 0.05 seconds'),
    );
  });
});

/** Writes another unpacked size into the archive's directory. */
function declareSize(archive: Buffer, name: string, size: number): void {
  const at = archive.lastIndexOf(name);
  archive.writeUInt32LE(size, at - 46 + 24);
}
