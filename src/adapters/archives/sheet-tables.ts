/** A row of a sheet that has cells. */
export interface SheetRow {
  /** From 1. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** What stands together in a sheet, and the places of the columns in which it has cells. */
export interface SheetTable {
  readonly rows: readonly SheetRow[];
  readonly places: readonly number[];
}

/**
 * The tables of a sheet, all of whose rows are here: one, unless others with a header of their own stand below it, behind an empty row, or beside it,
 * behind an empty column and with fewer or more rows.
 */
export function tablesIn(rows: readonly SheetRow[]): readonly SheetTable[] {
  return sectionsOf(rows).flatMap(sideBySide);
}

/** Where it is, as in a formula: `A1:C9`. */
export function rangeOf({ rows, places }: SheetTable): string {
  const [first, last] = [rows[0]?.number ?? 1, rows.at(-1)?.number ?? 1];
  return `${lettersOf(places[0] ?? 0)}${first}:${lettersOf(places.at(-1) ?? 0)}${last}`;
}

/** Rows at the end, behind an empty one, that have one cell each say something about a table of several columns. */
export function notesIn({ rows, places }: SheetTable): ReadonlySet<number> {
  const last = rows.findLastIndex(({ cells }) => filled(cells).length !== 1);
  const start = rows.findIndex((_, index) => index > last && isBehindGap(rows, index));
  const notes = start === -1 || places.length < LEAST_WIDTH ? [] : rows.slice(start);
  return new Set(notes.map(({ number }) => number));
}

/** Of a narrower table a row of one cell may be a row as any other. */
const LEAST_WIDTH = 3;
const LEAST_ROWS = 3;
/** A column of totals, or its label, is no other table. */
const LEAST_DIFFERENCE = 2;
/** Titles above a header. */
const MOST_TITLES = 3;

/** Parted by empty rows, with a header each. */
function sectionsOf(rows: readonly SheetRow[]): readonly (readonly SheetRow[])[] {
  const starts = [0];
  for (const index of rows.keys()) {
    if (!isBehindGap(rows, index)) continue;
    const above = rows.slice(starts.at(-1), index);
    const header = headerBelow(rows, index);
    const own = above.find((row, place) => isHeader(row, above[place + 1]));
    if (header !== undefined && own !== undefined && header.cells.join() !== own.cells.join()) starts.push(index);
  }
  return starts.map((start, index) => rows.slice(start, starts[index + 1]));
}

/** The header, perhaps below titles. */
function headerBelow(rows: readonly SheetRow[], start: number): SheetRow | undefined {
  const at = rows.findIndex(({ cells }, index) => index >= start && filled(cells).length !== 1);
  const header = rows[at];
  return header !== undefined && at <= start + MOST_TITLES && isHeader(header, rows[at + 1]) ? header : undefined;
}

/** Words alone, right above a row that has values, and none where there is no word. */
function isHeader({ number, cells }: SheetRow, below: SheetRow | undefined): boolean {
  const [names, values] = [filled(cells), filled(below?.cells ?? [])];
  return (
    names.length > 1 &&
    below?.number === number + 1 &&
    !names.some((place) => isValue(cells[place])) &&
    values.some((place) => isValue(below.cells[place])) &&
    values.every((place) => names.includes(place))
  );
}

function sideBySide(rows: readonly SheetRow[]): readonly SheetTable[] {
  const places = usedIn(rows);
  const blocks = blocksOf(places).map((block) => blockIn(rows, block));
  const merged = blocks.filter((block, index) => index === 0 || block.end !== blocks[index - 1]?.end);
  const ends = merged.map(({ end }) => end);
  const areTables = blocks.every(({ isTable }) => isTable) && Math.max(...ends) - Math.min(...ends) >= LEAST_DIFFERENCE;
  if (!areTables) return [{ rows, places }];
  return merged.map(({ end }) => {
    const own = blocks.filter((block) => block.end === end).flatMap((block) => block.places);
    return { rows: rows.filter(({ cells }) => own.some((place) => (cells[place] ?? '') !== '')), places: own };
  });
}

interface Block {
  readonly places: readonly number[];
  /** It has a header, and rows without a gap. */
  readonly isTable: boolean;
  /** The number of its last row of several cells. */
  readonly end: number;
}

function blockIn(rows: readonly SheetRow[], places: readonly number[]): Block {
  const inside = rows.map(({ number, cells }) => ({ number, cells: places.map((place) => cells[place] ?? '') }));
  const start = inside.findIndex(({ cells }) => filled(cells).length > 1);
  const end = inside.findLastIndex(({ cells }) => filled(cells).length > 1);
  const own = inside.slice(start, end + 1);
  const [first, second] = own;
  const isWhole = own.every(
    ({ number, cells }, index) => number === (first?.number ?? 0) + index && cells.some(Boolean),
  );
  const isTable = first !== undefined && own.length >= LEAST_ROWS && isWhole && isHeader(first, second);
  return { places, isTable, end: inside[end]?.number ?? 0 };
}

function usedIn(rows: readonly SheetRow[]): readonly number[] {
  const used = new Set(rows.flatMap(({ cells }) => filled(cells)));
  return [...used].sort((one, other) => one - other);
}

/** Runs of columns that stand side by side. */
function blocksOf(places: readonly number[]): readonly (readonly number[])[] {
  const blocks: number[][] = [];
  for (const [index, place] of places.entries()) {
    if (places[index - 1] === place - 1) blocks.at(-1)?.push(place);
    else blocks.push([place]);
  }
  return blocks;
}

function isBehindGap(rows: readonly SheetRow[], index: number): boolean {
  const above = rows[index - 1];
  return above !== undefined && (rows[index]?.number ?? 0) > above.number + 1;
}

/** Places of the cells that are not empty. */
function filled(cells: readonly string[]): readonly number[] {
  return cells.flatMap((cell, place) => (cell === '' ? [] : [place]));
}

function isValue(cell: string | undefined): boolean {
  return /^[-+]?[\d.,]*\d/.test(cell ?? '');
}

function lettersOf(place: number): string {
  const letter = String.fromCharCode(65 + (place % 26));
  return place < 26 ? letter : lettersOf(Math.floor(place / 26) - 1) + letter;
}
