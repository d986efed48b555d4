import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client, type StreamFrame } from '../../client/src/index.js';
import { MATRIX } from '../api/matrix.rows.js';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { ServiceProcess } from '../support/service-process.js';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: string[];
  readonly responses: Record<string, object>;
  readonly security: object[];
}

interface Document {
  readonly openapi: string;
  readonly servers: { readonly url: string }[];
  readonly tags: { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, object>;
  };
}

/** For operators, and what the Model Context Protocol describes itself. */
const NOT_DESCRIBED = ['GET metrics', 'POST mcp', 'GET mcp', 'DELETE mcp'];

interface StreamDocument {
  readonly asyncapi: string;
  readonly channels: { readonly stream: { readonly messages: Readonly<Record<string, { readonly $ref: string }>> } };
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: object }>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

let folder: string;
let model: OpenAiDouble;
let service: ServiceProcess;
let document: Document;

/** The documents are made from the build: the types and comments are read by the compiler. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'das-docs-'));
  model = await OpenAiDouble.start();
  service = await ServiceProcess.start({
    DATA_DIR: folder,
    BOOTSTRAP_EMAIL: 'ada@example.com',
    BOOTSTRAP_PASSWORD: 'password-1',
    RATE_LIMIT: '0',
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: 'double',
  });
  document = (await (await fetch(`${service.url}/docs-json`)).json()) as Document;
}, 120_000);
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
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

describe('the document of the stream', () => {
  let client: Client;
  let document: StreamDocument;
  beforeAll(async () => {
    client = createClient({ baseUrl: service.url, webSocket: WebSocket });
    await client.signIn('ada@example.com', 'password-1');
    document = (await (await fetch(`${service.url}/docs/asyncapi.json`)).json()) as StreamDocument;
  });

  /** Checks a frame by its message, with no field that is not named. */
  function checks(): (frame: StreamFrame) => readonly string[] {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'doc:/', ...(closed(document) as object) });
    const known = new Map<string, ValidateFunction>();
    return (frame) => {
      if (!Object.hasOwn(document.components.messages, frame.event)) return [`${frame.event} is not in the document`];
      const { event } = frame;
      const check =
        known.get(frame.event) ?? ajv.compile({ $ref: `doc:/#/components/messages/${frame.event}/payload` });
      known.set(frame.event, check);
      return check(frame)
        ? []
        : (check.errors ?? []).map(
            (error) => `${event}${error.instancePath} ${String(error.message)} ${JSON.stringify(error.params)}`,
          );
    };
  }

  it('is AsyncAPI 3, and every reference in it leads somewhere', () => {
    expect(document.asyncapi).toBe('3.0.0');
    for (const [, path] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = (path ?? '')
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
      expect(target, path).toBeDefined();
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(Object.keys((schema as { properties?: object }).properties ?? {}), name).not.toEqual([]);
    }
  });

  it('describes every frame that really passes over the socket', async () => {
    const frames: StreamFrame[] = [];
    const stream = client.stream('everything');
    stream.onFrame((frame) => frames.push(frame));
    await eventually(
      () => stream.state,
      (state) => state === 'open',
    );
    await causeEverything(client, model, frames);
    stream.close();

    const problemsOf = checks();
    expect(frames.flatMap((frame) => problemsOf(frame))).toEqual([]);
    expect([...new Set(frames.map(({ event }) => event))].sort()).toEqual(
      Object.keys(document.components.messages).sort(),
    );
    // The checks can fail.
    const [first] = frames;
    expect(problemsOf({ ...first, data: { ...first?.data, more: 1 } } as unknown as StreamFrame)).not.toEqual([]);
  });
});

/** Makes each kind of event happen. */
async function causeEverything(client: Client, model: OpenAiDouble, frames: readonly StreamFrame[]): Promise<void> {
  const heard = (test: (frame: StreamFrame) => boolean): Promise<boolean> =>
    eventually(() => frames.some(test), Boolean);
  const { api } = client;
  const answersWith = (name: string): Promise<unknown> =>
    client.call(api.PATCH('/api/v1/secure/settings', { body: { config: { assistant: { model: name } } } }));
  await answersWith('built-in analyst');
  const upload = await client.uploadDatasourceFile(new File([await readFile('samples/weather.csv')], 'weather.csv'));
  const config = { metafield: 'location', timefield: 'date' };
  const { datasource_id: id } = await client.call(
    api.PUT('/api/v1/secure/datasource', { body: { name: 'Weather', type: 'csv', filename: upload.filename, config } }),
  );
  await heard(({ event, data }) => event === 'datasource-updated' && data.action === 'updated');

  const { id: conversation } = await client.call(
    api.POST('/api/v1/secure/assistant/conversation', { body: { title: 'Weather', datasource_id: id } }),
  );
  const ask = (message: string): Promise<unknown> =>
    client.call(api.POST('/api/v1/secure/assistant/chatstream', { body: { conversation_id: conversation, message } }));
  await ask('average temp_max by month');
  await heard(({ event }) => event === 'chat-complete');
  const query = { conversation_id: conversation };
  await client.call(api.GET('/api/v1/secure/assistant/suggestionsquery/reload', { params: { query } }));
  await heard(({ event }) => event === 'suggestions-updated');

  await client.uploadContextFiles([new File(['Seattle is rainy.'], 'notes.txt', { type: 'text/plain' })]);
  await heard(({ event }) => event === 'context-file-status');
  const { task } = await client.call(
    api.POST('/api/v1/secure/agent/task', {
      body: { name: 'Rain', prompt: 'Average wind by location', datasources: [id] },
    }),
  );
  await client.call(api.GET('/api/v1/secure/agent/task/run/{task_id}', { params: { path: { task_id: task.id } } }));
  await heard(({ event, data }) => event === 'agent-task' && data.action === 'updated');

  // An answer that is stopped ends with chat-error. The model would never end it.
  await answersWith('double');
  model.append({ content: 'So far', then: 'hang' });
  await ask('average temp_max by location and day');
  await eventually(
    () => model.requests.length,
    (count) => count > 0,
  );
  await client.call(api.POST('/api/v1/secure/assistant/stop', { body: query }));
  await heard(({ event }) => event === 'chat-error');
}

/** A copy in which an object has the fields that are named, and no other. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  const isShape =
    inner['type'] === 'object' && typeof inner['properties'] === 'object' && !('additionalProperties' in inner);
  return isShape ? { ...inner, additionalProperties: false } : inner;
}
