const SEPARATORS = ['\t', ',', ';', '|'];

/** Rows of fields, as a spreadsheet or a CSV file gives them; empty lines are left out. */
export function parseCsv(text: string, separator: string = separatorOf(text)): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^\\n\\r${escaped(separator)}]*))(${escaped(separator)}|\\r\\n|\\n|\\r|$)`,
    'gy',
  );
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    const [, quoted, plain = '', end] = match;
    row.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
    if (field.lastIndex >= text.length) break;
  }
  return rows;
}

/** What the first line has most of. */
function separatorOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

function escaped(separator: string): string {
  return separator === '|' ? '\\|' : separator;
}

/** What `parseCsv` reads as these rows. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join(',')).join('\n');
}

function quoted(cell: string): string {
  return /[",;|\s]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
