import { Schema, createConnection, type Model } from 'mongoose';
import type { Change, CollectionDefinition, StoredDocument } from '../../ports/document-store.js';
import { isAppError, type FieldProblem } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import type { FieldKind, FieldKinds } from './conditions.js';
import { doesNotFit, refused } from './document-errors.js';
import { isPlainObject, plainCopy, type PlainObject } from './plain-values.js';

/** A document as it is stored: checked, cast, with defaults, and made of plain values. */
export type PlainDocument = PlainObject & { readonly id: string };

export interface PlainChange {
  readonly set: PlainObject;
  readonly increment: Readonly<Record<string, number>>;
}

/** One `schema.index()` declaration, in the words that both stores need. */
interface IndexRule {
  /** Most significant first; `_id` is called `id`. */
  readonly fields: readonly (readonly [field: string, direction: 1 | -1])[];
  readonly unique: boolean;
  /** Documents whose one field is so long ago are gone. */
  readonly expireAfterSeconds: number | null;
}

/** Documents whose `field` is `seconds` ago or longer are gone. */
export interface ExpiryRule {
  readonly field: string;
  readonly seconds: number;
}

const KINDS: Readonly<Record<string, FieldKind>> = {
  String: 'text',
  Number: 'number',
  Boolean: 'boolean',
  Date: 'date',
  Array: 'list',
  Mixed: 'other',
  Embedded: 'other',
};
const AS_STORED = { getters: false, virtuals: false, transform: false, minimize: false } as const;
/** Longer ids don't fit into an index key of the embedded store. */
const MAX_ID_BYTES = 200;

// mongoose makes models on a connection. This one is never opened: the rules only check and cast.
const unconnected = createConnection();
let models = 0;

/** Checks, casts and completes documents by a mongoose schema, the same for every document store. */
export class SchemaRules {
  readonly kinds: FieldKinds;
  readonly indexes: readonly IndexRule[];
  readonly expiries: readonly ExpiryRule[];
  readonly #schema: Schema;
  readonly #initials: readonly (readonly [field: string, initial: unknown])[];
  #made: Model<PlainObject> | null = null;

