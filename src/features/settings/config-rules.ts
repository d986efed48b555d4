import { AppError, invalidField } from '../../shared/app-error.js';
import { isRecord, type JsonObject, type JsonValue } from '../../shared/json.js';

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

const SECRET_NAME = /key|secret|token|password/i;
/** Speak of tokens, and are numbers for everybody to see. */
const NO_SECRETS = ['tokens_per_day', 'max_tokens', 'context_tokens'];
/** Stands for a secret in what is shown; handed in again it means the stored one. */
export const HIDDEN = '***';

/** Whether a value of this name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !NO_SECRETS.includes(name);
}

/** The same settings with every value hidden whose name speaks of a secret, however deep it lies. */
export function withoutSecrets(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, isSecretName(name) ? HIDDEN : hiddenWithin(value)]),
  );
}

export function hiddenWithin(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(hiddenWithin);
  return isRecord(value) ? withoutSecrets(value) : value;
}

/** The same value with every secret in it replaced; what is null is no secret, and lists and objects behind such a name are one secret each. */
export async function withSecretsReplaced(
  value: JsonValue,
  replace: (secret: JsonValue) => Promise<JsonValue>,
): Promise<JsonValue> {
  if (isList(value)) return Promise.all(value.map((entry) => withSecretsReplaced(entry, replace)));
  return isRecord(value) ? objectWithSecretsReplaced(value, replace) : value;
}

export async function objectWithSecretsReplaced(
  config: JsonObject,
  replace: (secret: JsonValue) => Promise<JsonValue>,
): Promise<JsonObject> {
  const entries = Object.entries(config).map(async ([name, value]) => {
    const isSecret = isSecretName(name) && value !== null;
    return [name, isSecret ? await replace(value) : await withSecretsReplaced(value, replace)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
