import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkdownCleaner, cleanLine, cleanMarkdown } from './markdown-cleaner.js';

/** Characters side by side without which there is no link, image, tag or address in Markdown. */
const ACTIVE = /\]\(|\]:|<[A-Za-z/!?]|\/\/\S|www\.|&#|&commat;|[^\s@]@\S/i;

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
  it.each([
    ['nothing of ordinary Markdown', ORDINARY, ORDINARY],
    [
      'nothing of code, but parts what could become a tag or a link where a reader sees no code',
      '`a<b and c>d` [x](y)\n```\n<i>a[0](1)</i> // b\n```',
      '`a< b and c>d` x\n```\n< i>a[0] (1)< /i> // b\n```',
    ],
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
    const cleaned = cleanMarkdown(text);
    for (const seen of [cleaned, cleaned.replace(/[\u200C\u200D]/g, '')]) expect(seen).not.toMatch(ACTIVE);
  });

  it('cleans a link that is cut over two pieces, and lets text go at once where nothing can come of it', () => {
    const cleaner = new MarkdownCleaner();
    const pieces = ['total 5 ![x](https://ev', 'il.example/?q=5) done'].map((piece) => cleaner.push(piece));
    expect([...pieces, cleaner.end()]).toEqual(['total 5 ', ' ', 'done']);
    expect(new MarkdownCleaner().push('The total is 1,234. ')).toBe('The total is 1,234. ');
  });

  it('gives the same however the text is cut, and nothing that a reader would follow', () => {
    const parts =
      '` ``` ~~~ [ ] ( ) ![ a <b> < > http :// ![x](http://e.co) [y](//e.co) www. e.co \\ &#58; | / : 😀 @ ;';
    const part = fc.constantFrom(...parts.split(' '), '\n', '\n\n', ' ', ']: ', '- ', '&commat');
    const texts = fc.array(part, { maxLength: 30 }).map((all) => all.join(''));
    const cleaning = fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, size) => {
      const [whole, cleaner] = [cleanMarkdown(text), new MarkdownCleaner()];
      let cleaned = '';
      for (let at = 0; at < text.length; at += size) cleaned += cleaner.push(text.slice(at, at + size));
      expect(cleaned + cleaner.end()).toBe(whole);
      expect(whole).not.toMatch(ACTIVE);
    });
    fc.assert(cleaning, { numRuns: 600, seed: 7 });
  });

  it('takes time in proportion to the text, however hostile', () => {
    const length = process.env['TEST_LONG'] === '1' ? 100_000 : 20_000;
    for (const part of ['[', '![', '<', '`', '(', '[a](b)', '<b>', '](', 'www.', 'a'.repeat(500), '```\n']) {
      const began = process.cpuUsage();
      cleanMarkdown(part.repeat(Math.ceil(length / part.length)));
      // Of the processor, in microseconds: how busy the machine is does not count.
      expect(process.cpuUsage(began).user, `for ${part.slice(0, 10)}`).toBeLessThan(length * 125);
    }
  });
});

it('cleanLine makes one plain line of what a model wrote, and cuts it at the length', () => {
  expect(cleanLine('Total\n\n by <b>region</b> [x](http://e.co)', 200)).toBe('Total by region x');
  expect(cleanLine('a'.repeat(300), 10)).toBe(`${'a'.repeat(9)}…`);
});
