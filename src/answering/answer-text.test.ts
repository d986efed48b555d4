import { describe, expect, it } from 'vitest';
import { AnswerText, CitationOrder, MAX_ANSWER } from './answer-text.js';

describe('AnswerText', () => {
  it('is made up of its pieces exactly', () => {
    const text = new AnswerText();
    const pieces = [text.write('\n\nTotal: '), text.write('**5** [x](htt'), text.write('p://e.co)!'), text.endPart()];
    expect(text.response).toBe('Total: **5** x!');
    expect(pieces.join('')).toBe(text.response);
  });

  it('begins what follows a part with a paragraph of its own', () => {
    const text = new AnswerText();
    text.write('one');
    text.endPart();
    text.write('  two');
    text.endPart();
    expect(text.response).toBe('one\n\ntwo');
  });

  it('is cut at 20,000 characters, leaves no half of one, and says nothing more', () => {
    const text = new AnswerText();
    const piece = text.write('€ 5 '.repeat(10_000));
    expect(piece).toHaveLength(MAX_ANSWER);
    expect(piece.endsWith('…')).toBe(true);
    expect(text.full).toBe(true);
    expect(text.write('more') + text.endPart()).toBe('');
    const faces = new AnswerText();
    faces.write('👍'.repeat(MAX_ANSWER));
    expect(faces.response.at(-2)).toMatch(/[\uDC00-\uDFFF]/);
  });
});

function read(
  text: string,
  passages: number,
  pieces = 1,
): { readonly text: string; readonly order: readonly number[] } {
  const citations = new CitationOrder(passages);
  const size = Math.ceil(text.length / pieces);
  let read = '';
  for (let from = 0; from < text.length; from += size) read += citations.push(text.slice(from, from + size));
  return { text: read + citations.end(), order: citations.order };
}

describe('CitationOrder', () => {
  it.each([1, 2, 3, 7, 39])('reads the same in %i pieces', (pieces) => {
    const text = 'Six months [4], a year [12, 4][3] [99] [2024] [x] [';
    expect(read(text, 12, pieces)).toEqual({
      text: 'Six months [1], a year [2, 1][3] [99] [2024] [x] [',
      order: [4, 12, 3],
    });
  });

  it('leaves numbers alone where there are no passages, or no such one', () => {
    expect(read('a[1] and [0] and [7]', 0)).toEqual({ text: 'a[1] and [0] and [7]', order: [] });
    expect(read('[0] and [7]', 6)).toEqual({ text: '[0] and [7]', order: [] });
  });

  it('holds no more back than a citation can be long', () => {
    const citations = new CitationOrder(6);
    expect(citations.push(`[${'1'.repeat(200)}`)).not.toBe('');
  });
});
