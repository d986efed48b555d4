import { isRecord, type JsonObject, type JsonValue } from '../../shared/json.js';

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
