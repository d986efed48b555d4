import { type FileHandle, open } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { TargetTable } from './import-sql.js';
import type { SurveyedFile } from './import-survey.js';
import { type FieldSpans, RecordMachine } from './record-machine.js';

/** Some records of a file that follow each other. */
export interface FilePart {
  /** Number of the first one, from 1. */
  readonly record: number;
  readonly records: number;
  readonly start: number;
  readonly end: number;
}

/** A place where a record has another time than the one before it. */
interface Boundary {
  readonly record: number;
  readonly offset: number;
  /** As they are written. */
  readonly times: readonly [before: string, from: string];
}

/** A boundary between two moments; the later one in microseconds. */
interface Moment {
  readonly boundary: Boundary;
  readonly micros: bigint;
}

const MOST_BOUNDARIES = 256;
/** Looked at behind a mark, for the time to change: first a little, then more. */
const LOOKED_AT = [64 * 1024, 256 * 1024] as const;
const MOST_PARTS = 64;
/** Of a file; when more has to be read again, all of it may be. */
const MOST_READ = 0.4;
const LF = 10;
const CR = 13;

/**
 * Tells in which parts of a file records are missing from the table, when the file is in the order of time: from the number of records before some
 * moments, and the number of rows before them. What it tells is a guess that holds if as many are found there as are missing. Null: it can't be told.
 */
export async function partsWithMissing(
  connection: DuckDBConnection,
  file: SurveyedFile,
  target: TargetTable,
  missing: number,
): Promise<readonly FilePart[] | null> {
  if (!canBeTold(file, target)) return null;
  const moments = await momentsOf(connection, await boundariesIn(file, target.time.name), target);
  if (moments.length === 0 || !isRising(moments)) return null;

  const before = await rowsBefore(connection, target, moments);
  const boundaries = moments.map(({ boundary }) => boundary);
  const lacking = boundaries.map(({ record }, index) => record - 1 - (before[index] ?? 0));
  if (!isSteady([0, ...lacking, missing])) return null;
  return fewParts(partsBetween(file, boundaries, [...lacking, missing]), file.size);
}

/** Every line is a record, and its place in the file is its place in what the database reads. */
function canBeTold({ parallel, path, text, text: { marks } }: SurveyedFile, { timeReading }: TargetTable): boolean {
  return parallel && path === text.path && marks.length > 2 && timeReading !== null;
}

async function boundariesIn(file: SurveyedFile, timeField: string): Promise<readonly Boundary[]> {
  const { marks } = file.text;
  const step = Math.max(1, Math.floor(marks.length / MOST_BOUNDARIES));
  const finder = new BoundaryFinder(file, file.columns.indexOf(timeField));
  const found: Boundary[] = [];
  const handle = await open(file.text.path);
  try {
    for (const [index, { record, offset }] of marks.entries()) {
      if (index === 0 || index % step !== 0) continue;
      const boundary = await finder.find(handle, record, offset);
      // Two marks may lead to the same one.
      if (boundary && boundary.offset !== found.at(-1)?.offset) found.push(boundary);
    }
  } finally {
    await handle.close();
  }
  return found;
}

/** Finds the first record behind a mark whose time is another than the marked one's. */
class BoundaryFinder {
  private readonly room = Buffer.allocUnsafeSlow(LOOKED_AT[1]);
  private readonly fields: FieldSpans = { count: 0, spans: new Int32Array(64 * 3) };
  private readonly machine: RecordMachine;

  constructor(
    file: SurveyedFile,
    private readonly timeIndex: number,
  ) {
    this.machine = new RecordMachine(file.text.options);
  }

  async find(handle: FileHandle, record: number, offset: number): Promise<Boundary | null> {
    for (const length of LOOKED_AT) {
      const { bytesRead } = await handle.read(this.room, 0, length, offset);
      const found = this.findIn(this.room.subarray(0, bytesRead), record, offset);
      if (found) return found;
    }
    return null;
  }

