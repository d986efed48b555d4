import iconv from 'iconv-lite';
import type { CsvDialect } from '../../src/ports/csv-inspector.js';

/** A file that is not written as it should be, and what must come out of it. */
export interface DirtyFile {
  readonly name: string;
  /** Which kind of dirt it has. */
  readonly pollution: string;
  readonly content: Buffer;
  readonly expected: ExpectedTable;
}

interface ExpectedTable {
  /** None: the file can't be used, and a sentence says so. */
  readonly columns: readonly string[];
  /** As text, each as long as `columns`, without the rejected ones. */
  readonly rows: readonly (readonly string[])[];
  /** Physical lines, from 1, on which what is rejected begins. */
  readonly rejectedLines: readonly number[];
  /** What must be found of the way the file is written. */
  readonly dialect: Partial<CsvDialect>;
}

interface CleanTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** How a file is written. */
interface Style {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly lineEnd: string;
  readonly quoted: 'needed' | 'texts' | 'all' | 'none';
}

const PLAIN: Style = { delimiter: ',', quote: '"', escape: '"', lineEnd: '\n', quoted: 'needed' };

function picked(texts: readonly string[], index: number): string {
  return texts[index % texts.length] ?? '';
}

/** Eighty rows of nine columns of all types, with texts that must be quoted and some that have two lines. */
const STATIONS: CleanTable = {
  name: 'stations',
  columns: ['id', 'taken_at', 'station', 'city', 'temperature', 'visits', 'is_open', 'remark', 'note'],
  rows: Array.from({ length: 80 }, (_, index) => [
    String(1001 + index),
    new Date(Date.UTC(2024, 2, 1) + index * 900_000).toISOString().slice(0, 19).replace('T', ' '),
    picked(['North Gate', 'Old Mill', 'Harbour', 'Hill', 'Market Square'], index),
    picked(['Zürich', 'Orléans', 'Malmö', 'Köln', 'Vigo', 'Sète', 'Århus'], index),
    String((((index * 37) % 400) - 100) / 10),
    String((index * 131) % 977),
    String(index % 3 === 0),
    picked(['wind, rain; hail | snow', '', 'he said "fine" again', 'dry'], index),
    index % 10 === 3 ? `first line ${index}\nsecond line` : `n-${index}`,
  ]),
};

/** Forty rows of six columns that never need a quote: codes with leading zeros, prices, days. */
const PRODUCTS: CleanTable = {
  name: 'products',
  columns: ['sku', 'product', 'price', 'stock', 'listed', 'grade'],
  rows: Array.from({ length: 40 }, (_, index) => [
    String(417 + index * 13).padStart(6, '0'),
    `${picked(['lamp', 'chair', 'table', 'shelf', 'sofa', 'desk', 'stool'], index)}${index}`,
    String(((index * 977) % 5000) / 100),
    String((index * 7) % 90),
    `2024-0${1 + (index % 9)}-${String(1 + (index % 28)).padStart(2, '0')}`,
    picked(['A', 'B', 'C'], index),
  ]),
};

function cellText(cell: string, { delimiter, quote, escape, quoted }: Style): string {
  if (quoted === 'none') return cell;
  const isText = cell !== '' && !/^[-+.\d]+$/.test(cell);
  const isNeeded = [delimiter, quote, '\r', '\n'].some((sign) => cell.includes(sign));
  const isQuoted = isNeeded || quoted === 'all' || (quoted === 'texts' && isText);
  return isQuoted ? quote + cell.replaceAll(quote, escape + quote) + quote : cell;
}

/** A row as it stands in a file, without its line end. */
function recordText(cells: readonly string[], style = PLAIN): string {
  return cells.map((cell) => cellText(cell, style)).join(style.delimiter);
}

/** The header and the rows. */
function recordsOf({ columns, rows }: CleanTable, style = PLAIN): readonly string[] {
  return [columns, ...rows].map((cells) => recordText(cells, style));
}

function textOf(records: readonly string[], lineEnd = '\n'): string {
  return records.map((record) => record + lineEnd).join('');
}

/** The physical line on which a record begins. */
function lineOf(records: readonly string[], index: number): number {
  return 1 + records.slice(0, index).reduce((total, record) => total + record.split(/\r\n|\r|\n/).length, 0);
}

/** A file of a table, all of which comes out where nothing else is said. */
function fileOf(
  table: CleanTable,
  [pollution, name]: readonly [string, string],
  content: string | Buffer,
  expected: Partial<ExpectedTable> = {},
): DirtyFile {
  const { columns, rows } = table;
  const whole = { columns, rows, rejectedLines: [], dialect: {}, ...expected };
  const full = `${pollution}: ${name} of ${table.name}`;
  return { name: full, pollution, content: Buffer.from(content), expected: whole };
}

