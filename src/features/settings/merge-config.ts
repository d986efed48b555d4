import { isRecord, type JsonObject, type JsonValue } from '../../shared/json.js';
import { refused } from './config-rules.js';
import { HIDDEN, hiddenWithin, isList, isSecretName } from './secrets.js';

/** Where in the settings something stands. */
interface Place {
  readonly path: string;
  readonly secret: boolean;
}

const TOP: Place = { path: 'config', secret: false };

/**
 * The stored settings with a change laid over them: objects are merged, null removes a name, everything else is replaced, lists as a whole.
 * `***` under a secret's name keeps what is stored there.
 *
 * @throws AppError `invalid_input` for a `***` without something stored that it could mean.
 */
export function merged(stored: JsonObject, patch: JsonObject, at: Place = TOP): JsonObject {
  const result = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(patch)) {
    const old = result.get(name);
    if (value === null) result.delete(name);
    else if (isRecord(value)) result.set(name, merged(isRecord(old) ? old : {}, value, within(at, name)));
    else result.set(name, resolved(value, old, within(at, name)));
  }
  return Object.fromEntries(result);
}

/**
 * New settings instead of the stored ones; `***` under a secret's name takes over what is stored there.
 *
 * @throws AppError `invalid_input` for a `***` without something stored that it could mean.
 */
export function replaced(stored: JsonObject, config: JsonObject, at: Place = TOP): JsonObject {
  const old = new Map(Object.entries(stored));
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, resolved(value, old.get(name), within(at, name))]),
  );
}

function resolved(value: JsonValue, stored: JsonValue | undefined, at: Place): JsonValue {
  if (at.secret && value === HIDDEN) return storedSecret(stored, at);
  if (isList(value)) return resolvedList(value, isList(stored) ? stored : [], at);
  return isRecord(value) ? replaced(isRecord(stored) ? stored : {}, value, at) : value;
}

function storedSecret(stored: JsonValue | undefined, { path }: Place): JsonValue {
  if (stored !== undefined) return stored;
  throw refused(path, `is ${HIDDEN}, and there is no stored value that it could mean`);
}

/** An entry of a list has no name: the stored one is the one that looks the same, so that no secret moves to another owner. */
function resolvedList(values: readonly JsonValue[], stored: readonly JsonValue[], at: Place): JsonValue[] {
  const looks = stored.map(lookOf);
  const byLook = new Map(stored.map((entry, index) => [looks[index], entry]));
  return values.map((value, index) => {
    const look = lookOf(value);
    const same = looks[index] === look ? stored[index] : byLook.get(look);
    return resolved(value, same, { path: `${at.path}[${index}]`, secret: false });
  });
}

function lookOf(value: JsonValue): string {
  return JSON.stringify(hiddenWithin(value));
}

function within({ path }: Place, name: string): Place {
  return { path: `${path}.${name}`, secret: isSecretName(name) };
}
