import { isRecord, type JsonObject, type JsonValue } from '../../shared/json.js';

const SECRET_NAME = /key|secret|token|password/i;
const HIDDEN = '***';

/** The same settings with every value hidden whose name speaks of a secret, however deep it lies. */
export function withoutSecrets(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, SECRET_NAME.test(name) ? HIDDEN : hiddenWithin(value)]),
  );
}

function hiddenWithin(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(hiddenWithin);
  return isRecord(value) ? withoutSecrets(value) : value;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
