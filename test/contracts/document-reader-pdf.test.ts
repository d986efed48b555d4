import { describe, expect, it } from 'vitest';
import { aPdf, aPdfOfContent, anEncryptedPdf, shown } from './document-reader.fixture.js';
import { DocumentWorld, PDF } from './document-reader.world.js';

const world = new DocumentWorld();

const LONG = 'The company sells pumps and valves to water works in eleven countries of the con-';

describe('a PDF', () => {
  it('has its pages, and its paragraphs put together from lines', async () => {
    const pdf = await aPdf([[LONG, 'tinent and beyond it.', '', 'Prices rose.'], ['Second page.']]);
    expect(await world.read(pdf, PDF)).toEqual([
      {
        text: 'The company sells pumps and valves to water works in eleven countries of the continent and beyond it.',
        page: 1,
        heading: null,
      },
      { text: 'Prices rose.', page: 1, heading: null },
      { text: 'Second page.', page: 2, heading: null },
    ]);
  });

  it('keeps the hyphen of a word that it also writes within a line', async () => {
    const first = 'Our long-term plan says so and the shareholders have asked us to follow the long-';
    const [text] = await world.texts(await aPdf([[first, 'term plan with all our strength in the next years.']]), PDF);
    expect(text).toContain('follow the long-term plan');
  });

  it('has larger letters for headings', async () => {
    const body = Array.from(
      { length: 8 },
      () => 'Body text that says something about the matter at hand, at some length.',
    );
    const pdf = await aPdf([[{ text: 'Annual report', size: 24 }, '', '', { text: 'Revenue', size: 16 }, '', ...body]]);
    const [first] = await world.read(pdf, PDF);
    expect(first?.heading).toBe('Annual report > Revenue');
  });

  it('says running headers and footers once, and page numbers never', async () => {
    const pages = Array.from({ length: 6 }, (_, at) => [
      { text: 'Example Limited - Annual report', y: 815 },
      `The matter of chapter ${at + 1} is told here.`,
      { text: `Page ${at + 1} of 6`, y: 20 },
    ]);
    const texts = (await world.texts(await aPdf(pages), PDF)).join('\n');
    expect(texts.match(/Annual report/g)).toHaveLength(1);
    expect(texts).not.toMatch(/Page \d/);
    expect(texts.match(/The matter of chapter \d/g)).toHaveLength(6);
  });

  it('tells the columns of a table apart, row by row', async () => {
    const rows = [
      ['Name', 'Price'],
      ['Pump', '12.50'],
      ['Valve', '3.10'],
    ].flatMap(([name = '', price = ''], at) => [
      { text: name, x: 60, y: 700 - at * 14 },
      { text: price, x: 300, y: 700 - at * 14 },
    ]);
    expect(await world.texts(await aPdf([rows]), PDF)).toEqual(['Name | Price\nPump | 12.50\nValve | 3.10']);
  });

  it('goes on in the next column', async () => {
    const column = (x: number, lines: readonly string[]) => lines.map((text, at) => ({ text, x, y: 780 - at * 14 }));
    const pdf = await aPdf([
      [
        ...column(60, ['Left column of words that go', 'down the page and then to the']),
        ...column(320, ['top of the right one, where', 'they end.']),
      ],
    ]);
    expect(await world.texts(pdf, PDF)).toEqual([
      'Left column of words that go down the page and then to the top of the right one, where they end.',
    ]);
  });

  it('is read when only its owner has a password', async () => {
    const pdf = anEncryptedPdf('For everybody', { user: '', owner: 'secret' });
    expect(await world.texts(pdf, PDF)).toEqual(['For everybody']);
  });

  it('is read when some of its pages are only pictures', async () => {
    expect(await world.read(await aPdf([[], ['Words'], []]), PDF)).toEqual([{ text: 'Words', page: 2, heading: null }]);
  });

  it('is read when its table of objects is wrong', async () => {
    const pdf = aPdfOfContent(Buffer.from(shown('Mended')));
    const broken = Buffer.from(pdf.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1');
    expect(await world.texts(broken, PDF)).toEqual(['Mended']);
  });

  it('of 100 pages has them all, in order', async () => {
    const pages = Array.from({ length: 100 }, (_, at) => [`Marker ${at + 1}`, LONG, 'and so on.']);
    const blocks = await world.read(await aPdf(pages), PDF);
    const found = blocks.flatMap(({ text, page }) => (/Marker (\d+)/.exec(text)?.[1] === String(page) ? [page] : []));
    expect(found).toEqual(pages.map((_, at) => at + 1));
  });
});
