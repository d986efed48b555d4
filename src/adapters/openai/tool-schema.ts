import { isRecord } from '../../shared/json.js';

/** The schema of a tool's arguments without the keywords that an endpoint refuses. */
export function schemaWithout(
  schema: Readonly<Record<string, unknown>>,
  refused: ReadonlySet<string>,
): Record<string, unknown> {
  const kept = Object.entries(schema).filter(([keyword]) => !refused.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'properties' ? propertiesOf(value, refused) : inner(value, refused),
    ]),
  );
}

function inner(value: unknown, refused: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => inner(each, refused));
  return isRecord(value) ? schemaWithout(value, refused) : value;
}

/** Names of properties are no keywords. */
function propertiesOf(value: unknown, refused: ReadonlySet<string>): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema, refused)]));
}
