import type { LoadColumn } from '../../ports/row-engine.js';
import { isNumeric, type ColumnType } from '../../ports/table.js';
import { isNullMarker } from '../../shared/null-markers.js';
import { plainNumber } from '../../shared/number-notation.js';
import {
  type DetectedTimeFormats,
  detectTimeFormats,
  parseLayout,
  parseTime,
} from '../../shared/time-format/time-format.js';
import { configProblem } from './datasource.errors.js';
import type { DatasourceConfig, DatasourceDraft } from './datasource.types.js';
import type { UnitedTable } from './united-table.js';
import { hasRows, type DescribedFile } from './upload/described-file.js';

/** Samples that are looked at one by one when no layout fits them all. */
const TRIED_ALONE = 50;
/** Samples by which a column is taken for one of times. */
const TRIED_FIRST = 5;

/**
 * The config as it will be used: checked against every file that has rows, with everything filled in that was left to the service.
 *
 * @throws AppError `invalid_input` naming the part that does not fit, and the file when there are several.
 */
export function completeConfig(wanted: DatasourceDraft['config'], table: UnitedTable): DatasourceConfig {
  assertInAll(wanted.metaField, 'metafield', table);
  const timeField = wanted.isTimeseries ? timeColumn(wanted, table) : generatedName(table);
  return {
    ...wanted,
    columns: table.files.map(({ columns }) => columns),
    timeField,
    timeFormat: wanted.isTimeseries ? provenFormat(wanted.timeFormat, timeField, table) : '',
    values: measures(wanted, table),
  };
}

/** The columns of the table that is to be built: the files' own, and the generated time of a table that is no time series. */
export function loadColumns(config: DatasourceConfig, columns: readonly LoadColumn[]): readonly LoadColumn[] {
  const said = new Set(config.changes?.flatMap(({ name, type }) => (type === null ? [] : [name])));
  const own = columns.map(({ name, type, timeFormat }) => ({
    name,
    type: columnType(name, type, config),
    timeFormat,
    ...(said.has(name) && name !== config.metaField && name !== config.timeField ? { othersAreMissing: true } : {}),
  }));
  return config.isTimeseries ? own : [...own, { name: config.timeField, type: 'time' }];
}

function columnType(name: string, detected: ColumnType, config: DatasourceConfig): ColumnType {
  if (config.isTimeseries && name === config.timeField) return 'time';
  if (name === config.metaField) return 'text';
  if (config.values.includes(name) && !isNumeric(detected)) return 'number';
  return detected;
}

/** Every row needs it, so every file that has rows must have it. */
function assertInAll(name: string, field: string, table: UnitedTable): void {
  if (name === '') throw configProblem(field, 'is required');
  const lacking = fileWithout(name, table);
  if (lacking !== null)
    throw configProblem(
      field,
      `is ${shortList([name])}, which is not a column of ${lacking.called}: ${shortList(lacking.columns)}`,
    );
}

/** The first file with rows that lacks a column, and what it is called in a sentence; null: there is none. */
export function fileWithout(name: string, { files }: UnitedTable): (DescribedFile & { called: string }) | null {
  const file = files.find((one) => hasRows(one) && !one.columns.includes(name));
  if (file === undefined) return null;
  return { ...file, called: files.length === 1 ? 'the file' : `the file ${shortName(file)}` };
}

function timeColumn({ timeField, metaField }: DatasourceDraft['config'], table: UnitedTable): string {
  assertInAll(timeField, 'timefield', table);
  if (timeField === metaField) throw configProblem('metafield', 'must be another column than timefield');
  return timeField;
}

/** As it differs in upper and lower case too, nobody takes it for another. */
function generatedName({ files }: UnitedTable): string {
  const taken = new Set(files.flatMap(({ columns }) => columns.map((column) => column.toLowerCase())));
  let name = 'created_at';
  while (taken.has(name)) name = `_${name}`;
  return name;
}

/** The layout, proven on the samples of each file: a wrong one is refused now and not after an hour of rejecting rows. */
function provenFormat(given: string, timeField: string, { files }: UnitedTable): string {
  const samples = columnSamples(timeField, files);
  const format = given === '' ? detectedFormat(samples) : given;
  if (format === null) {
    throw configProblem(
      'timeformat',
      `is required: no layout could be detected for ${timeField} (${exampleOf(samples)})`,
    );
  }
  for (const file of files) assertMostlyFits(format, timeField, file, files.length > 1);
  return format;
}

/** The layout of a further file's times: the datasource's own, unless another one fits more of them. */
export function formatOfMore(given: string, own: string, timeField: string, table: UnitedTable): string {
  const samples = columnSamples(timeField, table.files);
  const { best } = readingsOf(samples);
  const isOwn = best === null || fitting(own, samples).length >= fitting(best, samples).length;
  return provenFormat(given === '' && isOwn ? own : given, timeField, table);
}

function fitting(format: string, samples: readonly string[]): readonly string[] {
  const layout = parseLayout(format);
  return samples.filter((text) => parseTime(layout, text) !== null);
}

function assertMostlyFits(format: string, timeField: string, file: DescribedFile, isOneOfMany: boolean): void {
  const samples = columnSamples(timeField, [file]);
  const fit = new Set(fitting(format, samples));
  const invalid = samples.filter((text) => !fit.has(text));
  if (invalid.length * 2 <= samples.length) return;
  const where = isOneOfMany ? ` in ${shortName(file)}` : '';
  throw configProblem('timeformat', `${format} does not match ${timeField}${where}: ${exampleOf(invalid)}`);
}

