import type { Upload } from '../../../shared/wire.js';
import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { ROLES } from '../detail/semantics.queries.js';

export interface Column {
  readonly name: string;
  /** number, integer, boolean, time or text. */
  readonly type: string;
  /** Of the first rows; none when their file does not have the column. */
  readonly samples: readonly string[];
}

/** What the reader decides about the columns. */
export interface ColumnChoice {
  readonly isTimeseries: boolean;
  readonly timefield: string;
  readonly metafield: string;
  readonly values: readonly string[];
  /** New names, by the header's own. */
  readonly names: Readonly<Record<string, string>>;
  /** Types that were chosen against the detected ones, by the header's name. */
  readonly types: Readonly<Record<string, string>>;
  /** What is done with the numbers of a column, by the header's name; absent: as the service decides. */
  readonly uses: Readonly<Record<string, Use>>;
}

type Use = Exclude<(typeof ROLES)[number]['value'], ''>;

/** The use of this name; undefined: the service decides. */
export function useNamed(text: string): Use | undefined {
  return ROLES.flatMap(({ value }) => (value === '' ? [] : [value])).find((use) => use === text);
}

/** What a column can hold, and how the page calls it. */
export const TYPES = {
  number: msg`Number`,
  integer: msg`Whole number`,
  boolean: msg`True or false`,
  time: msg`Time`,
  text: msg`Text`,
} as const;

export function typeName(type: string): string {
  const known = typeNamed(type);
  return known === undefined ? type : i18n._(TYPES[known]);
}

/** What the service is to do another way than the file says. */
export function changesOf(columns: readonly Column[], { isTimeseries, timefield, metafield, ...choice }: ColumnChoice) {
  return columns.flatMap(({ name: column, type: detected }) => {
    const isKey = column === metafield || (isTimeseries && column === timefield);
    const name = (choice.names[column] ?? '').trim();
    const type = isKey ? undefined : typeNamed(choice.types[column]);
    const role = isKey ? undefined : useFor(type ?? detected, choice.uses[column]);
    const change = {
      ...(name === '' || name === column ? {} : { name }),
      ...(type === undefined ? {} : { type }),
      ...(role === undefined ? {} : { role }),
    };
    return Object.keys(change).length === 0 ? [] : [{ column, ...change }];
  });
}

/** Only numbers are used as figures, whatever was chosen before the type. */
function useFor(type: string, use: Use | undefined): Use | undefined {
  return isNumeric(type) ? use : undefined;
}

function typeNamed(text: string | undefined): keyof typeof TYPES | undefined {
  return text !== undefined && text in TYPES ? (text as keyof typeof TYPES) : undefined;
}

/** A name that two columns would have; null when all differ. */
export function nameTwice(columns: readonly Column[], { names }: ColumnChoice): string | null {
  const all = columns.map(({ name }) => (names[name] ?? '').trim() || name);
  const keys = all.map((name) => name.toLowerCase());
  return all.find((_, index) => keys.indexOf(keys[index] ?? '') !== index) ?? null;
}

/** Names of the sheets with rows, when the upload is a workbook. */
export function sheetsOf({ sheets, files }: Upload): readonly string[] {
  // No name of a sheet has a slash; in an archive there are paths before them.
  return files.some((name) => name.includes('/')) ? [] : sheets.map(({ file }) => file);
}

/** The upload as if it were one sheet of its workbook. */
export function onlySheet(upload: Upload, name: string): Upload {
  const place = upload.files.indexOf(name);
  const sheet = upload.sheets.find(({ file }) => file === name);
  if (sheet === undefined) return upload;
  const { rows, times } = sheet;
  const own = <T>(parts: readonly T[]): T[] => parts.slice(place, place + 1);
  return {
    ...upload,
    ...{ rows, times, sample: rows[0] ?? [], files: [name], sheets: [sheet] },
    ...{ columns: own(upload.columns), types: own(upload.types), dialects: own(upload.dialects) },
  };
}

