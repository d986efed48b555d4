import { describe, expect, it } from 'vitest';
import { aDocx, lists, paragraph, table } from './document-reader.fixture.js';
import { DocumentWorld, WORD } from './document-reader.world.js';

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
    ['Pump', '12.50'],
    ['Valve', '3.10'],
  ];

  it.each([
    ['it is marked', table(ROWS, { header: true })],
    ['it is bold', table(ROWS, { bold: true })],
    ['it stands above figures', table(ROWS)],
  ])('names the columns of a table where it has a row of names: %s', async (_, body) => {
    expect(await world.texts(aDocx({ body }), WORD)).toEqual(['Name: Pump; Price: 12.50', 'Name: Valve; Price: 3.10']);
  });

  it('has the rows of other tables cell by cell', async () => {
    const body = table([
      ['Ada', 'London'],
      ['Emmy', 'Göttingen'],
    ]);
    expect(await world.texts(aDocx({ body }), WORD)).toEqual(['Ada | London', 'Emmy | Göttingen']);
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
