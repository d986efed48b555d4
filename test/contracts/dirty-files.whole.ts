import { PRODUCT_TABLE, STATION_TABLE, TABLES } from './dirty-files.tables.js';
import {
  type CleanTable,
  dirtyFile,
  type DirtyFile,
  lineOf,
  PLAIN,
  recordsOf,
  recordText,
  textOf,
  unnamed,
  whole,
} from './dirty-files.writer.js';

/** Files whose table is there whole, with something before, above, below or missing around it. */
export function dirtyTables(): readonly DirtyFile[] {
  return [
    ...TABLES.map((table) => dirtyFile(['none', table.name], textOf(recordsOf(table, PLAIN), PLAIN), whole(table))),
    ...headerless(),
    ...preambles(),
    ...footers(),
    ...severalHeaders(),
    ...names(),
    ...small(),
    ...oneColumn(),
  ];
}

function headerless(): readonly DirtyFile[] {
  return [',', ';', '\t', '|', '^', '||'].flatMap((delimiter) =>
    TABLES.map((table) => {
      const style = { ...PLAIN, delimiter };
      const text = textOf(recordsOf(table, style).slice(1), style);
      const expected = whole(table, { delimiter, headerRows: 0, preambleLines: 0 });
      return dirtyFile(['no header', `${JSON.stringify(delimiter)} of ${table.name}`], text, {
        ...expected,
        columns: unnamed(table.columns.length),
      });
    }),
  );
}

const REMARK_LINES = [
  'Monthly report of the network',
  'Created by the archive, on 5 March 2024',
  '',
  'All figures are preliminary: see the notes; ask if in doubt',
  'Contact: archive@example.org',
];

function preambles(): readonly DirtyFile[] {
  const lines = (count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => REMARK_LINES[index % REMARK_LINES.length] ?? '');
  return TABLES.flatMap((table) => [
    ...[1, 2, 3, 4, 5, 8, 12, 20].map((count) => withPreamble(table, `${count} lines`, lines(count))),
    ...[1, 2, 6].map((count) => withPreamble(table, `${count} comments`, Array<string>(count).fill('# a comment'))),
    withPreamble(table, 'comments with delimiters', ['# one, two', '# three, four, five', '# six']),
    ...[1, 3].map((count) => withPreamble(table, `${count} blank lines`, Array<string>(count).fill(''))),
    withPreamble(table, 'a title and a blank line', ['Stock and weather', '']),
    withPreamble(table, 'a title padded with delimiters', [`Report${','.repeat(table.columns.length - 1)}`]),
    withPreamble(table, 'padded lines', [
      `Report${','.repeat(table.columns.length - 1)}`,
      `2024-03-05${','.repeat(table.columns.length - 1)}`,
      ','.repeat(table.columns.length - 1),
    ]),
    withPreamble(table, 'keys and values', ['station:,all', 'from:,2024-01-01', 'to:,2024-12-31', '']),
    withPreamble(table, 'a quoted title', ['"Report, with a comma"', '']),
    withPreamble(table, 'a line with a lone quote', ['Pipes of 5" and more', '"never closed']),
    ...[',', ';', '\t', '|', '^'].map((delimiter) => withSeparatorLine(table, delimiter)),
  ]);
}

function withPreamble(table: CleanTable, name: string, lines: readonly string[]): DirtyFile {
  const records = [...lines, ...recordsOf(table, PLAIN)];
  const dialect = { delimiter: ',', preambleLines: lines.length, headerRows: 1 };
  return dirtyFile(['preamble', `${name} of ${table.name}`], textOf(records, PLAIN), whole(table, dialect));
}

/** As Excel writes and reads it. */
function withSeparatorLine(table: CleanTable, delimiter: string): DirtyFile {
  const style = { ...PLAIN, delimiter, lineEnd: '\r\n' };
  const text = textOf([`sep=${delimiter}`, ...recordsOf(table, style)], style);
  const dialect = { delimiter, preambleLines: 1, headerRows: 1 };
  return dirtyFile(['preamble', `sep=${JSON.stringify(delimiter)} of ${table.name}`], text, whole(table, dialect));
}

