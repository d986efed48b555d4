import { strToU8, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { READING_LIMITS, type ReadingLimits } from '../../src/adapters/reading/reading-limits.js';
import { recogniseDocument } from '../../src/adapters/reading/recognise-document.js';
import type { DocumentType } from '../../src/ports/document-reader.js';
import {
  aDocx,
  anEncryptedPdf,
  aPdf,
  aPdfOfBlanks,
  aPdfOfContent,
  DocumentWorld,
  paragraph,
  PDF,
  TEXT,
  WORD,
} from './document-reader.fixture.js';

const world = new DocumentWorld();

describe('recognising a document', () => {
  const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

  function anOle(stream: string): Buffer {
    const bytes = Buffer.alloc(4096);
    OLE.copy(bytes);
    bytes.writeUInt16LE(9, 30);
    bytes.write(stream, 512 + 128, 'utf16le');
    return bytes;
  }

  const SUPPORTED: readonly (readonly [what: string, type: string, bytes: () => Uint8Array | Promise<Uint8Array>])[] = [
    ['a PDF', PDF, () => aPdf([['Hello']])],
    ['a PDF behind junk', PDF, async () => Buffer.concat([Buffer.alloc(900, 0x01), await aPdf([['Hello']])])],
    ['a Word document', WORD, () => aDocx({ body: paragraph('Hello') })],
    ['a Word document that was cut off', WORD, () => aDocx({ body: paragraph('Hello') }).subarray(0, 900)],
    ['an encrypted Word document', WORD, () => anOle('EncryptedPackage')],
    ['a text', TEXT, () => Buffer.from('Grüße aus Köln')],
    ['a text in UTF-16 without a mark', TEXT, () => Buffer.from('Plain words', 'utf16le')],
    ['a text in UTF-16 with a mark', TEXT, () => Buffer.from('\ufeffPlain words', 'utf16le')],
    ['JSON', TEXT, () => Buffer.from('{"a": [1, 2]}')],
    ['a text that mentions PDF', TEXT, () => Buffer.from('A file that begins with %PDF- is a PDF.')],
  ];

  it.each(SUPPORTED)('sees %s', async (_, type, bytes) => {
    const seen = await recogniseDocument(await world.file(await bytes()), READING_LIMITS);
    expect(seen).toEqual({ supported: true, type });
  });

  const OTHERS: readonly (readonly [what: string, mediaType: string, bytes: Uint8Array])[] = [
    ['an archive', 'application/zip', zipSync({ 'a.txt': strToU8('a') })],
    ['an archive that only looks like Word', 'application/zip', zipSync({ 'word/other.xml': strToU8('a') })],
    [
      'a sheet',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'xl/workbook.xml': strToU8('<a/>') }, { level: 0 }),
    ],
    [
      'an OpenDocument text',
      'application/vnd.oasis.opendocument.text',
      zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.text'), { level: 0 }] }),
    ],
    ['an old Word document', 'application/msword', anOle('WordDocument')],
    ['a picture', 'image/png', Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex')],
    ['bytes', 'application/octet-stream', Buffer.from([0, 1, 2, 3, 4, 5, 0, 0, 9, 200])],
  ];

  it.each(OTHERS)('says what %s is instead', async (_, mediaType, bytes) => {
    const seen = await recogniseDocument(await world.file(bytes), READING_LIMITS);
    expect(seen).toEqual({ supported: false, mediaType });
  });
});

describe('a document that cannot be read', async () => {
  const docx = aDocx({ body: paragraph('Hello') });

  it.each([
    ['an empty PDF', PDF, Buffer.alloc(0), 'the file is empty'],
    ['an empty text', TEXT, Buffer.from(' \n\t\n'), 'the file is empty'],
    ['garbage for a PDF', PDF, Buffer.alloc(5000, 0x07), 'the PDF is damaged'],
    ['an archive for a Word document', WORD, zipSync({ a: strToU8('a') }), 'not a Word document'],
    ['half a Word document', WORD, docx.subarray(0, docx.length / 2), 'the Word document is damaged'],
    ['a Word document of broken XML', WORD, aDocx({ body: '<w:p><w:r>' }), 'the Word document is damaged'],
    ['a PDF with a password', PDF, anEncryptedPdf('password'), 'encrypted PDF'],
    ['a PDF without text', PDF, await aPdf([[], []]), 'no text in this PDF (scanned?)'],
  ] as const)('is refused: %s', async (_, type, bytes, message) => {
    await expect(world.read(bytes, type)).rejects.toMatchObject({ name: 'AppError', kind: 'invalid_input', message });
  });
});

describe('a document over a limit', () => {
  const parts = Array.from({ length: 1001 }, (_, at) => [`part${at}`, new Uint8Array()]);
  const page = `BT /F1 1 Tf ${'1 0 0 1 72 720 Tm (0123456789) Tj '.repeat(100_000)} ET`;

  it.each<readonly [string, DocumentType, () => Uint8Array | string, Partial<ReadingLimits>, string]>([
    ['a long text', TEXT, () => 'All work\n'.repeat(600_000), {}, 'too much text (more than 5,000,000 characters)'],
    ['10,000 tiny pages', PDF, () => aPdfOfBlanks(10_000), {}, 'more than 2,000 pages'],
    [
      'one page with too much text, before it is all read',
      PDF,
      () => aPdfOfContent(Buffer.from(page)),
      { characters: 50_000 },
      'too much text (more than 50,000 characters)',
    ],
    ['too many paragraphs', TEXT, () => 'a\n\n'.repeat(3000), { blocks: 2000 }, 'more than 2,000 paragraphs'],
    [
      'too many parts',
      WORD,
      () => aDocx({ body: paragraph('a'), others: Object.fromEntries(parts) as Zippable }),
      {},
      'the Word document has more than 1,000 parts',
    ],
  ])('is refused: %s', async (_, type, bytes, limits, message) => {
    await expect(world.read(bytes(), type, { ...READING_LIMITS, ...limits })).rejects.toThrow(message);
  });
});
