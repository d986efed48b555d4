import { mongo } from 'mongoose';
import type { Cell, ColumnType, QueryResult, ResultColumn } from '../../../ports/table.js';
import { isRecord } from '../../../shared/json.js';
import type { NamedColumn } from './gate-names.js';
import { cellOf, typeOf } from './reader-cells.js';

/** Characters of JSON that a result may have. */
const LARGEST_RESULT = 1_000_000;
/** Bytes that may be read for it, cells being cut after they are read. */
const MOST_BYTES_READ = 32_000_000;
/** A document may have a name for each of its values. */
const MOST_COLUMNS = 500;

/**
 * Takes documents until the result is full. Their fields are its columns, in the order in which they are first seen; what `_id` holds
 * of a group by several things are columns of their own.
 */
export class TakenRows {
  private readonly names: string[] = [];
  private readonly places = new Map<string, number>();
  private readonly types: (ColumnType | null)[] = [];
  private readonly rows: Cell[][] = [];
  private size = 0;
  private read = 0;
  private cutOff = false;

  constructor(private readonly maxRows: number) {}

  /** False when a document did not fit. */
  take(bytes: Uint8Array): boolean {
    this.read += bytes.byteLength;
    if (this.rows.length >= this.maxRows || this.read > MOST_BYTES_READ) return this.end();
    const document = mongo.BSON.deserialize(bytes, { promoteValues: false });
    const cells: Cell[] = Array.from({ length: this.names.length }, () => null);
    for (const [name, value] of flat(document)) {
      const place = this.placeOf(name);
      if (place === null) return this.end();
      cells[place] = cellOf(value);
      this.types[place] = together(this.types[place] ?? null, typeOf(value));
    }
    this.size += JSON.stringify(cells).length + 1;
    if (this.size > LARGEST_RESULT) return this.end();
    this.rows.push(cells);
    return true;
  }

  result(known: readonly NamedColumn[]): Pick<QueryResult, 'columns' | 'rows' | 'truncated'> {
    const types = new Map(known.map(({ visible, type }) => [visible, type]));
    const columns: readonly ResultColumn[] = this.names.map((name, place) => ({
      name,
      type: this.types[place] ?? types.get(name) ?? 'text',
    }));
    const rows = this.rows.map((row) => columns.map(({ type }, place) => asTyped(type, row[place] ?? null)));
    return { columns, rows, truncated: this.cutOff };
  }

  private end(): false {
    this.cutOff = true;
    return false;
  }

  private placeOf(name: string): number | null {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    if (this.names.length >= MOST_COLUMNS) return null;
    this.places.set(name, this.names.length);
    this.types.push(null);
    return this.names.push(name) - 1;
  }
}

/** What a group is of, side by side with its figures. */
function flat(document: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const others = Object.entries(document).filter(([name]) => name !== '_id');
  const { _id: id } = document;
  if (id === undefined) return others;
  const isOfSeveral = isRecord(id) && !(id instanceof Date) && !('_bsontype' in id) && Object.keys(id).length > 0;
  if (!isOfSeveral) return [['_id', id], ...others];
  const parts = Object.entries(id).map(
    ([name, value]) => [Object.hasOwn(document, name) ? `_id.${name}` : name, value] as const,
  );
  return [...parts, ...others];
}

/** The type of a column that has values of both. */
function together(one: ColumnType | null, other: ColumnType | null): ColumnType | null {
  if (one === null || other === null || one === other) return one ?? other;
  const isNumber = [one, other].every((type) => type === 'integer' || type === 'number');
  return isNumber ? 'number' : 'text';
}

/** Values of several kinds in one column are all told as texts. */
function asTyped(type: ColumnType, cell: Cell): Cell {
  return type === 'text' && cell !== null && typeof cell !== 'string' ? String(cell) : cell;
}