/** All columns of an upload, those of several files united by name as the import does it. */
export function columnsOf({ columns, types, rows }: Upload): readonly Column[] {
  const sampled = columns.findIndex((names) => names.length === rows[0]?.length);
  const known = new Map<string, Column>();
  columns.forEach((names, file) => {
    names.forEach((name, place) => {
      const samples = file === sampled ? rows.map((row) => row[place] ?? '') : [];
      const column = { name, type: types[file]?.[place] ?? 'text', samples };
      const key = name.toLowerCase();
      known.set(key, united(known.get(key), column));
    });
  });
  return [...known.values()];
}

/** As the first file writes it, with the wider type. */
function united(before: Column | undefined, column: Column): Column {
  if (before === undefined) return column;
  const samples = before.samples.length === 0 ? column.samples : before.samples;
  return { name: before.name, type: wider(before.type, column.type), samples };
}

function wider(one: string, other: string): string {
  if (one === other) return one;
  return isNumeric(one) && isNumeric(other) ? 'number' : 'text';
}

export function isNumeric(type: string): boolean {
  return type === 'number' || type === 'integer';
}

const TIME_NAMES = /^(time|timestamp|date|datetime|day|ts|zeit|datum|created_?at|recorded_?at)$/i;
const SUBJECT_NAMES =
  /(device|sensor|station|machine|asset|site|location|city|country|region|store|shop|product|customer|name|category|type|id|gerät|maschine|anlage|standort|filiale|ort|stadt|land|artikel|produkt|kunde|lieferant|kategorie|typ)$/i;

/** A good first choice: most files need no other. None with which rows are lost is among them, if there is another. */
export function guess(columns: readonly Column[], times: Upload['times']): ColumnChoice {
  const broken = new Set(times.flatMap(({ column, share }) => (share < NEARLY_ALL ? [column] : [])));
  const timefield = timeColumn(columns.filter(({ name }) => !broken.has(name)));
  const metafield = subjectColumn(columns.filter(({ name }) => name !== timefield));
  const values = measures(columns, { timefield, metafield });
  return { isTimeseries: timefield !== '', timefield, metafield, values, names: {}, types: {}, uses: {} };
}

const NEARLY_ALL = 0.9;

/** Times that the service takes for texts, since day and month can't be told apart or some lines are broken. */
const LOOKS_LIKE_TIME = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ]\d|$)/;

function timeColumn(columns: readonly Column[]): string {
  const all = columns.filter(
    ({ type, samples }) => type === 'time' || (type === 'text' && LOOKS_LIKE_TIME.test(samples[0] ?? '')),
  );
  const full = all.filter(isFull);
  const times = full.length > 0 ? full : all;
  const named = [...times, ...columns.filter(({ type }) => type === 'integer')].find(({ name }) =>
    TIME_NAMES.test(name),
  );
  return (named ?? times[0])?.name ?? '';
}

/** What the rows are about: rather a text than a number, rather by its name than by its place, and of numbers the one with the fewest. */
function subjectColumn(columns: readonly Column[]): string {
  const full = columns.filter(isFull);
  const usable = full.length > 0 ? full : columns;
  const texts = usable.filter(({ type, samples }) => type === 'text' && !CLOCK.test(samples[0] ?? ''));
  const whole = usable.filter(({ type }) => type === 'integer');
  const named = [...texts, ...whole].find(({ name }) => SUBJECT_NAMES.test(name));
  const other = usable.find(({ type }) => !isNumeric(type));
  const fewest = usable.toSorted((one, two) => new Set(one.samples).size - new Set(two.samples).size)[0];
  return (named ?? texts[0] ?? other ?? fewest)?.name ?? '';
}

const CLOCK = /^\d{1,2}:\d{2}/;

/** A row without a time or a subject is none. */
function isFull({ samples }: Column): boolean {
  return samples.every((text) => text.trim() !== '');
}

/** Every column of numbers that is not something else already. */
export function measures(
  columns: readonly Column[],
  taken: { timefield: string; metafield: string },
): readonly string[] {
  return columns
    .filter(({ name, type }) => isNumeric(type) && name !== taken.timefield && name !== taken.metafield)
    .map(({ name }) => name);
}
