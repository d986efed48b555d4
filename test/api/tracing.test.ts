import { expect, it } from 'vitest';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { failSpan, tracer } from '../../src/ports/tracing.js';
import { OpenAiDouble, queryCall } from '../support/openai-double.js';
import { startTestApi } from '../support/test-api.js';
import { TraceReceiver, type ReceivedSpan } from '../support/trace-receiver.js';
import { CANARY, importedDatasource, openConversation } from './world.builder.js';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TRACEPARENT = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
const NOBODY = 'http://127.0.0.1:9';

function factsOf(span: Pick<ReceivedSpan, 'attributes'>): Record<string, unknown> {
  return Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** What a service tells that has this environment, imports rows and answers these questions. */
async function told(
  receiver: TraceReceiver,
  environment: Readonly<Record<string, string>>,
  ...messages: readonly string[]
): Promise<readonly string[]> {
  const api = await startTestApi({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`, ...environment } });
  const ada = await api.signIn('acme');
  const datasource = await importedDatasource(api, ada);
  const conversation_id = await openConversation(ada, datasource);
  for (const message of messages)
    await ada.post('/secure/assistant/chat', { conversation_id, message }, { traceparent: TRACEPARENT });
  const broken = tracer().startSpan('broken');
  failSpan(broken, new TypeError('a cell with a secret'));
  broken.end();
  await api[Symbol.asyncDispose]();
  return [CANARY, ...messages, 'example.com', datasource, String(ada.token), 'a cell'];
}

it('traces follow a question to the model and the rows, and an import to the request that wanted it; failures have no words', async () => {
  await using receiver = await TraceReceiver.start();
  const named = { OTEL_SERVICE_NAME: 'analysis', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=a%20test' };
  const secrets = await told(receiver, named, 'average temperature by device');

  expect(receiver.one('broken').status.code).toBe(2);
  expect(factsOf(receiver.one('broken'))).toEqual({ 'error.type': 'TypeError' });
  const chat = receiver.one('POST /api/v1/secure/assistant/chat');
  expect(chat).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId });
  const facts = { 'http.route': '/api/v1/secure/assistant/chat', 'http.response.status_code': 200 };
  expect(factsOf(chat)).toMatchObject(facts);
  for (const span of ['model call', 'rows analyze'])
    expect(receiver.one(span)).toMatchObject({ traceId: CALLER.traceId, parentSpanId: chat.spanId });

  const created = receiver.one('PUT /api/v1/secure/datasource');
  const job = receiver.one('job datasource.import');
  const load = receiver.one('rows import');
  expect(job.links).toMatchObject([{ traceId: created.traceId, spanId: created.spanId }]);
  expect(job.traceId).not.toBe(created.traceId);
  expect(load).toMatchObject({ traceId: job.traceId, parentSpanId: job.spanId });
  expect(factsOf(load)).toMatchObject({ rows: 48, rejected: 0 });

  const resource = { 'service.name': 'analysis', 'deployment.environment': 'a test' };
  expect(Object.fromEntries(receiver.resource)).toMatchObject(resource);
  for (const secret of [...secrets, 'temperature']) expect(receiver.raw).not.toContain(secret);
});

it('traces tell of a model by the conventions for generative AI, its tokens as metrics, and none of its words; a sampler is obeyed', async () => {
  await using receiver = await TraceReceiver.start();
  const query = queryCall('SELECT count(*) AS n FROM data');
  const away = Array.from({ length: 3 }, () => ({ status: 500 }));
  await using double = await OpenAiDouble.start({ calls: [query] }, { content: 'There are 48 rows.' }, ...away);
  const model = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-canary', OPENAI_MODEL: 'double' };
  const sampler = { OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
  const secrets = await told(receiver, { ...model, ...sampler }, 'How many rows are there?', 'And now?');

  // The sampler keeps what its caller keeps, and nothing else.
  expect(receiver.named('PUT /api/v1/secure/datasource')).toEqual([]);
  const [first, second, third] = receiver.named('chat double');
  const { spanId: parentSpanId } = receiver.named('POST /api/v1/secure/assistant/chat')[0]!;
  for (const span of [first, second]) expect(span).toMatchObject({ kind: 3, parentSpanId });
  const { hostname, port } = new URL(double.baseUrl);
  const asked = {
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'double' },
    ...{ 'server.address': hostname, 'server.port': Number(port) },
  };
  expect(factsOf(first!)).toMatchObject({
    ...asked,
    'gen_ai.response.finish_reasons': { values: [{ stringValue: 'tool_calls' }] },
    ...{ 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 },
  });
  expect(factsOf(third!)).toMatchObject({ ...asked, 'error.type': 'unavailable' });
  expect(third?.status.code).toBe(2);

  const points = (name: string): object[] =>
    receiver.metrics
      .filter((metric) => metric.name === name)
      .flatMap(({ histogram }) => histogram.dataPoints)
      .map(({ attributes, count, sum }) => ({ ...factsOf({ attributes }), count, sum }));
  expect(points('gen_ai.client.token.usage')).toEqual([
    { ...asked, 'gen_ai.token.type': 'input', count: 2, sum: 20 },
    { ...asked, 'gen_ai.token.type': 'output', count: 2, sum: 10 },
  ]);
  expect(points('gen_ai.client.operation.duration')).toMatchObject([
    { ...asked, count: 2 },
    { ...asked, 'error.type': 'unavailable', count: 1 },
  ]);
  for (const secret of [...secrets, 'There are', 'count(*)', 'sk-canary']) expect(receiver.raw).not.toContain(secret);
});

it.each([{}, { OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
  'traces are not made with %j',
  (variables) => {
    const endpoint = Object.keys(variables).length > 0 ? { OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY } : {};
    const environment = readEnvironment({ ...endpoint, ...variables, JWT_SECRET: 'j'.repeat(32) });
    expect(new AppConfig(environment).tracing).toBeNull();
  },
);

it('traces do not keep the service from answering or stopping when nobody takes them, which is said once', async () => {
  const lines: string[] = [];
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: NOBODY, LOG_LEVEL: 'warn' };
  const api = await startTestApi({ environment, onLog: (line) => lines.push(line) });
  for (let turn = 0; turn < 60; turn += 1) await api.stranger().get('/health/live');
  const began = performance.now();
  await api[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(lines.filter((line) => line.includes('traces are lost')).length).toBeLessThanOrEqual(1);
  expect(lines.filter((line) => line.includes('127.0.0.1:9'))).toEqual([]);
});