  private findIn(window: Buffer, record: number, offset: number): Boundary | null {
    let marked: Buffer | null = null;
    let number = record;
    for (let start = 0, end = window.indexOf(LF); end !== -1; start = end + 1, end = window.indexOf(LF, start)) {
      if (isBlankLine(window, start, end)) continue;
      marked ??= this.timeIn(window, start, end);
      // Quicker than to look for the field in each line; times of one length stand nowhere else.
      const at = window.indexOf(marked, start);
      if (at === -1 || at >= end)
        return {
          record: number,
          offset: offset + start,
          times: [marked.toString(), this.timeIn(window, start, end).toString()],
        };
      number++;
    }
    return null;
  }

  private timeIn(window: Buffer, start: number, end: number): Buffer {
    this.machine.fields(window, start, window[end - 1] === CR ? end - 1 : end, this.fields);
    const [from = 0, to = 0] = this.fields.spans.subarray(this.timeIndex * 3);
    return this.timeIndex < this.fields.count ? window.subarray(from, to) : Buffer.alloc(0);
  }
}

function isBlankLine(window: Buffer, start: number, end: number): boolean {
  return end === start || (end === start + 1 && window[start] === CR);
}

/** Without those where a time can't be read, or is late. */
async function momentsOf(
  connection: DuckDBConnection,
  boundaries: readonly Boundary[],
  { timeReading }: TargetTable,
): Promise<readonly Moment[]> {
  if (timeReading === null) return [];
  const reader = await connection.runAndReadAll(
    `SELECT CASE WHEN ${timeReading.fits('s', 'v')} THEN epoch_us(v) END FROM
      (SELECT s, ${timeReading.value('s')} AS v FROM (SELECT unnest(from_json($1::VARCHAR, '["VARCHAR"]')) AS s))`,
    [JSON.stringify(boundaries.flatMap(({ times }) => times))],
  );
  const times = reader.getRows().map(([value]) => (typeof value === 'bigint' ? value : null));
  return boundaries.flatMap((boundary, index) => {
    const [before = null, from = null] = times.slice(index * 2, index * 2 + 2);
    return before !== null && from !== null && before < from ? [{ boundary, micros: from }] : [];
  });
}

function isRising(moments: readonly Moment[]): boolean {
  return moments.every(({ micros }, index) => {
    const before = index === 0 ? undefined : moments[index - 1];
    return before === undefined || before.micros < micros;
  });
}

/** For each moment the rows before it. */
async function rowsBefore(
  connection: DuckDBConnection,
  { time }: TargetTable,
  moments: readonly Moment[],
): Promise<readonly number[]> {
  const last = moments.map(({ micros }) => `make_timestamp(${micros - 1n})`);
  const reader = await connection.runAndReadAll(
    `SELECT unnest(map_values(histogram(${time.physical}, [${last.join(', ')}]))) FROM data`,
  );
  let total = 0;
  return reader.getRows().map(([count]) => (total += Number(count)));
}

function isSteady(counts: readonly number[]): boolean {
  return counts.every((count, index) => index === 0 || count >= (counts[index - 1] ?? 0));
}

/** The parts at whose end more is missing than at their start. */
function partsBetween(
  { size, records, text: { marks } }: SurveyedFile,
  boundaries: readonly Boundary[],
  lacking: readonly number[],
): readonly FilePart[] {
  const ends = [...boundaries, { record: records + 1, offset: size }];
  const parts: FilePart[] = [];
  let [record, start] = [1, marks[0]?.offset ?? 0];
  for (const [index, end] of ends.entries()) {
    const isWhole = lacking[index] === (index === 0 ? 0 : lacking[index - 1]);
    if (!isWhole) parts.push({ record, records: end.record - record, start, end: end.offset });
    [record, start] = [end.record, end.offset];
  }
  return parts;
}

function fewParts(parts: readonly FilePart[], size: number): readonly FilePart[] | null {
  const bytes = parts.reduce((total, { start, end }) => total + end - start, 0);
  return parts.length <= MOST_PARTS && bytes <= size * MOST_READ ? parts : null;
}
