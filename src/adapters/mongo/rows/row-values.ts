import { mongo } from 'mongoose';
import type { DraftCell } from '../../../rows/draft-rows.js';
import type { ColumnType } from '../../../ports/table.js';

type Stored = number | string | boolean | Date | mongo.Double | mongo.Long;

const MOST_OF_32_BITS = 2 ** 31 - 1;

/** A number as a double, also when it has no fraction: the driver would take it for a whole number then. */
export function double(value: number): number | mongo.Double {
  return Number.isInteger(value) ? new mongo.Double(value) : value;
}

/** A whole number in 32 bits where they are enough, else in 64. */
export function whole(value: number | bigint): number | mongo.Long {
  if (typeof value === 'bigint') return mongo.Long.fromBigInt(value);
  return value <= MOST_OF_32_BITS && value >= -MOST_OF_32_BITS ? value : mongo.Long.fromNumber(value);
}

/** A cell of a draft as it is stored in a column of the type; the cell is not null. */
export function storedCell(type: ColumnType, cell: Exclude<DraftCell, null>): Stored {
  switch (type) {
    case 'time':
      return new Date(Number(cell));
    case 'number':
      return double(Number(cell));
    case 'integer':
      return typeof cell === 'bigint' ? whole(cell) : whole(Number(cell));
    case 'boolean':
      return cell === true;
    case 'text':
      return String(cell);
  }
}
