import { AppError } from '../../shared/app-error.js';

/** MongoDB refuses documents nested more than 100 levels; both stores refuse a little earlier, with a sentence. */
const MAX_DEPTH = 90;

export type PlainObject = Record<string, unknown>;

/**
 * A deep copy made of nothing but objects, arrays, texts, numbers, booleans, Dates and null, so that every store keeps exactly the same.
 * Fields that are `undefined` are left out.
 *
 * @throws AppError `invalid_input` for anything else, for keys that a store can't keep and for nesting without end.
 */
export function plainCopy(value: unknown, path = '', depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new AppError('invalid_input', `${path.slice(0, 40)}… is nested too deeply`);
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new AppError('invalid_input', `${path} is not a valid date`);
    return new Date(value);
  }
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => plainCopy(item ?? null, `${path}.${index}`, depth + 1));
  }
  if (isPlainObject(value)) return copyOfObject(value, path, depth);
  throw new AppError('invalid_input', `${path} holds something that can't be stored`);
}

/** An object as `{}` makes it, and no instance of a class. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function copyOfObject(value: PlainObject, path: string, depth: number): PlainObject {
  const copy: PlainObject = {};
  for (const [key, item] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    // `__proto__` would set the copy's prototype, and a BSON key ends at its first NUL.
    if (key === '__proto__' || key.includes('\0')) {
      throw new AppError('invalid_input', `${path} has a key that can't be stored`);
    }
    if (item !== undefined) copy[key] = plainCopy(item, at, depth + 1);
  }
  return copy;
}
