import type { ColumnProfile, TableProfile } from '../ports/table.js';
import type { TableBriefing } from '../ports/chat-model.js';

/** A table to ask about, and the moment at which it is asked. */
export interface Scene {
  readonly table: TableBriefing;
  readonly now: Date;
}

interface NumberShape {
  readonly min: number;
  readonly max: number;
  readonly mean?: number;
  readonly distinct?: number;
  readonly nulls?: number;
}

export function numberColumn(name: string, shape: NumberShape): ColumnProfile {
  const whole = Number.isInteger(shape.min) && Number.isInteger(shape.max) && Number.isInteger(shape.mean ?? 0);
  return {
    name,
    type: whole ? 'integer' : 'number',
    nulls: shape.nulls ?? 0,
    distinct: shape.distinct ?? 500,
    min: shape.min,
    max: shape.max,
    mean: shape.mean ?? (shape.min + shape.max) / 2,
    topValues: [],
  };
}

export function textColumn(name: string, values: readonly string[], distinct = values.length): ColumnProfile {
  const sorted = [...values].sort();
  return {
    name,
    type: 'text',
    nulls: 0,
    distinct,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    mean: null,
    topValues: values.map((value, index) => ({ value, count: 1000 - index })),
  };
}

export function timeColumn(name: string, from: string, to: string, distinct: number): ColumnProfile {
  return { name, type: 'time', nulls: 0, distinct, min: from, max: to, mean: null, topValues: [] };
}

interface SceneShape {
  readonly name: string;
  readonly rowCount: number;
  readonly columns: readonly ColumnProfile[];
  readonly timeField: string;
  readonly metaField: string;
  readonly now: string;
}

/** The measures are the numeric columns that are not the metadata field. */
export function aScene(shape: SceneShape): Scene {
  const time = shape.columns.find(({ name }) => name === shape.timeField);
  const profile: TableProfile = {
    rowCount: shape.rowCount,
    timeRange: time === undefined ? null : { from: String(time.min), to: String(time.max) },
    columns: shape.columns,
    timeField: shape.timeField,
    metaField: shape.metaField,
    values: shape.columns.filter(({ type }) => type === 'number' || type === 'integer').map(({ name }) => name),
  };
  return { table: { name: shape.name, context: '', profile }, now: new Date(shape.now) };
}

/** A row a day and city. */
export const WEATHER = aScene({
  name: 'Weather',
  rowCount: 2922,
  columns: [
    textColumn('location', ['Seattle', 'New York']),
    timeColumn('date', '2012-01-01T00:00:00.000Z', '2015-12-31T00:00:00.000Z', 1461),
    numberColumn('precipitation', { min: 0, max: 98.5, mean: 3.1, distinct: 144 }),
    numberColumn('temp_max', { min: -7.7, max: 37.8, mean: 17.3, distinct: 90 }),
    numberColumn('temp_min', { min: -16, max: 27.3, mean: 8.6, distinct: 95 }),
    numberColumn('wind', { min: 0.4, max: 16.3, mean: 3.6, distinct: 113 }),
    textColumn('weather', ['sun', 'rain', 'fog', 'snow', 'drizzle']),
  ],
  timeField: 'date',
  metaField: 'location',
  now: '2026-03-10T12:00:00.000Z',
});
