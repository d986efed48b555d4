import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentBlock } from '../../../ports/document-reader.js';
import { cutPassages, MAX_PASSAGE } from './passage-cutter.js';

const block = (text: string, place: Partial<DocumentBlock> = {}): DocumentBlock => ({
  text,
  page: null,
  heading: null,
  ...place,
});

/** Sentences that can be told apart, each of about 60 characters. */
const sentences = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `Sentence ${index} tells of what nobody else speaks of at all.`);

const textsOf = (...blocks: readonly DocumentBlock[]): readonly string[] => cutPassages(blocks).map(({ text }) => text);

/** Every part can be told from every other. */
const numbered = (parts: readonly string[]): string => parts.map((part, index) => `${index}${part}`).join('');
const bare = (text: string): string => text.replace(/\s+/gu, '');
const someText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.array(fc.constantFrom('Word ', 'end. ', '\n', '語', '。', '😀', 'x'.repeat(700)), { maxLength: 60 }).map(numbered),
  fc.constantFrom(' \n ', `a${' \n'.repeat(5000)}b`),
);
const someBlocks = fc.array(
  fc.record({
    text: someText,
    page: fc.option(fc.integer({ min: 1, max: 3 })),
    heading: fc.option(fc.constantFrom('A', 'B')),
  }),
  { maxLength: 12 },
);

describe('cutPassages', () => {
  it('begins anew under another heading, however short the text is', () => {
    const passages = cutPassages([block('One.', { heading: 'A' }), block('Two.', { heading: 'B' }), block('Three.')]);
    expect(passages.map(({ heading, text }) => [heading, text])).toEqual([
      ['A', 'One.'],
      ['B', 'Two.'],
      [null, 'Three.'],
    ]);
  });

  it('cuts between blocks where it can', () => {
    const paragraphs = ['a', 'b', 'c', 'd'].map((letter) => `${letter} `.repeat(250).trim());
    expect(textsOf(...paragraphs.map((text) => block(text)))).toEqual([
      `${paragraphs[0]}\n${paragraphs[1]}`,
      `${paragraphs[2]}\n${paragraphs[3]}`,
    ]);
  });

  it('cuts a long block between sentences, and repeats the last of them', () => {
    const all = sentences(60);
    const texts = textsOf(block(all.join(' ')));
    expect(texts.length).toBeGreaterThan(2);
    for (const [index, text] of texts.entries()) {
      expect(text).toMatch(/^Sentence \d+ .*[.]$/);
      const last = text.slice(text.lastIndexOf('Sentence'));
      if (index + 1 < texts.length) expect(texts[index + 1]).toContain(last);
    }
  });

  it('keeps the rows of a table whole', () => {
    const rows = Array.from({ length: 80 }, (_, index) => `row ${index} | ${'9'.repeat(200)} | end ${index}`);
    for (const text of textsOf(...rows.map((row) => block(row)))) {
      for (const line of text.split('\n')) expect(rows).toContain(line);
    }
  });

  it('stays on one page, and repeats nothing from a page before', () => {
    const [first, second] = [sentences(18).join(' '), sentences(18).join(' ').replaceAll('Sentence', 'Remark')];
    const passages = cutPassages([block(first, { page: 4 }), block(second, { page: 5 })]);
    for (const { text, page } of passages) {
      expect(page).toBe(text.startsWith('Sentence') ? 4 : 5);
      expect(text.includes('Remark')).toBe(page === 5);
    }
  });

  it('cuts two million characters without a break, and no character in half', () => {
    const text = `x${'😀'.repeat(1_000_000)}`;
    const texts = textsOf(block(text));
    expect(texts.join('')).toBe(text);
    expect(texts.every((each) => each.length <= MAX_PASSAGE && !/\p{Surrogate}/u.test(each))).toBe(true);
  });

  it('has every character in a passage, in order, no passage too long, and each under a heading of its blocks', () => {
    fc.assert(
      fc.property(someBlocks, (blocks) => {
        const passages = cutPassages(blocks);
        const headings = new Set(blocks.map(({ heading }) => heading));
        for (const { text, heading } of passages) {
          expect(headings).toContain(heading);
          expect(text.length).toBeLessThanOrEqual(MAX_PASSAGE);
          expect(bare(text)).not.toBe('');
        }
        const whole = bare(blocks.map(({ text }) => text).join(''));
        let covered = 0;
        for (const text of passages.map((passage) => bare(passage.text))) {
          // A passage may begin with what was there before, so it starts at or before what is covered.
          const from = whole.lastIndexOf(text, covered);
          expect(from).toBeGreaterThanOrEqual(Math.max(0, covered - text.length));
          covered = from + text.length;
        }
        expect(covered).toBe(whole.length);
      }),
      { numRuns: 300 },
    );
  });
});
