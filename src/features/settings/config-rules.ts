import { AppError, invalidField } from '../../shared/app-error.js';
import { isRecord, type JsonObject } from '../../shared/json.js';

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 10;
const MAX_NAME_LENGTH = 200;

/**
 * @throws AppError `invalid_input` for a name that can't be kept, or for nesting deeper than ten levels. Asks no deeper than that.
 */
export function assertKeepable(value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) throw invalidField('config', `config is nested deeper than ${MAX_DEPTH} levels`);
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) assertName(name);
    assertKeepable(inner, depth + 1);
  }
}

/** @throws AppError `too_large` */
export function assertFits(config: JsonObject): void {
  if (Buffer.byteLength(JSON.stringify(config)) <= MAX_BYTES) return;
  throw new AppError('too_large', `the settings of a company have at most ${MAX_BYTES / 1024} KiB`);
}

/** The settings that a text of a request holds, checked as JSON is not. */
export function configObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw invalidField('config', 'config must be an object');
  assertKeepable(value);
  assertFits(value);
  return value;
}

function isJsonObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** `__proto__` is no name to anybody's JavaScript, and a key ends at its first NUL in the document store. */
function assertName(name: string): void {
  if (name === '') throw invalidField('config', 'config has a field without a name');
  if (name.length > MAX_NAME_LENGTH)
    throw invalidField('config', `a name in config has at most ${MAX_NAME_LENGTH} characters`);
  if (name === '__proto__' || name.includes('\0')) throw invalidField('config', "config has a name that can't be kept");
}

/** A setting that can't be used. */
export function refused(field: string, rule: string): AppError {
  return invalidField(field, `${field} ${rule}`);
}
