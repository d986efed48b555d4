import fc from 'fast-check';
import { type CsvDialect, plainDialect } from '../../src/ports/csv-inspector.js';
import { NULL_MARKERS } from '../../src/shared/null-markers.js';

/** Columns of every generated file. */
export const GENERATED_COLUMNS = ['no', 'time', 'device', 'value', 'count', 'note'] as const;

/** A file that was made up, and which of its lines can be read. */
export interface GeneratedFile {
  readonly dialect: CsvDialect;
  readonly text: string;
  /** Bytes that are no character in UTF-8 stand where this sign does. */
  readonly badByte: string;
  /** The lines that make rows, as a careful writer would have written them, one after another. */
  readonly kept: string;
  readonly keptLines: number;
  readonly badLines: number;
}

export const BAD_BYTE = '\ue000';

interface Line {
  /** As it stands in the file, without its line end. */
  readonly text: string;
  readonly clean: string;
  readonly kind: 'row' | 'bad' | 'blank';
}

type Cells = readonly string[];
type Spoil = (line: {
  readonly cells: Cells;
  readonly write: (cells: Cells) => string;
  readonly dialect: CsvDialect;
}) => string | null;

const WRAPPINGS: readonly (readonly [quote: string, escape: string])[] = [
  ['"', '"'],
  ['"', '"'],
  ["'", "'"],
  ['"', '\\'],
  ["'", '\\'],
  ['`', '`'],
  ['', ''],
];

function generatedDialect(): fc.Arbitrary<CsvDialect> {
  return fc
    .record({
      delimiter: fc.constantFrom(',', ',', ',', ';', '\t', '|', '^', '\u0001', '||', '~|~', '§'),
      wrapping: fc.constantFrom(...WRAPPINGS),
      encoding: fc.constantFrom('utf-8', 'utf-8', 'utf-8', 'utf-16le', 'utf-16be', 'iso-8859-1', 'windows-1252'),
      preambleLines: fc.constantFrom(0, 0, 0, 1, 3),
      headerRows: fc.constantFrom(1, 1, 1, 0, 2),
      trims: fc.constantFrom(false, false, true),
      fewestFields: fc.constantFrom(6, 6, 5),
      decimal: fc.constantFrom('.' as const, '.' as const, ',' as const),
    })
    .map(({ wrapping: [quote, escape], ...dialect }) => ({ ...plainDialect(6), ...dialect, quote, escape }));
}

/** A file of up to forty lines, of which about every fifth can't be read. */
export function generatedFile(no: number): fc.Arbitrary<GeneratedFile> {
  return generatedDialect().chain((dialect) =>
    fc
      .record({
        lines: fc.array(anyLine(no, dialect), { minLength: 1, maxLength: 40 }),
        ends: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 3 }),
        preamble: fc.array(fc.constantFrom('A title', ' ', 'say "no', "it's", 'a,b;c|d', '# 1'), {
          minLength: 3,
          maxLength: 3,
        }),
        hasLastEnd: fc.boolean(),
      })
      .map(({ lines, ends, preamble, hasLastEnd }) => {
        const header = Array<string>(dialect.headerRows).fill(GENERATED_COLUMNS.join(dialect.delimiter));
        const texts = [...preamble.slice(0, dialect.preambleLines), ...header, ...lines.map(({ text }) => text)];
        const all = texts.map((text, index) => text + (ends[index % ends.length] ?? '\n')).join('');
        const kept = lines.filter(({ kind }) => kind === 'row');
        return {
          dialect,
          text: hasLastEnd || texts.at(-1) === '' ? all : all.replace(/[\r\n]+$/, ''),
          badByte: BAD_BYTE,
          kept: kept.map(({ clean }) => `${clean}\n`).join(''),
          keptLines: kept.length,
          badLines: lines.filter(({ kind }) => kind === 'bad').length,
        };
      }),
  );
}

function anyLine(no: number, dialect: CsvDialect): fc.Arbitrary<Line> {
  const row = fc
    .tuple(
      anyCells(no, dialect),
      fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
      fc.constantFrom('', ' ', '  '),
    )
    .map(([cells, quoted, pad]) => {
      const isShort = dialect.fewestFields < cells.length && cells[5] === '';
      const used = isShort ? cells.slice(0, 5) : cells;
      return {
        text: written(used, { dialect, quoted, pad }),
        clean: written(used, { dialect, quoted, pad: '' }),
        kind: 'row' as const,
      };
    });
  const bad = fc.tuple(anyCells(no, dialect), fc.constantFrom(...SPOILS)).map(([cells, spoil]) => {
    const write = (some: Cells): string => written(some, { dialect, quoted: [], pad: '' });
    return {
      text: spoil({ cells, write, dialect }) ?? write(['', ...cells.slice(2), '']),
      clean: '',
      kind: 'bad' as const,
    };
  });
  const blank = fc.constant({ text: '', clean: '', kind: 'blank' as const });
  return fc.oneof({ weight: 12, arbitrary: row }, { weight: 3, arbitrary: bad }, { weight: 1, arbitrary: blank });
}

