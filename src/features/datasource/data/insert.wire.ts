import { ApiProperty } from '@nestjs/swagger';
import { Envelope } from '../../../http/envelope.wire.js';
import { invalidField } from '../../../shared/app-error.js';
import { asId, isId } from '../../../shared/ids.js';
import { isRecord } from '../../../shared/json.js';
import type { Inserted, Insertion } from './insert.service.js';
import type { SentRow } from './row-check.js';

export const MOST_ROWS = 1000;

/** Read by hand: rows are data with names of their own, and a thousand of them are not to be copied field by field. */
export class InsertBody {
  readonly datasource_id!: string;

  /** 1 to 1,000 rows by column name. Numbers, booleans and null are taken as well as texts. */
  // The plugin has no word for an object whose names are data.
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MOST_ROWS,
    items: { type: 'object', additionalProperties: { type: 'string' } },
  })
  readonly data!: Record<string, string>[];
}

export class SkippedRowView {
  /** Its place in `data`, from 0. */
  readonly row!: number;
  readonly reason!: string;
}

export class InsertResponse extends Envelope {
  readonly inserted_rows!: number;
  /** The first 100. */
  readonly skipped!: SkippedRowView[];
}

/** What can be told from any other text, in a header, in a log and by eye. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** @throws AppError `invalid_input` naming the field, or the header, that is wrong. */
export function insertionFrom(body: unknown, key: string | undefined): Insertion {
  if (!isRecord(body)) throw invalidField('', 'the body must be a JSON object');
  const { datasource_id: id, data } = body;
  if (id === undefined) throw invalidField('datasource_id', 'datasource_id is required');
  if (typeof id !== 'string' || !isId(id.toLowerCase())) {
    throw invalidField('datasource_id', 'datasource_id must be a valid identifier');
  }
  return { datasourceId: asId(id.toLowerCase()), rows: rowsFrom(data), key: keyFrom(key) };
}

function rowsFrom(data: unknown): readonly SentRow[] {
  if (!Array.isArray(data)) throw invalidField('data', 'data must be an array of objects');
  if (data.length === 0) throw invalidField('data', 'data must have at least one row');
  if (data.length > MOST_ROWS)
    throw invalidField('data', `data must have at most ${MOST_ROWS} rows, not ${data.length}`);
  return data.map((row: unknown, index) => {
    if (!isRecord(row)) throw invalidField(`data.${index}`, `data.${index} must be an object`);
    return row;
  });
}

function keyFrom(key: string | undefined): string | null {
  if (key === undefined) return null;
  if (KEY.test(key)) return key;
  throw invalidField('idempotency-key', 'the header idempotency-key must have 1 to 255 visible ASCII characters');
}

/** A success as long as any row was stored. */
export function insertedStatus({ inserted }: Inserted): number {
  return inserted > 0 ? 200 : 400;
}

export function insertedHeaders({ replayed }: Inserted): Readonly<Record<string, string>> {
  return replayed ? { 'idempotency-replayed': 'true' } : {};
}

export function insertedView({ inserted, skipped, skippedSample }: Inserted): InsertResponse {
  return {
    error: skipped > 0,
    message: skipped > 0 ? `inserted ${inserted} rows, skipped ${skipped} rows` : `inserted ${inserted} rows`,
    inserted_rows: inserted,
    skipped: skippedSample.map(({ row, reason }) => ({ row, reason })),
  };
}
