import { mongo } from 'mongoose';
import type { MetadataQuery, MetadataValues } from '../../../ports/row-reader.js';
import type { Stage } from './mongo-table.js';
import { groupedInParts } from './reader-parts.js';
import type { TableReads } from './reader-run.js';
import { alike, byCodePoints, metaText } from './reader-texts.js';

/** Characters of values that may be held at once. */
const MOST_HELD = 100_000_000;

/** The values among the rows that can be seen. Cases are compared here: the server knows those of the Latin alphabet alone. */
export async function metadataOf(reads: TableReads, { search, skip, limit }: MetadataQuery): Promise<MetadataValues> {
  const { field, type } = reads.table.meta;
  const wanted = alike(search);
  const values = await groupedInParts(async (part) => {
    const found: string[] = [];
    let held = 0;
    await reads.each([...part(field), { $group: { _id: `$${field}` } } satisfies Stage], (bytes) => {
      const value = metaText(type, mongo.BSON.deserialize(bytes)['_id']);
      if (wanted !== '' && !alike(value).includes(wanted)) return true;
      held += value.length;
      found.push(value);
      return held <= MOST_HELD;
    });
    return found;
  });
  const sorted = values.flat().sort(byCodePoints);
  return { values: sorted.slice(skip, skip + limit), total: sorted.length };
}