function footers(): readonly DirtyFile[] {
  const all: readonly (readonly [name: string, lines: readonly string[]])[] = [
    ['a remark', ['Source: the archive']],
    ['a total', ['Total,80']],
    ['a blank line and a remark', ['', 'Source: the archive; all rights reserved']],
    ['three remarks', ['', 'Source: the archive', '* preliminary', '** corrected, see notes']],
    ['a second table', ['', 'code,meaning', 'A,good', 'B,fair', 'C,poor']],
    ['a second table of three columns', ['', '', 'a,b,c', '1,2,3', '4,5,6']],
  ];
  return TABLES.flatMap((table) =>
    all.map(([name, lines]) => {
      const records = [...recordsOf(table, PLAIN), ...lines];
      const first = table.rows.length + 1;
      const rejectedLines = lines.flatMap((line, index) => (line === '' ? [] : [lineOf(records, first + index)]));
      const expected = { ...whole(table, { preambleLines: 0, headerRows: 1 }), rejectedLines };
      return dirtyFile(['footer', `${name} under ${table.name}`], textOf(records, PLAIN), expected);
    }),
  );
}

/** Rows of header for the nine columns of the stations and the six of the products. */
function severalHeaders(): readonly DirtyFile[] {
  const stationGroups = ['', '', 'place', '', 'measured', '', '', 'texts', ''];
  const stationUnits = ['', '', '', '', '°C', 'people', '', '', ''];
  const productGroups = ['item', '', 'money', 'number', '', ''];
  const productUnits = ['', '', 'EUR', 'pcs', '', ''];
  const stations = STATION_TABLE.columns;
  const products = PRODUCT_TABLE.columns;
  return [
    withHeaders(STATION_TABLE, 'groups above', [stationGroups, stations]),
    withHeaders(STATION_TABLE, 'units below', [stations, stationUnits]),
    withHeaders(STATION_TABLE, 'groups above and units below', [stationGroups, stations, stationUnits]),
    withHeaders(PRODUCT_TABLE, 'groups above', [productGroups, products]),
    withHeaders(PRODUCT_TABLE, 'units below', [products, productUnits]),
    withHeaders(PRODUCT_TABLE, 'groups above and units below', [productGroups, products, productUnits]),
  ];
}

const GROUP_ROWS: Readonly<Record<string, readonly string[]>> = {
  stations: ['id', 'taken_at', 'place station', 'place city', 'measured temperature', 'measured visits'],
  products: ['item sku', 'item product', 'money price', 'number stock', 'number listed', 'number grade'],
};

function withHeaders(table: CleanTable, name: string, headers: readonly (readonly string[])[]): DirtyFile {
  const hasGroups = headers[0] !== table.columns;
  const hasUnits = headers.at(-1) !== table.columns;
  const grouped = hasGroups ? groupedNames(table) : table.columns;
  const units = hasUnits ? (headers.at(-1) ?? []) : [];
  const columns = grouped.map((column, index) => `${column} ${units[index] ?? ''}`.trim());
  const records = [...headers.map((row) => recordText(row, PLAIN)), ...recordsOf(table, PLAIN).slice(1)];
  const dialect = { preambleLines: 0, headerRows: headers.length };
  const expected = { ...whole(table, dialect), columns };
  return dirtyFile(['several header rows', `${name} of ${table.name}`], textOf(records, PLAIN), expected);
}

/** With group titles carried to the right. */
function groupedNames({ name }: CleanTable): readonly string[] {
  const known = GROUP_ROWS[name] ?? [];
  return name === 'stations' ? [...known, 'measured is_open', 'texts remark', 'texts note'] : known;
}

