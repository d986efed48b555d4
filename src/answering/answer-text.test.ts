import { describe, expect, it } from 'vitest';
import { AnswerText, MAX_ANSWER } from './answer-text.js';

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

  it('is cut at 20,000 characters and says nothing more', () => {
    const text = new AnswerText();

    const piece = text.write('€ 5 '.repeat(10_000));

    expect(piece).toHaveLength(MAX_ANSWER);
    expect(piece.endsWith('…')).toBe(true);
    expect(text.full).toBe(true);
    expect(text.write('more') + text.endPart()).toBe('');
  });

  it('never leaves half a character at the cut', () => {
    const text = new AnswerText();

    text.write('👍'.repeat(MAX_ANSWER));

    expect(text.response.at(-2)).toMatch(/[\uDC00-\uDFFF]/);
  });
});