  constructor(definition: CollectionDefinition<StoredDocument>) {
    if (!(definition.schema instanceof Schema)) throw new Error(`${definition.name} has no mongoose schema`);
    this.#schema = strictCopy(definition.schema as Schema);
    this.#initials = initialsOf(definition.schema as Schema);
    this.kinds = kindsOf(this.#schema);
    this.indexes = indexRulesOf(this.#schema, (field) => !['list', 'other', undefined].includes(this.kinds.get(field)));
    this.expiries = this.indexes.flatMap(({ fields: [first], expireAfterSeconds: seconds }) =>
      first === undefined || seconds === null ? [] : [{ field: first[0], seconds }],
    );
  }

  /** Made when a document is written first: many kinds never are while a process runs. */
  get #model(): Model<PlainObject> {
    return (this.#made ??= unconnected.model<PlainObject>(`rules${(models += 1)}`, this.#schema));
  }

  /** @throws AppError `invalid_input` */
  async document(input: object): Promise<PlainDocument> {
    const { id, ...fields } = this.#plainFields(input);
    assertId(id);
    return { ...(await this.#cast(fields, undefined)), id };
  }

  /** Whether its time is over, so that no store shows it. */
  isExpired(document: StoredDocument, now: Date): boolean {
    return this.expiries.some(({ field, seconds }) => {
      const since: unknown = Reflect.get(document, field);
      return since instanceof Date && since.getTime() + seconds * 1000 <= now.getTime();
    });
  }

  /** What was stored, with the defaults of those fields that its schema got since. */
  whole(stored: PlainDocument): PlainDocument {
    const missing = this.#initials.filter(([field]) => stored[field] === undefined);
    if (missing.length === 0) return stored;
    const added = missing.map(([field, initial]): [string, unknown] => [
      field,
      typeof initial === 'function' ? (initial as () => unknown)() : structuredClone(initial),
    ]);
    return { ...stored, ...Object.fromEntries(added) };
  }

  /** @throws AppError `invalid_input` */
  async change(change: Change<StoredDocument>): Promise<PlainChange> {
    const set = this.#plainFields(change.set ?? {});
    for (const fixed of ['id', 'companyId']) {
      if (fixed in set) throw refused(fixed, "can't be changed");
    }
    const cast = Object.keys(set).length === 0 ? {} : await this.#cast(set, this.#pathsOf(set));
    const chosen = Object.entries(cast).filter(([field]) => field in set);
    return { set: Object.fromEntries(chosen), increment: this.#increments(change.increment, set) };
  }

  #plainFields(input: object): PlainObject {
    const plain = plainCopy(input);
    if (!isPlainObject(plain)) throw refused('document', 'must be an object');
    const unknown = Object.keys(plain).find((field) => !this.kinds.has(field));
    if (unknown !== undefined) throw refused(unknown, 'is not a field of this document');
    return plain;
  }

  /** With `paths`, only those are checked: a change leaves the other fields as they are. */
  async #cast(fields: PlainObject, paths: string[] | undefined): Promise<PlainObject> {
    try {
      const document = new this.#model(fields);
      await document.validate(paths);
      return document.toObject(AS_STORED);
    } catch (error) {
      throw isAppError(error) ? error : doesNotFit(problemsOf(error));
    }
  }

  #pathsOf(set: PlainObject): string[] {
    const fields = Object.keys(set);
    return Object.keys(this.#schema.paths).filter((path) =>
      fields.some((field) => path === field || path.startsWith(`${field}.`)),
    );
  }

  #increments(increment: object | undefined, set: PlainObject): Record<string, number> {
    const entries = Object.entries(increment ?? {}).filter(([, by]) => by !== undefined);
    for (const [field, by] of entries as (readonly [string, unknown])[]) {
      if (this.kinds.get(field) !== 'number') throw refused(field, "is no number and can't be incremented");
      if (typeof by !== 'number' || !Number.isFinite(by)) throw refused(field, 'must be incremented by a number');
      if (field in set) throw refused(field, "can't be set and incremented at once");
    }
    return Object.fromEntries(entries as [string, number][]);
  }
}

/** A copy that refuses unknown fields, keeps empty objects and adds nothing of its own. */
function strictCopy(original: Schema): Schema {
  const schema = original.clone();
  schema.remove(['_id', 'id']);
  for (const own of ['_id', 'id', 'versionKey', 'autoIndex', 'autoCreate'] as const) schema.set(own, false);
  makeStrict(schema);
  return schema;
}

/** Nested schemas are shared with the original by `clone`; what is done to them here is the same every time. */
function makeStrict(schema: Schema): void {
  schema.set('strict', 'throw');
  schema.set('minimize', false);
  for (const { schema: child } of schema.childSchemas) {
    if (child.paths['_id']?.instance === 'ObjectId') child.set('_id', false);
    makeStrict(child);
  }
}

function kindsOf(schema: Schema): FieldKinds {
  const kinds = new Map<string, FieldKind>([['id', 'text']]);
  assertKept(schema);
  for (const [path, type] of Object.entries(schema.paths)) {
    const [field] = path.split('.');
    const kind = KINDS[type.instance] ?? 'other';
    if (field !== undefined) kinds.set(field, path === field ? kind : (kinds.get(field) ?? 'other'));
  }
  return kinds;
}

function initialsOf(schema: Schema): readonly (readonly [field: string, initial: unknown])[] {
  return Object.values(schema.paths).flatMap(({ path, options }) => {
    const { default: initial } = options as { readonly default?: unknown };
    return initial === undefined || path === '_id' || path.includes('.') ? [] : [[path, initial] as const];
  });
}

function assertKept(schema: Schema): void {
  for (const [path, { instance }] of Object.entries(schema.paths)) {
    if (!(instance in KINDS)) throw new Error(`${path} is a ${instance}, which not every document store keeps`);
  }
  for (const { schema: child } of schema.childSchemas) assertKept(child);
}

function assertId(id: unknown): asserts id is string {
  if (typeof id !== 'string' || id === '') throw refused('id', 'is required');
  if (Buffer.byteLength(id) > MAX_ID_BYTES) throw refused('id', `has at most ${MAX_ID_BYTES} bytes`);
}

/** mongoose's messages name values; these name the field and the rule. */
function problemsOf(error: unknown): readonly FieldProblem[] {
  const errors = isRecord(error) && isRecord(error['errors']) ? Object.entries(error['errors']) : [];
  if (errors.length === 0) {
    const path = isRecord(error) && typeof error['path'] === 'string' ? error['path'] : 'document';
    return [{ field: path, problem: `${path} does not fit the schema` }];
  }
  return errors.map(([field, problem]) => ({ field, problem: `${field} ${ruleOf(problem)}` }));
}

function ruleOf(problem: unknown): string {
  const kind = isRecord(problem) ? problem['kind'] : undefined;
  if (kind === 'required') return 'is required';
  if (kind === 'enum') return 'is not one of the allowed values';
  if (isRecord(problem) && problem['name'] === 'CastError') return `must be a ${String(kind).toLowerCase()}`;
  return 'does not fit the schema';
}

/** What a schema may say of an index. Anything else would hold in one store and not in the other. */
const KNOWN_OPTIONS = ['unique', 'expireAfterSeconds', 'background', 'name'];
/** Bounds the length of an index key in the embedded store. */
const MAX_FIELDS = 4;

function indexRulesOf(schema: Schema, isScalar: (field: string) => boolean): readonly IndexRule[] {
  return schema.indexes().map(([keys, options]) => {
    const fields = Object.entries(keys).map(([field, direction]) => fieldOf(field, direction, isScalar));
    if (fields.length > MAX_FIELDS) throw new Error(`An index has at most ${MAX_FIELDS} fields`);
    const given = options as Readonly<Record<string, unknown>>;
    assertKnown(given);
    const { unique, expireAfterSeconds: seconds } = given;
    return { fields, unique: unique === true, expireAfterSeconds: seconds === undefined ? null : Number(seconds) };
  });
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
