import type { CsvDescription } from '../../ports/csv-inspector.js';
import type { LoadColumn } from '../../ports/row-engine.js';
import { isNumeric, type ColumnType } from '../../ports/table.js';
import { detectTimeFormats, parseLayout, parseTime } from '../../shared/time-format/time-format.js';
import { configProblem } from './datasource.errors.js';
import type { DatasourceConfig, DatasourceDraft, SourceFile } from './datasource.types.js';

/** Samples that are looked at one by one when no layout fits them all. */
const TRIED_ALONE = 50;
const NULL_MARKERS = new Set(['', 'NA', 'N/A', 'NaN', 'null', 'NULL', 'None']);

/**
 * The config as it will be used: checked against the file, with everything filled in that was left to the service.
 *
 * @throws AppError `invalid_input` naming the part that does not fit.
 */
export function completeConfig(wanted: DatasourceDraft['config'], file: CsvDescription): DatasourceConfig {
  assertColumn(wanted.metaField, 'metafield', file);
  const timeField = wanted.isTimeseries ? timeColumn(wanted, file) : generatedName(file.columns);
  return {
    ...wanted,
    columns: [file.columns],
    timeField,
    timeFormat: wanted.isTimeseries ? provenFormat(wanted.timeFormat, timeField, file) : '',
    values: measures(wanted, file),
  };
}

/** The columns of the table that is to be built: the file's own, and the generated time of a table that is no time series. */
export function loadColumns(config: DatasourceConfig, source: SourceFile): readonly LoadColumn[] {
  const own = source.columns.map((name, index) => ({
    name,
    type: columnType(name, source.types[index] ?? 'text', config),
  }));
  return config.isTimeseries ? own : [...own, { name: config.timeField, type: 'time' }];
}

function columnType(name: string, detected: ColumnType, config: DatasourceConfig): ColumnType {
  if (config.isTimeseries && name === config.timeField) return 'time';
  if (name === config.metaField) return 'text';
  if (config.values.includes(name) && !isNumeric(detected)) return 'number';
  return detected;
}

function assertColumn(name: string, field: string, file: CsvDescription): void {
  if (name === '') throw configProblem(field, 'is required');
  if (file.columns.includes(name)) return;
  throw configProblem(field, `is not a column of the file: ${shortList(file.columns)}`);
}

function timeColumn({ timeField, metaField }: DatasourceDraft['config'], file: CsvDescription): string {
  assertColumn(timeField, 'timefield', file);
  if (timeField === metaField) throw configProblem('metafield', 'must be another column than timefield');
  return timeField;
}

function generatedName(columns: readonly string[]): string {
  let name = 'created_at';
  while (columns.includes(name)) name = `_${name}`;
  return name;
}

/** The layout, proven on the samples: a wrong one is refused now and not after an hour of rejecting rows. */
function provenFormat(given: string, timeField: string, file: CsvDescription): string {
  const samples = columnSamples(timeField, file);
  const format = given === '' ? detectedFormat(samples) : given;
  if (format === null) {
    throw configProblem(
      'timeformat',
      `is required: no layout could be detected for ${timeField} (${exampleOf(samples)})`,
    );
  }
  const layout = parseLayout(format);
  const misfits = samples.filter((text) => parseTime(layout, text) === null);
  if (misfits.length * 2 <= samples.length) return format;
  throw configProblem('timeformat', `${format} does not match ${timeField}: ${exampleOf(misfits)}`);
}

/**
 * The layout of all samples or, when some of them are broken, of most.
 *
 * @throws AppError `invalid_input` when day and month can't be told apart: a guess would be wrong without a word.
 */
function detectedFormat(samples: readonly string[]): string | null {
  const ofAll = detectTimeFormats(samples);
  const { best, ambiguous } = ofAll.best === null ? detectTimeFormats(mostAlike(samples)) : ofAll;
  if (ambiguous.length === 0) return best;
  throw configProblem('timeformat', `is required: ${exampleOf(samples)} can be ${[best, ...ambiguous].join(' or ')}`);
}

/** The samples that share the layout which most of them have. */
function mostAlike(samples: readonly string[]): readonly string[] {
  const candidates = new Set(samples.slice(0, TRIED_ALONE).flatMap((text) => detectTimeFormats([text]).best ?? []));
  const alike = [...candidates].map((format) => {
    const layout = parseLayout(format);
    return samples.filter((text) => parseTime(layout, text) !== null);
  });
  return alike.sort((one, other) => other.length - one.length)[0] ?? [];
}

function measures(
  { values, metaField, timeField, isTimeseries }: DatasourceDraft['config'],
  file: CsvDescription,
): readonly string[] {
  const isKey = (name: string): boolean => name === metaField || (isTimeseries && name === timeField);
  if (values.length === 0) {
    return file.columns.filter((name, index) => !isKey(name) && isNumeric(file.types[index] ?? 'text'));
  }
  for (const name of values) {
    assertColumn(name, 'values', file);
    if (isKey(name)) throw configProblem('values', `can't hold ${name}: it is the metafield or the timefield`);
    assertNumeric(name, file);
  }
  return [...new Set(values)];
}

function assertNumeric(name: string, file: CsvDescription): void {
  if (isNumeric(file.types[file.columns.indexOf(name)] ?? 'text')) return;
  const samples = columnSamples(name, file);
  const misfits = samples.filter(
    (text) => !Number.isFinite(Number(file.dialect.decimal === ',' ? text.replace(',', '.') : text)),
  );
  if (misfits.length * 2 <= samples.length) return;
  throw configProblem('values', `can't hold ${name}: it is not numeric (${exampleOf(misfits)})`);
}

function columnSamples(name: string, file: CsvDescription): readonly string[] {
  const index = file.columns.indexOf(name);
  return file.samples.map((row) => (row[index] ?? '').trim()).filter((text) => !NULL_MARKERS.has(text));
}

function exampleOf(samples: readonly string[]): string {
  const [first] = samples;
  return first === undefined ? 'the column is empty' : `for example "${first.slice(0, 60)}"`;
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => name.slice(0, 60));
  return names.length > shown.length ? `${shown.join(', ')} …` : shown.join(', ');
}
