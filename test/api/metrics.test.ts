import { afterEach, expect, it } from 'vitest';
import { MetricsServer } from '../../src/features/metrics/metrics.server.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { importedDatasource, openConversation, ROWS_CSV } from './world.builder.js';

const METRICS_TOKEN = 'a token for whoever reads metrics';
const BEARER = { authorization: `Bearer ${METRICS_TOKEN}` };
const CSV = `${ROWS_CSV}\nd1,no time,1,x`;

let api: TestApi;
afterEach(() => api[Symbol.asyncDispose]());

async function start(environment: Record<string, string>): Promise<void> {
  api = await startTestApi({ environment });
}

const ownUrl = (): string => `http://127.0.0.1:${String(api.get(MetricsServer).port)}`;

type ValueOf = (name: string, labels?: Readonly<Record<string, string>>) => number | null;

/** The page, and the sum of the series on it that have all of these labels; null when there is none. */
async function page(url: string, headers = {}): Promise<[string, ValueOf]> {
  const answer = await fetch(`${url}/metrics`, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await answer.text();
  const valueOf: ValueOf = (name, labels = {}) => {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const found = text
      .split('\n')
      .filter((line) => line.startsWith(`analytics_${name} `) || line.startsWith(`analytics_${name}{`))
      .filter((line) => wanted.every((label) => line.includes(label)))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
    return found.length === 0 ? null : found.reduce((sum, value) => sum + value, 0);
  };
  return [text, valueOf];
}

it('metrics count requests and work as they happen, for whoever has the token, and strangers make up no names', async () => {
  await start({ METRICS_TOKEN });
  const ada = await api.signIn('acme', { role: 'system' });
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${String(ada.token)}` }])
    expect((await fetch(`${api.url}/metrics`, { headers })).status).toBe(401);
  await ada.get(`/secure/datasource?id=${'f'.repeat(24)}`);
  for (let turn = 0; turn < 5; turn += 1) {
    await ada.get(`/nothing/here-${turn}`);
    await ada.get(`/secure/agent/task/run/${String(turn).repeat(24)}`);
  }
  await using socket = await StreamClient.open(streamUrl(api.url, 'everything', String(ada.token)));
  const datasource = await importedDatasource(api, ada, CSV);
  await socket.hears({ event: 'datasource-updated' });
  const row = { device: 'd9', at: '2024-02-01 00:00:00', temperature: 7, note: 'x' };
  await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data: [row] });
  const conversation_id = await openConversation(ada, datasource);
  await ada.post('/secure/assistant/chat', { conversation_id, message: 'average temperature by device' });

  const [text, valueOf] = await page(api.url, BEARER);
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toContain(datasource);
  // Figures have any digits.
  expect(text.replaceAll(/ [^ ]+$/gm, '')).not.toMatch(/here-|ffffff|1111|acme|example\.com/);
  const requests = 'http_request_duration_seconds_count';
  const [job, done] = ['datasource.import', 'done'];
  const counts: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
    [requests, { route: '/api/v1/login', method: 'POST', status: '2xx' }, 1],
    [requests, { route: '/api/v1/secure/datasource', status: '4xx' }, 1],
    [requests, { route: 'unmatched', status: '4xx' }, 5],
    [requests, { route: '/api/v1/secure/agent/task/run/:task_id' }, 5],
    ['jobs_enqueued_total', { job }, 1],
    ['job_duration_seconds_count', { job, outcome: done }, 1],
    ['jobs_waiting', { job }, 0],
    ['import_rows_total', { result: 'kept' }, 48],
    ['import_rows_total', { result: 'rejected' }, 1],
    ['import_bytes_total', {}, Buffer.byteLength(CSV)],
    ['import_duration_seconds_count', { outcome: done }, 1],
    ['inserted_rows_total', {}, 1],
    ['row_query_duration_seconds_count', { operation: 'append', outcome: done }, 1],
    ['answer_duration_seconds_count', { kind: 'answer', engine: 'built-in' }, 1],
    ['stream_sockets_open', {}, 1],
    ['stream_sockets_total', {}, 1],
    ['row_engine_restarts', {}, 0],
    ['companies', {}, 2],
    ...['documents', 'jobs', 'events', 'rows', 'objects'].map((backend) => ['backend_up', { backend }, 1] as const),
  ];
  for (const [name, labels, count] of counts)
    expect(valueOf(name, labels), `${name} ${JSON.stringify(labels)}`).toBe(count);
  expect(valueOf('row_query_duration_seconds_count', { operation: 'analyze' })).toBeGreaterThan(0);
  expect(valueOf('stream_frames_total', { type: 'datasource-updated' })).toBeGreaterThan(0);
});

it('metrics on a port of their own are for whoever reaches it with the token, and nobody on the other', async () => {
  await start({ METRICS_PORT: '0', METRICS_TOKEN });
  const statusOf = async (url: string, init: RequestInit = {}): Promise<number> => (await fetch(url, init)).status;
  expect(await statusOf(`${ownUrl()}/metrics`)).toBe(401);
  expect((await page(ownUrl(), BEARER))[0]).toContain('nodejs_eventloop_lag_seconds');
  expect(await statusOf(`${ownUrl()}/health/live`)).toBe(404);
  expect(await statusOf(`${ownUrl()}/metrics`, { method: 'POST' })).toBe(404);
  expect(await statusOf(`${api.url}/metrics`, { headers: BEARER })).toBe(404);
});

it('metrics tell what models took, and when the analyst had to stand in, to whoever reaches a port without a token', async () => {
  const away = Array.from({ length: 6 }, () => ({ status: 500 }));
  await using double = await OpenAiDouble.start({ content: 'It is warm. '.repeat(3) }, ...away);
  const model = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-a-key', OPENAI_MODEL: 'a-secret-model' };
  await start({ ...model, METRICS_PORT: '0' });
  const ada = await api.signIn('acme', { role: 'manager' });
  const conversation_id = await openConversation(ada, await importedDatasource(api, ada));
  const ask = (message: string): Promise<unknown> => ada.post('/secure/assistant/chat', { conversation_id, message });
  await ask('Is it warm?');
  await ask('average temperature by device');
  await ada.patch('/secure/settings', { config: { assistant: { fallback: true } } });
  await ask('Average temperature by device');
  const [text, valueOf] = await page(ownUrl());
  expect(valueOf('answer_fallbacks_total')).toBe(1);
  expect(valueOf('answer_duration_seconds_count', { engine: 'built-in', kind: 'answer' })).toBe(1);
  expect(valueOf('model_call_duration_seconds_count', { engine: 'model', outcome: 'done' })).toBeGreaterThan(0);
  expect(valueOf('model_call_duration_seconds_count', { engine: 'model', outcome: 'failed' })).toBe(2);
  expect(valueOf('answer_duration_seconds_count', { engine: 'model', kind: 'failed' })).toBe(1);
  expect(text).not.toContain('a-secret-model');
});
