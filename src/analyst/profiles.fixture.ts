import { aColumn } from '../ports/plans.fixture.js';
import type { ColumnProfile, ColumnType, TableProfile } from '../ports/table.js';
import type { TableBriefing } from '../ports/chat-model.js';

/** A table to ask about, and the moment at which it is asked. */
export interface Scene {
  readonly table: TableBriefing;
  readonly now: Date;
}

type NumberShape = { readonly min: number; readonly max: number } & Partial<ColumnProfile>;

export function numberColumn(name: string, { min, max, mean, ...more }: NumberShape): ColumnProfile {
  const isWhole = [min, max, mean ?? 0].every(Number.isInteger);
  return aColumn(name, isWhole ? 'integer' : 'number', {
    distinct: 500,
    min,
    max,
    mean: mean ?? (min + max) / 2,
    ...more,
  });
}

export function textColumn(name: string, values: readonly string[], distinct = values.length): ColumnProfile {
  const sorted = [...values].sort();
  const topValues = values.map((value, index) => ({ value, count: 1000 - index }));
  return aColumn(name, 'text', { distinct, min: sorted[0] ?? null, max: sorted.at(-1) ?? null, topValues });
}

export function timeColumn(name: string, from: string, to: string, distinct = 300): ColumnProfile {
  return aColumn(name, 'time', { distinct, min: from, max: to });
}

interface SceneShape {
  readonly columns: readonly ColumnProfile[];
  readonly name?: string;
  readonly rowCount?: number;
  readonly timeField?: string;
  readonly metaField?: string;
  readonly now?: string;
}

/** Its time and its metadata are the first columns of these kinds, its measures the numbers that are not the metadata. */
export function aScene({
  columns,
  name = 'table',
  rowCount = 500,
  now = '2025-01-15T12:00Z',
  ...fields
}: SceneShape): Scene {
  const first = (type: ColumnType): string => columns.find((column) => column.type === type)?.name ?? '';
  const { timeField = first('time'), metaField = first('text') } = fields;
  const time = columns.find((column) => column.name === timeField);
  const profile: TableProfile = {
    ...{ rowCount, columns, timeField, metaField },
    timeRange: time === undefined ? null : { from: String(time.min), to: String(time.max) },
    values: columns.filter(({ type }) => type === 'number' || type === 'integer').map((column) => column.name),
  };
  return { table: { name, context: '', profile }, now: new Date(now) };
}

/** A row a day and city. */
export const WEATHER = aScene({
  ...{ name: 'Weather', rowCount: 2922, now: '2026-03-10T12:00:00.000Z' },
  columns: [
    textColumn('location', ['Seattle', 'New York']),
    timeColumn('date', '2012-01-01T00:00:00.000Z', '2015-12-31T00:00:00.000Z', 1461),
    numberColumn('precipitation', { min: 0, max: 98.5, mean: 3.1, distinct: 144 }),
    numberColumn('temp_max', { min: -7.7, max: 37.8, mean: 17.3, distinct: 90 }),
    numberColumn('temp_min', { min: -16, max: 27.3, mean: 8.6, distinct: 95 }),
    numberColumn('wind', { min: 0.4, max: 16.3, mean: 3.6, distinct: 113 }),
    textColumn('weather', ['sun', 'rain', 'fog', 'snow', 'drizzle']),
  ],
});
