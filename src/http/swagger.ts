import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isRecord } from '../shared/json.js';
import { FRAME_DATA } from './asyncapi.wire.js';
import { FailureResponse } from './envelope.wire.js';

/** The page at `/docs` and the document at `/docs-json`, OpenAPI 3.1. */
export function setUpSwagger(app: NestFastifyApplication): void {
  SwaggerModule.setup('docs', app, () => apiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    customSiteTitle: 'Data Analytics Service',
  });
}

export function apiDocument(app: NestFastifyApplication): OpenAPIObject {
  const options = new DocumentBuilder()
    .setTitle('Data Analytics Service')
    .setDescription('Upload a CSV, ask questions, get the figures, the query and a chart.')
    .setVersion('1')
    .setOpenAPIVersion('3.1.0')
    .addBearerAuth()
    .build();
  const document = SwaggerModule.createDocument(app, options, {
    extraModels: [FailureResponse, ...Object.values(FRAME_DATA)],
  });
  return inOpenApi31({ ...document, paths: withFailures(document.paths) }) as OpenAPIObject;
}

/** Every operation can fail, and all fail alike: see `error.filter.ts`. */
function withFailures(paths: OpenAPIObject['paths']): object {
  const schema = { $ref: getSchemaPath(FailureResponse) };
  const failure = { description: 'Any failure.', content: { 'application/json': { schema } } };
  const entries = Object.entries(paths).map(([path, operations]) => [path, withFailure(operations, failure)]);
  return Object.fromEntries(entries) as object;
}

function withFailure(operations: object, failure: object): object {
  const entries = Object.entries(operations).map(([method, operation]: [string, unknown]) => {
    if (!isRecord(operation) || !isRecord(operation['responses'])) return [method, operation];
    return [method, { ...operation, responses: { ...operation['responses'], default: failure } }];
  });
  return Object.fromEntries(entries) as object;
}

/** The generator writes the `nullable` of OpenAPI 3.0, which 3.1 does not know, and calls the entries of lists of lists required, which nothing knows. */
function inOpenApi31(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOpenApi31);
  if (!isRecord(value)) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'required' || !isRequiredEntry(value))
      .map(([key, inner]) => [key, inOpenApi31(inner)]),
  );
  if (nullable !== true)
    return nullable === false ? rest : { ...rest, ...(nullable === undefined ? {} : { nullable }) };
  if (typeof rest['type'] === 'string') return { ...rest, type: [rest['type'], 'null'] };
  return { anyOf: [rest, { type: 'null' }] };
}

/** Parameters and bodies may say `required: true`; a schema lists names. */
function isRequiredEntry(value: Record<string, unknown>): boolean {
  return typeof value['required'] === 'boolean' && 'type' in value && !('in' in value);
}
