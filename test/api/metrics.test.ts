import { afterEach, describe, expect, it } from 'vitest';
import { MetricsServer } from '../../src/features/metrics/metrics.server.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { importedDatasource, openConversation, ROWS_CSV } from './world.builder.js';

const TOKEN = 'a token for whoever reads metrics';
const ON = { METRICS_TOKEN: TOKEN };
const BEARER = { authorization: `Bearer ${TOKEN}` };

let api: TestApi;
afterEach(() => api[Symbol.asyncDispose]());

async function start(environment: Record<string, string> = ON): Promise<void> {
  api = await startTestApi({ environment });
}

async function page(url = api.url): Promise<string> {
  const answer = await fetch(`${url}/metrics`, url === api.url ? { headers: BEARER } : {});
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  return answer.text();
}

/** The sum of the series that have all of these labels; null when there is none. */
function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number | null {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const found = text
    .split('\n')
    .filter((line) => line.startsWith(`analytics_${name} `) || line.startsWith(`analytics_${name}{`))
    .filter((line) => wanted.every((label) => line.includes(label)))
    .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)));
  return found.length === 0 ? null : found.reduce((sum, value) => sum + value, 0);
}

describe('on a port of their own', () => {
  it('the metrics are for whoever reaches it with the token, and nobody on the other', async () => {
    await start({ METRICS_PORT: '0', ...ON });
    const own = `http://127.0.0.1:${String(api.get(MetricsServer).port)}`;
    expect((await fetch(`${own}/metrics`)).status).toBe(401);
    const answer = await fetch(`${own}/metrics`, { headers: BEARER });
    expect(await answer.text()).toContain('nodejs_eventloop_lag_seconds');
    expect((await fetch(`${own}/health/live`)).status).toBe(404);
    expect((await fetch(`${own}/metrics`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${api.url}/metrics`, { headers: BEARER })).status).toBe(404);
  });
});

describe('requests and work', () => {
  it('are counted as they happen, for whoever has the token, and strangers make up no names', async () => {
    await start();
    const ada = await api.signIn('acme', { role: 'system' });
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${String(ada.token)}` }]) {
      expect((await fetch(`${api.url}/metrics`, { headers })).status).toBe(401);
    }
    await ada.get(`/secure/datasource?id=${'f'.repeat(24)}`);
    for (let turn = 0; turn < 5; turn += 1) {
      await ada.get(`/nothing/here-${turn}`);
      await ada.get(`/secure/agent/task/run/${String(turn).repeat(24)}`);
    }
    await using socket = await StreamClient.open(streamUrl(api.url, 'everything', String(ada.token)));
    const datasource = await importedDatasource(api, ada, `${ROWS_CSV}\nd1,no time,1,x`);
    await socket.hears({ event: 'datasource-updated' });
    const row = { device: 'd9', at: '2024-02-01 00:00:00', temperature: 7, note: 'x' };
    await ada.patch('/secure/datasource/insert', { datasource_id: datasource, data: [row] });
    const conversation_id = await openConversation(ada, datasource);
    await ada.post('/secure/assistant/chat', { conversation_id, message: 'average temperature by device' });

    const text = await page();
    const name = 'http_request_duration_seconds_count';
    expect(text).toContain('process_cpu_seconds_total');
    expect(valueOf(text, name, { route: '/api/v1/login', method: 'POST', status: '2xx' })).toBe(1);
    expect(valueOf(text, name, { route: '/api/v1/secure/datasource', status: '4xx' })).toBe(1);
    expect(valueOf(text, name, { route: 'unmatched', status: '4xx' })).toBe(5);
    expect(valueOf(text, name, { route: '/api/v1/secure/agent/task/run/:task_id' })).toBe(5);
    // Figures have any digits.
    const names = text.replaceAll(/ [^ ]+$/gm, '');
    expect(names).not.toMatch(/here-|ffffff|1111|acme|example\.com/);
    const job = 'datasource.import';
    expect(valueOf(text, 'jobs_enqueued_total', { job })).toBe(1);
    expect(valueOf(text, 'job_duration_seconds_count', { job, outcome: 'done' })).toBe(1);
    expect(valueOf(text, 'jobs_waiting', { job })).toBe(0);
    expect(valueOf(text, 'import_rows_total', { result: 'kept' })).toBe(48);
    expect(valueOf(text, 'import_rows_total', { result: 'rejected' })).toBe(1);
    expect(valueOf(text, 'import_bytes_total')).toBe(Buffer.byteLength(`${ROWS_CSV}\nd1,no time,1,x`));
    expect(valueOf(text, 'import_duration_seconds_count', { outcome: 'done' })).toBe(1);
    expect(valueOf(text, 'inserted_rows_total')).toBe(1);
    expect(valueOf(text, 'row_query_duration_seconds_count', { operation: 'append', outcome: 'done' })).toBe(1);
    expect(valueOf(text, 'row_query_duration_seconds_count', { operation: 'analyze' })).toBeGreaterThan(0);
    expect(valueOf(text, 'answer_duration_seconds_count', { kind: 'answer', engine: 'built-in' })).toBe(1);
    expect(valueOf(text, 'stream_sockets_open')).toBe(1);
    expect(valueOf(text, 'stream_sockets_total')).toBe(1);
    expect(valueOf(text, 'stream_frames_total', { type: 'datasource-updated' })).toBeGreaterThan(0);
    expect(valueOf(text, 'row_engine_restarts')).toBe(0);
    for (const backend of ['documents', 'jobs', 'events', 'rows', 'objects']) {
      expect(valueOf(text, 'backend_up', { backend })).toBe(1);
    }
    expect(valueOf(text, 'companies')).toBe(2);
    expect(text).not.toContain(datasource);
  });

  it('tells what models took, and when the analyst had to stand in', async () => {
    const away = Array.from({ length: 6 }, () => ({ status: 500 }));
    await using double = await OpenAiDouble.start({ content: 'It is warm. '.repeat(3) }, ...away);
    const model = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-a-key', OPENAI_MODEL: 'a-secret-model' };
    // Nobody has a token: whoever reaches the port may read.
    await start({ ...model, METRICS_PORT: '0' });
    const ada = await api.signIn('acme', { role: 'manager' });
    const datasource = await importedDatasource(api, ada);
    const conversation_id = await openConversation(ada, datasource);
    await ada.post('/secure/assistant/chat', { conversation_id, message: 'Is it warm?' });
    await ada.post('/secure/assistant/chat', { conversation_id, message: 'average temperature by device' });
    await ada.patch('/secure/settings', { config: { assistant: { fallback: true } } });
    await ada.post('/secure/assistant/chat', { conversation_id, message: 'Average temperature by device' });
    const text = await page(`http://127.0.0.1:${String(api.get(MetricsServer).port)}`);
    expect(valueOf(text, 'answer_fallbacks_total')).toBe(1);
    expect(valueOf(text, 'answer_duration_seconds_count', { engine: 'built-in', kind: 'answer' })).toBe(1);
    expect(valueOf(text, 'model_call_duration_seconds_count', { engine: 'model', outcome: 'done' })).toBeGreaterThan(0);
    expect(valueOf(text, 'model_call_duration_seconds_count', { engine: 'model', outcome: 'failed' })).toBe(2);
    expect(valueOf(text, 'answer_duration_seconds_count', { engine: 'model', kind: 'failed' })).toBe(1);
    expect(text).not.toContain('a-secret-model');
  });
});
