import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { DocumentWorld, TEXT } from './document-reader.world.js';

const world = new DocumentWorld();
const FRENCH = 'L’été dernier, la société a embauché « plusieurs » ingénieurs très expérimentés à Orléans.';
const POLISH = 'Zażółć gęślą jaźń. Spółka osiągnęła w zeszłym roku większy zysk niż się spodziewano w Łodzi.';
const RUSSIAN = 'Съешь же ещё этих мягких французских булок, да выпей чаю. Прибыль компании выросла вдвое.';
const JAPANESE = '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。会社の売上は増えました。';

const SENTENCES: readonly (readonly [encoding: string, text: string])[] = [
  ['utf-8', JAPANESE],
  ['utf-16le', RUSSIAN],
  ['windows-1251', RUSSIAN],
  ['windows-1252', FRENCH],
  ['iso-8859-2', POLISH],
  ['shift_jis', JAPANESE],
];

describe('a text in any common encoding', () => {
  const cases = SENTENCES.flatMap(([encoding, text]) => [
    [encoding, 'one sentence', text],
    [encoding, 'a page', Array.from({ length: 40 }, () => text).join('\n\n')],
  ]);

  it.each(cases)('is read: %s, %s', async (encoding, _, text) => {
    expect((await world.texts(iconv.encode(text, encoding), TEXT)).join('\n\n')).toBe(text);
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'utf-32le'])('is read with a mark: %s', async (encoding) => {
    expect(await world.texts(iconv.encode(FRENCH, encoding, { addBOM: true }), TEXT)).toEqual([FRENCH]);
  });

  it('is read when the end of what is looked at cuts a character', async () => {
    const text = `a${'ü'.repeat(200_000)}`;
    expect(await world.texts(text, TEXT)).toEqual([text]);
  });
});

describe('a text', () => {
  it('is its paragraphs', async () => {
    expect(await world.texts('One.\r\n\r\nTwo.\r\n   \r\nThree.', TEXT)).toEqual(['One.', 'Two.', 'Three.']);
  });

  it('loses what nobody sees, and joined letters', async () => {
    expect(await world.texts('ef\ufb01cient\u0007 cafe\u0301 zero\u200bwidth', TEXT)).toEqual([
      'efficient café zerowidth',
    ]);
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

  it('has no headings in its code', async () => {
    const text = '# First comment\n# Second comment\nrun()\n\n```\n# not a heading\n\nx\n```';
    expect(await world.read(text, TEXT)).toEqual([
      { text: '# First comment\n# Second comment\nrun()', page: null, heading: null },
      { text: '```\n# not a heading\n\nx\n```', page: null, heading: null },
    ]);
  });
});
