import { mongo } from 'mongoose';
import { isRecord } from '../../../shared/json.js';
import type { Stage } from './mongo-table.js';

const TOO_MUCH = [146, 292];
const PARTS = [1, 8, 64];

/** The stages that keep a part of all rows: those whose value of the field has one of so many hashes. */
export type PartOf = (field: string) => readonly Stage[];

/**
 * Gathers by the values of a field. When they are too many for the server's memory, in several passes, each over the values with some
 * of the hashes.
 *
 * @param gather is told what the passes before it have gathered
 */
export async function groupedInParts<T>(
  gather: (part: PartOf, gathered: readonly T[]) => Promise<T>,
): Promise<readonly T[]> {
  let tooMuch: unknown;
  for (const count of PARTS) {
    try {
      const gathered: T[] = [];
      for (let part = 0; part < count; part++)
        gathered.push(await gather((field) => stagesOf(field, part, count), gathered));
      return gathered;
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      tooMuch = error;
    }
  }
  throw tooMuch;
}

export function isTooMuch(error: unknown): boolean {
  return isRecord(error) && typeof error['code'] === 'number' && TOO_MUCH.includes(error['code']);
}

function stagesOf(field: string, part: number, count: number): readonly Stage[] {
  if (count === 1) return [];
  const hash = { $bitAnd: [{ $toHashedIndexKey: `$${field}` }, mongo.Long.fromNumber(count - 1)] };
  return [{ $match: { $expr: { $eq: [hash, mongo.Long.fromNumber(part)] } } }];
}
