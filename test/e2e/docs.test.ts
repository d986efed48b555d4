import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MATRIX } from '../api/matrix.rows.js';
import { ServiceProcess } from '../support/service-process.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: string[];
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema?: object }> }>;
  readonly requestBody?: { readonly content: Record<string, { readonly schema: object }> };
  readonly security: object[];
}

interface Document {
  readonly openapi: string;
  readonly servers: { readonly url: string }[];
  readonly tags: { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, { readonly properties?: object }>;
    readonly responses: Record<string, { readonly description: string }>;
  };
}

/** For a scraper of the operators, in its own format; the document is for clients. */
/** For operators, and what the Model Context Protocol describes itself. */
const NOT_DESCRIBED = ['GET metrics', 'POST mcp', 'GET mcp', 'DELETE mcp'];

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
        .filter((route) => !NOT_DESCRIBED.includes(route))
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
      const isPublic = MATRIX[name]?.reach === 'public' && name !== 'POST refresh-token';
      expect(security, name).toEqual(isPublic ? [] : [{ bearer: [] }]);
    }
  });

  it('says where the service is, relative to the document', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['/']);
  });

  it('tells what every operation does, in a summary and at least one sentence more', () => {
    for (const [name, { summary, description }] of operations()) {
      expect(summary, name).toMatch(/^[A-Z].{6,150}\.$/);
      expect(description, name).toMatch(/^[A-Z`].{20,}\.$/);
    }
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('puts every operation under one tag, and has a sentence for each tag', () => {
    const used = operations().map(([name, { tags }]) => {
      expect(tags, name).toHaveLength(1);
      return tags[0];
    });
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(new Set(used));
    for (const { name, description } of document.tags) expect(description, name).toMatch(/\.$/);
  });

  it('declares how an operation can fail, by what it asks for', () => {
    const statuses = new Map(operations().map(([name, { responses }]) => [name, Object.keys(responses).sort()]));
    for (const [name, { security }] of operations())
      if (security.length > 0) expect(statuses.get(name), name).toEqual(expect.arrayContaining(['401', '429']));
    expect(statuses.get('GET secure/currentuser')).toEqual(['200', '401', '429', 'default']);
    expect(statuses.get('GET secure/datasource')).toEqual(['200', '400', '401', '404', '429', 'default']);
    expect(statuses.get('PATCH secure/settings')).toEqual(['200', '400', '401', '403', '429', 'default']);
    expect(statuses.get('DELETE secure/datasource')).toEqual(['200', '400', '401', '403', '404', '429', 'default']);
    expect(statuses.get('POST login')).toEqual(['200', '400', '401', '403', '429', 'default']);
    expect(statuses.get('GET health/ready')).toEqual(['200', '503', 'default']);
  });

  it('has no schema and no response that nothing refers to', () => {
    const text = JSON.stringify(document);
    const { schemas, responses } = document.components;
    const unused = [
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
    ].filter((reference) => !text.includes(`"${reference}"`));
    expect(unused).toEqual([]);
  });

  it('has none of the old null', () => {
    expect(JSON.stringify(document)).not.toContain('"nullable"');
  });
});
