import type { LoadSource } from '../../../ports/row-engine.js';
import type { ColumnType } from '../../../ports/table.js';
import type { MongoColumn } from './mongo-table.js';

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
