import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isRecord } from '../../src/shared/json.js';

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly responses: Readonly<Record<string, Response>>;
  readonly requestBody?: { readonly content: Content };
}

export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

const JSON_TYPE = 'application/json';

/** The document of a running service, taken at its word: a body with a field that its schema does not name does not fit. */
export class ApiDocument {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
  private readonly operations: ReadonlyMap<string, Operation>;
  private readonly checks = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenApi) {
    addFormats.default(this.ajv);
    const { schemas } = document.components;
    this.ajv.addSchema({ $id: 'api:/', components: { schemas: closed(schemas) } });
    this.operations = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [routeOf(method, path), operation] as const),
      ),
    );
  }

  static async of(url: string): Promise<ApiDocument> {
    return new ApiDocument((await (await fetch(`${url}/docs-json`)).json()) as OpenApi);
  }

  /** `GET secure/user/:id` …, in the order of the document. */
  get routes(): readonly string[] {
    return [...this.operations.keys()];
  }

  /** What is wrong with an answer, by the schema of its status; empty when nothing is. */
  problemsOfAnswer(route: string, status: number, body: unknown): readonly string[] {
    const { responses } = this.operation(route);
    const declared = responses[String(status)] ?? responses['default'];
    const shared = this.document.components.responses[declared?.$ref?.split('/').at(-1) ?? ''];
    const schema = (shared ?? declared)?.content?.[JSON_TYPE]?.schema;
    return schema === undefined ? [`${route} documents no JSON for ${status}`] : this.problems(schema, body);
  }

  /** What is wrong with a JSON body that the service accepts, by the schema of the request. */
  problemsOfRequest(route: string, body: unknown): readonly string[] {
    const schema = this.operation(route).requestBody?.content[JSON_TYPE]?.schema;
    return schema === undefined ? [`${route} documents no JSON body`] : this.problems(schema, body);
  }

  /** Whether a route answers with something that is no JSON. */
  isBinary(route: string): boolean {
    const content = this.operation(route).responses['200']?.content ?? {};
    return !(JSON_TYPE in content) && Object.keys(content).length > 0;
  }

  /** The types that a success may have. */
  typesOf(route: string): readonly string[] {
    return Object.keys(this.operation(route).responses['200']?.content ?? {});
  }

  /** Where a schema says nothing of what it stands for. */
  openSchemas(): readonly string[] {
    return Object.entries(this.document.components.schemas).flatMap(([name, schema]) => openIn(schema, name));
  }

  /** Whether every schema is one by the rules of JSON Schema 2020-12. */
  schemaProblems(): readonly string[] {
    return Object.entries(this.document.components.schemas).flatMap(([name, schema]) =>
      this.ajv.validateSchema(schema) === true ? [] : [`${name}: ${this.ajv.errorsText()}`],
    );
  }

  operation(route: string): Operation {
    const operation = this.operations.get(route);
    if (operation === undefined) throw new Error(`${route} is not in the document`);
    return operation;
  }

  private problems(schema: Schema, body: unknown): readonly string[] {
    const check = this.checkOf(schema);
    if (check(body)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${String(message)} ${JSON.stringify(params)}`,
    );
  }

  private checkOf(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.checks.get(key) ?? this.ajv.compile(localReferences(closed(schema)) as Schema);
    this.checks.set(key, known);
    return known;
  }
}

function routeOf(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/^\/(api\/v1\/)?/, '').replace(/\{(\w+)\}/g, ':$1')}`;
}

/** A copy in which an object has the fields that are named, and no other. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isRecord(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if (!isShape(inner) || 'additionalProperties' in inner) return inner;
  const isComposed = ['allOf', 'anyOf', 'oneOf'].some((word) => word in inner);
  return { ...inner, [isComposed ? 'unevaluatedProperties' : 'additionalProperties']: false };
}

/** A schema with properties; and not the list of properties of one that has a property of that name. */
function isShape(schema: Schema): boolean {
  return schema['type'] === 'object' && isRecord(schema['properties']);
}

function localReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(localReferences);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `api:/${value}` : localReferences(value),
    ]),
  );
}

const WORDS_THAT_SAY_SOMETHING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'enum', 'const'];

function openIn(schema: unknown, path: string): readonly string[] {
  if (!isRecord(schema)) return [];
  const { properties, items, additionalProperties } = schema;
  const inner = [
    ...(isRecord(properties)
      ? Object.entries(properties).flatMap(([name, one]) => openIn(one, `${path}.${name}`))
      : []),
    ...(items === undefined ? [] : openIn(items, `${path}[]`)),
    ...(isRecord(additionalProperties) ? openIn(additionalProperties, `${path}.*`) : []),
  ];
  return saysNothing(schema) ? [path, ...inner] : inner;
}

function saysNothing(schema: Schema): boolean {
  if (WORDS_THAT_SAY_SOMETHING.some((word) => word in schema)) return false;
  const types = [schema['type']].flat();
  if (types.includes('object')) return !isRecord(schema['properties']) && !isRecord(schema['additionalProperties']);
  return types[0] === undefined || (types.includes('array') && schema['items'] === undefined);
}
