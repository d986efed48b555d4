import { describe, expect, it } from 'vitest';
import { RecordScanner } from '../import/record-scanner.js';
import { fieldsOf } from './plain-fields.fixture.js';
import { type Layout, linesOf, splitText } from './records.js';

const LAYOUTS: readonly Layout[] = [
  { delimiter: ',', quote: '"', escape: '"', trims: false },
  { delimiter: ';', quote: "'", escape: '\\', trims: false },
  { delimiter: '||', quote: '"', escape: '"', trims: true },
  { delimiter: '\t', quote: '"', escape: '\\', trims: true },
  { delimiter: ' ', quote: '"', escape: '"', trims: false },
  { delimiter: ',', quote: '', escape: '', trims: false },
];

function split(text: string, layout: Partial<Layout> = {}): readonly (readonly string[])[] {
  return splitText(linesOf(text), { ...LAYOUTS[0]!, ...layout }).rows.map(({ cells }) => cells);
}

describe('text parted into records', () => {
  it('keeps line breaks, delimiters and doubled quotes inside quotes', () => {
    expect(split('a,"b,\r\n""c"""\r\nd,e')).toEqual([
      ['a', 'b,\r\n"c"'],
      ['d', 'e'],
    ]);
  });

  it.each<[string, string, Partial<Layout>, string[]]>([
    ['takes a quote inside a plain cell as it is', '5" pipe,b', {}, ['5" pipe', 'b']],
    ['knows an escape that is itself escaped', String.raw`"a\\","b\"c"`, { escape: '\\' }, ['a\\', 'b"c']],
    ['trims blanks, but not inside quotes', ' a  ,   " b "  , c', { trims: true }, ['a', ' b ', 'c']],
  ])('%s', (_, text, layout, cells) => {
    expect(split(text, layout)).toEqual([cells]);
  });

  it('does not call a quote open that is cut off with the text', () => {
    const found = splitText(linesOf('a,b\nc,"d'), LAYOUTS[0]!, { mostRows: 9, isCut: true });
    expect(found).toMatchObject({ rows: [{ cells: ['a', 'b'] }], faults: [] });
  });

  it('ends soon when a hundred thousand quotes are opened in vain', () => {
    const begin = performance.now();
    split(`x,"\n${'""y\n'.repeat(100_000)}`);
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it.each(LAYOUTS)('agrees with the scanner of the import: $delimiter $quote $escape $trims', (layout) => {
    const pieces = [
      ...['a', '5', '"', '"', "'", '\\', ' ', '\t', '\n', '\n', '\r\n', '\r'],
      ...[layout.delimiter, layout.delimiter, layout.quote],
    ];
    const random = randomNumbers(7);
    for (let round = 0; round < 3000; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 24) },
        () => pieces[Math.floor(random() * pieces.length)] ?? '',
      ).join('');
      expect([text, foundBySplitting(text, layout)]).toEqual([text, foundByScanner(text, layout)]);
    }
  });
});

/** Lines on which records begin, each with its number of cells, and lines that are none. */
interface Found {
  readonly records: readonly (readonly [line: number, cells: number])[];
  readonly faults: readonly number[];
}

function foundBySplitting(text: string, layout: Layout): Found {
  const { rows, faults } = splitText(linesOf(text), layout);
  return { records: rows.map(({ line, cells }) => [line, cells.length]), faults };
}

function foundByScanner(text: string, layout: Layout): Found {
  const [records, faults]: [[number, number][], number[]] = [[], []];
  const scanner = new RecordScanner(
    { ...layout, preambleLines: 0, converted: false },
    {
      record: (bytes, start, end, line) => {
        records.push([line, fieldsOf(bytes.toString('utf8', start, end), layout).length]);
      },
      fault: (_bytes, _start, _end, line) => faults.push(line),
    },
  );
  scanner.push(Buffer.from(text));
  scanner.end();
  return { records, faults };
}

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
