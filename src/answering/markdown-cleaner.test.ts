import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkdownCleaner, cleanLine, cleanMarkdown } from './markdown-cleaner.js';

function cleanedInPieces(text: string, size: number): string {
  const cleaner = new MarkdownCleaner();
  let cleaned = '';
  for (let at = 0; at < text.length; at += size) cleaned += cleaner.push(text.slice(at, at + size));
  return cleaned + cleaner.end();
}

const ORDINARY = `## Revenue by region

**North** leads with 1,234.5 (12 % more than *South*); costs < 5 and margin > 3, x <= y, a<5.

| region | revenue | note |
|:-------|--------:|------|
| North  | 1,234.5 | up!  |
| \`a|b\` | 7 | ~~old~~ [1] |

1. first: see [2], and/or 10:30
2. second \`SELECT "a" FROM data WHERE x < b AND c > d AND e>f\`
   - nested \\*literal\\* 3 * 4

> quoted: e.g. Sensor-05, p.m.

\`\`\`sql
SELECT count(*) FROM data WHERE "temp" <> 5 AND name = '[x]' -- why
\`\`\`
Łódź größe 日本 👍🏽 done!`;

describe('cleanMarkdown', () => {
  it('leaves ordinary Markdown as it is', () => {
    expect(cleanMarkdown(ORDINARY)).toBe(ORDINARY);
  });

  it('leaves nothing of code out, but parts what could become a tag or a link where a reader sees no code', () => {
    expect(cleanMarkdown('`a<b and c>d` [x](y)\n```\n<i>a[0](1)</i> // b\n```')).toBe(
      '`a< b and c>d` x\n```\n< i>a[0] (1)< /i> // b\n```',
    );
  });

  it.each([
    ['an image', 'a ![x](https://evil.example/?q=1) b', 'a  b'],
    ['a link, but not its label', 'see [the **report**](https://evil.example "t") now', 'see the **report** now'],
    ['an image that is a link', '[![x](https://e.example/i)](https://e.example)', ''],
    ['a link without a scheme', '[x](//evil.example)', 'x'],
    ['a link by reference', '[x][1]\n\n[1]: https://evil.example', '[x][1]\n\n[1] : evil.example'],
    ['tags', 'a <img src=x onerror="alert(1)"> b <b>c</b>', 'a  b c'],
    ['a tag over two lines', 'a <img\nsrc=x> b', 'a  b'],
    ['comments', 'a <!-- b --> c', 'a  c'],
    ['an address in angle brackets', '<https://evil.example>', ''],
    ['the scheme of an address', 'go to https://www.evil.example/a?b=1.', 'go to evil.example/a?b=1.'],
    ['what is invisible', 'a\u202eb\u0000c\u{E0041}d\u200be\u00adf\ufeff', 'abcdef'],
    ['nothing of an emoji or a word that needs its joiners', '👩‍🔬 می‌خواهم', '👩‍🔬 می‌خواهم'],
  ])('takes out %s', (_what, text, cleaned) => {
    expect(cleanMarkdown(text)).toBe(cleaned);
  });

  it.each([
    ['a tag between bracket and parenthesis', '[x]<b>(//evil.example)'],
    ['a tag inside of a tag', '<<b>img src=x>'],
    ['a scheme split by a tag', 'https:<b></b>//evil.example'],
    ['an address behind escapes', 'https\\:\\/\\/evil.example'],
    ['an address behind entities', 'https&#58;//evil.example and https&colon;//evil.example'],
    ['the address of a mail', 'a@e.test, **b@e.test**, mailto:c@e.test, xmpp:d@e.test/room and `f@e.test`'],
    ['the address of a mail behind entities', 'a&#64;e.test, a&#x40;e.test, a&commat;e.test'],
    ['the address of a mail parted by what is taken out', 'a@<b></b>e.test, a@\u200be.test and a\\@e.test'],
    ['an address parted by what has no width', 'https:/\u200b/evil.example and [x]\u2060(//evil.example)'],
    ['an address parted by joiners', 'https:/\u200d/evil.example, [x]\u200c(//evil.example) and <\u200dimg src=x>'],
    ['code that a table ends', '| `a | ![x](https://evil.example) ` |'],
    ['a fence that a list ends', '- a\n  ```\nb ![x](https://evil.example)'],
    ['a fence closed where another one opens', '   ```\n```\n![x](https://evil.example) <img src=x>'],
  ])('is not fooled by %s', (_what, text) => {
    expect(cleanMarkdown(text)).not.toMatch(ACTIVE);
    expect(cleanMarkdown(text).replace(/[\u200C\u200D]/g, '')).not.toMatch(ACTIVE);
  });

  it('cleans a link that is cut over two pieces', () => {
    const cleaner = new MarkdownCleaner();
    expect(cleaner.push('total 5 ![x](https://ev')).toBe('total 5 ');
    expect(cleaner.push('il.example/?q=5) done')).toBe(' ');
    expect(cleaner.end()).toBe('done');
  });

  it('lets text go at once where nothing can come of it', () => {
    expect(new MarkdownCleaner().push('The total is 1,234. ')).toBe('The total is 1,234. ');
  });

  it('gives the same however the text is cut, and nothing that a reader would follow', () => {
    const parts = ['`', '```', '~~~', '\n', '\n\n', ' ', '[', ']', '(', ')', '![', 'a', '<b>', '<', '>', 'http', '://'];
    // prettier-ignore
    const more = [
      '![x](http://e.co)', '[y](//e.co)', ']: ', 'www.', 'e.co', '\\', '&#58;', '|', '- ', '/', ':', '😀', '@',
      '&commat', ';',
    ];
    const texts = fc.array(fc.constantFrom(...parts, ...more), { maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const whole = cleanMarkdown(text);
        expect(cleanedInPieces(text, size)).toBe(whole);
        expect(whole).not.toMatch(ACTIVE);
      }),
      { numRuns: 600, seed: 7 },
    );
  });

  it('takes time in proportion to the text, however hostile', () => {
    for (const part of ['[', '![', '<', '`', '(', '[a](b)', '<b>', '](', 'www.', 'a'.repeat(500), '```\n']) {
      const text = part.repeat(Math.ceil(100_000 / part.length));
      const began = performance.now();
      cleanMarkdown(text);
      expect(performance.now() - began, `for ${part.slice(0, 10)}`).toBeLessThan(10_000);
    }
  });
});

/** Characters side by side without which there is no link, image, tag or address in Markdown. */
const ACTIVE = /\]\(|\]:|<[A-Za-z/!?]|\/\/\S|www\.|&#|&commat;|[^\s@]@\S/i;

it('cleanLine makes one plain line of what a model wrote, and cuts it at the length', () => {
  expect(cleanLine('Total\n\n by <b>region</b> [x](http://e.co)', 200)).toBe('Total by region x');
  expect(cleanLine('a'.repeat(300), 10)).toBe(`${'a'.repeat(9)}…`);
});