function anyCells(no: number, { decimal, delimiter, quote, trims }: CsvDialect): fc.Arbitrary<Cells> {
  const sign = decimal === '.' ? ',' : '.';
  // Without quotes a delimiter in a cell is none of its signs; nor are blanks around it where they do not count.
  const isWritable = (cell: string): boolean =>
    quote !== '' || (!cell.includes(delimiter) && (!trims || cell === cell.trim()));
  const marker = fc.constantFrom(...NULL_MARKERS, ' NA ', 'null ');
  const whole = fc.integer({ min: -2_000_000, max: 2_000_000 });
  const value = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(whole, fc.nat(99)).map(([one, two]) => `${one}${decimal}${two}`) },
    { weight: 1, arbitrary: whole.map((one) => one.toString().replace(/\B(?=(\d{3})+$)/g, sign)) },
    { weight: 1, arbitrary: whole.map((one) => ` ${one.toString().replace(/\B(?=(\d{3})+$)/g, ' ')}${decimal}5 `) },
    { weight: 1, arbitrary: marker },
  );
  const count = fc.oneof(
    { weight: 6, arbitrary: whole.map(String) },
    { weight: 1, arbitrary: marker },
    fc.constant('9007199254740993'),
  );
  const letters = fc.constantFrom('a', 'é', ' ', ',', ';', '|', "'", '"', '`', '_', '5" pipe', '#', '/');
  const note = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('', 'fine', 'zürich') },
    { weight: 2, arbitrary: fc.array(letters, { maxLength: 6 }).map((parts) => `n${parts.join('')}n`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...(quote === '' ? ['one'] : ['one\ntwo', 'one\r\ntwo', 'one\rtwo\n', 'NA'])),
    },
  );
  return fc
    .tuple(
      fc.constant(String(no)),
      fc.integer({ min: 0, max: 10_000_000 }).map(timeText),
      fc.constantFrom('d1', 'd2', 'Ö'),
      value,
      count,
      note,
    )
    .map((cells) => cells.map((cell) => (isWritable(cell) ? cell : 'NA')));
}

function timeText(second: number): string {
  return new Date(Date.UTC(2024, 0, 1) + second * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

function written(
  cells: Cells,
  { dialect, quoted, pad }: { dialect: CsvDialect; quoted: readonly boolean[]; pad: string },
): string {
  const { delimiter, quote, escape, trims } = dialect;
  const around = trims ? pad : '';
  return cells
    .map((cell, index) => {
      const isNeeded = cell.includes(delimiter) || cell.includes(quote) || /[\r\n]/.test(cell) || cell.trim() !== cell;
      if (quote === '' || !(isNeeded || quoted[index] === true)) return around + cell + around;
      return around + quote + cell.replaceAll(quote, escape + quote) + quote + around;
    })
    .join(delimiter);
}

/** What can be wrong with a line, and nothing but that line is lost by it. Null: not in this dialect. */
const SPOILS: readonly Spoil[] = [
  ({ cells, write }) => write(cells.slice(0, 4)),
  ({ cells, write }) => write([...cells, 'more']),
  ({ cells, write }) => write([...cells, '']),
  ({ cells, write }) => write([cells[0] ?? '', 'yesterday', ...cells.slice(2)]),
  ({ cells, write }) => write([cells[0] ?? '', '2024-02-30 00:00:00', ...cells.slice(2)]),
  ({ cells, write }) => write([cells[0] ?? '', ' NA', ...cells.slice(2)]),
  ({ cells, write }) => write([...cells.slice(0, 2), '', ...cells.slice(3)]),
  ({ cells, write }) => write([...cells.slice(0, 3), 'x1', ...cells.slice(4)]),
  ({ cells, write }) => write([...cells.slice(0, 3), '1_000', ...cells.slice(4)]),
  ({ cells, write }) => write([...cells.slice(0, 4), 'many', ...cells.slice(5)]),
  ({ cells, write, dialect: { quote } }) => (quote === '' ? null : `${write(['1', ...cells.slice(1, 5)])}${quote}open`),
  ({ cells, write, dialect: { quote, delimiter } }) =>
    quote === '' ? null : `${write(cells.slice(0, 5))}${delimiter}${quote}open`,
  ({ cells, write, dialect: { quote, delimiter } }) =>
    quote === '' ? null : `${write(cells.slice(0, 5))}${delimiter}${quote}a${quote}b`,
  ({ cells, write, dialect: { encoding } }) =>
    encoding === 'utf-8' ? write([...cells.slice(0, 5), `n${BAD_BYTE}n`]) : null,
];
