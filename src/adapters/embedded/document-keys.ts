import { createHash } from 'node:crypto';

// Keys are compared byte by byte, so every value is written in a form whose bytes sort as the values do:
// missing and null, then numbers, texts (by code point), booleans, dates - the order that MongoDB has.
const NULL = 0x10;
const NUMBER = 0x30;
const TEXT = 0x40;
const FALSE = 0x50;
const TRUE = 0x51;
const DATE = 0x60;

/** Ends a text; a NUL inside one is followed by 0xff, which no kind of value begins with. */
const END = 0x00;
const ESCAPE = 0xff;
/** Follows the end of a text that was cut: what would come after it in the key is left out. */
const CUT = 0xfe;
/** Sorts after everything that begins like it: no value begins with it, and UTF-8 never has it. */
const LAST = 0xff;
/** LMDB's keys are bounded. A longer text is found by its beginning, and the document itself is looked at. */
const MAX_TEXT_BYTES = 120;

/** The bytes of one or more values in a row. */
export interface KeyPart {
  readonly bytes: Buffer;
  /** Not cut: the bytes stand for the values alone. */
  readonly whole: boolean;
}

/** Writes values one after the other; ends at the first that had to be cut. */
export function keyPart(values: readonly unknown[]): KeyPart {
  const parts: Buffer[] = [];
  for (const value of values) {
    const text = typeof value === 'string' ? Buffer.from(value) : null;
    if (text !== null && text.length > MAX_TEXT_BYTES) {
      parts.push(textStart(text), Buffer.of(END, CUT));
      return { bytes: Buffer.concat(parts), whole: false };
    }
    parts.push(text === null ? fixedBytes(value) : Buffer.concat([textStart(text), Buffer.of(END)]));
  }
  return { bytes: Buffer.concat(parts), whole: true };
}

/** Stands for all the values together, whatever their length: equal only for equal values. */
export function uniqueKeyPart(values: readonly unknown[]): Buffer {
  const { bytes, whole } = keyPart(values);
  if (whole) return bytes;
  const rest = values.map((value) => (value instanceof Date ? value.getTime() : (value ?? null)));
  return Buffer.concat([bytes, createHash('sha256').update(JSON.stringify(rest)).digest()]);
}

/** An id whole, for ids are bounded where documents are checked. */
export function idKey(id: string): Buffer {
  const bytes = Buffer.from(id);
  return Buffer.concat([Buffer.of(TEXT), id.includes('\0') ? escaped(bytes) : bytes, Buffer.of(END)]);
}

/** A key that is not above any value from this one on. */
export function rangeStart(value: unknown): Buffer {
  return typeof value === 'string' ? textStart(Buffer.from(value)) : fixedBytes(value);
}

/** A key that is not below any value up to this one. */
export function rangeEnd(value: unknown): Buffer {
  return after(rangeStart(value));
}

/** Below, and above, every value that can be compared with this one. */
export function kindStart(value: unknown): Buffer {
  return Buffer.of(tagOf(value));
}

export function kindEnd(value: unknown): Buffer {
  return Buffer.of(tagOf(value) + 1);
}

/** Sorts after every key that begins with these bytes. */
export function after(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.of(LAST)]);
}

/** Where the next `count` values of a key end; earlier when one of them was cut. */
export function endOfValues(key: Uint8Array, from: number, count: number): number {
  let at = from;
  for (let index = 0; index < count && at < key.length; index += 1) {
    at = endOfValue(key, at);
    if (key[at] === CUT) return at;
  }
  return at;
}

function endOfValue(key: Uint8Array, from: number): number {
  const tag = key[from];
  if (tag === NUMBER || tag === DATE) return from + 9;
  if (tag !== TEXT) return from + 1;
  let at = key.indexOf(END, from + 1);
  while (key[at + 1] === ESCAPE) at = key.indexOf(END, at + 2);
  return at + 1;
}

function textStart(text: Buffer): Buffer {
  return Buffer.concat([Buffer.of(TEXT), escaped(text.subarray(0, MAX_TEXT_BYTES))]);
}

function escaped(text: Buffer): Buffer {
  if (!text.includes(END)) return text;
  return Buffer.from([...text].flatMap((byte) => (byte === END ? [END, ESCAPE] : [byte])));
}

function tagOf(value: unknown): number {
  return rangeStart(value)[0] ?? NULL;
}

function fixedBytes(value: unknown): Buffer {
  if (typeof value === 'boolean') return Buffer.of(value ? TRUE : FALSE);
  if (typeof value === 'number') return ordered(NUMBER, value);
  if (value instanceof Date) return ordered(DATE, value.getTime());
  return Buffer.of(NULL);
}

/** A double whose bytes sort as the numbers do: negative ones inverted, the others after them. */
function ordered(tag: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = tag;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 1);
  bytes.writeUInt8(bytes.readUInt8(1) ^ 0x80, 1);
  if (value < 0) for (let at = 1; at < 9; at += 1) bytes.writeUInt8(bytes.readUInt8(at) ^ (at === 1 ? 0x7f : 0xff), at);
  return bytes;
}