/**
 * The layout of the samples.
 *
 * @throws AppError `invalid_input` when day and month can't be told apart: a guess would be wrong without a word.
 */
function detectedFormat(samples: readonly string[]): string | null {
  const { best, ambiguous } = readingsOf(samples);
  if (ambiguous.length === 0) return best;
  throw configProblem('timeformat', `is required: ${exampleOf(samples)} can be ${[best, ...ambiguous].join(' or ')}`);
}

/** Columns of times that are told; a file has few, and each is read a thousand times. */
const MOST_TIME_COLUMNS = 50;

/** A column of times, as all sampled rows have it, or most of them. */
export interface TimeColumn {
  readonly column: string;
  readonly timeformat: string;
  /** The other readings, when no sampled row tells day and month apart. */
  readonly ambiguous: readonly string[];
  /** A time of the file; where there are several readings, one that they read differently. */
  readonly example: string;
  /** The part of the sampled rows with a value that has this layout, from 0 to 1 … */
  readonly share: number;
  /** … and the first that has not; empty: all have. */
  readonly misfit: string;
}

/** The columns that can be times, with what the creation of a datasource would detect for each. */
export function timeColumns(files: readonly DescribedFile[]): readonly TimeColumn[] {
  const names = [...new Set(files.flatMap(({ columns }) => columns))];
  const found: TimeColumn[] = [];
  for (const name of names) {
    const samples = columnSamples(name, files);
    const looksLikeOne = samples.slice(0, TRIED_FIRST).some((text) => detectTimeFormats([text]).best !== null);
    const column = looksLikeOne && found.length < MOST_TIME_COLUMNS ? timeColumnOf(name, samples) : null;
    if (column !== null) found.push(column);
  }
  return found;
}

function timeColumnOf(column: string, samples: readonly string[]): TimeColumn | null {
  const { best, ambiguous } = readingsOf(samples);
  if (best === null) return null;
  const layouts = [best, ...ambiguous].map((format) => parseLayout(format));
  const example = samples.find((text) => {
    const times = layouts.map((layout) => parseTime(layout, text)?.getTime());
    return !times.includes(undefined) && new Set(times).size === layouts.length;
  });
  const fit = new Set(fitting(best, samples));
  const misfits = samples.filter((text) => !fit.has(text));
  return {
    ...{ column, timeformat: best, ambiguous, example: example ?? samples[0] ?? '' },
    ...{ share: 1 - misfits.length / samples.length, misfit: misfits[0]?.slice(0, 60).toWellFormed() ?? '' },
  };
}

/** Of all samples or, when some of them are broken, of most. */
function readingsOf(samples: readonly string[]): DetectedTimeFormats {
  const ofAll = detectTimeFormats(samples);
  return ofAll.best === null ? detectTimeFormats(mostAlike(samples)) : ofAll;
}

/** The samples that share the layout which most of them have. */
function mostAlike(samples: readonly string[]): readonly string[] {
  const candidates = new Set(samples.slice(0, TRIED_ALONE).flatMap((text) => detectTimeFormats([text]).best ?? []));
  const alike = [...candidates].map((format) => fitting(format, samples));
  return alike.sort((one, other) => other.length - one.length)[0] ?? [];
}

function measures(
  { values, metaField, timeField, isTimeseries }: DatasourceDraft['config'],
  table: UnitedTable,
): readonly string[] {
  const isKey = (name: string): boolean => name === metaField || (isTimeseries && name === timeField);
  if (values.length === 0) {
    return table.columns.filter(({ name, type }) => !isKey(name) && isNumeric(type)).map(({ name }) => name);
  }
  for (const name of values) assertNumeric(name, table, isKey(name));
  return [...new Set(values)];
}

function assertNumeric(name: string, { columns, files }: UnitedTable, isKey: boolean): void {
  const column = columns.find((one) => one.name === name);
  if (column === undefined) {
    const where = files.length === 1 ? 'the file' : 'any of the files';
    const names = columns.map((one) => one.name);
    throw configProblem('values', `has ${shortList([name])}, which is not a column of ${where}: ${shortList(names)}`);
  }
  if (isKey) throw configProblem('values', `can't hold ${name}: it is the metafield or the timefield`);
  if (isNumeric(column.type)) return;
  const invalid = files.flatMap((file) => columnSamples(name, [file]).filter((text) => !isNumber(text, name, file)));
  if (invalid.length * 2 <= columnSamples(name, files).length) return;
  throw configProblem('values', `can't hold ${name}: it is not numeric (${exampleOf(invalid)})`);
}

function isNumber(text: string, column: string, { dialect, columns }: DescribedFile): boolean {
  const number = plainNumber(text, dialect.decimal, dialect.units?.[columns.indexOf(column)]);
  return number !== null && Number.isFinite(Number(number));
}

function columnSamples(name: string, files: readonly DescribedFile[]): readonly string[] {
  return files.flatMap(({ columns, samples }) => {
    const index = columns.indexOf(name);
    return samples.map((row) => (row[index] ?? '').trim()).filter((text) => !isNullMarker(text));
  });
}

function exampleOf(samples: readonly string[]): string {
  const [first] = samples;
  return first === undefined ? 'the column is empty' : `for example "${first.slice(0, 60)}"`;
}

export function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => name.slice(0, 60));
  return names.length > shown.length ? `${shown.join(', ')} …` : shown.join(', ');
}

function shortName({ name }: DescribedFile): string {
  return name.length > 120 ? `…${name.slice(-120)}` : name;
}
