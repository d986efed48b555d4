import type { LoadSource } from '../../../ports/row-engine.js';
import { type ColumnType, isNumeric, type TableProfile } from '../../../ports/table.js';
import type { ColumnScale, MongoColumn, TableTimes } from './mongo-table.js';

/** The fields that columns are stored under, by their places. A time field that is the metadata field too is stored once, as the time. */
export function fieldsOf(
  columns: readonly { readonly name: string; readonly type: ColumnType }[],
  { timeField, metaField }: Pick<LoadSource, 'timeField' | 'metaField'>,
): readonly MongoColumn[] {
  return columns.map(({ name, type }, place) => ({ name, type, field: fieldOf(name, place) }));

  function fieldOf(name: string, place: number): string {
    if (name === timeField) return 't';
    return name === metaField ? 'm' : `c${place}`;
  }
}

/** The columns with what is known of their numbers. */
export function scaled(columns: readonly MongoColumn[], { columns: known }: TableProfile): readonly MongoColumn[] {
  return columns.map((column) => {
    const scale = isNumeric(column.type) ? scaleOf(known.find(({ name }) => name === column.name)) : null;
    return scale === null ? column : { ...column, scale };
  });
}

/** Null: there are no numbers, only one, or such as are too far from each other. */
function scaleOf(column: TableProfile['columns'][number] | undefined): ColumnScale | null {
  const { min: low, max: high, mean: middle } = column ?? {};
  if (typeof low !== 'number' || typeof high !== 'number' || typeof middle !== 'number') return null;
  const spread = high - low;
  const isFit = spread > 0 && [spread, 1 / spread].every(Number.isFinite);
  return isFit ? { middle, spread } : null;
}

export function timesOf({ timeRange }: TableProfile): TableTimes | null {
  return timeRange === null ? null : { first: new Date(timeRange.from), last: new Date(timeRange.to) };
}