/**
 * Files made dirty in every way we know, one way each, from two clean tables: what is around the table, how the whole is written, and what is
 * wrong with single rows. A row that can't be read in one way only is rejected with its line, and nothing else is lost.
 */
export function dirtyFiles(): readonly DirtyFile[] {
  const isLong = process.env['TEST_LONG'] === '1';
  const around = [headerless, preambles, footers, small];
  const rows = [ends, badRows, headerWidths, blankLines];
  const ofBoth = [...around, ...rows].flatMap((make) => [STATIONS, PRODUCTS].flatMap(make));
  const written = [styled, mixedLineEnds, blanks, otherLineEnds];
  const ofOne = written.flatMap((make) => (isLong ? [STATIONS, PRODUCTS] : [STATIONS]).flatMap(make));
  const unusable = ['', '\uFEFF'].map((content) =>
    fileOf({ name: 'nothing', columns: [], rows: [] }, ['empty', JSON.stringify(content)], content),
  );
  return [...ofBoth, ...ofOne, ...unusable, ...escapes(), ...encodings(), ...badRowsOfTwoLines()];
}

function headerless(table: CleanTable): readonly DirtyFile[] {
  return [',', '\t', '||'].map((delimiter) => {
    const columns = table.columns.map((_, index) => `column${index + 1}`);
    const text = textOf(recordsOf(table, { ...PLAIN, delimiter }).slice(1));
    const dialect = { delimiter, headerRows: 0, preambleLines: 0 };
    return fileOf(table, ['no header', JSON.stringify(delimiter)], text, { columns, dialect });
  });
}

const REMARKS = [
  'Monthly report of the network',
  'Created by the archive, on 5 March 2024',
  '',
  'All figures are preliminary: see the notes; ask if in doubt',
  'Contact: archive@example.org',
];

function preambles(table: CleanTable): readonly DirtyFile[] {
  const padding = ','.repeat(table.columns.length - 1);
  const remarks = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => picked(REMARKS, at));
  const all: Readonly<Record<string, readonly string[]>> = {
    ...{ 'a line': remarks(1), 'four lines': remarks(4), 'twenty lines': remarks(20) },
    ...{ 'a comment': ['# a comment'], 'six comments': Array<string>(6).fill('# a comment') },
    'comments with delimiters': ['# one, two', '# three, four, five', '# six'],
    ...{ 'a blank line': [''], 'three blank lines': ['', '', ''] },
    'a title and a blank line': ['Stock and weather', ''],
    'a title padded with delimiters': [`Report${padding}`],
    'padded lines': [`Report${padding}`, `2024-03-05${padding}`, padding],
    'keys and values': ['station:,all', 'from:,2024-01-01', 'to:,2024-12-31', ''],
    'a quoted title': ['"Report, with a comma"', ''],
    'a line with a lone quote': ['Pipes of 5" and more', '"never closed'],
  };
  const dialect = { headerRows: 1 };
  // As Excel writes and reads it.
  const separators = [';', '^'].map((delimiter) => {
    const text = textOf([`sep=${delimiter}`, ...recordsOf(table, { ...PLAIN, delimiter })], '\r\n');
    return fileOf(table, ['preamble', `sep=${delimiter}`], text, {
      dialect: { ...dialect, delimiter, preambleLines: 1 },
    });
  });
  const preceded = Object.entries(all).map(([name, lines]) =>
    fileOf(table, ['preamble', name], textOf([...lines, ...recordsOf(table)]), {
      dialect: { ...dialect, delimiter: ',', preambleLines: lines.length },
    }),
  );
  return [...preceded, ...separators];
}

function footers(table: CleanTable): readonly DirtyFile[] {
  const all: Readonly<Record<string, readonly string[]>> = {
    'a total': ['Total,80'],
    'a total in a full row': [`Total${','.repeat(table.columns.length - 1)}`],
    'a blank line and a remark': ['', 'Source: the archive; all rights reserved'],
    'three remarks': ['', 'Source: the archive', '* preliminary', '** corrected, see notes'],
    'a second table of three columns': ['', '', 'a,b,c', '1,2,3', '4,5,6'],
  };
  return Object.entries(all).map(([name, lines]) => {
    const records = [...recordsOf(table), ...lines];
    const first = table.rows.length + 1;
    const rejectedLines = lines.flatMap((line, index) => (line === '' ? [] : [lineOf(records, first + index)]));
    const dialect = { preambleLines: 0, headerRows: 1 };
    return fileOf(table, ['footer', name], textOf(records), { rejectedLines, dialect });
  });
}

function small(table: CleanTable): readonly DirtyFile[] {
  return [0, 1, 3].map((count) => {
    const text = textOf(recordsOf(table).slice(0, count + 1));
    return fileOf(table, ['few rows', String(count)], text, { rows: table.rows.slice(0, count) });
  });
}

