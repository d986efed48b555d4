import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isRecord } from '../shared/json.js';
import { FailureResponse } from './envelope.wire.js';

type JsonObject = Readonly<Record<string, unknown>>;

const TAGS = {
  Sessions: 'Sign in, renew a token, sign out.',
  Account: 'One’s own name and password, and where one is signed in.',
  Members: 'Inviting, blocking and removing people, and who did what.',
  'API keys': 'Keys for programs: made, listed, revoked.',
  Users: 'The caller, and the users of a company.',
  Company: "The caller's company and its settings.",
  Datasources: 'Upload files, make datasources from them, change and delete them.',
  Bin: 'What was deleted and can be restored.',
  Rows: 'Plot, describe, add and download the rows of a datasource.',
  'Context files': 'Documents that answers cite.',
  Conversations: 'Conversations about a datasource, their messages and suggested questions.',
  Answers: 'Ask a question, stop its answer, get its chart.',
  Boards: 'Figures side by side, and links that show them without a session.',
  Evaluation: 'Verified questions of a datasource, and how well they are answered.',
  'Agent tasks': 'Prompts that run over datasources, on demand or on a schedule.',
  Alerts: 'Figures that are watched, and who is told when they pass a limit.',
  Service: 'What the service can do, and whether it is well.',
};

/** The failures that many operations have, by status. */
const FAILURES = {
  400: 'The request is malformed, or a value in it does not fit; `details` names the fields.',
  401: 'The token is missing or invalid, or its session has ended.',
  404: "What the request names is not there, or is another company's or another user's.",
  429: 'There were too many requests, or too many run at once; `retry-after` has the seconds to wait.',
  default: 'Any other failure.',
};

/** The page at `/docs` and the document at `/docs-json`, OpenAPI 3.1. */
export function setUpSwagger(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => apiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Data Analytics Service',
  });
}

/** The document of all routes; with the schemas of `models` too, which no route has. */
export function apiDocument(app: NestFastifyApplication, models: readonly (new () => object)[] = []): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Data Analytics Service')
    .setDescription('Upload a CSV, ask questions, get the figures, the query and a chart.')
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .addServer('/', 'This service.')
    .addBearerAuth()
    .build();
  const document = SwaggerModule.createDocument(app, options, { extraModels: [FailureResponse, ...models] });
  return inOpenApi31({
    ...document,
    info: { ...document.info, license: { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' } },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: completed(document),
    components: { ...document.components, responses: failureResponses() },
  }) as OpenAPIObject;
}

/** All failures are alike: see `error.filter.ts`. */
function failureResponses(): JsonObject {
  const entries = Object.entries(FAILURES).map(([status, text]) => [`failure-${status}`, withFailureBody(text)]);
  return Object.fromEntries(entries) as JsonObject;
}

function withFailureBody(description: unknown): JsonObject {
  return { description, content: { 'application/json': { schema: { $ref: getSchemaPath(FailureResponse) } } } };
}

function completed({ paths, components }: OpenAPIObject): JsonObject {
  const schemas = components?.schemas ?? {};
  return mapped(paths, (operations) =>
    mapped(operations, (operation) => {
      // The first sentence of a route's comment is its summary.
      const [summary, ...rest] = String(operation['summary']).split(/(?<=\.)\s/);
      const responses = { ...failuresOf(operation, schemas), ...declaredResponses(operation) };
      // Once, though a class and its method may both have a rule.
      const security = operation['security'] === undefined ? [] : [{ bearer: [] }];
      return { ...operation, summary, description: rest.join(' '), security, responses };
    }),
  );
}

function mapped(record: object, change: (value: JsonObject) => unknown): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]: [string, unknown]) => [key, isRecord(value) ? change(value) : value]),
  );
}

/** What a controller declares; failures have the body that all have, unless it says another. */
function declaredResponses({ responses }: JsonObject): JsonObject {
  if (!isRecord(responses)) return {};
  return mapped(responses, (response) => ('content' in response ? response : withFailureBody(response['description'])));
}

/** The failures that follow from what an operation takes. */
function failuresOf({ security, parameters, requestBody }: JsonObject, schemas: JsonObject): JsonObject {
  const fields = Array.isArray(parameters) ? parameters.map((parameter: { name: string }) => parameter.name) : [];
  if (requestBody !== undefined) fields.push(...propertiesOf(requestBody, schemas));
  const statuses = ['default'];
  if (fields.length > 0) statuses.push('400');
  if (security !== undefined) statuses.push('401');
  if (fields.some((field) => /(^|_)id$|Id$|^filename$/.test(field))) statuses.push('404');
  if (fields.length > 0 || security !== undefined) statuses.push('429');
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/failure-${status}` }]));
}

/** The names of the fields of a body, its own and those of the schemas it refers to. */
function propertiesOf(value: unknown, schemas: JsonObject): readonly string[] {
  return schemasNamedIn(value).flatMap((name) => {
    const schema = schemas[name];
    return isRecord(schema) && isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  });
}

/** The names of the schemas that a part of the document refers to. */
export function schemasNamedIn(part: unknown): readonly string[] {
  const text = JSON.stringify(part ?? null);
  return [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
}

/** The generator writes the `nullable` of OpenAPI 3.0, which 3.1 does not know, and calls the entries of lists of lists required, which nothing knows. */
function inOpenApi31(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOpenApi31);
  if (!isRecord(value)) return value;
  // Parameters and bodies may say `required: true`; a schema lists names.
  const isRequiredEntry = typeof value['required'] === 'boolean' && 'type' in value && !('in' in value);
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'required' || !isRequiredEntry)
      .map(([key, inner]) => [key, inOpenApi31(inner)]),
  );
  if (nullable !== true)
    return nullable === false ? rest : { ...rest, ...(nullable === undefined ? {} : { nullable }) };
  if (typeof rest['type'] === 'string') return { ...rest, type: [rest['type'], 'null'] };
  return { anyOf: [rest, { type: 'null' }] };
}
