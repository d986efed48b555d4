import { describe, expect, it } from 'vitest';
import { READING_LIMITS } from '../../src/adapters/reading/reading-limits.js';
import { aDocx, aPdfOfBlanks, aPdfOfContent, paragraph } from './document-reader.fixture.js';
import { DocumentWorld, PDF, TEXT, WORD } from './document-reader.world.js';

const world = new DocumentWorld();

describe('a document over a limit', () => {
  it('that is a text of 50 MiB is refused', async () => {
    const text = Buffer.alloc(50 * 1024 * 1024, 'All work and no play makes Jack a dull boy.\n');
    await expect(world.read(text, TEXT)).rejects.toThrow(
      'the document holds too much text (more than 5,000,000 characters)',
    );
  });

  it('that is a PDF of 10,000 tiny pages is refused', async () => {
    await expect(world.read(aPdfOfBlanks(10_000), PDF)).rejects.toThrow('the document has more than 2,000 pages');
  });

  it('that is one page with too much text is refused before it is all read', async () => {
    const content = Buffer.from(`BT /F1 1 Tf ${'1 0 0 1 72 720 Tm (0123456789) Tj '.repeat(100_000)} ET`);
    const reading = world.read(aPdfOfContent(content), PDF, { ...READING_LIMITS, characters: 50_000 });
    await expect(reading).rejects.toThrow('the document holds too much text (more than 50,000 characters)');
  });

  it('that is too many paragraphs is refused', async () => {
    await expect(world.read('a\n\n'.repeat(3000), TEXT, { ...READING_LIMITS, blocks: 2000 })).rejects.toThrow(
      'more than 2,000 paragraphs',
    );
  });

  it('that is too many parts is refused', async () => {
    const others = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`part${at}`, new Uint8Array()]));
    await expect(world.read(aDocx({ body: paragraph('a'), others }), WORD)).rejects.toThrow(
      'the Word document has more than 1,000 parts',
    );
  });
});
