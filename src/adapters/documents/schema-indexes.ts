import type { Schema } from 'mongoose';

/** One `schema.index()` declaration, in the words that both stores need. */
export interface IndexRule {
  /** Most significant first; `_id` is called `id`. */
  readonly fields: readonly (readonly [field: string, direction: 1 | -1])[];
  readonly unique: boolean;
  /** Leaves out documents that have none of its fields. */
  readonly sparse: boolean;
  /** Documents whose one field is so long ago are gone. */
  readonly expireAfterSeconds: number | null;
}

/** Documents whose `field` is `seconds` ago or longer are gone. */
export interface ExpiryRule {
  readonly field: string;
  readonly seconds: number;
}

/** What a schema may say of an index. Anything else would hold in one store and not in the other. */
const KNOWN_OPTIONS = ['unique', 'sparse', 'expireAfterSeconds', 'background', 'name'];
/** Bounds the length of an index key in the embedded store. */
const MAX_FIELDS = 4;

export function indexRulesOf(schema: Schema, isScalar: (field: string) => boolean): readonly IndexRule[] {
  return schema.indexes().map(([keys, options]) => {
    const fields = Object.entries(keys).map(([field, direction]) => fieldOf(field, direction, isScalar));
    if (fields.length > MAX_FIELDS) throw new Error(`An index has at most ${MAX_FIELDS} fields`);
    const given = options as Readonly<Record<string, unknown>>;
    assertKnown(given);
    const seconds = given['expireAfterSeconds'];
    return {
      fields,
      unique: given['unique'] === true,
      sparse: given['sparse'] === true,
      expireAfterSeconds: seconds === undefined ? null : Number(seconds),
    };
  });
}

export function expiryRulesOf(rules: readonly IndexRule[]): readonly ExpiryRule[] {
  return rules.flatMap(({ fields: [first], expireAfterSeconds }) =>
    first === undefined || expireAfterSeconds === null ? [] : [{ field: first[0], seconds: expireAfterSeconds }],
  );
}

function fieldOf(name: string, direction: unknown, isScalar: (field: string) => boolean): readonly [string, 1 | -1] {
  const field = name === '_id' ? 'id' : name;
  if (!isScalar(field)) throw new Error(`${field} can't be indexed: it is no top-level field with one value`);
  if (direction !== 1 && direction !== -1) throw new Error(`${field} has an index that is neither 1 nor -1`);
  return [field, direction];
}

function assertKnown(options: Readonly<Record<string, unknown>>): void {
  // Those that begin with an underscore are mongoose's own notes.
  const named = Object.keys(options).filter((option) => options[option] !== undefined && !option.startsWith('_'));
  const unknown = named.find((option) => !KNOWN_OPTIONS.includes(option));
  if (unknown !== undefined) throw new Error(`The index option ${unknown} is not supported by every document store`);
}
