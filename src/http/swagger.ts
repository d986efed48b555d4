import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isRecord } from '../shared/json.js';

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
  return inOpenApi31(SwaggerModule.createDocument(app, options)) as OpenAPIObject;
}

/** The generator writes the `nullable` of OpenAPI 3.0, which 3.1 does not know. */
function inOpenApi31(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOpenApi31);
  if (!isRecord(value)) return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, inOpenApi31(inner)]),
  );
  if (nullable !== true)
    return nullable === false ? rest : { ...rest, ...(nullable === undefined ? {} : { nullable }) };
  if (typeof rest['type'] === 'string') return { ...rest, type: [rest['type'], 'null'] };
  return { anyOf: [rest, { type: 'null' }] };
}