/** Files of which the whole is written in an unusual way. Everything in them can be read. */
function styled(table: CleanTable): readonly DirtyFile[] {
  const hasQuotes = table === STATIONS;
  const delimiters = [',', ';', '\t', '|', ' ', '^', ':', '\u0001'];
  const quotings = ['needed', 'texts', 'all'] as const;
  return [
    ...[...delimiters, '||', '~|~', '<>', '§'].map((delimiter) => written('delimiter', table, { delimiter })),
    ...delimiters.map((delimiter) => written('delimiter', table, { delimiter, quoted: hasQuotes ? 'all' : 'texts' })),
    ...['"', "'", '`'].flatMap((quote) =>
      quotings.map((quoted) => written('quote', table, { quote, escape: quote, quoted })),
    ),
    ...(hasQuotes ? [] : [',', ';', '\t'].map((delimiter) => written('quote', table, { delimiter, quoted: 'none' }))),
    ...['\n', '\r\n', '\r'].flatMap((lineEnd) => [
      written('line end', table, { lineEnd }),
      written('line end', table, { lineEnd, delimiter: ';', quoted: 'texts' }),
    ]),
  ];
}

function escapes(): readonly DirtyFile[] {
  return (['needed', 'texts', 'all'] as const).flatMap((quoted) => [
    written('escape', STATIONS, { escape: '\\', quoted }),
    written('escape', STATIONS, { escape: '/', quoted }),
    written('escape', STATIONS, { delimiter: ';', escape: '\\', quoted }),
  ]);
}

function written(kind: string, table: CleanTable, change: Partial<Style>): DirtyFile {
  const style = { ...PLAIN, ...change };
  const { delimiter, quote, escape, lineEnd } = style;
  const text = textOf(recordsOf(table, style), lineEnd);
  // A sign that nothing needs can't be found.
  const isQuoted = text.includes(quote) && style.quoted !== 'none';
  const isEscaped =
    isQuoted && (escape === quote || table.rows.some((row) => row.some((cell) => cell.includes(quote))));
  const signs = { ...(isQuoted && { quote }), ...(isEscaped && { escape }) };
  const dialect = { delimiter, headerRows: 1, preambleLines: 0, ...signs };
  return fileOf(table, [kind, JSON.stringify(Object.values(change))], text, { dialect });
}

function mixedLineEnds(table: CleanTable): readonly DirtyFile[] {
  const mixtures = [
    ['\n', '\r\n'],
    ['\n', '\r'],
    ['\r\n', '\n', '\r'],
  ];
  return mixtures.map((used) => {
    const text = recordsOf(table).map((record, index) => record + picked(used, index));
    return fileOf(table, ['line end', `${JSON.stringify(used)} mixed`], text.join(''));
  });
}

function ends(table: CleanTable): readonly DirtyFile[] {
  return [0, 2, 5].map((count) => {
    const text = textOf(recordsOf(table)).slice(0, -1) + '\n'.repeat(count);
    return fileOf(table, ['end of file', `${count} line ends`], text);
  });
}

function encodings(): readonly DirtyFile[] {
  const marked = ['utf-8', 'utf-16le', 'utf-16be'].map((encoding) => [encoding, true] as const);
  const unmarked = ['utf-16le', 'utf-16be', 'iso-8859-1'].map((encoding) => [encoding, false] as const);
  const styles: readonly Style[] = [PLAIN, { ...PLAIN, delimiter: '\t', lineEnd: '\r\n', quoted: 'all' }];
  return [...marked, ...unmarked].flatMap(([encoding, addBOM]) =>
    styles.map((style) => {
      const { delimiter, lineEnd } = style;
      const content = iconv.encode(textOf(recordsOf(STATIONS, style), lineEnd), encoding, { addBOM });
      const name = `${encoding} ${addBOM ? 'with' : 'without'} a mark, ${JSON.stringify(delimiter)}`;
      return fileOf(STATIONS, ['encoding', name], content, { dialect: { encoding, delimiter } });
    }),
  );
}

/** Blanks behind delimiters, or on both of their sides. */
function blanks(table: CleanTable): readonly DirtyFile[] {
  return [',', ';', '|'].flatMap((delimiter) =>
    [`${delimiter} `, ` ${delimiter} `, `${delimiter}   `].map((between) => {
      const text = [table.columns, ...table.rows].map((row) =>
        row.map((cell) => cellText(cell, { ...PLAIN, delimiter })).join(between),
      );
      return fileOf(table, ['blanks', JSON.stringify(between)], textOf(text), { dialect: { delimiter, trims: true } });
    }),
  );
}

