import type { TypedRow } from '../../../ports/row-engine.js';
import type { Cell, TableProfile } from '../../../ports/table.js';
import { isNullMarker } from '../../../shared/null-markers.js';
import { tame } from '../../../shared/tame.js';
import { parseLayout, parseTime, type TimeLayout } from '../../../shared/time-format/time-format.js';
import { wellFormed } from '../../../shared/well-formed.js';
import { type Datasource, timeFormatsOf } from '../datasource.types.js';
import { checkCell, NOTHING } from './cell-check.js';

/** A row as it was sent: anything may stand in it. */
export type SentRow = Readonly<Record<string, unknown>>;

/** What a row of a datasource must be like. */
export interface RowRules {
  readonly profile: TableProfile;
  readonly timeFormat: string;
  /** Null: every row gets `now`. */
  readonly layout: TimeLayout | null;
  readonly now: Date;
  /** Older rows have outlived the lifespan. */
  readonly visibleFrom: Date | null;
  readonly decimal: '.' | ',';
  /** Of columns of times that are not in ISO 8601. */
  readonly layouts: ReadonlyMap<string, TimeLayout>;
}

export type CheckedRow =
  | { readonly fits: true; readonly row: TypedRow; readonly meta: string; readonly wider: boolean }
  | { readonly fits: false; readonly reason: string };

type Checked<T> = { readonly fits: true; readonly value: T } | { readonly fits: false; readonly reason: string };

const LONGEST_SHOWN = 60;
/** Beyond these years a time can't be written with four digits. */
const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

export function rowRules(
  { config, sources }: Datasource,
  profile: TableProfile,
  { now, visibleFrom }: Pick<RowRules, 'now' | 'visibleFrom'>,
): RowRules {
  return {
    profile,
    timeFormat: config.timeFormat,
    layout: config.isTimeseries ? parseLayout(config.timeFormat) : null,
    now,
    visibleFrom,
    layouts: new Map(timeFormatsOf(sources).map(([column, format]) => [column, parseLayout(format)])),
    decimal: sources.every(({ dialect }) => dialect.decimal === ',') ? ',' : '.',
  };
}

/** A row as the table stores it, or the first reason why it is none. Fields that are no columns are ignored. */
export function checkRow(sent: SentRow, rules: RowRules): CheckedRow {
  const time = timeOf(sent, rules);
  if (!time.fits) return time;
  const meta = metaOf(sent, rules.profile.metaField);
  if (!meta.fits) return meta;
  const rest = restOf(sent, rules);
  if (!rest.fits) return rest;
  const { timeField, metaField } = rules.profile;
  const { cells, wider } = rest.value;
  return {
    fits: true,
    // Not by assignment: a column may have a name that does something when it is assigned to.
    row: Object.fromEntries<Cell | Date>([[timeField, time.value], [metaField, meta.value], ...cells]),
    meta: meta.value,
    wider,
  };
}

interface OtherCells {
  readonly cells: readonly (readonly [string, Cell | Date])[];
  readonly wider: boolean;
}

function restOf(sent: SentRow, { profile, decimal, layouts }: RowRules): Checked<OtherCells> {
  const { timeField, metaField, columns } = profile;
  const cells: (readonly [string, Cell | Date])[] = [];
  let wider = false;
  for (const column of columns) {
    if (column.name === timeField || column.name === metaField) continue;
    const given = scalarOf(sent, column.name);
    if (!given.fits) return given;
    const checked =
      given.value === null ? NOTHING : checkCell(column, given.value, { decimal, layout: layouts.get(column.name) });
    if (!checked.fits) return checked;
    wider ||= checked.wider;
    cells.push([column.name, checked.cell]);
  }
  return { fits: true, value: { cells, wider } };
}

function timeOf(sent: SentRow, rules: RowRules): Checked<Date> {
  const { timeField } = rules.profile;
  if (rules.layout === null) return { fits: true, value: rules.now };
  const given = scalarOf(sent, timeField);
  if (!given.fits) return given;
  const text = String(given.value ?? '');
  if (isNullMarker(text)) return missing(timeField);
  const time = parseTime(rules.layout, text);
  if (time === null || !isStorable(time))
    return badTime(rules, `does not match the timeformat ${rules.timeFormat}`, text);
  return isGone(time, rules)
    ? badTime(rules, 'is older than the lifespan of the datasource', text)
    : { fits: true, value: time };
}

function isGone(time: Date, { visibleFrom }: RowRules): boolean {
  return visibleFrom !== null && time < visibleFrom;
}

function badTime({ profile }: RowRules, problem: string, text: string): Checked<never> {
  return misfit(profile.timeField, `${problem}: "${tame(text, LONGEST_SHOWN)}"`);
}

function metaOf(sent: SentRow, metaField: string): Checked<string> {
  const given = scalarOf(sent, metaField);
  if (!given.fits) return given;
  return given.value === null || given.value === ''
    ? missing(metaField)
    : { fits: true, value: wellFormed(String(given.value)) };
}

/** A column may have a name that every object knows, so only what was sent counts. */
function scalarOf(sent: SentRow, name: string): Checked<string | number | boolean | null> {
  const value: unknown = Object.hasOwn(sent, name) ? sent[name] : null;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { fits: true, value };
  }
  return misfit(name, 'must be a text, a number, true, false or null');
}

function missing(name: string): Checked<never> {
  return misfit(name, 'is missing');
}

function misfit(name: string, problem: string): Checked<never> {
  return { fits: false, reason: `"${tame(name, LONGEST_SHOWN)}" ${problem}` };
}

function isStorable(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}
