import { createHash } from 'node:crypto';
import { isRecord } from './json.js';

const BYTES = 32;

/** A sum over things in any order: the same for the same things, and for others as good as never. */
export class Checksum {
  private sum = 0n;
  count = 0;

  /** @param digest 64 hexadecimal digits */
  add(digest: string): void {
    this.sum = BigInt.asUintN(BYTES * 8, this.sum + BigInt(`0x${digest}`));
    this.count += 1;
  }

  /** 64 hexadecimal digits. */
  get digits(): string {
    return this.sum.toString(16).padStart(BYTES * 2, '0');
  }
}

/** The SHA-256 of a document, whatever the order of its fields. */
export function digestOf(document: object): string {
  return sha256(JSON.stringify(ordered(document)));
}

/** 64 hexadecimal digits. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function ordered(value: unknown): unknown {
  if (value instanceof Date) return { date: value.getTime() };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return { fields: fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, ordered(field)]) };
}
