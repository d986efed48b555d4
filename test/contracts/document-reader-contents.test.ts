import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import {
  aDocx,
  anEncryptedPdf,
  aPdf,
  aPdfOfContent,
  DocumentWorld,
  lists,
  paragraph,
  PDF,
  shown,
  table,
  TEXT,
  WORD,
} from './document-reader.fixture.js';

const world = new DocumentWorld();

describe('a Word document', () => {
  it('has its paragraphs under their headings', async () => {
    const body = [
      paragraph('Before all.'),
      paragraph('Prices', { style: 'H1' }),
      paragraph('Pumps', { style: 'H2' }),
      paragraph('A pump costs 5.'),
      paragraph('Delivery', { style: 'H1' }),
      paragraph('In a week.'),
      paragraph('Annex', { style: 'H1' }),
    ].join('');
    expect(await world.read(aDocx({ body }), WORD)).toEqual([
      { text: 'Before all.', page: null, heading: null },
      { text: 'A pump costs 5.', page: null, heading: 'Prices > Pumps' },
      { text: 'In a week.', page: null, heading: 'Delivery' },
      { text: 'Annex', page: null, heading: null },
    ]);
  });

  it('has its lists with marks and numbers', async () => {
    const body = [
      paragraph('milk', { numbering: '1' }),
      paragraph('first', { numbering: '2' }),
      paragraph('inner', { numbering: '2.1' }),
      paragraph('between'),
      paragraph('second', { numbering: '2' }),
      paragraph('inner again', { numbering: '2.1' }),
    ].join('');
    expect(await world.texts(aDocx({ body, numbering: lists('bullet', 'decimal') }), WORD)).toEqual([
      '- milk',
      '1. first',
      '1. inner',
      'between',
      '2. second',
      '1. inner again',
    ]);
  });

  const ROWS = [
    ['Name', 'Price'],
    ...[
      ['Pump', '12.50'],
      ['Valve', '3.10'],
    ],
  ];
  const NAMED = ['Name: Pump; Price: 12.50', 'Name: Valve; Price: 3.10'];
  const CELLS = [
    ['Ada', 'London'],
    ['Emmy', 'Göttingen'],
  ];

  it.each([
    ['it is marked', table(ROWS, { header: true }), NAMED],
    ['it is bold', table(ROWS, { bold: true }), NAMED],
    ['it stands above figures', table(ROWS), NAMED],
    ['and not otherwise', table(CELLS), ['Ada | London', 'Emmy | Göttingen']],
  ])('names the columns of a table where it has a row of names: %s', async (_, body, texts) => {
    expect(await world.texts(aDocx({ body }), WORD)).toEqual(texts);
  });

  it('says a cell that spans rows in each of them', async () => {
    const cell = (text: string, merge = ''): string => `<w:tc><w:tcPr>${merge}</w:tcPr>${paragraph(text)}</w:tc>`;
    const row = (...cells: readonly string[]): string => `<w:tr>${cells.join('')}</w:tr>`;
    const body = `<w:tbl>${row(cell('North', '<w:vMerge w:val="restart"/>'), cell('Ada'))}${row(cell('', '<w:vMerge/>'), cell('Emmy'))}</w:tbl>`;
    expect(await world.texts(aDocx({ body }), WORD)).toEqual(['North | Ada', 'North | Emmy']);
  });

  it('has the footnotes below the paragraphs that refer to them', async () => {
    const body = `<w:p><w:r><w:t>Profit rose.</w:t></w:r><w:r><w:footnoteReference w:id="7"/></w:r></w:p>${paragraph('Next.')}`;
    const footnotes = `<w:footnote w:id="7">${paragraph('Before tax.')}</w:footnote>`;
    expect(await world.texts(aDocx({ body, footnotes }), WORD)).toEqual([
      'Profit rose.[1]',
      '[1] Before tax.',
      'Next.',
    ]);
  });
});

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
    const rows = ['Name Price', 'Pump 12.50', 'Valve 3.10'].flatMap((row, at) =>
      row.split(' ').map((text, column) => ({ text, x: [60, 300][column]!, y: 700 - at * 14 })),
    );
    expect(await world.texts(await aPdf([rows]), PDF)).toEqual(['Name | Price\nPump | 12.50\nValve | 3.10']);
  });

  it('goes on in the next column', async () => {
    const columns = [
      ['Left column of words that go', 'down the page and then to the'],
      ['top of the right one, where', 'they end.'],
    ].flatMap((lines, column) => lines.map((text, at) => ({ text, x: [60, 320][column]!, y: 780 - at * 14 })));
    expect(await world.texts(await aPdf([columns]), PDF)).toEqual([
      'Left column of words that go down the page and then to the top of the right one, where they end.',
    ]);
  });

  it('is read when only its owner has a password, when some pages are only pictures, and when it is damaged', async () => {
    expect(await world.texts(anEncryptedPdf('owner-password'), PDF)).toEqual(['For everybody']);
    expect(await world.read(await aPdf([[], ['Words'], []]), PDF)).toEqual([{ text: 'Words', page: 2, heading: null }]);
    const pdf = aPdfOfContent(Buffer.from(shown('Mended')));
    const wrongTable = Buffer.from(pdf.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1');
    expect(await world.texts(wrongTable, PDF)).toEqual(['Mended']);
  });

  it('of 100 pages has them all, in order', async () => {
    const pages = Array.from({ length: 100 }, (_, at) => [`Marker ${at + 1}`, LONG, 'and so on.']);
    const blocks = await world.read(await aPdf(pages), PDF);
    const found = blocks.flatMap(({ text, page }) => (/Marker (\d+)/.exec(text)?.[1] === String(page) ? [page] : []));
    expect(found).toEqual(pages.map((_, at) => at + 1));
  });
});

