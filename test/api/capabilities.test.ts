import { afterAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../support/test-api.js';

const api = await startTestApi({
  environment: {
    OPENAI_API_KEY: 'sk-canary',
    OPENAI_MODEL: 'some-model',
    UPLOAD_MAX_BYTES: '5000000',
    SOCKETS_PER_USER: '7',
  },
});
afterAll(() => api[Symbol.asyncDispose]());

describe('GET secure/capabilities', () => {
  it('tells what is taken and who answers', async () => {
    const ada = await api.signIn('acme');
    expect(await ada.get('/secure/capabilities')).toMatchObject({
      status: 200,
      body: {
        error: false,
        message: 'capabilities retrieved',
        limits: {
          upload_bytes: 5_000_000,
          rows_per_insert: 1000,
          message_characters: 8000,
          context_file_bytes: 52_428_800,
          sockets_per_user: 7,
          storage_bytes: null,
          thinking_task_intervals: [15, 30, 60, 120, 1440],
        },
        formats: {
          datasource_files: ['csv', 'tsv', 'txt', 'xlsx', 'parquet', 'json', 'ndjson', 'zip', 'gz', 'zst'],
          context_files: expect.arrayContaining(['application/pdf']) as unknown,
        },
        assistant: { model: 'some-model', built_in: false, fallback: false, answer_seconds: 120, tool_calls: 12 },
        row_engine: 'duckdb',
      },
    });
  });

  it('holds its message limit', async () => {
    const ada = await api.signIn('acme');
    const { body } = await ada.get('/secure/capabilities');
    const { message_characters: most } = body['limits'] as { message_characters: number };
    const ask = { conversation_id: 'a'.repeat(24), message: 'x'.repeat(most + 1) };
    expect((await ada.post('/secure/assistant/chat', ask)).status).toBe(400);
    expect((await ada.post('/secure/assistant/chat', { ...ask, message: 'x'.repeat(most) })).status).toBe(404);
  });

  it('tells no company of another’s settings, and nobody a key or an address', async () => {
    const [boss, eve] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('globex')];
    const assistant = {
      model: 'secret-project',
      instructions: 'canary of instructions',
      limits: { tokens_per_day: 5 },
    };
    expect((await boss.patch('/secure/settings', { config: { assistant } })).status).toBe(200);
    const theirs = JSON.stringify((await eve.get('/secure/capabilities')).body);
    expect(theirs).toContain('some-model');
    expect(theirs).not.toMatch(/secret-project|canary/);
    const own = JSON.stringify((await boss.get('/secure/capabilities')).body);
    expect(own).toContain('secret-project');
    expect(own).not.toMatch(/sk-|canary|https?:/);
    expect((await api.stranger().get('/secure/capabilities')).status).toBe(401);
  });
});
