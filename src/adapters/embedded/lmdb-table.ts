import { crc32 } from 'node:zlib';
import type { Database, RangeOptions } from 'lmdb';
import { Packr } from 'msgpackr';
import { AppError, messageOf } from '../../shared/app-error.js';

/** Plain MessagePack maps: shared structures would tie what one process writes to what another has seen. */
const PACKR = new Packr({ useRecords: false, mapsAsObjects: true, copyBuffers: true });
/** Begins a value with a checksum; neither MessagePack nor UTF-8 has this byte. Versions before wrote values without one. */
const SEALED = 0xc1;
const SEAL_BYTES = 5;

export interface Codec<V> {
  readonly encode: (value: V) => Buffer;
  readonly decode: (bytes: Buffer) => V;
}

export const TEXTS: Codec<string> = {
  encode: (value) => Buffer.from(value),
  decode: (bytes) => bytes.toString(),
};

/** What has the kind's type when it is written has it when it is read. */
export function values<V>(): Codec<V> {
  return { encode: (value) => PACKR.pack(value), decode: (bytes) => PACKR.unpack(bytes) as V };
}

/** An LMDB database whose values carry a checksum of themselves and their key, so that damage is told and not taken for a value. */
export class LmdbTable<V> {
  constructor(
    /** For what takes no values; nothing is written past this table. */
    readonly database: Database<Buffer, Buffer>,
    private readonly codec: Codec<V>,
    private readonly onDamage: (damage: AppError) => void = () => undefined,
  ) {}

  /** @throws AppError `unavailable` when the value is damaged. */
  get(key: Buffer): V | undefined {
    const bytes = this.unlessDamaged(() => this.database.get(key));
    return bytes === undefined ? undefined : this.opened(key, bytes);
  }

  *getRange(range: RangeOptions): Generator<{ readonly key: Buffer; readonly value: V }> {
    const found = this.database.getRange(range)[Symbol.iterator]();
    try {
      for (;;) {
        const next = this.unlessDamaged(() => found.next());
        if (next.done === true) return;
        const { key, value } = next.value;
        yield { key, value: this.opened(key, value) };
      }
    } finally {
      found.return?.();
    }
  }

  putSync(key: Buffer, value: V): void {
    this.database.putSync(key, sealed(key, this.codec.encode(value)));
  }

  /** Gives every value of an earlier version its checksum. */
  sealAll(): void {
    // All keys first: what is walked over must not change meanwhile.
    for (const key of [...this.database.getKeys({})]) {
      const value = this.database.get(key);
      if (value !== undefined && !isSealed(value)) this.database.putSync(key, sealed(key, value));
    }
  }

  private opened(key: Uint8Array, bytes: Buffer): V {
    return this.unlessDamaged(() => {
      if (!isIntact(key, bytes)) throw new Error('its checksum is another');
      return this.codec.decode(isSealed(bytes) ? bytes.subarray(SEAL_BYTES) : bytes);
    });
  }

  /** What can't be read is damaged. */
  private unlessDamaged<R>(read: () => R): R {
    try {
      return read();
    } catch (error) {
      const damage = damagedStore(`a record can't be read: ${messageOf(error)}`);
      this.onDamage(damage);
      throw damage;
    }
  }
}

export function isSealed(bytes: Buffer): boolean {
  return bytes[0] === SEALED;
}

/** Whether a value is what was written under the key, as far as it can be told. */
export function isIntact(key: Uint8Array, bytes: Buffer): boolean {
  if (!isSealed(bytes)) return true;
  return bytes.length >= SEAL_BYTES && bytes.readUInt32LE(1) === sumOf(key, bytes.subarray(SEAL_BYTES));
}

export function damagedStore(problem: string): AppError {
  const wayBack = 'stop the service and restore the data folder from a backup (docs/operations.md)';
  return new AppError('unavailable', `the document store (documents/data.mdb) is damaged: ${problem}; ${wayBack}`);
}

function sealed(key: Uint8Array, body: Buffer): Buffer {
  const head = Buffer.alloc(SEAL_BYTES, SEALED);
  head.writeUInt32LE(sumOf(key, body), 1);
  return Buffer.concat([head, body]);
}

function sumOf(key: Uint8Array, body: Buffer): number {
  return crc32(body, crc32(key));
}