/** One row is written so that it can't be read. */
function badRows(table: CleanTable): readonly DirtyFile[] {
  const third = (cells: readonly string[], change: (cell: string) => string): string =>
    cells.map((cell, index) => (index === 2 ? change(cell) : recordText([cell]))).join(',');
  const changes: readonly (readonly [kind: string, name: string, change: (cells: readonly string[]) => string])[] = [
    ['fewer cells', 'one', (cells) => recordText(cells.slice(0, -1))],
    ['fewer cells', 'all but one', (cells) => recordText(cells.slice(0, 1))],
    ['more cells', 'an empty one', (cells) => `${recordText(cells)},`],
    ['more cells', 'one', (cells) => `${recordText(cells)},more`],
    ['more cells', 'one at the start', (cells) => `x,${recordText(cells)}`],
    ['quote in a row', 'at the start of a plain cell', (cells) => third(cells, (cell) => `"${cell}`)],
    [
      'quote in a row',
      'in the middle of a quoted cell',
      (cells) => third(cells, (cell) => `"${cell.slice(0, 2)}"${cell.slice(2)}"`),
    ],
    ['quote in a row', 'at the end of a quoted cell', (cells) => third(cells, (cell) => `"${cell}""`)],
    ['quote in a row', 'at the start of the first cell', (cells) => `"${recordText(cells)}`],
    ['quote in a row', 'never closed', (cells) => `${recordText(cells.slice(0, -1))},"open`],
  ];
  return changes.flatMap(([kind, name, change]) =>
    [0, table.rows.length - 1].map((index) => {
      const records = recordsOf(table).map((record, at) =>
        at === index + 1 ? change(table.rows[index] ?? []) : record,
      );
      return fileOf(table, [kind, `${name}, row ${index}`], textOf(records), {
        rows: table.rows.filter((_, at) => at !== index),
        rejectedLines: [lineOf(records, index + 1)],
        dialect: { delimiter: ',', preambleLines: 0, headerRows: 1, fewestFields: table.columns.length },
      });
    }),
  );
}

/** Of a record of two lines whose quotes make no sense both lines are rejected. */
function badRowsOfTwoLines(): readonly DirtyFile[] {
  return [3, 73].map((index) => {
    const records = recordsOf(STATIONS).map((record, at) =>
      at === index + 1 ? record.replace('"first line', '"first" line') : record,
    );
    const line = lineOf(records, index + 1);
    return fileOf(STATIONS, ['quote in a row', `text behind one, in two lines, row ${index}`], textOf(records), {
      rows: STATIONS.rows.filter((_, at) => at !== index),
      rejectedLines: [line, line + 1],
    });
  });
}

function headerWidths(table: CleanTable): readonly DirtyFile[] {
  const [header = '', ...records] = recordsOf(table);
  const { columns: names } = table;
  const width = names.length;
  const numbered = (from: number, to: number): readonly string[] =>
    Array.from({ length: to - from }, (_, index) => `column${from + index + 1}`);
  const all: readonly (readonly [name: string, header: string, columns: readonly string[]])[] = [
    ['one name less', recordText(names.slice(0, -1)), [...names.slice(0, -1), ...numbered(width - 1, width)]],
    ['two names less', recordText(names.slice(0, -2)), [...names.slice(0, -2), ...numbered(width - 2, width)]],
    ['one name more', `${header},more`, [...names, 'more']],
    ['an empty name more', `${header},`, [...names, ...numbered(width, width + 1)]],
    ['three empty names more', `${header},,,`, [...names, ...numbered(width, width + 3)]],
  ];
  return all.map(([name, first, columns]) =>
    fileOf(table, ['header', name], textOf([first, ...records]), {
      columns,
      rows: table.rows.map((row) => columns.map((_, index) => row[index] ?? '')),
      dialect: { delimiter: ',', headerRows: 1, preambleLines: 0, fewestFields: width },
    }),
  );
}

/** Behind the header, the first row and the last row. */
function placesIn({ rows }: CleanTable): readonly number[] {
  return [0, 1, rows.length];
}

function otherLineEnds(table: CleanTable): readonly DirtyFile[] {
  return ['\r\n', '\r', '\n'].flatMap((lineEnd) =>
    placesIn(table).map((place) => {
      const others = lineEnd === '\n' ? '\r\n' : '\n';
      const text = recordsOf(table).map((record, at) => record + (at === place ? lineEnd : others));
      return fileOf(table, ['line end in a row', `${JSON.stringify(lineEnd)} after record ${place}`], text.join(''));
    }),
  );
}

function blankLines(table: CleanTable): readonly DirtyFile[] {
  return placesIn(table).flatMap((place) =>
    [1, 3].map((count) => {
      const all = recordsOf(table).flatMap((record, at) => [
        record,
        ...Array<string>(at === place ? count : 0).fill(''),
      ]);
      return fileOf(table, ['blank lines', `${count} after record ${place}`], textOf(all), {
        dialect: { headerRows: 1 },
      });
    }),
  );
}
