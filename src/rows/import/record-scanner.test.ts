import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RECORD_BYTES, RecordScanner, type ScannerOptions } from './record-scanner.js';

const isLong = process.env['TEST_LONG'] === '1';
const COMMAS: ScannerOptions = {
  ...{ delimiter: ',', quote: '"', escape: '"', trims: false },
  ...{ preambleLines: 0, headerRows: 0, converted: false },
};

interface Seen {
  readonly text: string;
  readonly line: number;
  readonly fault: string | null;
}

/** Gives a text to a scanner in pieces of these sizes, the rest at once. */
function feed(scanner: RecordScanner, text: string, pieces: readonly number[]): void {
  let rest = Buffer.from(text, 'latin1');
  for (const piece of pieces) {
    scanner.push(rest.subarray(0, piece));
    rest = rest.subarray(piece);
  }
  scanner.push(rest);
  scanner.end();
}

function scanned(text: string, pieces: readonly number[] = []): readonly Seen[] {
  const seen: Seen[] = [];
  const scanner = new RecordScanner(COMMAS, {
    record: (bytes, start, end, line) => seen.push({ text: bytes.toString('latin1', start, end), line, fault: null }),
    fault: (bytes, start, end, line, fault) => seen.push({ text: bytes.toString('latin1', start, end), line, fault }),
  });
  feed(scanner, text, pieces);
  return seen;
}

/** What only counts the records is told of, in pieces: how many there are, and the faults. */
function counted(
  text: string,
  pieces: readonly number[],
): { records: number; faults: readonly string[]; scanner: RecordScanner } {
  const seen = { records: 0, faults: [] as string[] };
  const scanner = new RecordScanner(COMMAS, {
    record: () => seen.records++,
    fault: (_bytes, _start, _end, line, fault) => seen.faults.push(`${line} ${fault}`),
  });
  feed(scanner, text, pieces);
  return { ...seen, scanner };
}

const texts = (seen: readonly Seen[]): readonly string[] => seen.map(({ text, fault }) => (fault ? `!${text}` : text));

describe('the record scanner', () => {
  it.each([
    ['cuts lines of any kind, without blank ones', 'a,b\nc\r\nd\re\n\n\r\nf', ['a,b', 'c', 'd', 'e', 'f']],
    ['keeps what is inside quotes', '"a\n""b"",\r\nc",d\n"",""\n', ['"a\n""b"",\r\nc",d', '"",""']],
    ['takes a quote inside a plain field as it is', '5" pipe,a"b\nc\n', ['5" pipe,a"b', 'c']],
    ['gives up one line for a quote that is never closed', 'a\n"b,1\nc\nd\n', ['a', '!"b,1', 'c', 'd']],
    ['also where another is closed', 'a\n"b,1\nc,"x"\nd\n', ['a', '!"b,1', 'c,"x"', 'd']],
    ['gives up a record with invalid bytes and no other', 'a\n\xe9,b\n\xc3\xa9\n', ['a', '!\xe9,b', '\xc3\xa9']],
    ['gives up one line for text behind a quote', '"a"b,1\n"he "no" so",2\nc\n', ['!"a"b,1', '!"he "no" so",2', 'c']],
  ])('%s', (_, text, records) => {
    expect(texts(scanned(text))).toEqual(records);
  });

  it('counts the lines of the file, not the records', () => {
    expect(scanned('a\n"b\r\nb\nb"\n\nc\n').map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  it('gives up a line that is too long, whatever follows', () => {
    const long = 'x'.repeat(MAX_RECORD_BYTES + 1);
    expect(scanned(`a\n${long}\nb\n`).map(({ fault }) => fault)).toEqual([null, 'length', null]);
    expect(
      scanned(`a\n${long}${long}\r\nb\n`, [100, MAX_RECORD_BYTES, MAX_RECORD_BYTES]).map(({ line }) => line),
    ).toEqual([1, 2, 3]);
  });

  it('looks for the end of a quote no further than a record may be long', () => {
    const seen = scanned(`"open\n${'line\n'.repeat(300_000)}`);
    expect(seen[0]).toMatchObject({ text: '"open', fault: 'quote' });
    expect(seen).toHaveLength(300_001);
  });

  it('passes over a byte order mark, also when it comes in two pieces', () => {
    expect(texts(scanned('\xef\xbb\xbf"a\nb"\n', [2]))).toEqual(['"a\nb"']);
  });

  it('sees the same records however the file is cut into pieces', () => {
    const part = fc.constantFrom(
      ...['a', ',', '"', '""', '\n', '\r', '\r\n', ' ', '\xc3\xa9', '\xe9', '"a\nb"', '\xef\xbb\xbf'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.array(fc.integer({ min: 0, max: 5 })), (parts, pieces) => {
        expect(scanned(parts.join(''), pieces)).toEqual(scanned(parts.join('')));
      }),
      { numRuns: isLong ? 2000 : 400 },
    );
  });

  it('counts what it would show, however the file is cut into pieces', () => {
    const part = fc.constantFrom('a', 'bc', ',', '"', '\n', '\n', '\r', '\r\n', '\r\n', '\n\n', '\xc3\xa9', '\xe9');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), fc.array(fc.integer({ min: 0, max: 20 })), (parts, pieces) => {
        const text = parts.join('');
        const shown = scanned(text);
        const { records, faults, scanner } = counted(text, pieces);
        expect(records).toBe(shown.filter(({ fault }) => fault === null).length);
        expect(faults).toEqual(shown.flatMap(({ line, fault }) => (fault === null ? [] : [`${line} ${fault}`])));
        const { hasLineFeeds, hasPairs, hasReturns } = counted(text, []).scanner;
        expect(scanner).toMatchObject({ hasLineFeeds, hasPairs, hasReturns });
      }),
      { numRuns: isLong ? 3000 : 600 },
    );
  });
});
