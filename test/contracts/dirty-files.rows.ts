import {
  cellText,
  type CleanTable,
  dirtyFile,
  type DirtyFile,
  lineOf,
  PLAIN,
  recordsOf,
  recordText,
  STATION_TABLE,
  TABLES,
  textOf,
  whole,
} from './dirty-files.writer.js';

type Change = (cells: readonly string[]) => string;

/** Places of rows of which no cell has two lines. */
function placesIn({ rows }: CleanTable): readonly (readonly [name: string, index: number])[] {
  return [
    ['the first row', 0],
    ['the last row', rows.length - 1],
  ];
}

/** Files in which one row is not written like the others. */
export function dirtyRows(): readonly DirtyFile[] {
  return [...widths(), ...headerWidths(), ...quotesTooMany(), ...otherLineEnds(), ...blankLines(), ...twoLines()];
}

function written(cells: readonly string[]): readonly string[] {
  return cells.map((cell) => cellText(cell, PLAIN));
}

/** The row at `index` is written as `change` says, and can't be read. */
function withBadRow(table: CleanTable, [pollution, name]: readonly [string, string], change: Change): DirtyFile[] {
  return placesIn(table).map(([place, index]) => {
    const records = recordsOf(table, PLAIN).map((record, at) =>
      at === index + 1 ? change(table.rows[index] ?? []) : record,
    );
    return dirtyFile([pollution, `${name} in ${place} of ${table.name}`], textOf(records, PLAIN), {
      ...whole(table, { delimiter: ',', preambleLines: 0, headerRows: 1, fewestFields: table.columns.length }),
      rows: table.rows.filter((_, at) => at !== index),
      rejectedLines: [lineOf(records, index + 1)],
    });
  });
}

function widths(): readonly DirtyFile[] {
  const changes: readonly (readonly [kind: string, name: string, change: Change])[] = [
    ['fewer cells', 'one', (cells) => recordText(cells.slice(0, -1), PLAIN)],
    ['fewer cells', 'all but one', (cells) => recordText(cells.slice(0, 1), PLAIN)],
    ['more cells', 'an empty one', (cells) => `${recordText(cells, PLAIN)},`],
    ['more cells', 'one', (cells) => `${recordText(cells, PLAIN)},more`],
    ['more cells', 'one at the start', (cells) => `x,${recordText(cells, PLAIN)}`],
  ];
  return TABLES.flatMap((table) => changes.flatMap(([kind, name, change]) => withBadRow(table, [kind, name], change)));
}

function headerWidths(): readonly DirtyFile[] {
  return TABLES.flatMap((table) => {
    const [header = '', ...records] = recordsOf(table, PLAIN);
    const width = table.columns.length;
    const file = (name: string, first: string, columns: readonly string[], fewestFields: number): DirtyFile =>
      dirtyFile(['header', `${name} in ${table.name}`], textOf([first, ...records], PLAIN), {
        ...whole(table, { delimiter: ',', headerRows: 1, preambleLines: 0, fewestFields }),
        columns,
        rows: table.rows.map((row) => columns.map((_, index) => row[index] ?? '')),
      });
    const shorter = (count: number): readonly string[] => [
      ...table.columns.slice(0, width - count),
      ...Array.from({ length: count }, (_, index) => `column${width - count + index + 1}`),
    ];
    return [
      file('one name less', recordText(table.columns.slice(0, -1), PLAIN), shorter(1), width),
      file('two names less', recordText(table.columns.slice(0, -2), PLAIN), shorter(2), width),
      file('one name more', `${header},more`, [...table.columns, 'more'], width),
      file('an empty name more', `${header},`, [...table.columns, `column${width + 1}`], width),
      file(
        'three empty names more',
        `${header},,,`,
        [...table.columns, ...[1, 2, 3].map((one) => `column${width + one}`)],
        width,
      ),
    ];
  });
}

/** Rows whose quotes make no sense. */
function quotesTooMany(): readonly DirtyFile[] {
  const quoted = (cells: readonly string[], change: (cell: string) => string): string =>
    written(cells)
      .map((cell, index) => (index === 2 ? change(cells[index] ?? '') : cell))
      .join(',');
  const changes: readonly (readonly [name: string, change: Change])[] = [
    ['one at the start of a plain cell', (cells) => quoted(cells, (cell) => `"${cell}`)],
    [
      'one in the middle of a quoted cell',
      (cells) => quoted(cells, (cell) => `"${cell.slice(0, 2)}"${cell.slice(2)}"`),
    ],
    ['one at the end of a quoted cell', (cells) => quoted(cells, (cell) => `"${cell}""`)],
    ['one at the start of the first cell', (cells) => `"${recordText(cells, PLAIN)}`],
    ['a last cell that is never closed', (cells) => `${recordText(cells.slice(0, -1), PLAIN)},"open`],
  ];
  return TABLES.flatMap((table) =>
    changes.flatMap(([name, change]) => withBadRow(table, ['quote in a row', name], change)),
  );
}

function otherLineEnds(): readonly DirtyFile[] {
  return ['\r\n', '\r', '\n'].flatMap((lineEnd) =>
    TABLES.flatMap((table) =>
      [['the header', -1] as const, ...placesIn(table)].map(([place, index]) => {
        const others = lineEnd === '\n' ? '\r\n' : '\n';
        const records = recordsOf(table, PLAIN);
        const text = records.map((record, at) => record + (at === index + 1 ? lineEnd : others)).join('');
        const name = `${JSON.stringify(lineEnd)} after ${place} of ${table.name}`;
        return dirtyFile(['line end in a row', name], text, whole(table));
      }),
    ),
  );
}

function blankLines(): readonly DirtyFile[] {
  return TABLES.flatMap((table) =>
    [['the header', -1] as const, ...placesIn(table)].flatMap(([place, index]) =>
      [1, 3].map((count) => {
        const blank = Array<string>(count).fill('');
        const records = recordsOf(table, PLAIN);
        const all = [...records.slice(0, index + 2), ...blank, ...records.slice(index + 2)];
        const name = `${count} after ${place} of ${table.name}`;
        return dirtyFile(['blank lines', name], textOf(all, PLAIN), whole(table, { headerRows: 1 }));
      }),
    ),
  );
}

/** Of a record of two lines whose quotes make no sense both lines are rejected. */
function twoLines(): readonly DirtyFile[] {
  return [3, 73].map((index) => {
    const table = STATION_TABLE;
    const records = recordsOf(table, PLAIN).map((record, at) =>
      at === index + 1 ? record.replace('"first line', '"first" line') : record,
    );
    const line = lineOf(records, index + 1);
    return dirtyFile(
      ['quote in a row', `text behind a quote in a row of two lines, row ${index}`],
      textOf(records, PLAIN),
      {
        ...whole(table),
        rows: table.rows.filter((_, at) => at !== index),
        rejectedLines: [line, line + 1],
      },
    );
  });
}