const FRENCH = 'L’été dernier, la société a embauché « plusieurs » ingénieurs très expérimentés à Orléans.';
const POLISH = 'Zażółć gęślą jaźń. Spółka osiągnęła w zeszłym roku większy zysk niż się spodziewano w Łodzi.';
const RUSSIAN = 'Съешь же ещё этих мягких французских булок, да выпей чаю. Прибыль компании выросла вдвое.';
const JAPANESE = '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。会社の売上は増えました。';

describe('a text in any common encoding', () => {
  it.each([
    ['utf-8', JAPANESE],
    ['utf-16le', RUSSIAN],
    ['windows-1251', RUSSIAN],
    ['windows-1252', FRENCH],
    ['iso-8859-2', POLISH],
    ['shift_jis', JAPANESE],
    ['windows-1252', 'El año de la cigüeña'],
    ['windows-1252', 'una caña'],
  ])('is read, a sentence or a page: %s', async (encoding, text) => {
    for (const whole of [text, Array.from({ length: 40 }, () => text).join('\n\n')])
      expect((await world.texts(iconv.encode(whole, encoding), TEXT)).join('\n\n')).toBe(whole);
  });

  it('is read with a mark, and when the end of what is looked at cuts a character', async () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le'])
      expect(await world.texts(iconv.encode(FRENCH, encoding, { addBOM: true }), TEXT), encoding).toEqual([FRENCH]);
    const text = `a${'ü'.repeat(200_000)}`;
    expect(await world.texts(text, TEXT)).toEqual([text]);
  });
});

describe('a text', () => {
  it('is its paragraphs, without what nobody sees, and without joined letters', async () => {
    const text = 'One.\r\n\r\nTwo.\r\n   \r\nef\ufb01cient\u0007 cafe\u0301 zero\u200bwidth';
    expect(await world.texts(text, TEXT)).toEqual(['One.', 'Two.', 'efficient café zerowidth']);
  });

  it('has its lines joined where they were only wrapped', async () => {
    const wrapped = [
      'The annual report of the company shows that revenue in the fourth quar-',
      'ter was higher than in any quarter before it, which the management puts',
      'down to the new shops.',
    ];
    expect(await world.texts(wrapped.join('\n'), TEXT)).toEqual([
      'The annual report of the company shows that revenue in the fourth quarter was higher than in any quarter before it, which the management puts down to the new shops.',
    ]);
  });

  it.each([
    ['an address', 'Example Limited\n12 High Street\nLondon'],
    ['a table', 'name,price,stock,place\nPump model A with a long description,12.50,3,Berlin\nValve,3.10,8,Rome'],
    [
      'a list',
      '- The first of the points that were made in the meeting of May\n- The second of the points that were made in it',
    ],
    ['a log', '2024-01-01 10:00:00 INFO the service has started on port 8080\n2024-01-01 10:00:01 WARN slow'],
  ])('keeps the lines that mean something: %s', async (_, text) => {
    expect(await world.texts(text, TEXT)).toEqual([text]);
  });

  it('has the headings of Markdown over its paragraphs', async () => {
    const text = '# Prices\n\nIntro.\n\n## Pumps ##\nA pump costs 5.\n\nOther\n-----\n\nMore.\n\n# Nothing below\n';
    expect(await world.read(text, TEXT)).toEqual([
      { text: 'Intro.', page: null, heading: 'Prices' },
      { text: 'A pump costs 5.', page: null, heading: 'Prices > Pumps' },
      { text: 'More.', page: null, heading: 'Prices > Other' },
      { text: 'Nothing below', page: null, heading: null },
    ]);
  });

  it('has the tables of Markdown row by row, and its words without marks', async () => {
    const text = [
      'A **rainy day** has *more* than 1 mm, 2*3*4 or `a*b`; see the [guide](https://example.org/a).',
      '',
      'Stations:',
      '| Station | **City** |',
      '|---|:-:|',
      '| NYC-07 | New\\|York |',
      '| SEA-01 | |',
    ];
    expect(await world.texts(text.join('\n'), TEXT)).toEqual([
      'A rainy day has more than 1 mm, 2*3*4 or `a*b`; see the guide (https://example.org/a).',
      'Stations:',
      'Station: NYC-07; City: New|York',
      'Station: SEA-01',
    ]);
  });

  it('has no headings in its code', async () => {
    const text = '# First comment\n# Second comment\nrun()\n\n```\n# not a heading\n\nx\n```';
    expect(await world.read(text, TEXT)).toEqual([
      { text: '# First comment\n# Second comment\nrun()', page: null, heading: null },
      { text: '```\n# not a heading\n\nx\n```', page: null, heading: null },
    ]);
  });
});
