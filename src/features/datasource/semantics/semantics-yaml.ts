import { CORE_SCHEMA, dump, load } from 'js-yaml';
import { isDeeperThan } from '../../../http/json-depth.js';
import { type AppError, invalidField, messageOf } from '../../../shared/app-error.js';
import { isRecord } from '../../../shared/json.js';

const MAX_DEPTH = 32;

/**
 * An object written as YAML: plain values, lists and objects alone. Aliases are refused, since a few of them stand for any number of values.
 *
 * @throws AppError `invalid_input`
 */
export function objectFromYaml(text: string): Readonly<Record<string, unknown>> {
  const value = loaded(text);
  if (!isRecord(value)) throw refusal('must be an object in YAML');
  if (hasAliases(value)) throw refusal('must not have aliases');
  if (isDeeperThan(JSON.stringify(value), MAX_DEPTH)) {
    throw refusal(`has lists or objects more than ${MAX_DEPTH} deep in one another`);
  }
  return value;
}

function loaded(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    // The first line says what is wrong and where; a picture of the place follows.
    throw refusal(`is not YAML: ${messageOf(error).split('\n')[0] ?? ''}`.slice(0, 300));
  }
}

/** Whether a list or an object is in it more than once. */
function hasAliases(root: object): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (seen.has(value)) return true;
    seen.add(value);
    // One by one: as arguments of a call they may be too many.
    for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
}

function refusal(problem: string): AppError {
  return invalidField('yaml', `yaml ${problem}`);
}

/** Without fields that are empty. */
export function yamlOf(value: object): string {
  return dump(filled(value), { noRefs: true, lineWidth: 100 });
}

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (!isRecord(value)) return value;
  const said = Object.entries(value).filter(([, one]) => one !== '' && !(Array.isArray(one) && one.length === 0));
  return Object.fromEntries(said.map(([name, one]) => [name, filled(one)]));
}
