import { dirtyRows } from './dirty-files.rows.js';
import { dirtyStructures } from './dirty-files.structures.js';
import { TABLES } from './dirty-files.writer.js';
import {
  type CleanTable,
  type DirtyFile,
  dirtyFile,
  lineOf,
  PLAIN,
  recordsOf,
  textOf,
  unnamed,
  whole,
} from './dirty-files.writer.js';

export type { DirtyFile, ExpectedTable } from './dirty-files.writer.js';

/**
 * Files made dirty in every way we know, one way each, from two clean tables: what is around the table, how the whole is written, and what is
 * wrong with single rows. A row that can't be read in one way only is rejected with its line, and nothing else is lost.
 */
export function dirtyFiles(): readonly DirtyFile[] {
  return [...dirtyTables(), ...dirtyStructures(), ...dirtyRows()];
}

/** Files whose table is there whole, with something before, above, below or missing around it. */
function dirtyTables(): readonly DirtyFile[] {
  return [
    ...TABLES.map((table) => dirtyFile(['none', table.name], textOf(recordsOf(table, PLAIN), PLAIN), whole(table))),
    ...headerless(),
    ...preambles(),
    ...footers(),
    ...small(),
  ];
}

function headerless(): readonly DirtyFile[] {
  return [',', '\t', '||'].flatMap((delimiter) =>
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
    ...[1, 4, 20].map((count) => withPreamble(table, `${count} lines`, lines(count))),
    ...[1, 6].map((count) => withPreamble(table, `${count} comments`, Array<string>(count).fill('# a comment'))),
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
    ...[';', '^'].map((delimiter) => withSeparatorLine(table, delimiter)),
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
    ['a total', ['Total,80']],
    ['a blank line and a remark', ['', 'Source: the archive; all rights reserved']],
    ['three remarks', ['', 'Source: the archive', '* preliminary', '** corrected, see notes']],
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

function small(): readonly DirtyFile[] {
  const nothing = { columns: [], rows: [], rejectedLines: [], dialect: {} };
  return [
    dirtyFile(['empty', 'no byte'], '', nothing),
    dirtyFile(['empty', 'a mark'], '\uFEFF', nothing),
    ...TABLES.flatMap((table) => {
      const records = recordsOf(table, PLAIN);
      return [
        dirtyFile(['empty', `a header alone of ${table.name}`], `${records[0] ?? ''}\n`, {
          ...whole(table),
          rows: [],
        }),
        ...[1, 3].map((count) =>
          dirtyFile(['few rows', `${count} of ${table.name}`], textOf(records.slice(0, count + 1), PLAIN), {
            ...whole(table),
            rows: table.rows.slice(0, count),
          }),
        ),
      ];
    }),
  ];
}
