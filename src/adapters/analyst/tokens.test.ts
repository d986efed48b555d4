import { describe, expect, it } from 'vitest';
import { shown } from './fixtures/pieces.fixture.js';
import { MAX_TOKENS, tokenize } from './tokens.js';

describe('cutting a question into words', () => {
  it.each([
    ['What’s the average temp_max?', 'whats the average temp max'],
    ['sensor-05 and web-01', 'sensor 5 and web 1'],
    ['over 1,234.5 or -3', 'over 1234.5 or -3'],
    ['on 2014-03-02, in 2014-03', 'on <date 2014-03-02> <join > in <date 2014-03>'.replace(' >', '>')],
    ['2012-2014', '2012 to 2014'],
    ['cpu >= 80%', 'cpu >= 80 percent'],
    ['"New York" or ‘x’', '<quoted> or x'],
    ["customer 'Ada Byron'", 'customer <quoted>'],
    ['Größe in Łódź', 'große in łodz'],
    ['top five', 'top 5'],
    ['?!…', ''],
  ])('cuts %s', (text, words) => {
    expect(shown(tokenize(text))).toBe(words);
  });

  it('stops soon in a book', () => {
    expect(tokenize('word '.repeat(10_000))).toHaveLength(MAX_TOKENS + 1);
  });
});
