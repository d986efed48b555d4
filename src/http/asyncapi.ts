import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { isRecord } from '../shared/json.js';
import { FRAME_DATA, type ToldEventName } from './asyncapi.wire.js';
import { apiDocument, schemasNamedIn } from './swagger.js';

const EVENTS = Object.keys(FRAME_DATA) as ToldEventName[];

/** The document at `/docs/asyncapi.json`, AsyncAPI 3: what comes over the stream. */
export function setUpAsyncApi(app: NestFastifyApplication): void {
  let text: string | null = null;
  app
    .getHttpAdapter()
    .getInstance()
    .get('/docs/asyncapi.json', (_request, reply) => {
      // Made when it is first asked for: it costs as much as the other document.
      text ??= JSON.stringify(streamDocument(apiDocument(app, Object.values(FRAME_DATA))));
      return reply.type('application/json; charset=utf-8').send(text);
    });
}

/** The stream, with the schemas that the API document has for what frames carry. */
export function streamDocument(api: OpenAPIObject): object {
  const schemas = api.components?.schemas ?? {};
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Data Analytics Service: the stream',
      version: '1',
      description:
        'What concerns the user of the token and their company, as it happens. Frames from clients are ignored. ' +
        'Close codes: 4401 the session has ended, 1012 the service stops, 1013 the socket reads too slowly, 1009 a frame was too large.',
    },
    defaultContentType: 'application/json',
    channels: { stream: channel() },
    operations: {
      hear: {
        action: 'send',
        summary: 'The service tells what happens.',
        channel: { $ref: '#/channels/stream' },
        messages: EVENTS.map((event) => ({ $ref: `#/channels/stream/messages/${event}` })),
      },
    },
    components: {
      messages: Object.fromEntries(EVENTS.map((event) => [event, messageOf(event, schemas)])),
      schemas: reachable(schemas),
      securitySchemes: { token: { type: 'httpApiKey', in: 'query', name: 'token' } },
    },
  };
}

function channel(): object {
  const resume = {
    type: 'string',
    pattern: '^[0-9a-f]{24}$',
    description: 'Repeat the frames of this message, and go on.',
  };
  return {
    address: '/api/v1/stream/{room_id}',
    description:
      'The id of a conversation, a chat message, a datasource or an agent task, the own user or company, or any other label for everything.',
    parameters: { room_id: { description: 'An identifier, or 1 to 64 letters, digits, - or _.' } },
    messages: Object.fromEntries(EVENTS.map((event) => [event, { $ref: `#/components/messages/${event}` }])),
    bindings: {
      ws: {
        method: 'GET',
        query: {
          type: 'object',
          required: ['token'],
          properties: {
            token: { type: 'string', description: 'The access token.' },
            message_id: resume,
            after: { type: 'integer', minimum: 0, description: 'The `seq` of the last frame that is there already.' },
          },
        },
      },
    },
  };
}

function messageOf(event: ToldEventName, schemas: Readonly<Record<string, unknown>>): object {
  const name = FRAME_DATA[event].name;
  const schema = schemas[name];
  const description = isRecord(schema) ? schema['description'] : undefined;
  return {
    name: event,
    ...(typeof description === 'string' ? { summary: description } : {}),
    payload: {
      type: 'object',
      required: ['event', 'data', 'at'],
      properties: {
        event: { type: 'string', const: event },
        data: { $ref: `#/components/schemas/${name}` },
        at: { type: 'string', format: 'date-time' },
      },
    },
  };
}

/** The schemas of the frames, and those that they refer to. */
function reachable(schemas: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const found = new Map<string, unknown>();
  const waiting: string[] = Object.values(FRAME_DATA).map(({ name }) => name);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.set(name, schemas[name]);
    waiting.push(...schemasNamedIn(schemas[name]));
  }
  return Object.fromEntries([...found].sort(([one], [other]) => one.localeCompare(other)));
}