function names(): readonly DirtyFile[] {
  const table = PRODUCT_TABLE;
  const headers: readonly (readonly [name: string, header: readonly string[], columns: readonly string[]])[] = [
    [
      'names twice',
      ['sku', 'price', 'price', 'Price', 'listed', 'grade'],
      ['sku', 'price', 'price_2', 'Price_3', 'listed', 'grade'],
    ],
    [
      'names missing',
      ['sku', '', 'price', '', 'listed', 'grade'],
      ['sku', 'column2', 'price', 'column4', 'listed', 'grade'],
    ],
    ['all languages', ['größe', '名前', 'цена', 'مخزون', 'ημερομηνία', '🙂'], []],
    ['SQL words', ['select', 'from', 'order', 'group by', 'drop table x; --', 'null'], []],
    ['signs', ['a"b', "it's", 'x, y', '50 %', 'a\\b', '{{c}}'], []],
    ['inner blanks', ['a  b', 'c   d', 'e f', 'g\th', 'i', 'j'], []],
    ['line breaks', ['two\nlines', 'three\nmore\nlines', 'price', 'stock', 'listed', 'grade'], []],
    ['300 characters', ['x'.repeat(300), 'y'.repeat(300), 'z'.repeat(299), 'stock', 'listed', 'grade'], []],
    ['blanks around', [' sku', 'product ', '  price  ', 'stock', 'listed', 'grade'], table.columns],
  ];
  return headers.map(([name, header, columns]) => {
    const records = [recordText(header, PLAIN), ...recordsOf(table, PLAIN).slice(1)];
    const expected = { ...whole(table, { headerRows: 1 }), columns: columns.length > 0 ? columns : header };
    return dirtyFile(['names', name], textOf(records, PLAIN), expected);
  });
}

function small(): readonly DirtyFile[] {
  const nothing = { columns: [], rows: [], rejectedLines: [], dialect: {} };
  return [
    dirtyFile(['empty', 'no byte'], '', nothing),
    dirtyFile(['empty', 'a line break'], '\n', nothing),
    dirtyFile(['empty', 'a mark'], '\uFEFF', nothing),
    ...TABLES.flatMap((table) => {
      const records = recordsOf(table, PLAIN);
      return [
        dirtyFile(['empty', `a header alone of ${table.name}`], `${records[0] ?? ''}\n`, {
          ...whole(table),
          rows: [],
        }),
        ...[1, 2, 3].map((count) =>
          dirtyFile(['few rows', `${count} of ${table.name}`], textOf(records.slice(0, count + 1), PLAIN), {
            ...whole(table),
            rows: table.rows.slice(0, count),
          }),
        ),
      ];
    }),
  ];
}

function oneColumn(): readonly DirtyFile[] {
  const all: readonly (readonly [name: string, cell: (index: number) => string])[] = [
    ['words', (index) => `word${index}`],
    ['numbers', (index) => String(index * 3)],
    ['fractions', (index) => String(index + 0.5)],
    ['times', (index) => `2024-01-${String(1 + (index % 28)).padStart(2, '0')} 10:00:00`],
    ['clock times', (index) => `1${index % 10}:3${index % 6}`],
    ['dates with slashes', (index) => `0${1 + (index % 9)}/1${index % 10}/2024`],
    ['sentences', (index) => `${'so it goes on '.repeat(1 + (index % 4))}and ends`],
    ['full names', (index) => `Ada${index} Lovelace`],
    ['paths', (index) => `/usr/share/doc${index}/readme`],
    ['addresses', (index) => `https://example.org/page/${index}`],
    ['hashes', (index) => `#a${index}`],
  ];
  return all.map(([name, cell]) => {
    const rows = Array.from({ length: 30 }, (_, index) => [cell(index)]);
    const text = ['content', ...rows.flat()].map((line) => `${line}\n`).join('');
    const dialect = { delimiter: ',', headerRows: 1, fewestFields: 1 };
    return dirtyFile(['one column', name], text, { columns: ['content'], rows, rejectedLines: [], dialect });
  });
}
