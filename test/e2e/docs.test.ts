import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MATRIX } from '../api/matrix.rows.js';
import { ServiceProcess } from '../support/service-process.js';

interface Operation {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema?: object }> }>;
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly security?: object[];
}

interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { readonly properties?: object }> };
}

/** For a scraper of the operators, in its own format; the document is for clients. */
const OPERATORS_ALONE = ['GET metrics'];

let folder: string;
let service: ServiceProcess;
let document: Document;

/** The document is made from the build: the types and comments are read by the compiler. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-docs-'));
  service = await ServiceProcess.start({ DATA_DIR: folder });
  document = (await (await fetch(`${service.url}/docs-json`)).json()) as Document;
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

function operations(): readonly [string, Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path.replace(/^\/(api\/v1\/)?/, '').replace(/\{(\w+)\}/g, ':$1')}`,
      operation,
    ]),
  );
}

describe('the documentation', () => {
  it('is a page', async () => {
    const page = await fetch(`${service.url}/docs`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('swagger-ui');
  });

  it('is OpenAPI 3.1 and names every route of clients', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(
      operations()
        .map(([name]) => name)
        .sort(),
    ).toEqual(
      Object.keys(MATRIX)
        .filter((route) => !OPERATORS_ALONE.includes(route))
        .sort(),
    );
  });

  it('gives every answer a schema with its own fields beside the envelope', () => {
    for (const [name, { responses }] of operations()) {
      const success = responses['200'];
      expect(success?.content, name).toBeDefined();
      const [schema] = Object.values(success!.content!).map(({ schema: found }) => found);
      expect(JSON.stringify(schema), name).toMatch(/\$ref|binary/);
    }
    const { schemas } = document.components;
    expect(Object.keys(schemas['ChatResponse']?.properties ?? {}).sort()).toEqual(['error', 'message', 'response']);
    expect(Object.keys(schemas['DatasourceView']?.properties ?? {})).toContain('import');
  });

  it('says which routes need a token', () => {
    for (const [name, { security }] of operations()) {
      const isPublic = MATRIX[name]?.reach === 'public';
      expect(security !== undefined, name).toBe(!isPublic || name === 'POST refresh-token');
    }
  });

  it('has none of the old null', () => {
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });
});
