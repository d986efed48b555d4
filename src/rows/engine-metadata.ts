import { type DuckDBConnection, DuckDBListValue } from '@duckdb/node-api';
import type { MetadataQuery, MetadataValues } from '../ports/row-reader.js';
import type { AttachedTable } from './attached-table.js';
import { metaText, sqlTime } from './table-shape.js';

/** The files' own lists of values, which are far shorter than the files, and the values of later rows. */
export async function metadataOf(
  connection: DuckDBConnection,
  table: AttachedTable,
  { search, skip, limit }: MetadataQuery,
  visibleFrom: string | null,
): Promise<MetadataValues> {
  // One statement, so that the number and the values are of the same moment.
  const reader = await connection.runAndReadAll(
    `WITH matching AS MATERIALIZED (
       SELECT value FROM (${knownValues(table, visibleFrom !== null)}) WHERE contains(${alike('value')}, ${alike('$1::VARCHAR')}))
     SELECT (SELECT count(*) FROM matching),
       (SELECT list(value ORDER BY value) FROM (SELECT value FROM matching ORDER BY value LIMIT $2::BIGINT OFFSET $3::BIGINT))`,
    [search, limit, skip, ...(visibleFrom === null ? [] : [sqlTime(visibleFrom)])],
  );
  const [total, values] = reader.getRows()[0] ?? [];
  return { total: Number(total ?? 0), values: values instanceof DuckDBListValue ? values.items.map(String) : [] };
}

function knownValues({ files, memory, shape }: AttachedTable, hasLifespan: boolean): string {
  const stored = files.map(
    ({ name }) => `SELECT value FROM ${name}.assets${hasLifespan ? ' WHERE max_ts >= $4::TIMESTAMP' : ''}`,
  );
  const still = hasLifespan ? ` WHERE ${shape.time.physical} >= $4::TIMESTAMP` : '';
  const later = memory.map(({ name }) => `SELECT ${metaText(shape.meta)} FROM ${name}${still}`);
  return [...stored, ...later].join(' UNION ');
}

/** The same letters alike, whatever their case and however their accents are put together. */
function alike(text: string): string {
  return `nfc_normalize(lower(${text}))`;
}
