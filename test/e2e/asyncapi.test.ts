import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client, type StreamFrame } from '../../client/src/index.js';
import { eventually } from '../support/eventually.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { ServiceProcess } from '../support/service-process.js';

interface Document {
  readonly asyncapi: string;
  readonly channels: { readonly stream: { readonly messages: Readonly<Record<string, { readonly $ref: string }>> } };
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly payload: object }>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

describe('the document of the stream', () => {
  let folder: string;
  let model: OpenAiDouble;
  let service: ServiceProcess;
  let client: Client;
  let document: Document;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'das-asyncapi-'));
    model = await OpenAiDouble.start();
    service = await ServiceProcess.start({
      DATA_DIR: folder,
      BOOTSTRAP_EMAIL: 'ada@example.com',
      BOOTSTRAP_PASSWORD: 'password-1',
      RATE_LIMIT: '0',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'double',
    });
    client = createClient({ baseUrl: service.url, webSocket: WebSocket });
    await client.signIn('ada@example.com', 'password-1');
    document = (await (await fetch(`${service.url}/docs/asyncapi.json`)).json()) as Document;
  }, 120_000);
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
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
