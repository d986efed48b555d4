import {
  cellText,
  type CleanTable,
  dirtyFile,
  type DirtyFile,
  encoded,
  PLAIN,
  PRODUCT_TABLE,
  recordsOf,
  STATION_TABLE,
  type Style,
  TABLES,
  textOf,
  whole,
} from './dirty-files.writer.js';

const DELIMITERS = [',', ';', '\t', '|', ' ', '^', ':', '\u0001'];
const LONG_DELIMITERS = ['||', '~|~', '<>', '§'];

/** Files of which the whole is written in an unusual way. Everything in them can be read. */
export function dirtyStructures(): readonly DirtyFile[] {
  return [...delimiters(), ...quotes(), ...escapes(), ...lineEnds(), ...ends(), ...encodings(), ...blanks()];
}

function written(kind: string, table: CleanTable, change: Partial<Style>): DirtyFile {
  const style = { ...PLAIN, ...change };
  const { delimiter, quote, escape } = style;
  const isQuoted = textOf(recordsOf(table, style), style).includes(quote) && style.quoted !== 'none';
  const dialect = { delimiter, headerRows: 1, preambleLines: 0, ...(isQuoted ? { quote, escape } : {}) };
  const label = Object.values(change).map((value) => JSON.stringify(value));
  return dirtyFile(
    [kind, `${label.join(' ')} of ${table.name}`],
    textOf(recordsOf(table, style), style),
    whole(table, escape === quote ? dialect : escapeIfSeen(dialect, table, quote)),
  );
}

/** An escape that nothing needs can't be found. */
function escapeIfSeen(dialect: ReturnType<typeof whole>['dialect'], table: CleanTable, quote: string): typeof dialect {
  if (table.rows.some((row) => row.some((cell) => cell.includes(quote)))) return dialect;
  const { escape: _, ...others } = dialect;
  return others;
}

function delimiters(): readonly DirtyFile[] {
  const all = [...DELIMITERS, ...LONG_DELIMITERS];
  const quoted = all
    .slice(0, 8)
    .flatMap((delimiter) => [
      written('delimiter', STATION_TABLE, { delimiter, quoted: 'all' }),
      written('delimiter', PRODUCT_TABLE, { delimiter, quoted: 'texts' }),
    ]);
  return [...all.flatMap((delimiter) => TABLES.map((table) => written('delimiter', table, { delimiter }))), ...quoted];
}

function quotes(): readonly DirtyFile[] {
  const signs = ['"', "'", '`'];
  const all = signs.flatMap((quote) =>
    (['needed', 'texts', 'all'] as const).flatMap((quoted) =>
      TABLES.map((table) => written('quote', table, { quote, escape: quote, quoted })),
    ),
  );
  const none = [',', ';', '\t'].map((delimiter) => written('quote', PRODUCT_TABLE, { delimiter, quoted: 'none' }));
  return [...all, ...none];
}

function escapes(): readonly DirtyFile[] {
  return [',', ';'].flatMap((delimiter) =>
    (['needed', 'texts', 'all'] as const).flatMap((quoted) => [
      written('escape', STATION_TABLE, { delimiter, escape: '\\', quoted }),
      ...(delimiter === ',' ? [written('escape', STATION_TABLE, { escape: '/', quoted })] : []),
    ]),
  );
}

function lineEnds(): readonly DirtyFile[] {
  const uniform = ['\n', '\r\n', '\r'].flatMap((lineEnd) =>
    TABLES.flatMap((table) => [
      written('line end', table, { lineEnd }),
      written('line end', table, { lineEnd, delimiter: ';', quoted: 'texts' }),
    ]),
  );
  const mixed = TABLES.flatMap((table) =>
    [
      ['\n', '\r\n'],
      ['\n', '\r'],
      ['\r\n', '\n', '\r'],
    ].map((used) => {
      const text = recordsOf(table, PLAIN).map((record, index) => record + (used[index % used.length] ?? '\n'));
      return dirtyFile(['line end', `${JSON.stringify(used)} mixed in ${table.name}`], text.join(''), whole(table));
    }),
  );
  return [...uniform, ...mixed];
}

function ends(): readonly DirtyFile[] {
  const rest: readonly (readonly [name: string, end: string])[] = [
    ['no line end at the end', ''],
    ['two line ends at the end', '\n\n'],
    ['many line ends at the end', '\n\n\n\n\n'],
  ];
  return TABLES.flatMap((table) =>
    rest.map(([name, end]) => {
      const text = textOf(recordsOf(table, PLAIN), PLAIN).slice(0, -1) + end;
      return dirtyFile(['end of file', `${name} of ${table.name}`], text, whole(table));
    }),
  );
}

function encodings(): readonly DirtyFile[] {
  const kinds: readonly (readonly [encoding: string, mark: boolean, found?: string])[] = [
    ['utf-8', true],
    ['utf-16le', true],
    ['utf-16be', true],
    ['utf-16le', false],
    ['utf-16be', false],
    ['iso-8859-1', false],
  ];
  const styles: readonly Style[] = [PLAIN, { ...PLAIN, delimiter: '\t', lineEnd: '\r\n', quoted: 'all' }];
  return kinds.flatMap(([encoding, mark]) =>
    styles.map((style) => {
      const text = textOf(recordsOf(STATION_TABLE, style), style);
      const name = `${encoding} ${mark ? 'with a mark' : 'without a mark'}, ${JSON.stringify(style.delimiter)}`;
      const dialect = { encoding, delimiter: style.delimiter };
      return dirtyFile(['encoding', name], encoded(text, encoding, mark), whole(STATION_TABLE, dialect));
    }),
  );
}

/** Blanks behind delimiters, or on both of their sides. */
function blanks(): readonly DirtyFile[] {
  return [',', ';', '|'].flatMap((delimiter) =>
    TABLES.flatMap((table) =>
      [`${delimiter} `, ` ${delimiter} `, `${delimiter}   `].map((between) => {
        const style = { ...PLAIN, delimiter };
        const text = [table.columns, ...table.rows].map((row) =>
          row.map((cell) => cellText(cell, style)).join(between),
        );
        const dialect = { delimiter, trims: true };
        return dirtyFile(
          ['blanks', `${JSON.stringify(between)} in ${table.name}`],
          textOf(text, style),
          whole(table, dialect),
        );
      }),
    ),
  );
}
