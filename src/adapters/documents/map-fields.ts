import { Schema, type Model, type SchemaType } from 'mongoose';
import { refused } from './document-errors.js';
import { isPlainObject, type PlainObject } from './plain-values.js';

interface MapField {
  readonly name: string;
  readonly required: boolean;
  readonly initial: unknown;
  /** A document with the one field `value`: checks each value with the whole of mongoose's rules. */
  readonly valueModel: Model<PlainObject>;
}

/**
 * The top-level Map fields of a schema. mongoose refuses keys with dots and dollar signs in a Map, which are names like any other
 * in a free-form field; so these are taken out of the schema and each of their values is checked on its own.
 */
export class MapFields {
  readonly #fields: readonly MapField[];

  constructor(schema: Schema, modelOf: (schema: Schema) => Model<PlainObject>) {
    const found = Object.values(schema.paths).filter((path) => path.instance === 'Map' && !path.path.includes('.'));
    this.#fields = found.map((path) => mapFieldOf(path, modelOf));
    for (const { name } of this.#fields) schema.remove([name, `${name}.$*`]);
  }

  get names(): readonly string[] {
    return this.#fields.map(({ name }) => name);
  }

  /** The map fields of a whole new document, defaults included. */
  async ofDocument(document: PlainObject): Promise<PlainObject> {
    const defaults = this.#fields.map(({ name, initial }) => [name, document[name] ?? valueOf(initial)] as const);
    return this.#cast(Object.fromEntries(defaults), this.#fields);
  }

  /** The map fields that a change replaces. */
  async ofChange(set: PlainObject): Promise<PlainObject> {
    return this.#cast(
      set,
      this.#fields.filter(({ name }) => set[name] !== undefined),
    );
  }

  async #cast(source: PlainObject, fields: readonly MapField[]): Promise<PlainObject> {
    const result: PlainObject = {};
    for (const field of fields) {
      const map = source[field.name];
      if (map === undefined || map === null) {
        if (field.required) throw refused(field.name, 'is required');
        if (map === null) result[field.name] = null;
      } else {
        result[field.name] = await castMap(field, map);
      }
    }
    return result;
  }
}

function mapFieldOf(path: SchemaType, modelOf: (schema: Schema) => Model<PlainObject>): MapField {
  const options = path.options as { readonly of?: unknown; readonly default?: unknown };
  const value = (options.of ?? Schema.Types.Mixed) as typeof Schema.Types.Mixed;
  return {
    name: path.path,
    required: path.isRequired === true,
    initial: options.default,
    valueModel: modelOf(new Schema({ value }, { _id: false })),
  };
}

async function castMap(field: MapField, map: unknown): Promise<PlainObject> {
  if (!isPlainObject(map)) throw refused(field.name, 'must be an object');
  const cast: PlainObject = {};
  for (const [key, value] of Object.entries(map)) {
    const holder = new field.valueModel({ value });
    try {
      await holder.validate();
    } catch (error) {
      throw refused(field.name, `has a value that does not fit: ${error instanceof Error ? error.name : 'unknown'}`);
    }
    cast[key] = holder.toObject({ flattenMaps: true, minimize: false })['value'];
  }
  return cast;
}

function valueOf(initial: unknown): unknown {
  const value: unknown = typeof initial === 'function' ? (initial as () => unknown)() : initial;
  return value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value;
}
